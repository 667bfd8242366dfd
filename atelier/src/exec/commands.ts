// The commands of all containers: how many run at once, and what kills them.
import type { Counter } from '../api/counters.ts'
import type { Containers } from '../containers/containers.ts'
import type { Engine, ExecTemplate } from '../engine/port.ts'
import { makeId } from '../ids.ts'
import type { Limits } from '../settings.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import type { CommandRows } from '../store/command-rows.ts'
import { Command, type KillReason } from './command.ts'
import { killCommand } from './kill-command.ts'
import { createMemoryKills } from './memory-kills.ts'
import { createRunningCommands, type RunningCommands } from './running-commands.ts'
import type { CommandStarter } from './starter.ts'

export interface CommandWish {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDir?: string | null | undefined
  readonly user?: string | undefined
  readonly hasInput: boolean
  readonly tty?: { readonly columns: number; readonly rows: number }
  readonly isDetached?: boolean
  /** resolves when the answer is sent or dropped: the command keeps its place until then */
  readonly answered?: Promise<void>
}

export interface CommandsOptions {
  readonly engine: Engine
  readonly starter: CommandStarter
  readonly containers: Containers
  readonly rows: CommandRows
  readonly counter: Counter
  readonly limits: Limits
  readonly isServing?: (() => boolean) | undefined
  /** shared with other rooms that start programs in containers */
  readonly running?: RunningCommands
}

function takePlaces({ id, account }: ContainerRecord, counter: Counter, limits: Limits): () => void {
  const inContainer = counter.take(`exec ${id}`, limits.execsPerContainer, 'exec_limit')
  try {
    const ofAccount = counter.take(`exec ${account}`, limits.execs, 'exec_limit')
    return () => (inContainer(), ofAccount())
  } catch (error) {
    inContainer()
    throw error
  }
}

const templateOf = ({ id: container, spec }: ContainerRecord, wish: CommandWish): ExecTemplate => ({
  container,
  argv: wish.argv,
  env: wish.env,
  workingDir: wish.workingDir ?? spec.workingDir,
  user: wish.user ?? spec.user,
  input: wish.hasInput,
  ...(wish.tty && { tty: wish.tty }),
})

export function createCommands(options: CommandsOptions) {
  const { engine, starter, containers, rows, counter, limits, isServing } = options
  const { running = createRunningCommands() } = options
  const memoryKills = createMemoryKills({ starter, running })

  /** Starts a command in a running container. The caller reads its output, asks for its outcome, and then calls `release`. */
  async function start(
    record: ContainerRecord,
    wish: CommandWish,
  ): Promise<{ command: Command; release: () => Promise<void> }> {
    const { id: container, spec } = record
    const id = makeId('ex')
    const { user = spec.user, isDetached = false } = wish
    const place = { container, id, user, isKeptAlive: spec.command === null }
    const killAll = () => killCommand(place, { engine, starter, containers, rows, running })
    const command = new Command(id, { starter, template: templateOf(record, wish), isDetached, killAll, isServing })
    const givePlaces = takePlaces(record, counter, limits)
    const releases = [running.note(container, id)]
    releases.push(containers.work.begin(container, (reason) => command.endWithContainer(reason)))
    const isNoted = isDetached || user !== spec.user
    const release = async () => {
      await command.killing
      for (const one of releases) one()
      if (wish.answered) void wish.answered.then(givePlaces)
      else givePlaces()
      if (isNoted) await rows.remove(id)
    }
    try {
      if (isNoted) await rows.add({ id, container, user, isDetached })
      await command.start()
      return { command, release }
    } catch (error) {
      await release()
      throw await containers.explain(container, error)
    }
  }

  return {
    start,
    memoryKills,
    /** after a restart of the service: ends commands whose caller is gone; detached ones go on */
    async endEarlier({ id: container, spec }: ContainerRecord) {
      const noted = await rows.of(container)
      const detached = noted.filter(({ isDetached }) => isDetached).map(({ id }) => id)
      const users = new Set([spec.user, ...noted.filter(({ isDetached }) => !isDetached).map(({ user }) => user)])
      await memoryKills.look(container)
      for (const user of users)
        await starter.killUnknown({ container, user, id: makeId('ex') }, [...detached, ...running.of(container)])
      for (const { id, isDetached } of noted) if (!isDetached) await rows.remove(id)
    },
  }
}

export type Commands = ReturnType<typeof createCommands>

/** a time limit, and the signal of the request, as reasons to kill */
export function watchCommand(
  command: Command,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): () => void {
  const late = setTimeout(() => command.kill('timeout'), timeoutMs)
  const reasons: Readonly<Record<string, KillReason>> = { unauthorized: 'key_ended', shutting_down: 'stopping' }
  const leave = () => command.kill(reasons[(signal.reason as { code?: string }).code ?? ''] ?? 'caller_gone')
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  return () => {
    clearTimeout(late)
    signal.removeEventListener('abort', leave)
  }
}
