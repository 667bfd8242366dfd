// What one read asked of the platform: every read of it in order, as it went out, how long it took and what came of it.
import type { CallTrace, Watch } from '../../engine/port.ts'
import { purposeWords } from '../../engine/explain.ts'
import { Problem } from '../../problem.ts'

export interface AskedRead {
  readonly purpose: string
  /** path and query, as the platform got them */
  readonly get: string
  readonly accept: string
  tookMs: number
  /** the platform's; null where it gave none, or another request heard it */
  status: number | null
  /** null for a document, and for what had not ended yet */
  code: string | null
}

/** to a tenth of a millisecond */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10

export class Recorder {
  readonly #steady: () => number
  readonly #all: AskedRead[] = []
  /** one at a time: a lookup comes to its end before the read behind it begins */
  #running: { readonly read: AskedRead; readonly begunAt: number } | undefined = undefined

  constructor(steady: () => number) {
    this.#steady = steady
  }

  readonly watch: Watch = async ({ target, accept }, purpose, make) => {
    const read: AskedRead = { purpose: purposeWords[purpose], get: target, accept, tookMs: 0, status: null, code: null }
    this.#all.push(read)
    this.#running = { read, begunAt: this.#steady() }
    try {
      const document = await make()
      // also where the call was another request's: nothing but a 200 is a document
      read.status = 200
      this.#end(null)
      return document
    } catch (error) {
      this.#end(error instanceof Problem ? error.code : 'internal_error')
      throw error
    }
  }

  /** hears of each call that a read takes: it may be repeated, and the last word is the one that counts */
  readonly trace = (): CallTrace => ({
    end: ({ status }) => {
      if (this.#running) this.#running.read.status = status ?? null
    },
  })

  /** as it stands: what is still under way goes on for others */
  asked(): readonly AskedRead[] {
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
