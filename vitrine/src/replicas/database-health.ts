// Watches whether the database answers. While it does not, only one probe at a time is sent, and cached records may be used
// as long as no revocation has been published since they were read.
import { withDeadline } from '../../../base/core/abort.ts'
import { Problem } from '../problems.ts'
import type { Confirmation, DatabaseHealth } from '../../../base/store/outage.ts'
import type { RevocationMark, RevocationMarkOptions } from './revocation-mark.ts'

/** no answer for this long means that the database is down */
const answerMs = 800
const probeMs = 250

export interface DatabaseHealthOptions extends Pick<RevocationMarkOptions, 'boundMs' | 'observe' | 'steady'> {
  readonly place: string
  readonly probe: () => Promise<void>
  readonly revocations: Pick<RevocationMark, 'last' | 'current'>
}

interface Kept extends DatabaseHealth {
  close(): void
}

export function createDatabaseHealth(options: DatabaseHealthOptions): Kept {
  const { place, probe, revocations, boundMs, observe, steady } = options
  let state = 'up' as 'up' | 'suspect' | 'down'
  let [reason, since] = ['', steady()]
  let latest: Confirmation = { at: Number.NEGATIVE_INFINITY, mark: undefined }
  let isProbing = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function onAnswer(what: Confirmation) {
    if (what.at > latest.at) latest = what
    // a slow answer does not prove that others will come in time
    if (state === 'up' || steady() - what.at > answerMs) return
    if (state === 'down') observe({ kind: 'store_back', place, awayMs: Math.round(steady() - since) })
    state = 'up'
  }

  function noAnswer(from: number) {
    if (state !== 'suspect' || latest.at >= from) return
    ;[state, since] = ['down', steady()]
    observe({ kind: 'store_away', place, reason })
  }

  async function ask() {
    const begun = { at: steady(), mark: revocations.last() }
    const probing = probe().then(
      () => onAnswer(begun),
      (error: Error) => void (reason = String(error.cause)),
    )
    await withDeadline(probing, answerMs, () => {})
    noAnswer(begun.at)
  }

  async function keepProbing() {
    if (isProbing) return
    isProbing = true
    const isOver = () => state === 'up' || isClosed
    while (!isOver()) {
      await ask()
      if (!isOver()) await new Promise((ok) => (timer = setTimeout(ok, probeMs).unref()))
    }
    isProbing = false
  }

  function suspect(why: string) {
    if (state !== 'up') return
    ;[state, reason] = ['suspect', why]
    void keepProbing()
  }

  const confirms = async (what: Confirmation): Promise<boolean> =>
    what.mark !== undefined && steady() - what.at < boundMs && what.mark === (await revocations.current())

  return {
    beginQuery() {
      if (state === 'down') throw new Problem('store_unavailable', { cause: `it is away: ${reason}`, retryAfterSec: 1 })
      const begun = { at: steady(), mark: revocations.last() }
      return (isAnswer, why = '') => (isAnswer ? onAnswer(begun) : suspect(why))
    },
    isDown: () => state === 'down',
    isSuspect: () => state !== 'up',
    suspect,
    mark: revocations.last,
    confirms,
    readsContinue: () => confirms(latest),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
