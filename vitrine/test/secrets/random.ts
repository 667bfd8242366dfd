// Repeatable random numbers: the same seed gives the same edits.

export interface Chance {
  /** 0 to n - 1 */
  below(n: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
  bytes(length: number): Uint8Array
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    shuffle(items) {
      const mixed = [...items]
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = below(i + 1)
        ;[mixed[i], mixed[j]] = [mixed[j] as (typeof mixed)[number], mixed[i] as (typeof mixed)[number]]
      }
      return mixed
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}

/** the full size of a proof, or the short one of every commit */
export const sized = <T>(full: T, short: T): T => (process.env['ENDURANCE'] === 'full' ? full : short)
