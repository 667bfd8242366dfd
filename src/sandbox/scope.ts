// Decides whether a token's `scope` claim admits a request; a token without the claim admits everything.
// Each entry is a method, a path and the query parameters that narrow the request.
import { forbidden } from './refusal.ts'

// Paging and order do not count in the comparison, on either side.
const ignored = new Set(['limit', 'cursor', 'sort'])

export function requireScope(scope: unknown, method: string, target: string): void {
  if (scope === undefined) return
  const wanted = normalize(`${method} ${target}`)
  const entries: unknown[] = Array.isArray(scope) ? scope : []
  if (!entries.some((entry) => typeof entry === 'string' && normalize(entry) === wanted)) throw forbidden()
}

function normalize(entry: string): string {
  const [target = '', query = ''] = entry.split('?')
  const pairs = [...new URLSearchParams(query)].filter(([name]) => !ignored.has(name))
  return JSON.stringify([target, pairs.map((pair) => pair.join('=')).toSorted()])
}
