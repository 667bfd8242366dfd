// What each request hashes and draws at random, in the forms that cost least in Node.
import { hash, randomBytes } from 'node:crypto'

/** The SHA-256 of a text. By way of text: Node makes a buffer of its own memory for each, which takes longer than the hash. */
export const digestOf = (text: string): Buffer => Buffer.from(hash('sha256', text, 'binary'), 'latin1')

/** A call of randomBytes takes 4 us for 12 bytes, and hardly longer for this many. */
const poolBytes = 4_096

export type RandomSource = (length: number) => Buffer

/** No piece is given twice, and none changes later: each pool is a buffer of its own. */
export function createRandomPool(): RandomSource {
  let [pool, used] = [Buffer.alloc(0), 0]
  return (length) => {
    if (length > poolBytes) return randomBytes(length)
    if (used + length > pool.length) [pool, used] = [randomBytes(poolBytes), 0]
    return pool.subarray(used, (used += length))
  }
}
