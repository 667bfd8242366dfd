// The allowed name that a mistyped one most resembles, and how it is told.
import { quote } from './quote.ts'

/** letters to change, add, drop, or swap with their neighbour */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? at(i - 2, j - 2) + 1 : change
      rows[i]?.push(Math.min(change, swap, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}

const longest = 80

/** undefined where nothing comes close: a far-fetched hint is worse than none */
export function nearestOf(name: string, allowed: readonly string[]): string | undefined {
  if (name.length < 2 || name.length > longest) return undefined
  const most = Math.max(1, Math.floor(name.length / 3))
  const wanted = name.toLowerCase()
  const near = allowed.map((candidate) => ({ candidate, d: distance(wanted, candidate.toLowerCase()) }))
  return near.filter(({ d }) => d <= most).sort((a, b) => a.d - b.d)[0]?.candidate
}

/** behind a sentence; nothing where no name comes close */
export const didYouMean = (nearest: string | undefined): string =>
  nearest === undefined ? '' : ` Did you mean ${quote(nearest)}?`
