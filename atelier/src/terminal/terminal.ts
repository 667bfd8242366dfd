// One terminal: a shell in a container, whose bytes go both ways in binary messages. Each side is slowed by the other, and the shell
// and all it has started ends with the connection.
import type { WebSocket } from 'ws'
import { problemOf } from '../../../base/web/failure.ts'
import { Problem as BaseProblem } from '../../../base/core/problem.ts'
import { toProblem } from '../engine/problems.ts'
import type { Observe } from '../events.ts'
import type { Command, KillReason } from '../exec/command.ts'
import type { Commands } from '../exec/commands.ts'
import { finish, type FinishParts } from '../exec/finish.ts'
import { TerminalSizes } from '../exec/sizes.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import { type Closing, closingFor, closingOf, longControl, notControl, shellEnded, tooMuchTaken } from './closing.ts'
import { mostTextBytes, readControl } from './control.ts'
import { OutputWindow } from './output-window.ts'
import { watchPeer } from './peer-watch.ts'

/** of input that the shell has not taken: beyond it the client is read no further */
const mostWaitingBytes = 256 * 1024
/** what a message that waits costs beyond its bytes */
const messageBytes = 1_024

interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

export interface TerminalWish extends TerminalSize {
  /** of output; undefined: the client confirms none */
  readonly window: number | undefined
}

export interface TerminalParts extends FinishParts {
  readonly commands: Pick<Commands, 'start' | 'memoryKills'>
  readonly observe: Observe
  readonly record: ContainerRecord
  readonly requestId: string
  readonly wish: TerminalWish
  readonly pingMs: number
}

export class Terminal {
  readonly #ws: WebSocket
  readonly #parts: TerminalParts
  readonly #window: OutputWindow
  readonly #heard: () => void
  readonly #sizes = new TerminalSizes((columns, rows) => this.#command?.resize(columns, rows) ?? Promise.resolve())
  /** input waits for the shell; undefined: there will be none */
  readonly #started = Promise.withResolvers<Command | undefined>()
  #taken: Promise<void> = Promise.resolve()
  #waitingBytes = 0
  #command: Command | undefined
  /** said before there was a shell */
  #firstSize: TerminalSize | undefined
  #endedBy: KillReason | undefined
  #isOver = false
  /** settles when the shell has ended, and left nothing behind; never fails */
  readonly ended: Promise<void>

  constructor(ws: WebSocket, parts: TerminalParts) {
    this.#ws = ws
    this.#parts = parts
    this.#window = new OutputWindow(parts.wish.window)
    this.#heard = watchPeer(ws, parts.pingMs)
    // the library has closed it, with the code of what the client did
    ws.on('error', () => {})
    ws.on('close', () => this.end('caller_gone'))
    ws.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary))
    this.ended = this.#run()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#started.resolve(undefined))
  }

  /** the first reason stays */
  end(reason: KillReason) {
    if (this.#endedBy) return
    this.#endedBy = reason
    this.#command?.kill(reason)
    this.#close(closingOf(reason))
  }

  async #run() {
    const { commands, record, wish } = this.#parts
    const { columns, rows } = wish
    const env = { TERM: 'xterm-256color' }
    const { command, release } = await commands.start(record, {
      argv: ['/bin/sh'],
      env,
      hasInput: true,
      tty: { columns, rows },
    })
    try {
      this.#command = command
      if (this.#endedBy) command.kill(this.#endedBy)
      this.#say({ type: 'start', execId: command.id, at: new Date().toISOString() })
      this.#started.resolve(command)
      if (this.#firstSize) this.#resize(this.#firstSize)
      const failure = await this.#sendOutput(command)
      const end = await finish(command, record.id, failure, this.#parts)
      // nothing is left to kill
      this.#command = undefined
      this.#say({ type: 'exit', ...end })
      this.#close(shellEnded)
    } finally {
      await release()
    }
  }

  /** answers what reading the output threw */
  async #sendOutput(command: Command): Promise<unknown> {
    try {
      for await (const { data } of command.output()) await this.#write(data)
      return undefined
    } catch (error) {
      return error
    }
  }

  async #write(data: Buffer) {
    await this.#window.room()
    if (this.#isOver) return
    this.#window.sent(data.length)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#ws.send(data, { binary: true }, resolve)
    const hasToWait = this.#ws.bufferedAmount > 0
    await promise
    // there was no room for it before the client took something
    if (hasToWait && !this.#isOver) this.#heard()
  }

  #hear(data: Buffer, isBinary: boolean) {
    if (this.#isOver) return
    this.#heard()
    if (isBinary) this.#input(data)
    else if (data.length > mostTextBytes) this.#refuse(longControl)
    else this.#control(data)
  }

  #control(text: Buffer) {
    const message = readControl(text)
    if (!message) this.#refuse(notControl)
    else if (message.type === 'resize') this.#resize(message)
    else if (!this.#window.taken(message.bytes)) this.#refuse(tooMuchTaken)
  }

  #resize({ columns, rows }: TerminalSize) {
    if (this.#command) this.#sizes.want(columns, rows)
    else this.#firstSize = { columns, rows }
  }

  #input(data: Buffer) {
    if (data.length === 0) return
    const cost = data.length + messageBytes
    this.#waitingBytes += cost
    if (this.#waitingBytes > mostWaitingBytes) this.#ws.pause()
    const give = async () => {
      const command = await this.#started.promise
      await command?.write(data).catch(() => {})
      this.#waitingBytes -= cost
      if (this.#ws.isPaused && this.#waitingBytes <= mostWaitingBytes) this.#ws.resume()
    }
    this.#taken = this.#taken.then(give)
  }

  #refuse(closing: Closing) {
    this.#close(closing)
    this.end('caller_gone')
  }

  #fail(error: unknown) {
    if (this.#isOver) return
    const { requestId, observe } = this.#parts
    const problem = problemOf(toProblem(error), requestId, observe)
    this.#say({ type: 'error', error: BaseProblem.present(problem, requestId) })
    this.#close(closingFor(problem))
  }

  #say(message: object) {
    if (!this.#isOver) this.#ws.send(JSON.stringify(message))
  }

  /** the first one counts */
  #close({ code, reason }: Closing) {
    if (this.#isOver) return
    this.#isOver = true
    this.#window.close()
    // its answer is waited for
    this.#ws.resume()
    this.#ws.close(code, reason)
  }
}
