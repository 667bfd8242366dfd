// Builds: taken in, queued, performed one by one or a few at once, cancelled. What HTTP says of them is not known here.
import { imageNotReady, invalid, refuse } from '../problems.ts'
import type { ImageRecord } from '../store/image-rows.ts'
import { createBuildLog } from './build-log.ts'
import { openCachedSteps } from './cache/cached-steps.ts'
import { scratchBase } from './cache/checkpoints.ts'
import { createWorth } from './cache/worth.ts'
import { scratchConfig } from './config.ts'
import type { BuildContext } from './context.ts'
import { invalidDockerfile } from './dockerfile/invalid.ts'
import { planBuild } from './dockerfile/plan-build.ts'
import type { Plan } from './dockerfile/plan.ts'
import { type Dockerfile, readDockerfile } from './dockerfile/read.ts'
import { openContext } from './open-context.ts'
import { performBuild, type StopReason } from './perform-build.ts'
import type { BuilderParts, BuildRequest, BuildSpec } from './port.ts'
import type { StepSource } from './run-plan.ts'
import { Turns } from './turns.ts'

type OwnImage = ImageRecord & { readonly account: string }

interface Build {
  readonly image: OwnImage
  readonly plan: Plan
  readonly base: ImageRecord | null
  readonly context: BuildContext
  readonly request: BuildRequest
  readonly stop: AbortController
  /** how many steps came from where */
  readonly steps: Record<StepSource, number>
}

interface Running {
  readonly stop: AbortController
  readonly done: Promise<void>
}

const longestSeconds = 900

export class Builder {
  readonly #parts: BuilderParts
  readonly #ofAccount = new Map<string, number>()
  readonly #running = new Map<string, Running>()
  readonly #turns: Turns
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(parts: BuilderParts) {
    this.#parts = parts
    this.#turns = new Turns(parts.mostAtOnce ?? 4)
  }

  /** Checks everything, then answers the queued image; the build goes on by itself. */
  async submit(request: BuildRequest): Promise<ImageRecord> {
    const { spec, limits, account } = request
    const file = readDockerfile(spec.dockerfile, spec.buildArgs ?? {})
    const base = await this.#findBase(account, file)
    const plan = planOf(spec, file, base)
    const release = this.#takePlace(account, limits.builds)
    let context: BuildContext | undefined
    try {
      const stop = new AbortController()
      context = await openContext(request, this.#parts.folder, stop.signal)
      const image = imageOf(request, plan, base, this.#parts.now())
      await this.#add(image, request)
      const build = { image, plan, base, context, request, stop, steps: { cache: 0, build: 0 } }
      const done = this.#carryOut(build).finally(release)
      this.#running.set(image.id, { stop: build.stop, done })
      return image
    } catch (error) {
      await context?.close()
      release()
      throw error
    }
  }

  isAtWork(id: string): boolean {
    return this.#running.has(id)
  }

  get atWork(): { readonly running: number; readonly queued: number } {
    const queued = this.#turns.waiting
    return { running: this.#running.size - queued, queued }
  }

  /** Resolves when the build has ended; true: it was at work. */
  async cancel(id: string): Promise<boolean> {
    return this.#end(id, 'cancelled')
  }

  /** Ends all builds as interrupted. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.#end(id, 'interrupted')))
  }

  /** Calls back after each line of the log that is stored, and after the end of the build. */
  watch(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  async #end(id: string, reason: StopReason): Promise<boolean> {
    const running = this.#running.get(id)
    running?.stop.abort(reason)
    await running?.done
    return running !== undefined
  }

  async #findBase(account: string, { base, from }: Dockerfile): Promise<ImageRecord | null> {
    if (base === 'scratch') return null
    const { rows } = this.#parts
    const byId = base.startsWith('img_') ? await rows.findVisible(account, base) : undefined
    const image = byId?.deletedAt === null ? byId : await rows.findByName(account, base)
    if (!image) throw invalidDockerfile(from, 'there is no such image')
    if (image.status !== 'ready' || image.engineId === null) throw imageNotReady(image.status)
    return image
  }

  #takePlace(account: string, most: number): () => void {
    const current = this.#ofAccount.get(account) ?? 0
    if (current >= most) throw refuse('build_limit')
    this.#ofAccount.set(account, current + 1)
    return () => {
      const left = (this.#ofAccount.get(account) ?? 1) - 1
      if (left > 0) this.#ofAccount.set(account, left)
      else this.#ofAccount.delete(account)
    }
  }

  async #add(image: OwnImage, { limits }: BuildRequest) {
    const added = await this.#parts.rows.add(image, limits)
    if (added === 'name_in_use') throw refuse('name_in_use')
    if (added !== 'added') throw refuse('quota_exceeded', { ...added })
  }

  /** Never rejects: a store that is away leaves the row to the next start. */
  async #carryOut(build: Build): Promise<void> {
    const { rows, observe, now } = this.#parts
    const { image, context, steps } = build
    const startedAt = now()
    const tell = (status: string) => {
      const about = { imageId: image.id, status, steps: steps.build, cachedSteps: steps.cache }
      observe({ kind: 'build_ended', ...about, durationMs: now() - startedAt })
    }
    try {
      const outcome = await this.#performInTurn(build)
      await rows.finished(image.id, outcome, now())
      await rows.trimBuilds(image.account, build.request.limits)
      tell(outcome.status)
    } catch {
      tell('unknown')
    } finally {
      await context.close()
      this.#running.delete(image.id)
      this.#tell(image.id)
    }
  }

