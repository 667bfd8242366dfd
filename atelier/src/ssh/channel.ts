// A session channel: what the client asks of it before its command, and the command itself. SFTP is a command, too.
import type { Socket } from 'node:net'
import type { AcceptConnection, ServerChannel, Session } from 'ssh2'
import { problemOf } from '../../../base/web/failure.ts'
import type { Counter } from '../api/counters.ts'
import type { Containers } from '../containers/containers.ts'
import { toProblem } from '../engine/problems.ts'
import type { Observe } from '../events.ts'
import type { Command, KillReason, Outcome } from '../exec/command.ts'
import type { CommandWish, Commands } from '../exec/commands.ts'
import type { Limits } from '../settings.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import type { SshSessionRecord } from '../store/ssh-session-rows.ts'
import { ChannelWriter, takesPackets } from './channel-writer.ts'
import { serveSftp, sftpWish } from './sftp/serve.ts'
import { signalOf } from './signals.ts'
import { ChannelWishes } from './wishes.ts'

const notStartedCode = 127
const failedCode = 255

export interface ChannelParts {
  readonly containers: Pick<Containers, 'running' | 'refresh'>
  readonly commands: Pick<Commands, 'start'>
  readonly counter: Counter
  readonly limits: Limits
  readonly observe: Observe
  readonly socket: Socket
  readonly session: SshSessionRecord
  /** the client's, as it names itself */
  readonly software: string
}

interface Work {
  readonly record: ContainerRecord
  readonly command: Command
  readonly channel: ServerChannel
  readonly writer: ChannelWriter
}

/** `words`: why it was of no use to the client */
type End = { readonly outcome: Outcome; readonly words?: string | undefined }
type Serve = (work: Work) => Promise<End>

export class SshChannel {
  readonly #parts: ChannelParts
  readonly #wishes = new ChannelWishes()
  readonly #closed: () => void
  #channel: ServerChannel | undefined
  #writer: ChannelWriter | undefined
  #command: Command | undefined
  #killedBy: KillReason | undefined
  /** settles when its command has ended, and left nothing behind */
  ended: Promise<void> = Promise.resolve()

  /** `closed` is called once the client has closed it */
  constructor(requests: Session, parts: ChannelParts, closed: () => void) {
    this.#parts = parts
    this.#closed = closed
    this.#wishes.watch(requests, (columns, rows) => this.#command?.resize(columns, rows) ?? Promise.resolve())
    requests.on('exec', (accept, reject, { command }) => {
      if (command.includes('\0')) reject?.()
      else this.#begin(accept, serveCommand, this.#commandOf(['/bin/sh', '-c', command]))
    })
    requests.on('shell', (accept) => this.#begin(accept, serveCommand, this.#commandOf(['/bin/sh'])))
    requests.on('subsystem', (accept, reject, { name }) => {
      if (name === 'sftp' && !this.#wishes.tty) this.#begin(accept, (work) => this.#serveFiles(work), sftpWish)
      else reject?.()
    })
    requests.on('close', () => this.end('caller_gone'))
  }

  /** bytes of input that the command has not taken */
  get waitingBytes(): number {
    return this.#channel?.readableLength ?? 0
  }

  /** the channel is of no more use; its command is killed */
  end(reason: KillReason) {
    if (this.#killedBy) return
    this.#killedBy = reason
    this.#writer?.close()
    this.#command?.kill(reason)
    this.#closed()
  }

  #commandOf(argv: readonly string[]): CommandWish {
    const { env, tty } = this.#wishes
    return { argv, env, hasInput: true, ...(tty && { tty }) }
  }

  #begin(accept: AcceptConnection<ServerChannel>, serve: Serve, wish: CommandWish) {
    // undefined for a second request
    const channel = accept() as ServerChannel | undefined
    if (!channel) return
    const { socket } = this.#parts
    for (const stream of [channel, channel.stderr]) stream.on('error', () => {})
    if (!takesPackets(channel)) {
      socket.destroy()
      return
    }
    this.#channel = channel
    const writer = (this.#writer = new ChannelWriter(channel, socket))
    this.ended = this.#run(wish, serve, channel, writer).catch(async (error: unknown) => {
      const { session, observe } = this.#parts
      await this.#fail(writer, problemOf(toProblem(error), session.id, observe).message, failedCode)
    })
  }

  async #run(wish: CommandWish, serve: Serve, channel: ServerChannel, writer: ChannelWriter) {
    const { containers, commands, session } = this.#parts
    const record = await containers.running(session.account, session.container)
    if (this.#killedBy) return
    const { command, release } = await commands.start(record, wish)
    try {
      this.#command = command
      if (this.#killedBy) command.kill(this.#killedBy)
      const { outcome, words } = await serve({ record, command, channel, writer })
      // nothing is left to kill
      this.#command = undefined
      if (outcome.kind === 'unknown') await containers.refresh(record.id).catch(() => {})
      const isEnded = outcome.kind === 'exit' || outcome.kind === 'killed'
      if (words !== undefined && isEnded) await this.#fail(writer, words, failedCode)
      else await this.#finish(writer, outcome)
    } finally {
      // a client that does not answer the end keeps its place, and no command
      await release()
    }
  }

  async #serveFiles({ record, command, channel, writer }: Work): Promise<End> {
    const { counter, limits, software } = this.#parts
    const send = (data: Buffer) => writer.write('stdout', data)
    const giveUp = () => {
      this.end('caller_gone')
      channel.close()
    }
    try {
      const words = await serveSftp({ command, channel, send, giveUp, record, counter, limits, software })
      return { outcome: await command.outcome(), words }
    } catch (error) {
      return { outcome: await command.outcome(error) }
    }
  }

  async #finish(writer: ChannelWriter, outcome: Outcome) {
    const channel = this.#channel as ServerChannel
    if (outcome.kind === 'not_started')
      return this.#fail(writer, 'The shell of the container could not be started.', notStartedCode)
    if (outcome.kind === 'unknown')
      await writer.write('stderr', Buffer.from('The outcome of the command is unknown.\r\n'))
    if (outcome.kind === 'exit') {
      // a client takes the first, or, as OpenSSH does, the status alone
      const signal = signalOf(outcome.exitCode)
      if (signal) channel.exit(signal, false)
      channel.exit(outcome.exitCode)
    }
    if (outcome.kind === 'killed') channel.exit('KILL', false)
    channel.end()
  }

  async #fail(writer: ChannelWriter, message: string, exitCode: number) {
    await writer.write('stderr', Buffer.from(`${message}\r\n`))
    this.#channel?.exit(exitCode)
    this.#channel?.end()
  }
}

/** the next piece is asked for when the command has taken this one; a stream may tell its end before that */
function sendInput(channel: ServerChannel, command: Command) {
  let taken = Promise.resolve()
  channel.on('data', (piece: Buffer) => {
    channel.pause()
    const more = () => void channel.resume()
    taken = command.write(piece).then(more, more)
  })
  channel.once('end', () => void taken.then(() => command.endInput()))
}

async function serveCommand({ command, channel, writer }: Work): Promise<End> {
  sendInput(channel, command)
  let failure: unknown
  try {
    for await (const { stream, data } of command.output()) await writer.write(stream, data)
  } catch (error) {
    failure = error
  }
  return { outcome: await command.outcome(failure) }
}
