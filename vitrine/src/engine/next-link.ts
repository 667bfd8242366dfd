// Reads the platform's cursor from `links.next`. The link must be the same request with a new cursor; only the cursor is used.
import { malformed, Problem } from '../problems.ts'
import { isTooLong } from './asked.ts'

const longestCursor = 2048

const sorted = (value: string): string => value.split(',').sort().join(',')

/** list values are sorted: the platform reorders them */
function canonical(params: URLSearchParams): Map<string, string> {
  const out = new Map<string, string>()
  for (const [name, value] of params) {
    if (out.has(name)) throw malformed('a next link repeats a parameter')
    out.set(name, sorted(value))
  }
  return out
}

function sameQuery(next: Map<string, string>, asked: Map<string, string>): boolean {
  next.delete('cursor')
  asked.delete('cursor')
  return next.size === asked.size && [...asked].every(([name, value]) => next.get(name) === value)
}

const segments = (path: string): string => {
  try {
    return path.split('/').map(decodeURIComponent).join('\n')
  } catch {
    throw malformed('a next link has a path that cannot be decoded')
  }
}

const cursorAsked = /[?&]cursor=([^&]*)/
const withoutCursor = (target: string): string => target.replace(cursorAsked, '')

/** Fast path for a link that is byte for byte the requested URL with a new cursor; undefined for any other. */
function cursorOfEqualLink(next: string, origin: string, target: string): string | undefined {
  const asked = origin + withoutCursor(target)
  if (!asked.includes('?') || !next.startsWith(asked)) return undefined
  const cursor = /^&cursor=([\w.~-]+)$/.exec(next.slice(asked.length))?.[1]
  return cursor === undefined || cursor.length > longestCursor || cursor === cursorAsked.exec(target)?.[1]
    ? undefined
    : cursor
}

function cursorOfLink(next: string, origin: string, target: string): string {
  const asked = new URL(origin + target)
  const link = URL.parse(next, asked.href)
  if (!link) throw malformed('a next link is not a URL')
  if (link.origin !== asked.origin || link.username !== '' || link.password !== '')
    throw malformed('a next link leads to another origin')
  if (segments(link.pathname) !== segments(asked.pathname)) throw malformed('a next link leads to another path')
  const cursor = link.searchParams.get('cursor')
  if (cursor === null || cursor === '') throw malformed('a next link has no cursor')
  if (encodeURIComponent(cursor).length > longestCursor) throw malformed('a next link has an oversized cursor')
  if (cursor === asked.searchParams.get('cursor')) throw malformed('a next link leads to the page it came from')
  if (!sameQuery(canonical(link.searchParams), canonical(asked.searchParams)))
    throw malformed('a next link asks for something else')
  return cursor
}

export function readNextCursor(next: unknown, origin: string, target: string): string | null {
  if (next === undefined || next === null || next === '') return null
  if (typeof next !== 'string') throw malformed('a next link is not a string')
  const cursor = cursorOfEqualLink(next, origin, target) ?? cursorOfLink(next, origin, target)
  checkLength(cursor, origin, target)
  return cursor
}

/** fails on this page already if the URL of the next one is too long */
function checkLength(cursor: string, origin: string, target: string) {
  const next = `${withoutCursor(target)}&cursor=${encodeURIComponent(cursor)}`
  if (isTooLong(origin, next)) throw new Problem('request_too_long')
}
