// Kills every process of a command, and stops the container in which that fails.
import type { Containers } from '../containers/containers.ts'
import type { Engine } from '../engine/port.ts'
import { makeId } from '../ids.ts'
import type { CommandRows } from '../store/command-rows.ts'
import type { RunningCommands } from './running-commands.ts'
import type { CommandPlace, CommandStarter } from './starter.ts'

/** a kill that has not succeeded after this stops the container */
const escalateMs = 2_000
const retryMs = 250
/** an engine that is away may come back: what was left is killed then */
const patienceMs = 60_000

export interface KillParts {
  readonly engine: Engine
  readonly starter: CommandStarter
  readonly containers: Containers
  readonly rows: CommandRows
  readonly running: RunningCommands
}

const pause = (ms: number): Promise<void> => new Promise((again) => setTimeout(again, ms))

/** true: nothing is left */
async function tryKill(place: CommandPlace, { engine, starter, rows, running }: KillParts): Promise<boolean> {
  const { container, id, user } = place
  const killer = { container, user, id: makeId('ex') }
  const release = running.noteKiller(container, killer.id)
  try {
    const all = new Set([...running.of(container), ...(await rows.detachedOf(container))])
    all.delete(id)
    return (await starter.kill(place, killer, { running: [...all], hasEnded: running.hasEnded })) === 'gone'
  } catch {
    const state = await engine.state(container).catch(() => 'away' as const)
    if (state === 'away') throw new Error('the engine is away')
    return state === undefined || !state.running
  } finally {
    release()
  }
}

async function stopContainer(container: string, { engine, containers }: KillParts) {
  await containers.end(container, 'exited', 'exec_kill_escalated', null)
  await engine.stop(container, 0)
}

export async function killCommand(place: CommandPlace, parts: KillParts) {
  const beganAt = performance.now()
  for (;;) {
    try {
      if (await tryKill(place, parts)) return
      if (performance.now() - beganAt >= escalateMs) return await stopContainer(place.container, parts)
    } catch {
      if (performance.now() - beganAt >= patienceMs) return
    }
    await pause(retryMs)
  }
}
