// The bytes of an answer, counted while they arrive and again while they are unpacked, so that a small bomb stays small.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { malformed } from '../problem.ts'
import { createGate } from './gate.ts'
import { limits } from './limits.ts'

const unzip = promisify(gunzip)
/** few, because each may hold what the largest document takes, and the memory of those before is not given back at once */
const oneOfFew = createGate(2)

export type Coding = 'identity' | 'gzip'

/** undefined: one that was not asked for */
export function codingOf(encoding: string | undefined): Coding | undefined {
  const coding = encoding?.trim().toLowerCase() ?? 'identity'
  return coding === 'identity' || coding === 'gzip' ? coding : undefined
}

/** What has come of a body so far. */
export class Body {
  readonly #most: number
  #size = 0
  readonly parts: Buffer[] = []

  constructor(coding: Coding) {
    this.#most = coding === 'gzip' ? limits.wire : limits.decoded
  }

  /** false where it is too large */
  add(part: Buffer): boolean {
    this.#size += part.length
    if (this.#size > this.#most) return false
    this.parts.push(part)
    return true
  }
}

export async function unpack(parts: readonly Buffer[]): Promise<Buffer> {
  try {
    return await oneOfFew(() => unzip(Buffer.concat(parts), { maxOutputLength: limits.decoded }))
  } catch {
    throw malformed('the body cannot be unpacked')
  }
}
