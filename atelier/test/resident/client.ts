// A client of the resident for tests: it starts the program over pipes and waits for single frames.
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { type Frame, frame, helloFrame, startPayload, type StartOptions, types } from './frames.ts'

export const program = resolve('resident/bin', `resident-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`)

export class Client {
  readonly frames: Frame[] = []
  private wake = Promise.withResolvers<void>()
  private pending = Buffer.alloc(0)
  ended = false

  readonly child: ChildProcess

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout!.on('data', (data: Buffer) => this.take(data))
    child.stdin!.on('error', () => {})
    child.once('close', () => {
      this.ended = true
      this.notify()
    })
  }

  /** a frame has come, or the program has ended */
  change(): Promise<void> {
    return this.wake.promise
  }

  private notify() {
    this.wake.resolve()
    this.wake = Promise.withResolvers()
  }

  private take(data: Buffer) {
    this.pending = Buffer.concat([this.pending, data])
    while (this.pending.length >= 9 && this.pending.length >= 9 + this.pending.readUInt32BE(5)) {
      const end = 9 + this.pending.readUInt32BE(5)
      const [type, command] = [this.pending.readUInt8(0), this.pending.readUInt32BE(1)]
      this.frames.push({ type, command, payload: this.pending.subarray(9, end) })
      this.pending = this.pending.subarray(end)
    }
    this.notify()
  }

  send(type: number, command: number, payload?: Buffer) {
    this.child.stdin!.write(frame(type, command, payload))
  }

  start(command: number, argv: readonly string[], options?: StartOptions) {
    this.send(2, command, startPayload(argv, options))
  }

  /** takes the first frame of these types for the command out of those that came */
  async next(command: number, ...wanted: readonly (keyof typeof types)[]): Promise<Frame> {
    const isWanted = (one: Frame) => one.command === command && wanted.some((name) => types[name] === one.type)
    for (;;) {
      const at = this.frames.findIndex(isWanted)
      if (at >= 0) return this.frames.splice(at, 1)[0]!
      if (this.ended) throw new Error(`the resident ended: ${this.child.exitCode ?? this.child.signalCode}`)
      await this.change()
    }
  }

  async hello(nonce = randomBytes(16)): Promise<Frame> {
    this.child.stdin!.write(helloFrame(nonce))
    return this.next(0, 'hello')
  }
}

export async function whole(client: Client, command: number) {
  const end = await client.next(command, 'exit', 'failed')
  const out = client.frames.filter((one) => one.type === types.output && one.command === command)
  const textOf = (stream: number) =>
    Buffer.concat(out.filter(({ payload }) => payload[0] === stream).map(({ payload }) => payload.subarray(1)))
  const value = end.type === types.exit ? end.payload.readUInt32BE() : end.payload.readUInt8()
  const errno = end.type === types.failed ? end.payload.readUInt32BE(1) : undefined
  return { type: end.type, value, errno, stdout: textOf(1).toString(), stderr: textOf(2).toString() }
}

/** ends with the test, and its commands too; `argv` may put other programs in front of it */
export function openResident(t: TestContext, options: SpawnOptions = {}, argv: readonly string[] = [program]): Client {
  const child = spawn(argv[0]!, argv.slice(1), { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const client = new Client(child)
  t.after(async () => {
    child.stdin.destroy()
    const late = setTimeout(() => child.kill('SIGKILL'), 3000)
    while (!client.ended) await client.change()
    clearTimeout(late)
  })
  return client
}
