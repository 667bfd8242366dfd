// What an account or a container has at work at once.
import { type ProblemCode, refuse } from '../problems.ts'

export interface Counter {
  /** throws `code` at the limit; the returned function gives the place back, once */
  take(name: string, most: number, code: ProblemCode): () => void
  countOf(name: string): number
  /** of all names that begin so */
  sumOf(beginning: string): number
}

export function createCounter(): Counter {
  const counts = new Map<string, number>()
  return {
    countOf: (name) => counts.get(name) ?? 0,
    sumOf: (beginning) =>
      counts.entries().reduce((sum, [name, count]) => sum + (name.startsWith(beginning) ? count : 0), 0),
    take(name, most, code) {
      const count = counts.get(name) ?? 0
      if (count >= most) throw refuse(code, { limit: most, current: count })
      counts.set(name, count + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        const left = (counts.get(name) ?? 1) - 1
        if (left === 0) counts.delete(name)
        else counts.set(name, left)
      }
    },
  }
}
