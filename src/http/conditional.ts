// What a caller says of the copies that he has and of those that he will take: Cache-Control and If-None-Match. What is not
// written as RFC 9110 and 9111 have it is as if it were not there.
import { hash } from 'node:crypto'

export interface Wishes {
  /** takes nothing that was read before he asked */
  readonly fresh: boolean
  /** his answer may be kept for others */
  readonly keep: boolean
  /** takes nothing older */
  readonly maxAgeSec: number
}

const noWishes: Wishes = { fresh: false, keep: true, maxAgeSec: Infinity }

export function readWishes(cacheControl = ''): Wishes {
  if (cacheControl === '') return noWishes
  const words = cacheControl.split(',').map((word) => word.trim().toLowerCase())
  const ages = words.flatMap((word) => /^max-age=("?)(\d{1,10})\1$/.exec(word)?.[2] ?? []).map(Number)
  const maxAgeSec = Math.min(Infinity, ...ages)
  const keep = !words.includes('no-store')
  return { fresh: !keep || words.includes('no-cache') || maxAgeSec === 0, keep, maxAgeSec }
}

/** of 6 bits each: 18 of SHA-256's bytes */
const etagLetters = 24

/** strong: the same for the same bytes, and for no others */
export const etagOf = (bytes: Uint8Array): string => `"${hash('sha256', bytes, 'base64url').slice(0, etagLetters)}"`

/** one tag behind any separators; no part of it can begin with what the one before it may hold, so it takes linear time */
const member = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y

/** whether the caller's copy is this one: compared weakly, as for everything that only reads */
export function isMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  let isListed = false
  let at = 0
  for (;;) {
    member.lastIndex = at
    const found = member.exec(ifNoneMatch)
    if (!found) break
    isListed ||= found[1] === etag
    at = member.lastIndex
  }
  return isListed && /^[ \t,]*$/.test(ifNoneMatch.slice(at))
}
