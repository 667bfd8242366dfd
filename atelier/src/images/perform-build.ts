// One build from its first step to its outcome. Whatever the outcome, the engine keeps nothing but the image that is ready.
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../engine/port.ts'
import type { BuildFault, ImageRecord } from '../store/image-rows.ts'
import { BuildFailure, failureOf } from './build-failure.ts'
import { tooLarge, watchSize } from './build-size.ts'
import { emptyImageId, type MadeImage, type PlanRun, runPlan } from './run-plan.ts'

export type StopReason = 'cancelled' | 'build_timeout' | 'interrupted' | 'image_too_large'

export type BuildOutcome = Pick<ImageRecord, 'status' | 'error' | 'sizeBytes' | 'engineId'>

export interface BuildJob extends Omit<PlanRun, 'signal' | 'atStep'> {
  /** aborted with a StopReason */
  readonly stop: AbortController
  readonly timeoutSeconds: number
}

const settleMs = 15_000
const cleaningPausesMs = [200, 1000, 3000]

export async function performBuild(job: BuildJob): Promise<BuildOutcome> {
  const { stop } = job
  let at = 0
  const timer = setTimeout(() => stop.abort('build_timeout' satisfies StopReason), job.timeoutSeconds * 1000)
  // a build that was given up does not keep the process alive
  timer.unref()
  const over = new AbortController()
  const watch = AbortSignal.any([stop.signal, over.signal])
  void watchSize(job, watch, () => stop.abort('image_too_large' satisfies StopReason))
  const work = runPlan({ ...job, signal: stop.signal, atStep: (step) => (at = step) })
  let made: MadeImage | undefined
  try {
    const image = await Promise.race([work, whenAborted(stop.signal)])
    if (image.sizeBytes > (await job.mostBytes()))
      throw new BuildFailure('image_too_large', 'The images of the account would be larger than its limit.')
    made = image
    return { status: 'ready', error: null, ...image }
  } catch (error) {
    return outcomeOf(error, stop.signal, at === 0 ? null : at)
  } finally {
    clearTimeout(timer)
    over.abort()
    await clean(job, work, made !== undefined)
  }
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const fail = () => reject(new Error('the build was stopped'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })

const stopped = {
  build_timeout: 'The build took longer than it may.',
  interrupted: 'The service ended.',
  image_too_large: tooLarge,
} as const

function outcomeOf(error: unknown, signal: AbortSignal, step: number | null): BuildOutcome {
  const nothing = { sizeBytes: null, engineId: null }
  const reason = signal.aborted ? (signal.reason as StopReason) : undefined
  if (reason === 'cancelled') return { status: 'cancelled', error: null, ...nothing }
  const { type, message } = reason ? { type: reason, message: stopped[reason] } : failureOf(error)
  const fault: BuildFault = { type, message, step }
  return { status: 'failed', error: fault, ...nothing }
}

/** Removing the container is also what kills a command. A call that was under way may still make something: so twice. */
async function clean({ engine, id, base }: BuildJob, work: Promise<unknown>, keepImage: boolean) {
  await attempt(() => engine.remove(id))
  await Promise.race([work.catch(() => undefined), pause(settleMs, undefined, { ref: false })])
  if (!keepImage) {
    await attempt(() => engine.remove(id))
    await attempt(() => engine.removeImage(id))
  }
  if (base === null) await attempt(() => engine.removeImage(emptyImageId(id)))
}

/** Where the engine is away for longer, the service's next start removes what is left. */
async function attempt(work: () => Promise<Awaited<ReturnType<Engine['remove']>>>) {
  for (const waitMs of [...cleaningPausesMs, undefined]) {
    try {
      return await work()
    } catch {
      if (waitMs !== undefined) await pause(waitMs)
    }
  }
}
