// Creates and starts a container whose row is there. A failed start leaves no engine object and no row.
import type { Egress } from '../egress/egress.ts'
import type { SettledEgress } from '../egress/wish.ts'
import type { ContainerSpec, ContainerRows } from '../store/container-rows.ts'
import type { ImageRecord } from '../store/image-rows.ts'
import { type Engine, EngineError, type EngineFault } from '../engine/port.ts'
import { Problem, refuse } from '../problems.ts'

export interface Starting {
  readonly id: string
  readonly account: string
  readonly image: ImageRecord
  readonly spec: ContainerSpec
  readonly env: Readonly<Record<string, string>>
  readonly reached: SettledEgress | null
}

export interface StartParts {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly egress: Egress
  readonly now: () => number
}

const standardPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** an init hides that a command cannot be executed, so it is looked for before the start */
async function requireProgram(
  id: string,
  [argv0 = '']: readonly string[],
  workingDir: string,
  searchPath = standardPath,
  engine: Engine,
) {
  const found = await engine.findProgram(id, { argv0, searchPath, workingDir })
  if ('failure' in found) throw refuse('start_failed', { reason: found.failure })
}

const reasons: Readonly<Partial<Record<EngineFault, string>>> = {
  failed: 'other',
  start_refused: 'other',
  no_shell: 'no_shell',
  bad_working_dir: 'bad_working_dir',
}

async function startInEngine({ id, image, spec, env }: Starting, engine: Engine) {
  const { command, workingDir, user, limits, network, readOnlyRootfs } = spec
  await engine.create({
    id,
    kind: 'container',
    image: image.engineId ?? '',
    command,
    env,
    workingDir,
    user,
    limits,
    readOnlyRootfs,
    network,
  })
  if (command) await requireProgram(id, command, workingDir, env['PATH'], engine)
  await engine.start(id)
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const { fault, cause } = error
  // a container that does not run yet holds no space, so the engine itself lacks space or user namespaces
  if (fault === 'no_space') return new Problem('no_capacity', { cause })
  const reason = reasons[fault]
  return reason === undefined ? error : refuse('start_failed', { reason }, { cause })
}

/** answers when it was started */
export async function startContainer(starting: Starting, { engine, rows, egress, now }: StartParts): Promise<number> {
  const { id } = starting
  await engine.ping().catch(async (error: unknown) => {
    // the engine has heard nothing of it
    await rows.drop(id)
    throw error
  })
  try {
    await egress.keep(id, starting.reached)
    await startInEngine(starting, engine)
    await egress.open(starting)
    const startedAt = now()
    await rows.started(id, startedAt)
    return startedAt
  } catch (error) {
    await egress.forget(id).catch(() => {})
    // the row goes last: if the engine is away, the next reconciliation removes both
    await engine.remove(id).then(
      () => rows.undo(id),
      () => {},
    )
    throw refusalOf(error)
  }
}
