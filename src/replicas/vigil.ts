// Watches whether the database answers. While it does not, nobody waits for it but one knock at a time, and what was found
// lately may be believed, as long as there is evidence that nothing was taken away since.
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Confirmation, Vigil } from '../store/outage.ts'
import type { Evidence } from './takings.ts'

/** a database that lets so long wait for an answer is away */
const silentMs = 800
const knockMs = 250

export interface VigilOptions {
  readonly place: string
  readonly knock: () => Promise<void>
  readonly evidence: Pick<Evidence, 'stamp' | 'standing'>
  readonly boundMs: number
  readonly observe: Observe
  readonly steady: () => number
}

interface Kept extends Vigil {
  close(): void
}

export function createVigil({ place, knock, evidence, boundMs, observe, steady }: VigilOptions): Kept {
  let state = 'there' as 'there' | 'doubted' | 'away'
  let [reason, since] = ['', steady()]
  /** the last that was asked and answered */
  let heard: Confirmation = { at: Number.NEGATIVE_INFINITY, stamp: undefined }
  let isKnocking = false
  let isClosed = false
  let waking: NodeJS.Timeout | undefined

  function answered(what: Confirmation) {
    if (what.at > heard.at) heard = what
    // an answer that took so long is no sign that others will have one in time
    if (state === 'there' || steady() - what.at > silentMs) return
    if (state === 'away') observe({ kind: 'store_back', place, awayMs: Math.round(steady() - since) })
    state = 'there'
  }

  /** since this moment it was asked, and nothing was heard */
  function silent(from: number) {
    if (state !== 'doubted' || heard.at >= from) return
    ;[state, since] = ['away', steady()]
    observe({ kind: 'store_away', place, reason })
  }

  function ask(): Promise<void> {
    const asked = { at: steady(), stamp: evidence.stamp() }
    return new Promise((ok) => {
      const end = () => {
        clearTimeout(timer)
        silent(asked.at)
        ok()
      }
      const timer = setTimeout(end, silentMs)
      knock().then(
        () => (answered(asked), end()),
        (error: Error) => ((reason = String(error.cause)), end()),
      )
    })
  }

  async function keepKnocking() {
    if (isKnocking) return
    isKnocking = true
    const isOver = () => state === 'there' || isClosed
    while (!isOver()) {
      await ask()
      if (!isOver()) await new Promise((ok) => (waking = setTimeout(ok, knockMs).unref()))
    }
    isKnocking = false
  }

  function doubt(why: string) {
    if (state !== 'there') return
    ;[state, reason] = ['doubted', why]
    void keepKnocking()
  }

  const vouches = async (what: Confirmation): Promise<boolean> =>
    what.stamp !== undefined && steady() - what.at < boundMs && what.stamp === (await evidence.standing())

  return {
    setOut() {
      if (state === 'away') throw new Problem('store_unavailable', { cause: `it is away: ${reason}`, retryAfterSec: 1 })
      const asked = { at: steady(), stamp: evidence.stamp() }
      return (isAnswer, why = '') => (isAnswer ? answered(asked) : doubt(why))
    },
    isAway: () => state === 'away',
    isDoubted: () => state !== 'there',
    doubt,
    stamp: evidence.stamp,
    vouches,
    readsGoOn: () => vouches(heard),
    close() {
      isClosed = true
      clearTimeout(waking)
    },
  }
}
