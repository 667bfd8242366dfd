// Reads chunks of a stream by length, with a limit for standing still. A source that belongs to the caller is left open.
import { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'

export type ByteSource = AsyncIterable<Uint8Array>

/** A request whose body is destroyed can no longer be answered: leaving the iterator must not destroy it. */
const iteratorOf = (source: ByteSource): AsyncIterator<Uint8Array> =>
  source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source[Symbol.asyncIterator]()

const asBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

export interface ChunkLimits {
  readonly stallMs: number
  readonly signal: Signal
  /** what is thrown when nothing came for so long */
  readonly stalled: () => Error
}

/** The chunks of a source, until the signal, and as long as they keep coming. */
export async function* readWithin(source: ByteSource, { stallMs, signal, stalled }: ChunkLimits) {
  const iterator = iteratorOf(source)
  let fail: (error: unknown) => void = () => undefined
  // a promise for each chunk: a race with one that lives on would keep them all
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((ok, no) => {
      const timer = setTimeout(() => no(stalled()), stallMs)
      const settle = (act: () => void) => {
        clearTimeout(timer)
        act()
      }
      fail = (error) => settle(() => no(error))
      iterator.next().then(
        (result) => settle(() => ok(result)),
        (error: unknown) => fail(error),
      )
    })
  const stop = () => fail(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      if (signal.aborted) throw signal.reason
      const { done, value } = await next()
      if (done) return
      yield asBuffer(value)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    void iterator.return?.().catch(() => undefined)
  }
}

export interface ByteReader {
  /** so many bytes; fewer only at the end of the source */
  exactly(bytes: number): Promise<Buffer>
  /** at least one byte, and at most so many; none only at the end of the source */
  some(most: number): Promise<Buffer>
  /** leaves the source open; resolves with what was taken from it and not read */
  leave(): Promise<Buffer>
}

export function createByteReader(source: ByteSource): ByteReader {
  const iterator = iteratorOf(source)
  const none: Buffer = Buffer.alloc(0)
  let rest: Buffer = none
  let isOver = false

  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0 && !isOver) {
      const { done, value } = await iterator.next()
      if (done) isOver = true
      else rest = asBuffer(value)
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }

  async function exactly(bytes: number): Promise<Buffer> {
    if (bytes === 0) return none
    const first = await some(bytes)
    if (first.length === bytes) return first
    const parts = [first]
    let length = first.length
    while (length < bytes) {
      const part = await some(bytes - length)
      if (part.length === 0) break
      parts.push(part)
      length += part.length
    }
    return Buffer.concat(parts)
  }

  async function leave(): Promise<Buffer> {
    await iterator.return?.().catch(() => undefined)
    return rest
  }

  return { exactly, some, leave }
}
