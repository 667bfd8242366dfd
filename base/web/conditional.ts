// A caller's Cache-Control and If-None-Match (RFC 9110 and 9111). What is malformed is ignored.
import { hash } from 'node:crypto'

export interface Wishes {
  readonly fresh: boolean
  readonly keep: boolean
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

const etagLetters = 24

export const etagOf = (bytes: Uint8Array): string => `"${hash('sha256', bytes, 'base64url').slice(0, etagLetters)}"`

/** One tag after any separators. No part can begin with what the part before it may hold, so matching takes linear time. */
const member = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y

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
