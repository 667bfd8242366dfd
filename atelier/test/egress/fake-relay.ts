// A relay for the engine in memory, which plays the programs of the container, too.
import type { EngineChannel } from '../../src/engine/port.ts'
import { until } from '../../../base/test/until.ts'
import { frame } from '../resident/frames.ts'

export class FakeRelay {
  readonly channel: EngineChannel
  isClosed = false
  /** the certificates, as they were written */
  file = ''
  #listener: (piece: Buffer) => void = () => {}
  readonly #ended = Promise.withResolvers<void>()
  readonly #said = new Map<number, string>()
  #last = 0
  #isGranted = false

  constructor({ isSilent = false } = {}) {
    this.channel = {
      ended: this.#ended.promise,
      unsent: 0,
      onData: (listener) => void (this.#listener = listener),
      write: (data) => {
        const bytes = Buffer.from(data)
        if (bytes[0] === 1 && !isSilent) setImmediate(() => this.#listener(frame(65, 0)))
        if (bytes[0] === 5 && bytes.readUInt32BE(1) === 0) this.#isGranted = true
        if (bytes[0] === 6) this.#tookFile(bytes.subarray(9))
        if (bytes[0] === 2) this.#took(bytes.readUInt32BE(1), bytes.subarray(9))
      },
      close: () => this.end(),
    }
  }

  end() {
    this.isClosed = true
    this.#ended.resolve()
  }

  /** a program connects, sends this, and gets an answer */
  async ask(text: string): Promise<string> {
    await until(() => this.#isGranted)
    this.#last += 1
    const id = this.#last
    this.#said.set(id, '')
    this.#listener(Buffer.concat([frame(67, id), frame(2, id, Buffer.from(text))]))
    await until(() => this.#said.get(id)?.includes('\r\n\r\n') === true)
    return this.#said.get(id) ?? ''
  }

  #tookFile(payload: Buffer) {
    this.file += payload.toString()
    if (payload.length === 0) setImmediate(() => this.#listener(frame(72, 0, Buffer.alloc(4))))
  }

  #took(id: number, payload: Buffer) {
    this.#said.set(id, (this.#said.get(id) ?? '') + payload.toString())
  }
}
