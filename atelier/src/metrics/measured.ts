// The engine, the store and the commands, with events that say how long each call took and how it ended.
import type { Database } from '../../../base/store/sql.ts'
import { type Engine, EngineError } from '../engine/port.ts'
import type { Event, Observe } from '../events.ts'
import type { Commands } from '../exec/commands.ts'

/** `info` and `confinement` answer from memory, and `close` asks nothing */
export const engineCalls = [
  'ping',
  'create',
  'start',
  'stop',
  'remove',
  'state',
  'list',
  'size',
  'sizes',
  'events',
  'exec',
  'open',
  'attach',
  'resident',
  'stat',
  'processes',
  'putArchive',
  'getArchive',
  'findProgram',
  'image',
  'images',
  'commit',
  'checkpoint',
  'createEmptyImage',
  'adopt',
  'load',
  'removeImage',
] as const satisfies readonly (keyof Engine)[]

async function timed<T>(act: () => Promise<T>, tell: (durationMs: number, error?: unknown) => void): Promise<T> {
  const beganAt = performance.now()
  try {
    const result = await act()
    tell(performance.now() - beganAt)
    return result
  } catch (error) {
    tell(performance.now() - beganAt, error ?? 'unknown')
    throw error
  }
}

export function measuredEngine(engine: Engine, observe: Observe): Engine {
  const measured = engineCalls.map((call) => {
    const ask = engine[call].bind(engine) as (...given: unknown[]) => Promise<unknown>
    const tell = (durationMs: number, error?: unknown) => {
      const failure = error instanceof EngineError ? error.fault : 'failed'
      observe({ kind: 'engine_called', call, outcome: error === undefined ? 'ok' : failure, durationMs })
    }
    return [call, (...given: unknown[]) => timed(() => ask(...given), tell)]
  })
  // not all of an Engine if the list lacks a call, which does not compile
  const calls = Object.fromEntries(measured) as Pick<Engine, (typeof engineCalls)[number]>
  return {
    ...calls,
    info: () => engine.info(),
    confinement: (image) => engine.confinement(image),
    close: () => engine.close(),
  }
}

type StoreAct = Extract<Event, { kind: 'store_called' }>['act']

export function measuredDatabase(db: Database, observe: Observe): Database {
  const measure = <T>(act: StoreAct, run: () => Promise<T>): Promise<T> =>
    timed(run, (durationMs, error) =>
      observe({ kind: 'store_called', act, outcome: error === undefined ? 'ok' : 'failed', durationMs }),
    )
  return {
    ...db,
    one: (...given) => measure('read', () => db.one(...given)),
    all: (...given) => measure('read', () => db.all(...given)),
    run: (...given) => measure('write', () => db.run(...given)),
    transaction: (act) => measure('transaction', () => db.transaction(act)),
  }
}

/** `not_started`: refused at a limit, or the engine failed */
export const commandOutcomes = [
  'ended',
  'timeout',
  'output_limit',
  'caller_gone',
  'key_ended',
  'stopping',
  'container_ended',
  'not_started',
] as const

export function measuredCommands(commands: Commands, observe: Observe): Commands {
  return {
    ...commands,
    async start(record, wish) {
      const { command, release } = await timed(
        () => commands.start(record, wish),
        (durationMs, error) =>
          observe(
            error === undefined
              ? { kind: 'command_started', durationMs }
              : { kind: 'command_ended', outcome: 'not_started' },
          ),
      )
      let isOver = false
      return {
        command,
        async release() {
          if (!isOver) observe({ kind: 'command_ended', outcome: command.killedBy ?? 'ended' })
          isOver = true
          await release()
        },
      }
    },
  }
}
