// Frames of the resident for tests, typed from docs/resident.md and not from the service's code.
export interface Frame {
  readonly type: number
  readonly command: number
  readonly payload: Buffer
}

export const types = { hello: 65, started: 66, failed: 67, output: 68, inputCredit: 69, exit: 70, killed: 71, pong: 72 }

const number = (bytes: 1 | 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const text = (value: string): Buffer => Buffer.concat([number(4, Buffer.byteLength(value)), Buffer.from(value)])
const list = (values: readonly string[]): Buffer => Buffer.concat([number(2, values.length), ...values.map(text)])

export const frame = (type: number, command: number, payload: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([number(1, type), number(4, command), number(4, payload.length), payload])

export interface StartOptions {
  readonly flags?: number
  readonly size?: readonly [number, number]
  readonly credit?: number
  readonly folder?: string
  readonly env?: readonly string[]
}

export const startPayload = (argv: readonly string[], options: StartOptions = {}): Buffer => {
  const { flags = 0, size = [80, 24], credit = 1 << 20, folder = '', env = [] } = options
  const head = [number(1, flags), number(2, size[0]), number(2, size[1]), number(4, credit)]
  return Buffer.concat([...head, text(folder), list(argv), list(env)])
}
export const helloFrame = (nonce: Buffer): Buffer => frame(1, 0, Buffer.concat([nonce, number(1, 1)]))
export const creditPayload = (stream: 1 | 2, bytes: number) => Buffer.concat([number(1, stream), number(4, bytes)])