  async #performInTurn(build: Build) {
    const leave = await this.#turns.take(build.stop.signal)
    try {
      const { engine, rows, now } = this.#parts
      const { image, plan, base, context, stop, request, steps } = build
      const { id, account } = image
      const { limits, spec } = request
      await rows.building(id)
      const add: Parameters<typeof createBuildLog>[0]['add'] = async (line) => {
        await rows.addLog(id, line)
        this.#tell(id)
      }
      const log = createBuildLog({ add, mostBytes: limits.buildLogBytes, now })
      const mostBytes = async () => limits.imageBytes - (await rows.usage(account)).imageBytes
      const timeoutSeconds = spec.timeoutSeconds ?? longestSeconds
      return await performBuild({
        engine,
        id,
        plan,
        base: base?.engineId ?? null,
        context,
        log,
        stop,
        cache: this.#cacheOf(build),
        count: (source) => (steps[source] += 1),
        timeoutSeconds,
        mostBytes,
      })
    } finally {
      leave()
    }
  }

  #cacheOf({ image: { id, account }, plan, base, context, request, stop }: Build) {
    const { engine, checkpoints, createWorth: newWorth = createWorth } = this.#parts
    return openCachedSteps({
      checkpoints,
      engine,
      account,
      base: base?.engineId ?? scratchBase,
      steps: plan.steps,
      context,
      container: id,
      signal: stop.signal,
      worth: newWorth(),
      isRefreshed: request.spec.noCache === true,
    })
  }

  #tell(id: string) {
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}

function planOf(spec: BuildSpec, file: Dockerfile, base: ImageRecord | null): Plan {
  const { buildArgs = {}, labels = {} } = spec
  const reserved = Object.keys(labels).find((name) => name.toLowerCase().startsWith('atelier.'))
  if (reserved !== undefined) throw invalid(`labels.${reserved}`, 'labels beginning with atelier. are reserved')
  const plan = planBuild(file, { buildArgs, base: base?.config ?? scratchConfig })
  return { ...plan, config: { ...plan.config, labels: { ...plan.config.labels, ...labels } } }
}

function imageOf({ id, account, spec }: BuildRequest, plan: Plan, base: ImageRecord | null, at: number): OwnImage {
  return {
    id,
    account,
    name: spec.name,
    status: 'queued',
    error: null,
    sizeBytes: null,
    config: plan.config,
    base: base && { id: base.id, name: base.name },
    engineId: null,
    createdAt: at,
    finishedAt: null,
    deletedAt: null,
  }
}
