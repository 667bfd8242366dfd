// The connection to one resident: its greeting, its commands by number, and its loss.
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type EngineChannel, EngineError, type ExecTemplate } from '../../engine/port.ts'
import { outputCredit, ResidentCommand } from './command.ts'
import {
  frame,
  FrameReader,
  type Hello,
  helloFrames,
  HelloReader,
  protocolVersion,
  reply,
  request,
  startFrames,
} from './frames.ts'

/** how long a kill may take before another way is tried */
const killMs = 1_500
/** a kill may come shortly after the end of its command */
const mostEnded = 256
/** what a resident may say besides of what it was asked: some for each command, for what crosses on the way */
const strayBytes = 65_536

export interface ConnectionOptions {
  /** closed when there was no command for so long; null: never */
  readonly idleMs: number | null
  /** what the loss of the connection means for its commands; those that are given, by our ids, do not outlive it */
  readonly explainLoss: (commands: readonly string[]) => Promise<EngineError>
}

interface Started {
  readonly id: string
  readonly command: ResidentCommand
  readonly isKept: boolean
}

export class ResidentConnection {
  readonly #channel: EngineChannel
  readonly #options: ConnectionOptions
  readonly #commands = new Map<number, Started>()
  readonly #numbers = new Map<string, number>()
  readonly #endedNumbers = new LRUCache<string, number>({ max: mostEnded })
  readonly #kills = new Map<number, () => void>()
  #last: number
  #strayLeft = strayBytes
  #idle: NodeJS.Timeout | undefined
  #isLost = false
  readonly #lost = Promise.withResolvers<void>()
  /** of the container's processes */
  readonly isFirst: boolean

  constructor(channel: EngineChannel, { kept, isFirst }: Hello, options: ConnectionOptions) {
    this.isFirst = isFirst
    this.#channel = channel
    this.#options = options
    this.#last = Math.max(0, ...kept)
    void channel.ended.then(() => this.#lose())
    this.#waitIdle()
  }

  /** settles when no command can be started here any more */
  get lost(): Promise<void> {
    return this.#lost.promise
  }

  get isOpen(): boolean {
    return !this.#isLost
  }

  /** it has no command, and closes by itself after a while */
  get isIdle(): boolean {
    return this.#options.idleMs !== null && this.#commands.size === 0
  }

  start(id: string, template: ExecTemplate, isKept: boolean): ResidentCommand {
    const { argv, env, workingDir, input, tty } = template
    const number = this.#nextNumber()
    const command = new ResidentCommand(this, number)
    if (this.#isLost) {
      command.lost(new EngineError('unavailable', 'the resident is gone'))
      return command
    }
    clearTimeout(this.#idle)
    this.#commands.set(number, { id, command, isKept })
    this.#numbers.set(id, number)
    this.#strayLeft += strayBytes
    this.send(startFrames(number, { argv, env, workingDir, hasInput: input, tty, isKept, credit: outputCredit }))
    return command
  }

  /** true: nothing of the command is left; false: this is not known */
  async kill(id: string): Promise<boolean> {
    const number = this.#numbers.get(id) ?? this.#endedNumbers.get(id)
    if (number === undefined || this.#isLost) return false
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), killMs)
    const killed = new Promise<true>((ok) => this.#kills.set(number, () => ok(true)))
    this.send(frame(request.kill, number))
    const isGone = await Promise.race([killed, late.promise])
    clearTimeout(timer)
    this.#kills.delete(number)
    return isGone
  }

  send(bytes: Buffer) {
    this.#channel.write(bytes)
  }

  close() {
    this.#channel.close()
    this.#lose()
  }

  output(number: number, stream: 'stdout' | 'stderr', data: Buffer) {
    const known = this.#commands.get(number)
    if (known) known.command.took(stream, data)
    else this.padding(data.length)
  }

  frame(type: number, number: number, payload: Buffer) {
    const command = this.#commands.get(number)?.command
    if (type === reply.killed && this.#kills.has(number)) return this.#kills.get(number)?.()
    if (type === reply.inputCredit && command) return command.tookInputCredit(payload.readUInt32BE())
    if (type === reply.exit && command) return this.#ended(number, () => command.exited(payload.readUInt32BE()))
    if (type === reply.failed && command)
      return this.#ended(number, () => command.failed(payload[0] ?? 0, payload.readUInt32BE(1)))
    this.padding(payload.length + 1)
  }

  /** Some cross on the way; a flood of them would cost the service more than the container. */
  padding(bytes: number) {
    this.#strayLeft -= bytes
    if (this.#strayLeft < 0) this.close()
  }

  /** none whose last byte is 0: a header that was cut could be completed to it by the NULs of the next greeting */
  #nextNumber(): number {
    this.#last += (this.#last & 0xff) === 0xff ? 2 : 1
    return this.#last
  }

  #ended(number: number, tell: () => void) {
    const { id = '' } = this.#commands.get(number) ?? {}
    this.#commands.delete(number)
    this.#numbers.delete(id)
    this.#endedNumbers.set(id, number)
    tell()
    this.#waitIdle()
  }

  #waitIdle() {
    const { idleMs } = this.#options
    if (idleMs === null || this.#commands.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), idleMs).unref()
  }

  #lose() {
    if (this.#isLost) return
    this.#isLost = true
    clearTimeout(this.#idle)
    this.#lost.resolve()
    if (this.#commands.size > 0) void this.#loseCommands()
  }

  async #loseCommands() {
    const all = [...this.#commands.values()]
    this.#commands.clear()
    const error = await this.#options.explainLoss(all.flatMap(({ id, isKept }) => (isKept ? [] : [id])))
    for (const { command } of all) command.lost(error)
  }
}

/** Greets what is at the other end; undefined: no resident of this version answered in time. The channel is closed then. */
export async function greet(
  channel: EngineChannel,
  patienceMs: number,
  options: ConnectionOptions,
): Promise<ResidentConnection | undefined> {
  const nonce = randomBytes(16)
  const hello = new HelloReader(nonce)
  const answered = Promise.withResolvers<ResidentConnection | undefined>()
  let connection: ResidentConnection | undefined
  let reader: FrameReader | undefined
  const take = (piece: Buffer) => {
    if (reader) return reader.read(piece)
    const found = hello.take(piece)
    if (!found) return
    if (found.hello.version !== protocolVersion) return answered.resolve(undefined)
    connection = new ResidentConnection(channel, found.hello, options)
    reader = new FrameReader(connection)
    answered.resolve(connection)
    reader.read(found.rest)
  }
  channel.onData((piece) => {
    try {
      take(piece)
    } catch {
      if (connection) connection.close()
      else answered.resolve(undefined)
    }
  })
  const late = setTimeout(() => answered.resolve(undefined), patienceMs)
  void channel.ended.then(() => answered.resolve(undefined))
  channel.write(helloFrames(nonce))
  const found = await answered.promise
  clearTimeout(late)
  if (!found) channel.close()
  return found
}
