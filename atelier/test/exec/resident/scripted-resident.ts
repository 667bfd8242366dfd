// The other end of a channel in the hands of a test: it reads the frames of the service, and sends what the test wants.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EngineError, type EngineChannel } from '../../../src/engine/port.ts'
import { type ConnectionOptions, greet } from '../../../src/exec/resident/connection.ts'

export interface SentFrame {
  readonly type: number
  readonly command: number
  readonly payload: Buffer
}

/** written by hand, so that the service's own codec is no part of what judges it */
export function frameOf(type: number, command: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9)
  header[0] = type
  header.writeUInt32BE(command, 1)
  header.writeUInt32BE(payload.length, 5)
  return Buffer.concat([header, payload])
}

export const u32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]) // prettier-ignore

export const output = (command: number, data: Uint8Array, stream = 1): Buffer =>
  frameOf(68, command, Buffer.concat([Buffer.from([stream]), data]))
export const exit = (command: number, waitStatus = 0): Buffer => frameOf(70, command, u32(waitStatus))

export class ScriptedResident {
  readonly channel: EngineChannel
  isClosed = false
  padding = 0
  readonly frames: SentFrame[] = []
  #held = Buffer.alloc(0)
  #listener: (piece: Buffer) => void = () => assert.fail('nobody listens')
  readonly #ended = Promise.withResolvers<void>()

  constructor() {
    this.channel = {
      unsent: 0,
      ended: this.#ended.promise,
      onData: (listener) => void (this.#listener = listener),
      write: (data) => this.#take(data),
      close: () => this.end(),
    }
  }

  end() {
    this.isClosed = true
    this.#ended.resolve()
  }

  send(...pieces: readonly Uint8Array[]) {
    for (const piece of pieces) if (!this.isClosed) this.#listener(Buffer.from(piece))
  }

  /** as a resident of this version does */
  sayHello(more: { readonly version?: number; readonly kept?: readonly number[] } = {}) {
    const { version = 1, kept = [] } = more
    const nonce = this.frames.find(({ type }) => type === 1)?.payload.subarray(0, 16)
    assert.ok(nonce)
    const body = [nonce, Buffer.from([version, 1]), u32(kept.length), ...kept.map(u32)]
    this.send(frameOf(65, 0, Buffer.concat(body)))
  }

  of(type: number): readonly SentFrame[] {
    return this.frames.filter((frame) => frame.type === type)
  }

  #take(data: Uint8Array) {
    this.#held = Buffer.concat([this.#held, data])
    for (;;) {
      while (this.#held[0] === 0) {
        this.#held = this.#held.subarray(1)
        this.padding += 1
      }
      if (this.#held.length < 9) return
      const length = this.#held.readUInt32BE(5)
      if (this.#held.length < 9 + length) return
      const [type = 0] = this.#held
      this.frames.push({ type, command: this.#held.readUInt32BE(1), payload: this.#held.subarray(9, 9 + length) })
      this.#held = this.#held.subarray(9 + length)
    }
  }
}

export const lossError = new EngineError('unavailable', 'lost')

export async function connected(more: Partial<ConnectionOptions> = {}) {
  const resident = new ScriptedResident()
  const options = { idleMs: null, explainLoss: async () => lossError, ...more }
  const greeted = greet(resident.channel, 5_000, options)
  await nextTurn()
  resident.sayHello()
  const connection = await greeted
  assert.ok(connection)
  return { resident, connection }
}

export const template = {
  container: 'ct_1',
  argv: ['true'],
  env: {},
  workingDir: '/',
  user: '1000:1000',
  input: false,
} as const
