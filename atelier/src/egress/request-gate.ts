// A connection of a program as the HTTP server reads it: one request is performed at a time. While 16 others wait, nothing more is
// read, so that a program that pipelines without end fills its own buffers and not the memory of the service.
import type { ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'

const mostWaiting = 16
/** bytes read at once: the HTTP parser takes all requests in one piece, of which the shortest has 26 bytes */
const pieceBytes = 2_048
/** bytes read at once inside a body, where no request begins */
const bodyPieceBytes = 65_536

interface Waiting {
  readonly answer: ServerResponse
  readonly start: () => void
}

type Callback = (error?: Error | null) => void

export class RequestGate extends Duplex {
  readonly #source: Duplex
  readonly #waiting: Waiting[] = []
  readonly #gone = new AbortController()
  readonly #pull = () => this.#pass()
  readonly #end = () => void this.push(null)
  readonly #close = () => void this.destroy()
  /** still to come of the last body, without its end */
  #bodyBytes = 0
  #isBusy = false
  #isWanted = false

  constructor(source: Duplex) {
    // 0: a piece is parsed before the next one is read
    super({ allowHalfOpen: true, readableHighWaterMark: 0 })
    this.#source = source
    // the event close follows, and is handled
    this.on('error', () => {})
    source.on('readable', this.#pull).once('end', this.#end).once('close', this.#close)
  }

  /** aborted when the connection is gone */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** starts when all before it are answered */
  enter(answer: ServerResponse, start: () => void) {
    this.#waiting.push({ answer, start })
    this.#bodyBytes = Math.max(0, Number(answer.req.headers['content-length'] ?? 0) - pieceBytes)
    this.#startNext()
  }

  /** Returns the connection and the bytes read from it, for another reader; undefined: requests are waiting for answers. */
  release(head: Buffer): { readonly source: Duplex; readonly head: Buffer } | undefined {
    if (this.#isBusy || this.destroyed) return undefined
    this.#source.off('readable', this.#pull).off('end', this.#end).off('close', this.#close)
    const more = this.read() as Buffer | null
    return { source: this.#source, head: more ? Buffer.concat([head, more]) : head }
  }

  override _read() {
    this.#isWanted = true
    this.#pass()
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: Callback) {
    this.#source.write(piece, done)
  }

  /** reported when it is over: a TLS socket that is destroyed during its shutdown can end the process */
  override _final(done: Callback) {
    this.#source.end(done)
  }

  override _destroy(error: Error | null, done: Callback) {
    this.#waiting.length = 0
    this.#gone.abort()
    this.#source.destroy()
    done(error)
  }

  #startNext() {
    const next = this.#isBusy ? undefined : this.#waiting.shift()
    if (!next) return
    this.#isBusy = true
    next.answer.once('close', () => {
      this.#isBusy = false
      this.#startNext()
      this.#pass()
    })
    next.start()
  }

  #pass() {
    if (!this.#isWanted || this.#waiting.length >= mostWaiting) return
    const most = Math.max(pieceBytes, Math.min(this.#bodyBytes, bodyPieceBytes))
    const length = Math.min(most, this.#source.readableLength)
    const piece = this.#source.read(length > 0 ? length : undefined) as Buffer | null
    if (!piece) return
    this.#isWanted = false
    this.#bodyBytes = Math.max(0, this.#bodyBytes - piece.length)
    this.push(piece)
  }
}
