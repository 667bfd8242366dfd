// Collects the bytes of a response body and unpacks them, both within limits, so that a compression bomb stays small.
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
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

/** Bodies are gathered in blocks that are used again: new ones would start a major collection every few pages. */
const blockBytes = 256 * 1024
const mostSpare = 16
const spare: Buffer[] = []

/** It must be freed, once all that reads its parts has ended. */
export class Body {
  readonly #coding: Coding
  readonly #most: number
  #size = 0
  #blocks: Buffer[] = []

  constructor(coding: Coding) {
    this.#coding = coding
    this.#most = coding === 'gzip' ? limits.compressedBytes : limits.documentBytes
  }

  /** copies the part; false if the body is too large */
  add(part: Buffer): boolean {
    if (this.#size + part.length > this.#most) return false
    for (let at = 0; at < part.length;) {
      const copied = part.copy(this.#lastBlock(), this.#size % blockBytes, at)
      at += copied
      this.#size += copied
    }
    return true
  }

  #lastBlock(): Buffer {
    const last = this.#blocks.at(-1)
    if (last && this.#size < this.#blocks.length * blockBytes) return last
    const block = spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
    this.#blocks.push(block)
    return block
  }

  get parts(): readonly Buffer[] {
    return this.#blocks.map((block, number) => block.subarray(0, this.#size - number * blockBytes))
  }

  /** what a compressed body says of its text, which is checked when it is unpacked */
  get textBytes(): number {
    const last = this.#coding === 'gzip' ? this.parts.at(-1) : undefined
    return last && last.length >= 4 ? last.readUInt32LE(last.length - 4) : this.#size
  }

  free() {
    for (const block of this.#blocks.splice(0)) {
      if (spare.length < mostSpare) spare.push(block)
      else release(block)
    }
  }
}

/** What is larger is unpacked on another thread; below that, going there and back costs more than the work. */
const mostAtOnce = { packed: 256 * 1024, unpacked: 1024 * 1024 }
/** small, so that it comes from Node's pool of buffers: 16 KiB of its own for each answer called for a major collection every 400 */
const leastRoom = 2 * 1024

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))

/** undefined: it has to be unpacked on another thread */
function unpackAtOnce(parts: readonly Buffer[]): Buffer | undefined {
  if (parts.reduce((sum, { length }) => sum + length, 0) > mostAtOnce.packed) return undefined
  const packed = joined(parts)
  // the trailer says the length: with room for all of it, unpacking takes one step and not one per 16 KiB
  const length = packed.readUInt32LE(packed.length - 4)
  if (length > mostAtOnce.unpacked) return undefined
  try {
    const chunkSize = Math.max(leastRoom, length + 1)
    return gunzipSync(packed, { maxOutputLength: mostAtOnce.unpacked, chunkSize })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

export async function unpack(parts: readonly Buffer[]): Promise<Buffer> {
  // joined in the slot: those that wait for it hold their parts alone
  const unpackAside = () => unzip(joined(parts), { maxOutputLength: limits.documentBytes })
  try {
    return unpackAtOnce(parts) ?? (await withSlot(unpackAside))
  } catch {
    throw malformed('the body cannot be unpacked')
  }
}

/** Gives back a buffer, which counts as old memory until it is collected. Node's pool holds only what is smaller. */
export function release({ buffer, length }: Buffer) {
  if (buffer instanceof ArrayBuffer && length >= Buffer.poolSize / 2) buffer.transfer(0)
}
