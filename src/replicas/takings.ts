// Evidence that nothing was taken away: one mark in Redis that everybody changes who takes something away, and everybody
// else looks at. A mark never comes again, not even from a server that forgets or is replaced.
import { randomBytes } from 'node:crypto'
import type { Observe } from '../observe.ts'
import type { Takings } from '../store/outage.ts'
import type { Board } from './board.ts'

/** what was read longer ago is no evidence */
export const freshMs = 500
/** how long is tried to tell */
const tellingMs = 1_000
const againMs = 50

export interface TakingsOptions {
  readonly board: Board
  /** how long a replica that was not told may go on believing */
  readonly boundMs: number
  readonly observe: Observe
  readonly now: () => number
  readonly steady: () => number
}

export interface Evidence extends Takings {
  /** reads the mark, as it is to be done every now and then */
  readonly read: () => Promise<void>
  /** the mark that was read last */
  readonly stamp: () => string | undefined
  /** the mark that stands, read lately or now; undefined where it cannot be read */
  standing(): Promise<string | undefined>
  /** the database holds another last taking than was seen here before */
  relay(seq: number): Promise<void>
  /** milliseconds since 1970: so long may others still believe what an act here took away; undefined: all were told */
  readonly untold: () => number | undefined
}

const freshMark = (): string => randomBytes(12).toString('base64url')

export function createTakings({ board, boundMs, observe, now, steady }: TakingsOptions): Evidence {
  let last: { readonly mark: string; readonly at: number } | undefined
  let reading: Promise<void> | undefined
  let owedUntil: number | undefined

  async function change(): Promise<boolean> {
    // what is done meanwhile is not told by this
    const owed = owedUntil
    const isTold = await board.change(freshMark())
    if (isTold && owedUntil === owed) owedUntil = undefined
    return isTold
  }

  async function look() {
    if (owedUntil !== undefined) await change()
    // the mark may be as old as the question
    const at = steady()
    const mark = await board.read(freshMark())
    if (mark !== undefined) last = { mark, at }
  }

  const read = () => (reading ??= look().finally(() => (reading = undefined)))

  return {
    async announce() {
      await change()
    },
    async tell() {
      const endsAt = steady() + tellingMs
      for (;;) {
        if (await change()) return
        if (steady() >= endsAt) break
        await new Promise((ok) => setTimeout(ok, againMs))
      }
      owedUntil = now() + boundMs
      observe({ kind: 'taking_untold', until: new Date(owedUntil).toISOString() })
    },
    read,
    stamp: () => last?.mark,
    async standing() {
      if (!last || steady() - last.at > freshMs) await read()
      return last && steady() - last.at <= freshMs ? last.mark : undefined
    },
    relay: (seq) => board.relay(freshMark(), seq),
    untold: () => (owedUntil !== undefined && owedUntil > now() ? owedUntil : undefined),
  }
}
