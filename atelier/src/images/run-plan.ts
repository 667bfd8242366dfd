// Runs the steps of a plan in a build container and makes the image. Removing the container is left to the caller.
import { type Engine, EngineError, type EngineExec } from '../engine/port.ts'
import { buildContainerLimits as limits } from './build-container.ts'
import { BuildFailure } from './build-failure.ts'
import type { BuildLog } from './build-log.ts'
import { isTooLarge, mostWritten, tooLarge } from './build-size.ts'
import type { CachedSteps } from './cache/cached-steps.ts'
import type { BuildContext } from './context.ts'
import { copyFiles, makeDirectory } from './copy.ts'
import type { Plan, PlanStep, RunAction } from './dockerfile/plan.ts'

export const stepSources = ['cache', 'build'] as const
export type StepSource = (typeof stepSources)[number]

export interface PlanRun {
  readonly engine: Engine
  /** of the image, and of its build container */
  readonly id: string
  readonly plan: Plan
  /** the engine's id; null: from scratch */
  readonly base: string | null
  readonly context: BuildContext
  readonly log: BuildLog
  readonly signal: AbortSignal
  readonly cache: CachedSteps
  /** what the account's image may hold at most */
  readonly mostBytes: () => Promise<number>
  /** told of each step that is taken from the cache, or was performed */
  readonly count: (source: StepSource) => void
  /** told before each step, so that a failure can name it */
  readonly atStep: (step: number) => void
}

export interface MadeImage {
  readonly engineId: string
  readonly sizeBytes: number
}

/** the init, and what keeps the container alive */
const ownProcesses = 2

/** the empty image that a build from scratch begins with goes with its container */
export const emptyImageId = (id: string) => `${id}-empty`

export async function runPlan(run: PlanRun): Promise<MadeImage> {
  const { engine, id, plan, signal } = run
  signal.throwIfAborted()
  const cached = await begin(run)
  for (const [index, step] of plan.steps.entries()) {
    signal.throwIfAborted()
    run.atStep(step.step)
    await run.log.say(step.step, `Step ${step.step}/${plan.steps.length}: ${step.text}`)
    if (step.action.kind !== 'none') await takeStep(run, index, index < cached)
  }
  signal.throwIfAborted()
  const engineId = await engine.commit(id, id)
  const image = await engine.image(engineId)
  if (!image) throw new BuildFailure('engine_error', 'The container engine lost the image.')
  return { engineId, sizeBytes: image.sizeBytes }
}

/** Answers how many first steps the container has already. */
async function begin(run: PlanRun): Promise<number> {
  const { engine, id, base, cache, signal } = run
  const found = await cache.find()
  signal.throwIfAborted()
  try {
    if (found) {
      await createContainer(run, found.engineId, found.steps)
      return found.steps
    }
  } catch (error) {
    if (!(error instanceof EngineError && error.fault === 'image_gone')) throw error
    cache.lose()
  }
  const image = base ?? (await engine.createEmptyImage(emptyImageId(id)))
  signal.throwIfAborted()
  await createContainer(run, image, 0)
  return 0
}

/** Without a RUN nothing has to live: files are put into a container that never starts, which needs no shell either. */
async function createContainer({ engine, id, plan, signal }: PlanRun, image: string, cached: number) {
  const hasRun = plan.steps.some(({ action }, index) => index >= cached && action.kind === 'run')
  await engine.create({
    id,
    kind: 'build',
    image,
    command: hasRun ? null : ['/'],
    env: {},
    workingDir: '/',
    user: '0:0',
    limits,
    readOnlyRootfs: false,
    network: 'none',
  })
  signal.throwIfAborted()
  if (hasRun) await engine.start(id)
}

async function takeStep(run: PlanRun, index: number, isCached: boolean) {
  const { plan, cache, log, count } = run
  const step = plan.steps[index]!
  if (isCached) await log.say(step.step, 'cached')
  else {
    await cache.before(index, step.action)
    const begunAt = performance.now()
    await runStep(run, step)
    await cache.after(index, performance.now() - begunAt)
  }
  count(isCached ? 'cache' : 'build')
}

/** The engine reaches no file of a container that runs on a kernel of its own. */
async function prepare({ engine, id }: PlanRun, kind: PlanStep['action']['kind']) {
  if (!(await engine.info()).hasOwnKernel) return
  await (kind === 'run' ? engine.start(id) : engine.stop(id, 0))
}

async function runStep(run: PlanRun, { step, action }: PlanStep) {
  const target = { engine: run.engine, container: run.id }
  await prepare(run, action.kind)
  if (action.kind === 'run') await runCommand(run, step, action)
  if (action.kind === 'copy') await copyFiles(target, run.context, action, await mostWritten(run))
  if (action.kind === 'workdir') await makeDirectory(target, action.path)
}

/** in short turns: the engine has no answer for a command whose container a cancelled build has removed */
async function exitCodeOf(exec: EngineExec, signal: AbortSignal): Promise<number | undefined> {
  for (let turn = 0; turn < 20; turn++) {
    signal.throwIfAborted()
    const exitCode = await exec.exitCode(250)
    if (exitCode !== undefined) return exitCode
  }
  return undefined
}

/** What a step left running may not reach into the next one. A restart ends processes of every user. */
async function endLeftovers({ engine, id, signal }: PlanRun) {
  if ((await engine.processes(id)) <= ownProcesses) return
  signal.throwIfAborted()
  await engine.stop(id, 0)
  signal.throwIfAborted()
  await engine.start(id)
}

async function runCommand(run: PlanRun, step: number, action: RunAction) {
  const { engine, id, log, signal } = run
  const { argv, env, workingDir, user } = action
  const exec = await engine.exec({ container: id, argv, env, workingDir, user, input: false })
  try {
    for await (const { stream, data } of exec.output) {
      signal.throwIfAborted()
      await log.output(step, stream, data)
    }
    await log.endOutput(step)
    if (exec.startFailure) throw new BuildFailure('step_failed', 'The command could not be started.')
    const exitCode = await exitCodeOf(exec, signal)
    if (exitCode === undefined) throw new BuildFailure('engine_error', 'The outcome of the command is unknown.')
    if (exitCode !== 0) throw new BuildFailure('step_failed', `The command ended with ${exitCode}.`)
    await endLeftovers(run)
    // a short command may end between two measurements of the watch; the watch also counts failures of the engine
    if (await isTooLarge(run).catch(() => false)) throw new BuildFailure('image_too_large', tooLarge)
  } finally {
    exec.leave()
  }
}
