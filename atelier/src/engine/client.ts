// HTTP to the engine over its unix socket. Every call has a time limit; what fails on the way is an EngineError.
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'
import { freeChunk, pipeFreeing } from './free-chunks.ts'
import { EngineError, type EngineFault, type TarOptions } from './port.ts'

const apiPath = '/v1.41'
const shortCallsAtOnce = 64
const largestReplyBytes = 64 * 1024 * 1024

export interface EngineRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeoutMs: number
  /** breaks it off */
  readonly signal?: Signal | undefined
  /** of the connection, where much goes through it */
  readonly bufferBytes?: number
}

export interface EngineReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface UpgradedConnection {
  readonly socket: Socket
  readonly head: Buffer
}

export function engineTarget({ path, query }: Pick<EngineRequest, 'path' | 'query'>) {
  const search = new URLSearchParams(query).toString()
  return `${apiPath}${path}${search ? `?${search}` : ''}`
}

/** the engine's answer as an error; its words are in the cause, for the log alone */
export function refusalOf(reply: EngineReply, fault: EngineFault = 'failed') {
  // Podman says the latter when its range of ids for user namespaces is used up
  const isFull = /no space left on device|not find enough available IDs/i.test(reply.text)
  return new EngineError(isFull ? 'no_space' : fault, `${reply.status} ${reply.text.slice(0, 1000)}`)
}

export function readJson(reply: EngineReply): unknown {
  try {
    return JSON.parse(reply.text)
  } catch (error) {
    throw new EngineError('failed', error)
  }
}

export async function readReply(response: IncomingMessage): Promise<EngineReply> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > largestReplyBytes) throw new EngineError('failed', 'the reply is too long')
    pieces.push(piece)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(pieces).toString('utf8') }
}

const asEngineError = (error: unknown) => (error instanceof EngineError ? error : new EngineError('unavailable', error))

function breakOff(outgoing: ClientRequest, signal: Signal | undefined) {
  if (!signal) return
  const stop = () => void outgoing.destroy(new EngineError('unavailable', 'broken off'))
  signal.addEventListener('abort', stop)
  outgoing.once('close', () => signal.removeEventListener('abort', stop))
  if (signal.aborted) stop()
}

export class EngineClient {
  /** counts lost connections: what was learnt of the engine before holds no longer */
  losses = 0
  /** counts how often the engine was seen to be gone: one that has started again knows nothing of the end of a command */
  absences = 0
  readonly #socketPath: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: shortCallsAtOnce, scheduling: 'fifo' })
  readonly #streams = new Agent({ keepAlive: false })
  /** connections that are no longer HTTP, which no agent knows */
  readonly #upgraded = new Set<Socket>()

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  close() {
    this.#agent.destroy()
    this.#streams.destroy()
    for (const socket of this.#upgraded) socket.destroy()
  }

  async call(wish: EngineRequest): Promise<EngineReply> {
    const mayRepeat = wish.method !== 'POST' && wish.method !== 'PUT'
    for (let attempt = 0; ; attempt += 1) {
      const outgoing = this.#open(wish, this.#agent)
      try {
        return await this.#limit(outgoing, wish.timeoutMs, async () => readReply(await this.#response(outgoing)))
      } catch (error) {
        // a kept connection may have been closed by the engine in this very moment
        if (!mayRepeat || attempt > 0 || !outgoing.reusedSocket || (error as EngineError).fault !== 'unavailable')
          throw error
      }
    }
  }

  /** the time limit ends with the head of the response */
  stream(wish: EngineRequest): Promise<IncomingMessage> {
    const outgoing = this.#open(wish, this.#streams)
    return this.#limit(outgoing, wish.timeoutMs, () => this.#response(outgoing))
  }

  /** the time limit is for a standstill, before the end of the body or after it; the engine may answer before the end */
  async upload(wish: EngineRequest, body: Readable, { bytes, freesChunks }: TarOptions = {}): Promise<EngineReply> {
    // an engine that closed at once would break off the empty write that ends the request
    const length = bytes === undefined ? undefined : { 'Content-Length': String(bytes), Connection: 'keep-alive' }
    const outgoing = this.#open(wish, this.#streams, { 'Content-Type': 'application/x-tar', ...length })
    let sourceError: unknown
    const stop = (error: unknown) => {
      sourceError = error
      outgoing.destroy()
    }
    body.once('error', stop).once('close', () => {
      if (!body.readableEnded) stop(body.errored ?? new EngineError('failed', 'the source ended too early'))
    })
    const answered = this.#response(outgoing)
    outgoing.setTimeout(wish.timeoutMs, () => outgoing.destroy(new EngineError('timeout')))
    if (freesChunks) pipeFreeing(body, outgoing)
    else body.pipe(outgoing)
    try {
      return await readReply(await answered)
    } catch (error) {
      throw sourceError ?? asEngineError(error)
    } finally {
      body.unpipe(outgoing)
      body.destroy()
      outgoing.destroy()
    }
  }

  /** a reply instead of a connection: the engine refused */
  upgrade(wish: EngineRequest): Promise<UpgradedConnection | EngineReply> {
    const outgoing = this.#open(wish, this.#streams, { Connection: 'Upgrade', Upgrade: 'tcp' })
    const upgraded = new Promise<UpgradedConnection>((ok) => {
      outgoing.once('upgrade', (_, socket, head) => {
        this.#upgraded.add(socket.once('close', () => this.#upgraded.delete(socket)))
        ok({ socket, head })
      })
    })
    const refused = async () => readReply(await this.#response(outgoing))
    return this.#limit(outgoing, wish.timeoutMs, () => Promise.race([upgraded, refused()]))
  }

  #open({ method, bufferBytes, signal, ...wish }: EngineRequest, agent: Agent, headers: Record<string, string> = {}) {
    const body = wish.body === undefined ? undefined : Buffer.from(JSON.stringify(wish.body))
    if (body) Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
    const options = { method, agent, headers, socketPath: this.#socketPath, path: engineTarget(wish) }
    const outgoing = request({ ...options, host: 'engine', ...(bufferBytes && { highWaterMark: bufferBytes }) })
    outgoing.on('error', () => undefined)
    breakOff(outgoing, signal)
    // the parser has copied what it needs of a chunk
    if (bufferBytes) outgoing.once('socket', (socket) => socket.on('data', freeChunk))
    if (headers['Content-Type'] !== 'application/x-tar') outgoing.end(body)
    return outgoing
  }

  #response(outgoing: ClientRequest) {
    return new Promise<IncomingMessage>((ok, no) => {
      outgoing.once('response', ok)
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        this.losses += 1
        if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') this.absences += 1
        no(asEngineError(error))
      })
      outgoing.once('close', () => no(new EngineError('unavailable', 'the connection closed without an answer')))
    })
  }

  async #limit<T>(outgoing: ClientRequest, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const late = new EngineError('timeout')
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      outgoing.destroy(late)
    }, timeoutMs)
    try {
      return await work()
    } catch (error) {
      throw isLate ? late : asEngineError(error)
    } finally {
      clearTimeout(timer)
    }
  }
}
