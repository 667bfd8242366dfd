// The SFTP channel of a session: one request after another, each answered before the next is taken, so that a client that sends
// or reads slowly waits for itself alone.
import type { Readable } from 'node:stream'
import type { Counter } from '../../api/counters.ts'
import type { Command } from '../../exec/command.ts'
import type { Limits } from '../../settings.ts'
import type { ContainerRecord } from '../../store/container-rows.ts'
import { type Answer, type SftpContext, statusAnswer } from './context.ts'
import { asFault } from './faults.ts'
import { readWrite, write, type Write } from './file-requests.ts'
import { Handles } from './handles.ts'
import { ScriptCaller, ScriptGone } from './script-caller.ts'
import { fileScript } from './file-script.ts'
import {
  answerTypes,
  Fields,
  MalformedPacket,
  numberOf,
  packetOf,
  PacketSource,
  requests,
  stringOf,
} from './packets.ts'
import { extensionNames, handlers } from './requests.ts'
import { TransferTurn } from './turn.ts'

const version = 3
const usualStallMs = 60_000
/** writes that lie side by side and have arrived are written at once, up to this */
const batchBytes = 1_048_576
const writeType = 6

export const sftpWish = {
  argv: ['/bin/sh', '-c', fileScript, 'sftp'],
  env: {},
  workingDir: '/',
  hasInput: true,
} as const

export interface SftpParts {
  readonly command: Command
  readonly channel: Readable
  /** resolves when more may be sent */
  readonly send: (data: Buffer) => Promise<void>
  /** the client takes no answer */
  readonly giveUp: () => void
  readonly record: ContainerRecord
  readonly counter: Counter
  readonly limits: Limits
  readonly software: string
  readonly stallMs?: number
}

class SftpServer {
  readonly #source: PacketSource
  readonly #context: SftpContext
  readonly #send: (answer: Buffer) => Promise<void>
  #isMet = false

  constructor(source: PacketSource, context: SftpContext, send: (answer: Buffer) => Promise<void>) {
    this.#source = source
    this.#context = context
    this.#send = send
  }

  async serve() {
    for (;;) {
      const packet = await this.#source.next()
      if (!packet) return
      await this.#handle(new Fields(packet))
    }
  }

  async #handle(fields: Fields) {
    const name = requests[fields.byte() as keyof typeof requests] as
      | (typeof requests)[1]
      | keyof typeof handlers
      | 'write'
      | undefined
    if (name === undefined || this.#isMet === (name === 'init')) throw new MalformedPacket('a request out of order')
    if (name === 'init') return this.#meet(fields)
    const id = fields.number()
    if (name === 'write') {
      const { ids, wanted } = this.#gather(id, readWrite(fields))
      const answer = await this.#answer(() => write(this.#context, wanted))
      for (const one of ids) await this.#reply(one, answer)
    } else await this.#reply(id, await this.#answer(() => handlers[name](this.#context, fields)))
  }

  async #meet(fields: Fields) {
    if (fields.number() < version) throw new MalformedPacket('an older version')
    this.#isMet = true
    const offered = extensionNames.flatMap((name) => [stringOf(name), stringOf('1')])
    await this.#send(packetOf(answerTypes.version, [numberOf(version), ...offered]))
  }

  /** the writes that have arrived, and go on where this one ends */
  #gather(id: number, first: Write): { readonly ids: readonly number[]; readonly wanted: Write } {
    const [ids, parts] = [[id], [first.data]]
    let length = first.data.length
    for (;;) {
      const packet = this.#source.peek()
      if (packet?.[0] !== writeType) break
      const fields = new Fields(packet.subarray(1))
      const nextId = fields.number()
      const { handle, offset, data } = readWrite(fields)
      const goesOn = handle.equals(first.handle) && offset === first.offset + length
      if (!goesOn || length + data.length > batchBytes) break
      this.#source.skip(packet)
      ids.push(nextId)
      parts.push(data)
      length += data.length
    }
    return { ids, wanted: { ...first, data: Buffer.concat(parts) } }
  }

  async #answer(work: () => Promise<Answer> | Answer): Promise<Answer> {
    try {
      return await work()
    } catch (error) {
      const fault = asFault(error)
      if (!fault) throw error
      return statusAnswer(fault.status, fault.message)
    }
  }

  #reply(id: number, { type, parts }: Answer): Promise<void> {
    return this.#send(packetOf(type, [numberOf(id), ...parts]))
  }
}

/** Serves until the client ends; then the script has ended, too. Answers why it could not serve, if it could not. */
export async function serveSftp(parts: SftpParts): Promise<string | undefined> {
  const { command, channel, record, counter, limits, software, stallMs = usualStallMs } = parts
  const script = new ScriptCaller(command, stallMs)
  const handles = new Handles()
  const take = () => counter.take(`files ${record.account}`, limits.files, 'file_limit')
  const turn = new TransferTurn(take, () => handles.forgetChunks())
  const send = async (data: Buffer) => {
    const late = setTimeout(parts.giveUp, stallMs)
    await parts.send(data).finally(() => clearTimeout(late))
  }
  try {
    const lacking = await script.begin()
    if (lacking !== undefined) return `SFTP needs the program ${lacking} in the container.`
    const source = new PacketSource(channel)
    void command.killed.then(() => source.close())
    const context = { script, handles, turn, limits, software, spec: record.spec }
    await new SftpServer(source, context, send).serve()
    return undefined
  } catch (error) {
    if (error instanceof MalformedPacket) return 'The client does not speak SFTP as the service does.'
    script.kill()
    if (error instanceof ScriptGone) return 'The container ended SFTP.'
    throw error
  } finally {
    turn.end()
    await script.finish()
  }
}
