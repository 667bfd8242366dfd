// Frees the memory of chunks as soon as they are sent. The garbage collector counts only their small heads: it lets megabytes
// pile up, and then takes more time than the transfer itself.
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** smaller ones may share their memory with other buffers */
const leastBytes = 16_384

/** The chunk has no bytes afterwards. One that is part of a larger memory, or lies in shared memory, is left alone. */
export function freeChunk({ buffer, length }: Buffer): void {
  if (length >= leastBytes && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** A pipe for chunks that nobody else needs. Errors of either side are left to the caller. */
export function pipeFreeing(source: Readable, sink: Writable): void {
  source.on('data', (chunk: Buffer) => {
    if (sink.destroyed) return
    // the system may still read what a failed write was given
    if (!sink.write(chunk, (error) => void (error || freeChunk(chunk)))) source.pause()
  })
  sink.on('drain', () => void source.resume())
  source.once('end', () => sink.end())
}

/** The same to the end; either side is destroyed when the other breaks off. */
export async function sendFreeing(source: Readable, sink: Writable): Promise<void> {
  source.once('error', (error) => sink.destroy(error))
  pipeFreeing(source, sink)
  try {
    await finished(sink)
  } catch (error) {
    throw source.errored ?? error
  } finally {
    source.destroy()
  }
}
