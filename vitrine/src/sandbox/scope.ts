// Checks a request against the `scope` claim of its token: entries of method, path and query. No claim admits everything.
import { forbidden } from './refusal.ts'

// Paging and order do not count in the comparison, on either side.
const ignored = new Set(['limit', 'cursor', 'sort'])

export function requireScope(scope: unknown, method: string, target: string): void {
  if (scope === undefined) return
  const wanted = normalize(`${method} ${target}`)
  const entries: unknown[] = Array.isArray(scope) ? scope : []
  if (!entries.some((entry) => typeof entry === 'string' && normalize(entry) === wanted)) throw forbidden()
}

// Method and path as they are written; of the query what it says, in any order and spelling. Only the first question mark
// and the first equals sign of a pair divide: what stands behind a second one is part of the value.
function normalize(entry: string): string {
  const [operation, query] = divide(entry, '?')
  const pairs = query.split('&').filter((pair) => pair !== '')
  const counted = pairs.map((pair) => divide(pair, '=').map(decode)).filter(([name = '']) => !ignored.has(name))
  return JSON.stringify([operation, counted.map((pair) => JSON.stringify(pair)).toSorted()])
}

function divide(text: string, mark: string): [string, string] {
  const cut = text.indexOf(mark)
  return cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)]
}

// What is not properly encoded stands as it is written; the read itself refuses it later.
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
