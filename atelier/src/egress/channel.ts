// A connection of a program in a container, as a stream: what the program sends is read here, as far as it is taken.
import { Duplex } from 'node:stream'
import { largestPart, RelayFault, reply, request, windowBytes } from './relay-frames.ts'

/** where the frames of a channel go */
export interface ChannelLine {
  send(type: number, channel: number, payload?: Uint8Array): void
  sendNumber(type: number, channel: number, value: number): void
  /** nothing more is sent for it */
  forget(channel: number, isOpenThere: boolean): void
}

const idleMs = 300_000

type Callback = (error?: Error | null) => void

export class Channel extends Duplex {
  readonly #line: ChannelLine
  readonly #id: number
  /** what the program may send besides, and what of it was taken since it was last told */
  #readCredit = windowBytes
  #taken = 0
  #writeCredit = windowBytes
  #waiting: { data: Buffer; readonly done: Callback } | undefined
  #hasEnded = { here: false, there: false }
  #isClosedThere = false
  readonly #idle = setTimeout(() => this.destroy(), idleMs).unref()

  constructor(line: ChannelLine, id: number) {
    super({ allowHalfOpen: true, readableHighWaterMark: windowBytes, writableHighWaterMark: windowBytes })
    this.#line = line
    this.#id = id
  }

  /** a frame of the relay */
  took(type: number, payload: Buffer) {
    this.#idle.refresh()
    if (this.#hasEnded.there && (type === reply.data || type === reply.end)) throw new RelayFault('data behind the end')
    if (type === reply.data) this.#tookData(payload)
    else if (type === reply.credit) this.#tookCredit(payload.readUInt32BE())
    else if (type === reply.end) {
      this.#hasEnded.there = true
      this.push(null)
    } else if (type === reply.close) {
      this.#isClosedThere = true
      this.destroy()
    } else throw new RelayFault(`a frame of type ${type} for a channel`)
  }

  #tookData(payload: Buffer) {
    this.#readCredit -= payload.length
    if (this.#readCredit < 0) throw new RelayFault('more than it may send')
    this.#taken += payload.length
    // the pieces of the engine's stream are larger than what is kept of them
    if (!this.push(Buffer.from(payload))) return
    this.#grant()
  }

  #tookCredit(bytes: number) {
    this.#writeCredit += bytes
    if (this.#writeCredit > windowBytes) throw new RelayFault('more credit than there is')
    this.#writeOn()
  }

  #grant() {
    if (this.#taken < windowBytes / 4 || this.#hasEnded.there || this.destroyed) return
    this.#readCredit += this.#taken
    this.#line.sendNumber(request.credit, this.#id, this.#taken)
    this.#taken = 0
  }

  override _read() {
    this.#grant()
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: Callback) {
    this.#idle.refresh()
    this.#waiting = { data, done }
    this.#writeOn()
  }

  #writeOn() {
    const { data, done } = this.#waiting ?? {}
    if (!data || !done) return
    let at = 0
    while (at < data.length && this.#writeCredit > 0) {
      const part = data.subarray(at, at + Math.min(this.#writeCredit, largestPart))
      this.#writeCredit -= part.length
      at += part.length
      this.#line.send(request.data, this.#id, part)
    }
    this.#waiting = at < data.length ? { data: data.subarray(at), done } : undefined
    if (at === data.length) done()
  }

  override _final(done: Callback) {
    this.#hasEnded.here = true
    this.#line.send(request.end, this.#id)
    done()
  }

  override _destroy(error: Error | null, done: Callback) {
    clearTimeout(this.#idle)
    const isOver = this.#isClosedThere || (this.#hasEnded.here && this.#hasEnded.there)
    this.#waiting = undefined
    this.#line.forget(this.#id, !isOver)
    done(error)
  }
}
