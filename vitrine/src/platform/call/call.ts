// One signed GET, from the first byte to the parsed document. Its response is read by a handler without streams and signals
// (docs/performance.md); it ends in a document or a Failure, at once when its time is over or the caller leaves.
import type { Dispatcher } from 'undici'
import type { Signal } from '../../../../base/core/abort.ts'
import { Holder } from '../../../../base/core/holder.ts'
import type { PlatformDocument, PlatformRead } from '../../engine/port.ts'
import { malformed, Problem } from '../../problems.ts'
import { Failure, failureOfError, failureOfStatus } from '../retry/failures.ts'
import { readHttpDate } from '../retry/retry-after.ts'
import { noMemory, type Reserved } from './answer-memory.ts'
import { Body, type Coding, codingOf, release, unpack } from './body.ts'
import { readDocument } from './exact-json.ts'
import { limits } from './limits.ts'
import type { PooledClient, Receiver, SocketPool } from './pools.ts'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** what the headers of a response say, reported before its body arrives */
export interface ResponseHead {
  readonly status: number
  readonly rate: string | undefined
  readonly date: string | undefined
}

export interface Call {
  readonly read: PlatformRead
  readonly token: string
  readonly trace: string | undefined
  readonly now: () => number
  readonly signal: Signal
  readonly totalMs: number
  readonly onHead: (head: ResponseHead) => void
  /** called when the whole response is here, with so many bytes of text; what it returns is awaited before the body is read */
  readonly onEnd?: (status: number, bytes: number) => Promise<unknown> | undefined
  readonly reserved: Reserved
}

interface Response {
  readonly status: number
  readonly headers: Headers
  readonly coding: Coding
  /** undefined: the body of a refusal did not arrive in time */
  readonly body: Body | undefined
}

const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const onTimeout = (handler: ResponseHandler): void =>
  handler.fail(new Problem('upstream_timeout', { cause: 'TimeoutError' }))
const onBodyTimeout = (handler: ResponseHandler): void =>
  handler.fail(new DOMException('the body of a refusal', 'TimeoutError'))

/** Dropped at the end: undici keeps the handler until the next major collection, and with it would keep the whole document. */
interface Live extends Pick<Call, 'signal' | 'onHead' | 'reserved'> {
  readonly pool: SocketPool
  readonly ok: (response: Response) => void
  readonly no: (reason: unknown) => void
  readonly clock: NodeJS.Timeout
  readonly leave: () => void
  bodyClock: NodeJS.Timeout | undefined
  headers: Headers
  coding: Coding
}

class ResponseHandler implements Receiver {
  status: number | undefined = undefined
  pooled: PooledClient | undefined = undefined
  body: Body | undefined = undefined
  isKeptAlive = false
  #live: Live | undefined

  constructor(pool: SocketPool, { signal, totalMs, onHead, reserved }: Call, ok: Live['ok'], no: Live['no']) {
    const leave = () => this.fail(signal.reason)
    this.#live = {
      pool,
      signal,
      onHead,
      reserved,
      ok,
      no,
      clock: setTimeout(onTimeout, totalMs, this),
      leave,
      bodyClock: undefined,
      headers: {},
      coding: 'identity',
    }
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
  }

  get isOver(): boolean {
    return this.#live === undefined
  }

  #end(isWhole: boolean): Live | undefined {
    const live = this.#live
    this.#live = undefined
    if (!live) return undefined
    clearTimeout(live.clock)
    clearTimeout(live.bodyClock)
    live.signal.removeEventListener('abort', live.leave)
    live.pool.leave(this, isWhole)
    return live
  }

  /** ends the call without the rest of the response, and closes its socket */
  fail(error: unknown) {
    const { status } = this
    const live = this.#end(false)
    if (!live) return
    const { ok, no, headers, coding } = live
    if (status === undefined || status === 200) no(error)
    else ok({ status, headers, coding, body: undefined })
  }

  onRequestStart() {}

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number, headers: Headers) {
    // undici's array is older than the header fields in it, and would keep them until the next major collection
    if (Array.isArray(rawHeaders)) rawHeaders.length = 0
    const live = this.#live
    // 1xx responses come before the real one
    if (status < 200 || !live) return
    this.status = status
    live.headers = headers
    live.onHead({ status, rate: header(headers, 'x-rate-limit'), date: header(headers, 'date') })
    const coding = codingOf(header(headers, 'content-encoding'))
    if (!coding) return this.fail(malformed('the body has a coding that was not asked for'))
    live.coding = coding
    this.body = new Body(coding)
    if (this.pooled && headers['content-length'] !== undefined) this.pooled.isInBody = true
    if (status !== 200) live.bodyClock = setTimeout(onBodyTimeout, limits.refusalMs, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer) {
    if (!this.#live) return undefined
    if (this.body?.add(part) === false) return this.fail(malformed('the body is too large'))
    return this.#live.reserved.add(part.length) ? undefined : this.fail(noMemory())
  }

  onResponseEnd() {
    const { status } = this
    const live = status === undefined ? undefined : this.#end(true)
    if (!live || status === undefined) return
    const { headers, coding } = live
    live.ok({ status, headers, coding, body: this.body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error) {
    this.fail(error)
  }
}

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' ||
  /^application\/(json|[\w.-]+\+json)$/.test((type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')

function headersOf({ read: { accept }, token, trace }: Call): string[] {
  const headers = ['authorization', `Bearer ${token}`, 'accept', accept, 'accept-encoding', 'gzip']
  headers.push('user-agent', 'vitrine')
  if (trace !== undefined) headers.push('traceparent', trace)
  return headers
}

async function parse(parts: readonly Buffer[], coding: Coding, { reserved, read }: Call): Promise<unknown> {
  if (coding !== 'gzip') return readDocument(parts, read.reader)
  const unpacked = await unpack(parts)
  if (!reserved.add(unpacked.length)) throw noMemory()
  try {
    return readDocument([unpacked], read.reader)
  } finally {
    release(unpacked)
  }
}

/** Began after the response came: an async function that began before would keep the document that it waits for. */
async function readResponse({ status, headers, coding, body }: Response, call: Call): Promise<PlatformDocument> {
  const isDocument = body && isJson(header(headers, 'content-type'))
  const document = isDocument ? parse(body.parts, coding, call) : undefined
  if (status === 200) {
    if (document) return new Holder(await document)
    throw new Failure(malformed('a success is not JSON'), { status })
  }
  throw failureOfStatus({
    status,
    retryAfter: header(headers, 'retry-after'),
    body: await document?.catch(() => undefined),
    isWhole: body !== undefined,
    given: call.read.given,
    nowMs: readHttpDate(header(headers, 'date')) ?? call.now(),
  })
}

/** rejects with a Failure, or, after an abort, with any error */
export async function ask(pool: SocketPool, call: Call): Promise<PlatformDocument> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const handler = new ResponseHandler(pool, call, resolve, reject)
  try {
    if (!handler.isOver) pool.send({ method: 'GET', path: call.read.target, headers: headersOf(call) }, handler)
    const response = await promise
    const confirmed = call.onEnd?.(response.status, response.body?.textBytes ?? 0)
    // the bytes wait, and no text: V8 would promote it
    if (confirmed) await confirmed
    return await readResponse(response, call)
  } catch (error) {
    handler.fail(error)
    const isAnswered = handler.status !== undefined
    const failure = failureOfError(error, isAnswered)
    failure.stale = handler.isKeptAlive && !isAnswered && failure.again
    throw failure
  } finally {
    handler.body?.free()
  }
}
