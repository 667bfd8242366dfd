// One command in a container: its output as fast as it is read, its input, its end.
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { readJson, readReply, refusalOf } from './client.ts'
import { createDemultiplexer } from './frames.ts'
import { containerFailure, type EngineLink, expectOk, limits } from './link.ts'
import { LostOutputText } from './lost-output.ts'
import { EngineError, type EngineExec, type ExecTemplate, type OutputChunk, type StartFailure } from './port.ts'
import { StartFailureText } from './start-failure.ts'
import { execBody } from './template.ts'

const endOfTransmission = Buffer.from([4])
/** Podman forgets an exec 10 s after its end: one whose output is not read in that time is asked for its exit code meanwhile */
const unreadLookMs = 3000
const lookPausesMs = [5, 10, 20, 50, 100, 200]

interface ExecState {
  readonly Running: boolean
  readonly ExitCode: number | null
  readonly Pid: number
}

interface Connection {
  readonly incoming: Readable
  readonly outgoing: Writable | undefined
  readonly head: Buffer
}

const chunkOf = (data: Buffer): OutputChunk[] => (data.length > 0 ? [{ stream: 'stdout', data }] : [])

/** the command takes no more input, because it has ended; what it had put out was read before */
const isRefusedInput = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'ECONNRESET'

class Exec implements EngineExec {
  startFailure: StartFailure | undefined
  readonly output: AsyncIterable<OutputChunk>
  readonly #link: EngineLink
  readonly #id: string
  readonly #connection: Connection
  readonly #isTty: boolean
  readonly #absences: number
  readonly #split: (piece: Buffer) => OutputChunk[]
  readonly #text: StartFailureText
  readonly #lost: LostOutputText
  #waiting: OutputChunk[] = []
  #isDraining = false
  #wasReset = false
  #end: { readonly error?: unknown } | undefined
  #wake = Promise.withResolvers<void>()
  #exit: { readonly code: number; readonly hadProcess: boolean } | undefined
  #unread: NodeJS.Timeout | undefined

