// The allowed name nearest to a mistyped one.
import { quote } from './quote.ts'

function distance(a: string, b: string): number {
  const blank = () => new Uint16Array(b.length + 1)
  let [before, last, row] = [blank(), blank(), blank()]
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1)
      let least = (last[j - 1] ?? 0) + (letter === other ? 0 : 1)
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row[j] = Math.min(least, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
    }
    ;[before, last, row] = [last, row, before]
  }
  return last[b.length] ?? 0
}

const longest = 80

export function nearestOf(name: string, allowed: readonly string[]): string | undefined {
  if (name.length < 2 || name.length > longest) return undefined
  const most = Math.max(1, Math.floor(name.length / 3))
  const wanted = name.toLowerCase()
  const near = allowed
    .filter(({ length }) => Math.abs(length - wanted.length) <= most)
    .map((candidate) => ({ candidate, d: distance(wanted, candidate.toLowerCase()) }))
  return near.filter(({ d }) => d <= most).sort((a, b) => a.d - b.d)[0]?.candidate
}

/** the `details` of an error about a name or a value that is not allowed */
export function allowedOf(allowed: readonly string[], name: string) {
  const nearest = nearestOf(name, allowed)
  return { allowed, ...(nearest !== undefined && { nearest }) }
}

export const didYouMean = (nearest: string | undefined): string =>
  nearest === undefined ? '' : ` Did you mean ${quote(nearest)}?`
