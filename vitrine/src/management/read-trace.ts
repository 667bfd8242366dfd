// The platform reads of one request, in order: what was sent, how long it took, and the outcome.
import type { CallTrace } from '../../../base/watch/spans.ts'
import type { Watch } from '../platform/port.ts'
import { purposeWords } from '../engine/explain.ts'
import { Problem } from '../problems.ts'
import type { Answers } from './answer-schemas.ts'

type Traced = Answers['Reading']['asked'][number]
type TracedRead = { -readonly [Member in keyof Traced]: Traced[Member] }

/** to a tenth of a millisecond */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10

export class ReadTrace {
  readonly #steady: () => number
  readonly #all: TracedRead[] = []
  /** one at a time: a lookup ends before the next read begins */
  #running: { readonly read: TracedRead; readonly begunAt: number } | undefined = undefined

  constructor(steady: () => number) {
    this.#steady = steady
  }

  readonly watch: Watch = async ({ target, accept }, purpose, make) => {
    const read: TracedRead = {
      purpose: purposeWords[purpose],
      get: target,
      accept,
      tookMs: 0,
      status: null,
      code: null,
    }
    this.#all.push(read)
    this.#running = { read, begunAt: this.#steady() }
    try {
      const document = await make()
      // also if another request made the call: only a 200 is a document
      read.status = 200
      this.#end(null)
      return document
    } catch (error) {
      this.#end(error instanceof Problem ? error.code : 'internal_error')
      throw error
    }
  }

  /** called for each platform call of a read; after a retry, the last status counts */
  readonly trace = (): CallTrace => ({
    end: ({ status }) => {
      if (this.#running) this.#running.read.status = status ?? null
    },
  })

  /** up to now: reads under way may go on for others */
  asked(): readonly TracedRead[] {
    this.#end(null)
    return this.#all.map((read) => ({ ...read }))
  }

  #end(code: string | null) {
    if (!this.#running) return
    const { read, begunAt } = this.#running
    read.tookMs = tenths(this.#steady() - begunAt)
    read.code = code
    this.#running = undefined
  }
}
