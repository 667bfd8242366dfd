// What the steps of a build depend on, as one hash for each number of first steps. Two accounts never share one.
import { createHash } from 'node:crypto'
import { buildContainerLimits } from '../build-container.ts'
import { BuildFailure } from '../build-failure.ts'
import type { BuildContext } from '../context.ts'
import { copiedEntries } from '../copy.ts'
import type { Action, CopyAction, PlanStep } from '../dockerfile/plan.ts'
import { findSources } from '../sources.ts'

/** changed whenever the same steps would make another file system */
const formatVersion = 1

export interface KeyedSteps {
  readonly account: string
  /** the engine's id of the image that the Dockerfile begins with, or `scratch` */
  readonly base: string
  readonly steps: readonly PlanStep[]
  readonly context: BuildContext
}

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const byFirst = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : a > b ? 1 : 0)

export class StepKeys {
  readonly #of: KeyedSteps
  readonly #keys: (string | undefined)[]

  constructor(of: KeyedSteps) {
    this.#of = of
    this.#keys = [hashOf(formatVersion, of.account, of.base, buildContainerLimits)]
  }

  /** undefined: one of these steps is going to fail, since a source of it is missing */
  async after(count: number): Promise<string | undefined> {
    while (this.#keys.length <= count) {
      const before = this.#keys.at(-1)
      const { action } = this.#of.steps[this.#keys.length - 1]!
      this.#keys.push(before === undefined ? undefined : await this.#next(before, action))
    }
    return this.#keys[count]
  }

  /** a step that changes the configuration alone shows in the steps after it, where it matters to them */
  async #next(before: string, action: Action): Promise<string | undefined> {
    if (action.kind === 'none') return before
    if (action.kind === 'workdir') return hashOf(before, action.kind, action.path)
    if (action.kind === 'run') {
      const { kind, argv, env, workingDir, user } = action
      return hashOf(before, kind, argv, Object.entries(env).toSorted(byFirst), workingDir, user)
    }
    const content = await contentOf(this.#of.context, action)
    return content === undefined ? undefined : hashOf(before, { ...action }, content)
  }
}

/** Bytes, modes, names and links, in an order of our own; what comes twice to one place keeps its order. */
async function contentOf(context: BuildContext, action: CopyAction): Promise<string | undefined> {
  try {
    const sources = await findSources(context, action.sources)
    const found: [at: string, what: string][] = []
    for await (const { entry, levels } of copiedEntries(context, sources, true)) {
      const { type, mode, linkTarget, digest } = entry
      found.push([hashOf(levels), hashOf(type, mode, linkTarget, digest)])
    }
    const kinds = sources.map(({ isDirectory }) => isDirectory)
    return hashOf(kinds, found.toSorted(byFirst))
  } catch (error) {
    if (error instanceof BuildFailure) return undefined
    throw error
  }
}
