// The connection to the relay of one container: its channels by number, and its loss.
import type { EngineChannel } from '../engine/port.ts'
import { Channel } from './channel.ts'
import {
  frame,
  mostChannels,
  numberFrame,
  type RelayFrame,
  RelayFault,
  RelayReader,
  reply,
  request,
  windowBytes,
} from './relay-frames.ts'

/** a place that a connection had is given again so much later, so one container opens some 300 in a second at most */
const againMs = 200
const answerMs = 10_000
/** a relay that reads nothing gets no more than fits in all channels */
const mostUnsent = 2 * mostChannels * windowBytes
/** bytes of frames for channels that are gone: some cross on the way */
const strayOfChannel = windowBytes + 1_024

export class RelayConnection {
  readonly #stream: EngineChannel
  readonly #connected: (channel: Channel) => void
  readonly #channels = new Map<number, Channel>()
  readonly #reader = new RelayReader()
  readonly #lost = Promise.withResolvers<void>()
  #answer: ((frame: RelayFrame) => void) | undefined
  #places = 0
  #placesDue = 0
  #again: NodeJS.Timeout | undefined
  #strayLeft = strayOfChannel
  #isLost = false

  constructor(stream: EngineChannel, connected: (channel: Channel) => void) {
    this.#stream = stream
    this.#connected = connected
    stream.onData((piece) => this.#read(piece))
    void stream.ended.then(() => this.close())
  }

  get lost(): Promise<void> {
    return this.#lost.promise
  }

  /** false: something else has the port, or no relay answered */
  async listen(port: number): Promise<boolean> {
    const payload = Buffer.allocUnsafe(2)
    payload.writeUInt16BE(port)
    const answer = await this.#ask(frame(request.listen, 0, payload))
    if (answer?.type !== reply.listening) return false
    this.#give(mostChannels)
    return true
  }

  /** the certificates that programs trust; false: the relay could not write them */
  async writeFile(content: string): Promise<boolean> {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; at += windowBytes)
      this.send(request.file, 0, bytes.subarray(at, at + windowBytes))
    const answer = await this.#ask(frame(request.file, 0))
    return answer?.type === reply.fileWritten && answer.payload.readUInt32BE() === 0
  }

  send(type: number, channel: number, payload?: Uint8Array) {
    this.#write(frame(type, channel, payload))
  }

  sendNumber(type: number, channel: number, value: number) {
    this.#write(numberFrame(type, channel, value))
  }

  forget(channel: number, isOpenThere: boolean) {
    if (!this.#channels.delete(channel) || this.#isLost) return
    if (isOpenThere) this.send(request.close, channel)
    this.#strayLeft += strayOfChannel
    this.#placesDue += 1
    this.#again ??= setTimeout(() => this.#giveDue(), againMs).unref()
  }

  close() {
    if (this.#isLost) return
    this.#isLost = true
    clearTimeout(this.#again)
    for (const channel of this.#channels.values()) channel.destroy()
    this.#channels.clear()
    this.#stream.close()
    this.#lost.resolve()
  }

  #write(bytes: Buffer) {
    if (this.#isLost) return
    this.#stream.write(bytes)
    if (this.#stream.unsent > mostUnsent) this.close()
  }

  async #ask(wish: Buffer): Promise<RelayFrame | undefined> {
    const answered = Promise.withResolvers<RelayFrame | undefined>()
    this.#answer = answered.resolve
    const late = setTimeout(() => answered.resolve(undefined), answerMs)
    void this.lost.then(() => answered.resolve(undefined))
    this.#write(wish)
    const answer = await answered.promise
    clearTimeout(late)
    this.#answer = undefined
    return answer
  }

  #give(places: number) {
    this.#places += places
    this.sendNumber(request.credit, 0, places)
  }

  #giveDue() {
    this.#again = undefined
    if (this.#isLost) return
    this.#give(this.#placesDue)
    this.#placesDue = 0
  }

  #read(piece: Buffer) {
    if (this.#isLost) return
    try {
      for (const one of this.#reader.read(piece)) this.#take(one)
    } catch (error) {
      if (!(error instanceof RelayFault)) throw error
      this.close()
    }
  }

  #take(one: RelayFrame) {
    if (this.#isLost) return
    const { type, channel, payload } = one
    const known = this.#channels.get(channel)
    if (known) return known.took(type, payload)
    if (type === reply.open) return this.#open(channel)
    if (channel === 0 && this.#answer) return this.#answer(one)
    this.#strayLeft -= payload.length + 1
    if (this.#strayLeft < 0) throw new RelayFault('frames for channels that are not there')
  }

  #open(id: number) {
    this.#places -= 1
    if (this.#places < 0 || id === 0) throw new RelayFault('more connections than it may open')
    const channel = new Channel(this, id)
    this.#channels.set(id, channel)
    this.#connected(channel)
  }
}
