// Collects the bytes of a response body and unpacks them, both within limits, so that a compression bomb stays small.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createSemaphore } from '../../../../base/core/semaphore.ts'
import { malformed } from '../../problems.ts'
import { limits } from './limits.ts'

const unzip = promisify(gunzip)
/** few at once: each may take the largest document's memory, and that of earlier ones is freed late */
const withSlot = createSemaphore(2)

export type Coding = 'identity' | 'gzip'

export function codingOf(encoding: string | undefined): Coding | undefined {
  const coding = encoding?.trim().toLowerCase() ?? 'identity'
  return coding === 'identity' || coding === 'gzip' ? coding : undefined
}

export class Body {
  readonly #most: number
  #size = 0
  readonly parts: Buffer[] = []

  constructor(coding: Coding) {
    this.#most = coding === 'gzip' ? limits.compressedBytes : limits.documentBytes
  }

  add(part: Buffer): boolean {
    this.#size += part.length
    if (this.#size > this.#most) return false
    this.parts.push(part)
    return true
  }
}

export async function unpack(parts: readonly Buffer[]): Promise<Buffer> {
  try {
    return await withSlot(() => unzip(Buffer.concat(parts), { maxOutputLength: limits.documentBytes }))
  } catch {
    throw malformed('the body cannot be unpacked')
  }
}
