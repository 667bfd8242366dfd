// Proof that nothing was revoked: one mark in Redis that every revocation replaces and every replica reads. A mark never
// returns, not even from a server that lost its data or was replaced.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from '../events.ts'
import type { MarkStore } from './revocation-mark-redis.ts'

/** a mark read longer ago proves nothing */
export const freshMs = 500
const publishMs = 1_000
const againMs = 50

export interface RevocationMarkOptions {
  readonly store: MarkStore
  readonly boundMs: number
  readonly observe: Observe
  readonly now: () => number
  readonly steady: () => number
}

export type RevocationMark = ReturnType<typeof createRevocationMark>

const freshMark = (): string => randomBytes(12).toString('base64url')

export function createRevocationMark(options: RevocationMarkOptions) {
  const { store: board, boundMs, observe, now, steady } = options
  let last: { readonly mark: string; readonly at: number } | undefined
  let reading: Promise<void> | undefined
  let unpublished: number | undefined

  async function publishMark(): Promise<boolean> {
    // a revocation made meanwhile still has to be published
    const before = unpublished
    const isPublished = await board.replace(freshMark())
    if (isPublished && unpublished === before) unpublished = undefined
    return isPublished
  }

  async function readMark() {
    if (unpublished !== undefined) await publishMark()
    // the mark may be as old as the question
    const at = steady()
    const mark = await board.read(freshMark())
    if (mark !== undefined) last = { mark, at }
  }

  const read = () => (reading ??= readMark().finally(() => (reading = undefined)))

  return {
    async announce() {
      await publishMark()
    },
    async publish() {
      const endsAt = steady() + publishMs
      for (;;) {
        if (await publishMark()) return
        if (steady() >= endsAt) break
        await pause(againMs)
      }
      unpublished = now() + boundMs
      observe({ kind: 'taking_untold', until: new Date(unpublished).toISOString() })
    },
    read,
    last: () => last?.mark,
    /** read lately or now; undefined where Redis does not answer */
    async current(): Promise<string | undefined> {
      if (!last || steady() - last.at > freshMs) await read()
      return last && steady() - last.at <= freshMs ? last.mark : undefined
    },
    /** the last revocation in the database is another one than this replica knew */
    relay: (seq: number) => board.relay(freshMark(), seq),
    /** milliseconds since 1970: until then other replicas may miss a revocation made here; undefined: all know */
    unpublishedUntil: () => (unpublished !== undefined && unpublished > now() ? unpublished : undefined),
  }
}