  constructor(link: EngineLink, id: string, connection: Connection, { argv, tty, input }: ExecTemplate) {
    this.#link = link
    this.#id = id
    this.#connection = connection
    this.#isTty = tty !== undefined
    this.#absences = link.client.absences
    this.#split = this.#isTty ? chunkOf : createDemultiplexer()
    this.#text = new StartFailureText(argv[0] ?? '')
    this.#lost = new LostOutputText(input && !this.#isTty)
    this.output = this.#read()
    const { incoming, head } = connection
    incoming.on('data', (piece: Buffer) => this.#take(piece))
    incoming.pause()
    incoming.once('end', () => {
      this.#finish({})
      connection.outgoing?.destroy()
    })
    incoming.once('error', (error: NodeJS.ErrnoException) => {
      this.#wasReset = error.code === 'ECONNRESET'
      this.#finish(isRefusedInput(error) ? {} : { error })
    })
    incoming.once('close', () => this.#finish({ error: 'the connection was lost' }))
    if (head.length > 0) this.#take(head)
  }

  get isCut() {
    return this.#wasReset || this.#lost.isHolding
  }

  /** One turn later, so that what has arrived is read first: a write after the command's end closes the socket. */
  async write(data: Uint8Array) {
    await nextTurn()
    const { outgoing } = this.#connection
    if (outgoing?.writable) await new Promise<void>((ok) => outgoing.write(data, () => ok()))
  }

  endInput() {
    const { outgoing } = this.#connection
    if (!outgoing?.writable) return
    // on Docker the end of a terminal's input would end its output too
    if (this.#isTty) outgoing.write(endOfTransmission)
    else outgoing.end()
  }

  async resize(columns: number, rows: number) {
    const wish = {
      method: 'POST',
      path: `/exec/${this.#id}/resize`,
      query: { w: String(columns), h: String(rows) },
    } as const
    const reply = await this.#link.client.call({ ...wish, timeoutMs: limits.look })
    // a terminal that is gone has no size
    if (reply.status >= 500) throw refusalOf(reply)
  }

  async exitCode(patienceMs = 5000) {
    const endsAt = performance.now() + patienceMs
    for (let look = 0; !this.#exit; look += 1) {
      await this.#look()
      const waitMs = lookPausesMs[look] ?? 250
      if (this.#exit || performance.now() + waitMs > endsAt) break
      await pause(waitMs)
    }
    return this.#exit?.code
  }

  drain() {
    this.#isDraining = true
    this.#waiting = []
    clearTimeout(this.#unread)
    this.#connection.incoming.resume()
  }

  leave() {
    this.#finish({})
    this.#waiting = []
    this.#connection.incoming.destroy()
    this.#connection.outgoing?.destroy()
  }

  #take(piece: Buffer) {
    const chunks = this.#split(piece)
    if (this.#isDraining) {
      for (const chunk of chunks) this.#text.take(chunk)
      this.#text.rest()
      return
    }
    this.#waiting.push(...chunks)
    this.#connection.incoming.pause()
    this.#lookWhileUnread()
    this.#wake.resolve()
  }

  #finish(end: { readonly error?: unknown }) {
    this.#end ??= end
    this.#wake.resolve()
  }

  async *#read(): AsyncGenerator<OutputChunk> {
    for (;;) {
      for (let chunk = this.#waiting.shift(); chunk; chunk = this.#waiting.shift())
        yield* this.#lost.take(this.#text.take(chunk))
      clearTimeout(this.#unread)
      if (this.#end) break
      this.#wake = Promise.withResolvers()
      this.#connection.incoming.resume()
      await this.#wake.promise
    }
    if (this.#end.error !== undefined) throw new EngineError('unavailable', this.#end.error)
    if (this.#text.isHolding && !this.#isDraining) {
      await this.exitCode()
      this.startFailure = this.#text.failure(this.#exit?.code, this.#exit?.hadProcess ?? false)
      if (!this.startFailure) yield* this.#lost.take(this.#text.rest())
    }
  }

  #lookWhileUnread() {
    clearTimeout(this.#unread)
    const lookAgain = async () => {
      await this.#look()
      if (!this.#exit && !this.#end) this.#lookWhileUnread()
    }
    this.#unread = setTimeout(() => void lookAgain(), unreadLookMs)
  }

  /** An engine that is away says nothing, which is no end. */
  async #look() {
    try {
      const path = `/exec/${this.#id}/json`
      const reply = await this.#link.client.call({ method: 'GET', path, timeoutMs: limits.look })
      const { Running, ExitCode, Pid } = readJson(expectOk(reply)) as ExecState
      const isProof = this.#link.client.absences === this.#absences
      if (isProof && !Running && ExitCode !== null) this.#exit = { code: ExitCode, hadProcess: Pid > 0 }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  }
}

async function connect(link: EngineLink, id: string, template: ExecTemplate): Promise<Connection> {
  const isTwoWay = template.input || template.tty !== undefined
  const body = { Detach: false, Tty: template.tty !== undefined }
  const wish = { method: 'POST', path: `/exec/${id}/start`, body, timeoutMs: limits.change } as const
  if (isTwoWay) {
    const answer = await link.client.upgrade(wish)
    if ('status' in answer) throw await containerFailure(link, template.container, answer)
    const { socket, head } = answer
    socket.on('error', () => undefined)
    return { incoming: socket, outgoing: socket, head }
  }
  const incoming: IncomingMessage = await link.client.stream(wish)
  if ((incoming.statusCode ?? 0) < 400) return { incoming, outgoing: undefined, head: Buffer.alloc(0) }
  throw await containerFailure(link, template.container, await readReply(incoming))
}

export async function createExec(link: EngineLink, template: ExecTemplate) {
  const path = `/containers/${encodeURIComponent(template.container)}/exec`
  const body = execBody(template)
  const reply = await link.client.call({ method: 'POST', path, body, timeoutMs: limits.change })
  if (reply.status >= 400) throw await containerFailure(link, template.container, reply)
  const { Id } = readJson(reply) as { Id: string }
  return { id: Id, connection: await connect(link, Id, template) }
}

export async function startExec(link: EngineLink, template: ExecTemplate): Promise<EngineExec> {
  const { id, connection } = await createExec(link, template)
  const exec = new Exec(link, id, connection, template)
  if (template.tty) await exec.resize(template.tty.columns, template.tty.rows).catch(() => undefined)
  return exec
}
