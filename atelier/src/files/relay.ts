// Hands on the bytes of a source as they come, without a step of a generator for each chunk. It ends with its signal, and when
// either side stands still. The source belongs to its owner and is left open.
import { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'

export interface RelayOptions {
  /** of the source */
  readonly sizeBytes: number
  /** how much of the source may follow these, and is dropped */
  readonly surplusBytes: number
  /** what comes after the bytes of the source */
  readonly after: Buffer
  /** how many bytes may wait here for their reader */
  readonly bufferBytes: number
  readonly note?: (chunk: Buffer) => void
  readonly stallMs: number
  readonly signal: Signal
  readonly sourceStalled: () => Error
  readonly readerStalled: () => Error
  /** false: there is no reader yet */
  readonly hasReader: () => boolean
}

export interface Relay {
  readonly stream: Readable
  /** all bytes of the source have come, and as many as there should be */
  readonly arrived: Promise<void>
}

const wrongSize = () => new RangeError('the source has another length than it should have')
const brokenOff = () => new Error('the source broke off')

/** destroys the stream when its source gives nothing for too long, or its reader takes nothing */
function watchStalls(stream: Readable, source: Readable, options: RelayOptions, takenIn: () => number) {
  const { stallMs, hasReader, sourceStalled, readerStalled } = options
  let [came, read] = [0, 0]
  let [cameAt, readAt] = [performance.now(), performance.now()]
  const look = () => {
    const now = performance.now()
    const [cameNow, waiting] = [takenIn(), stream.readableLength]
    if (cameNow !== came || source.isPaused() || source.readableEnded) cameAt = now
    if (cameNow - waiting !== read || waiting === 0 || !hasReader()) readAt = now
    came = cameNow
    read = cameNow - waiting
    if (now - readAt >= stallMs) stream.destroy(readerStalled())
    else if (now - cameAt >= stallMs) stream.destroy(sourceStalled())
  }
  return setInterval(look, Math.ceil(stallMs / 8)).unref()
}

export function createRelay(source: Readable, options: RelayOptions): Relay {
  const { sizeBytes, surplusBytes, after, bufferBytes, note, signal } = options
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>()
  arrived.catch(() => undefined)
  let taken = 0
  const stream = new Readable({ highWaterMark: bufferBytes, read: () => void source.resume() })
  const take = (chunk: Buffer) => {
    const own = taken + chunk.length > sizeBytes ? chunk.subarray(0, Math.max(sizeBytes - taken, 0)) : chunk
    taken += chunk.length
    if (taken > sizeBytes + surplusBytes) return stream.destroy(wrongSize())
    if (own.length === 0) return stream
    note?.(own)
    if (!stream.push(own)) source.pause()
    return stream
  }
  const end = () => {
    if (stream.destroyed) return stream
    if (taken < sizeBytes) return stream.destroy(wrongSize())
    resolve()
    if (after.length > 0) stream.push(after)
    stream.push(null)
    return stream
  }
  const fail = (error: unknown) => void stream.destroy(error instanceof Error ? error : brokenOff())
  const stop = () => fail(signal.reason)
  const close = () => void (source.readableEnded || fail(source.errored))
  const timer = watchStalls(stream, source, options, () => taken)
  // it may break off before its reader listens
  stream.on('error', reject).once('close', () => {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    source.off('data', take).off('end', end).off('error', fail).off('close', close)
    // what else comes is dropped, so that the owner of the source gets to its end
    source.resume()
    reject(brokenOff())
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  else if (source.destroyed) close()
  else source.on('data', take).once('end', end).once('error', fail).once('close', close)
  return { stream, arrived }
}
