// Seeded randomness: the same numbers for the same seed. A fork depends on the seed and a name alone, so that what one part
// draws moves no other part.

const mix = (x: number): number => {
  let y = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  y = Math.imul(y ^ (y >>> 15), 0x735a2d97)
  return (y ^ (y >>> 15)) >>> 0
}

export function hashOf(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export class Random {
  readonly #seed: number
  #state: number

  constructor(seed: number) {
    this.#seed = mix(seed)
    this.#state = this.#seed
  }

  fork(name: string): Random {
    return new Random(hashOf(name, this.#seed))
  }

  /** at least 0, below 1 */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return mix(this.#state) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** a whole number from 0, below `count` */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count)
    for (let i = 0; i < count; i++) bytes[i] = this.next() * 256
    return bytes
  }
}
