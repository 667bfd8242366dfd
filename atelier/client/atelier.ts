/*! Atelier 0.1.0, typed client: one file, no dependencies. https only, or this machine. Apache-2.0 */
// Derived from the routes and from client/parts by `npm run derive`: change those, not this file. Long, because it is all.

export type ErrorType = 'invalid_request' | 'internal_error' | 'unauthorized' | 'rate_limited' | 'shutting_down' | 'forbidden' | 'session_required' | 'csrf_failed' | 'container_not_found' | 'too_large' | 'unsupported_media_type' | 'idempotency_conflict' | 'idempotency_in_progress' | 'image_not_found' | 'image_not_ready' | 'name_in_use' | 'quota_exceeded' | 'start_failed' | 'engine_error' | 'engine_unavailable' | 'engine_timeout' | 'container_not_running' | 'exec_start_failed' | 'exec_limit' | 'exec_outcome_unknown' | 'no_capacity' | 'exec_not_found' | 'file_not_found' | 'is_directory' | 'not_directory' | 'not_regular' | 'file_limit' | 'parent_not_found' | 'file_exists' | 'read_only' | 'invalid_archive' | 'length_required' | 'disk_full' | 'action_refused' | 'directory_not_empty' | 'invalid_dockerfile' | 'build_limit' | 'image_in_use' | 'log_limit' | 'invalid_public_key' | 'ssh_limit' | 'output_limit' | 'unreachable' | 'deadline' | 'unexpected_answer'

// The types of options and answers, and of operations as data.

/** One of the known values, or one that the service added later. */
export type Known<Values extends string> = Values | (string & {})

/** An answer with the id of its request, which is not enumerable, so that the answer stays as it was sent. */
export type Answered<T> = T & { readonly requestId: string }

/** One page of a list. It is the last one only if `nextCursor` is null. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** What is sent as a file, a tar or a build context. Only a stream cannot be sent a second time. */
export type Content = string | Uint8Array | Blob | ReadableStream<Uint8Array>

/** What a command puts out, as it comes. `exit` is the last one. `lost`: lines of a kept command that memory had no room for. */
export type CommandEvent =
  | { readonly type: 'start'; readonly execId: string; readonly at: string }
  | { readonly type: 'stdout' | 'stderr'; readonly seq: number; readonly data: string }
  | { readonly type: 'lost'; readonly firstSeq: number; readonly lastSeq: number }
  | {
      readonly type: 'exit'
      readonly exitCode: number
      readonly signal: string | null
      readonly timedOut: boolean
      readonly oomKilled: true | null
      readonly durationMs: number
      readonly stdoutBytes: number
      readonly stderrBytes: number
      /** set where the engine may have lost output */
      readonly stdoutTruncated?: boolean
      readonly stderrTruncated?: boolean
    }

/** What the log of a build holds. `end` is the last one. */
export type LogEvent =
  | {
      readonly type: 'log'
      readonly seq: number
      readonly at: string
      readonly step: number | null
      readonly stream: 'stdout' | 'stderr' | 'service'
      readonly data: string
    }
  | { readonly type: 'truncated'; readonly seq: number; readonly at: string }
  | { readonly type: 'end'; readonly status: string }

/** A file as it comes. Its body ends with an error if it breaks off. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>
  readonly sizeBytes: number
  /** such as `0644` */
  readonly mode: string
  /** RFC 3339 */
  readonly modifiedAt: string
  readonly requestId: string
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
}

/** A directory as a tar, as it comes. */
export interface TreeAnswer {
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string
}

/** An operation, for programs that learn its name at run time. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** where the parameters go */
  readonly input: 'query' | 'json'
  /** takes an Idempotency-Key */
  readonly isIdempotent: boolean
}

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
  readonly body?: any
  /** of a body that is a stream */
  readonly duplex?: 'half'
}

/** The part of `fetch` that the client uses. */
export type Fetch = (address: string, init: FetchInit) => Promise<Response>

export interface CallOptions {
  /** aborts the call, which rejects with the signal's reason; a command that it runs is killed */
  readonly signal?: AbortSignal | undefined
  /** for the whole call with its repeats, but not for what is streamed. Infinity: no deadline */
  readonly timeoutMs?: number | undefined
  /** how often a failed call is repeated where that is safe */
  readonly retries?: number | undefined
  /** instead of a random one, where an operation takes it: the same in two programs makes one object */
  readonly idempotencyKey?: string | undefined
}

export interface AtelierOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** the address of the service, such as `https://atelier.example.com` */
  readonly url: string
  /** the API key, which is sent to this address in one header and written nowhere else */
  readonly key: string
  /** replaces the runtime's own */
  readonly fetch?: Fetch | undefined
  readonly userAgent?: string | undefined
  /** allows plain http to another machine: others on the network can read the key */
  readonly insecure?: boolean | undefined
}

// The one class of errors: refusals of the service, and failures without an answer of it.

interface Failure {
  readonly type: Known<ErrorType>
  readonly code: string
  readonly status: number
  readonly requestId: string
  readonly retryable: boolean
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSec?: number
}

/** Every failure of a call except an abort, which rejects with the signal's reason. */
export class AtelierError extends Error {
  override name = 'AtelierError'
  /** for decisions in programs: the service's types, and `unreachable`, `deadline`, `unexpected_answer` */
  declare readonly type: Known<ErrorType>
  /** finer than the type where the service says more; otherwise the type */
  declare readonly code: string
  /** of the HTTP response; 0 without one */
  declare readonly status: number
  /** also in the service's log; empty without a response */
  declare readonly requestId: string
  /** whether the same call may succeed later */
  declare readonly retryable: boolean
  /** such as `field` and `reason` of an invalid request */
  declare readonly details?: Readonly<Record<string, unknown>>
  /** how long to wait before a repeat */
  declare readonly retryAfterSec?: number

  constructor(message: string, failure: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, failure)
  }
}

type Unanswered = 'unreachable' | 'deadline' | 'unexpected_answer' | 'exec_outcome_unknown'

/** a failure that the service has not told */
const withoutAnswer = (type: Unanswered, response?: { status: number; requestId: string }): Failure => ({
  type,
  code: type,
  status: response?.status ?? 0,
  requestId: response?.requestId ?? '',
  retryable: type === 'unreachable' || type === 'deadline',
})

/** The runtime's code of the failure: some hide it behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return String(code ?? message ?? error).replace(/\.$/, '')
}

const brokeOff = (cause: unknown, requestId: string): AtelierError =>
  new AtelierError(
    `The answer broke off: ${reasonOf(cause)}.`,
    { ...withoutAnswer('unreachable'), requestId },
    { cause },
  )

// Turns an HTTP response into an error, unless it is the answer that was asked for.

interface Reading {
  /** the address of the service, without a slash at the end */
  readonly base: string
  readonly key: string
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown, other: string): string => (typeof value === 'string' && value !== '' ? value : other)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** seconds, or an HTTP date */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value)
  const untilMs = / GMT\s*$/.test(value) ? Date.parse(value) - Date.now() : Number.NaN
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil(untilMs / 1000))
}

/** another server may echo the key */
const keyless = (text: string, key: string): string => text.replaceAll(key, '(key)')

/** empty if the response has none */
const requestIdOf = ({ headers }: Response, { key }: Reading): string =>
  keyless(headers.get('x-request-id') ?? '', key)

/** the start of a foreign body, on one line */
function wordsOf(text: string, key: string): string {
  const line = keyless(text, key)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** statuses that may pass */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

function unexpected(response: Response, text: string, reading: Reading): AtelierError {
  const { status, headers } = response
  const { key } = reading
  const isMoved = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
  const to = wordsOf(headers.get('location') ?? '', key)
  const kind = headers.get('content-type') ?? 'no content type'
  const message = isMoved
    ? `The address redirects${to && ` to ${to}`}. The key is not sent along: give the final address as \`url\`.`
    : `This is no answer of the service: status ${status}, ${wordsOf(kind, key)}, "${wordsOf(text, key)}".`
  const retryAfterSec = readRetryAfter(headers.get('retry-after'))
  return new AtelierError(message, {
    ...withoutAnswer('unexpected_answer', { status, requestId: requestIdOf(response, reading) }),
    ...(isMoved && { code: 'redirected' }),
    retryable: passing.has(status),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

/** `error`: the member of that name in an answer, or in the last line of a stream */
function refusalOf(
  error: unknown,
  { status, requestId, retryAfterSec }: { status: number; requestId: string; retryAfterSec?: number | undefined },
): AtelierError | undefined {
  if (!isObject(error) || typeof error['type'] !== 'string') return undefined
  const { type, code, message, retryable, details } = error
  return new AtelierError(textOr(message, type), {
    type,
    code: textOr(code, type),
    status,
    requestId: textOr(error['requestId'], requestId),
    retryable: retryable === true,
    ...(isObject(details) && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

/** the error of a response that is no success */
function errorOf(response: Response, text: string, reading: Reading): AtelierError {
  const said = keyless(text, reading.key)
  const body = response.status >= 400 ? parsed(said) : undefined
  const told = {
    status: response.status,
    requestId: requestIdOf(response, reading),
    retryAfterSec: readRetryAfter(response.headers.get('retry-after')),
  }
  return refusalOf(isObject(body) ? body['error'] : undefined, told) ?? unexpected(response, said, reading)
}

// One call: its deadline, its signals, and repeats after failures that allow them.

/**
 * Which failures a call is repeated after. `any`: a repeat changes nothing more. `keyed`: its Idempotency-Key sees to that.
 * `refused`: only if the service said that it did nothing. `never`: its body is gone.
 */
type Repeat = 'any' | 'keyed' | 'refused' | 'never'

interface Call extends Reading {
  readonly address: string
  readonly method: string
  readonly headers: Record<string, string>
  /** a fresh one for each attempt; undefined: none */
  readonly body: (() => unknown) | undefined
  readonly isStream: boolean
  readonly repeat: Repeat
  readonly send: Fetch
  readonly timeoutMs: number
  readonly retries: number
  readonly signals: readonly AbortSignal[]
}

/** a timer above this fires at once */
const longestTimerMs = 2 ** 31 - 1

/** Rejects with the signal's reason at once, even if `work` ignores the signal. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await unlessStopped(new Promise((resolve) => (timer = setTimeout(resolve, ms))), signal)
  } finally {
    clearTimeout(timer)
  }
}

/** ends a call at its deadline, or with a signal of the caller */
class Stopper {
  readonly #aborter = new AbortController()
  readonly #signals: readonly AbortSignal[]
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #follow = () => this.#aborter.abort(this.#signals.find(({ aborted }) => aborted)?.reason)
  readonly endsAt: number
  last: AtelierError | undefined

  constructor({ signals, timeoutMs }: Call) {
    this.#signals = signals
    this.endsAt = performance.now() + timeoutMs
    const late = () => this.#aborter.abort(this.#overdue(timeoutMs))
    this.#timer = timeoutMs <= longestTimerMs ? setTimeout(late, timeoutMs) : undefined
    for (const one of signals) one.addEventListener('abort', this.#follow)
    if (signals.some(({ aborted }) => aborted)) this.#follow()
  }

  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  #overdue(timeoutMs: number): AtelierError {
    const { last } = this
    const before = last ? ` The last failure before that: ${last.message}` : ''
    return new AtelierError(`There was no answer within ${timeoutMs} ms.${before}`, withoutAnswer('deadline'), {
      ...(last && { cause: last }),
    })
  }

  /** a stream has begun: it may take as long as it takes */
  stopClock() {
    clearTimeout(this.#timer)
  }

  abort(reason: unknown) {
    this.#aborter.abort(reason)
  }

  release() {
    clearTimeout(this.#timer)
    for (const one of this.#signals) one.removeEventListener('abort', this.#follow)
  }
}

/** a success, and what ends it while it is read */
interface Begun {
  readonly response: Response
  readonly stopper: Stopper
}

async function textOf(response: Response, { key, base }: Call, signal: AbortSignal): Promise<string> {
  try {
    return await unlessStopped(response.text(), signal)
  } catch (error) {
    throw brokeOff(error, requestIdOf(response, { key, base }))
  }
}

async function askOnce<T>(call: Call, stopper: Stopper, read: (begun: Begun) => Promise<T>): Promise<T> {
  const { address, method, headers, send, base, isStream } = call
  const { signal } = stopper
  const body = call.body?.()
  let response: Response
  try {
    const init = { method, headers, redirect: 'manual', signal } as const
    const more = body === undefined ? {} : isStream ? { body, duplex: 'half' as const } : { body }
    // a redirect could send the key elsewhere
    response = await unlessStopped(send(address, { ...init, ...more }), signal)
  } catch (cause) {
    throw new AtelierError(`${base} cannot be reached: ${reasonOf(cause)}.`, withoutAnswer('unreachable'), { cause })
  }
  if (response.status < 200 || response.status > 299)
    throw errorOf(response, await textOf(response, call, signal), call)
  return read({ response, stopper })
}

/** whether the service has done nothing of it */
const isUndone = ({ status, type }: AtelierError): boolean =>
  (status === 429 && type !== 'unexpected_answer') || type === 'shutting_down'

function isRepeatable({ repeat }: Call, error: unknown): error is AtelierError {
  if (!(error instanceof AtelierError) || repeat === 'never') return false
  if (repeat === 'refused') return isUndone(error)
  if (repeat === 'keyed' && error.type === 'idempotency_in_progress') return true
  // 500 is a defect, which a repeat would meet again; status 0: no response
  return error.retryable && error.type !== 'deadline' && (error.status === 0 || passing.has(error.status))
}

/** As long as the service asks, else longer each time, with jitter. */
function waitMs({ retryAfterSec }: AtelierError, repeats: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000
  return Math.random() * Math.min(8_000, 500 * 2 ** repeats)
}

/** Sends the request, and repeats it while the failure allows it and the deadline is not reached. */
async function exchange<T>(call: Call, read: (begun: Begun) => Promise<T>, isKept = false): Promise<T> {
  const stopper = new Stopper(call)
  const { signal } = stopper
  let isBegun = false
  try {
    for (let repeats = 0; ; repeats++) {
      signal.throwIfAborted()
      try {
        const answer = await askOnce(call, stopper, read)
        isBegun = true
        return answer
      } catch (error) {
        signal.throwIfAborted()
        if (!isRepeatable(call, error) || repeats >= call.retries) throw error
        const ms = waitMs(error, repeats)
        if (performance.now() + ms >= stopper.endsAt || ms > longestTimerMs) throw error
        stopper.last = error
        await pause(ms, signal)
      }
    }
  } finally {
    if (!isBegun || !isKept) stopper.release()
  }
}

/** an answer in JSON, or none at all (204) */
const readJson =
  (call: Call) =>
  async ({ response, stopper: { signal } }: Begun): Promise<object | undefined> => {
    const text = await textOf(response, call, signal)
    if (response.status === 204) return undefined
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      throw unexpected(response, text, call)
    }
    if (typeof body !== 'object' || body === null) throw unexpected(response, text, call)
    return Object.defineProperty(body, 'requestId', { value: requestIdOf(response, call) })
  }

// What is read as it comes: lines of JSON, files, trees.

/** the service is never silent for so long: it sends a ping after 15 s */
const silenceMs = 60_000
/** more than the 64 KiB of a line take as JSON */
const longestLine = 1_048_576

/** the pieces of a body; an end that came too early is an error */
async function* piecesOf({ response, stopper }: Begun, call: Call, mayBeSilent: boolean) {
  const { signal } = stopper
  const requestId = requestIdOf(response, call)
  const reader = response.body?.getReader()
  let silence: ReturnType<typeof setTimeout> | undefined
  const late = () => stopper.abort(brokeOff('silence', requestId))
  try {
    for (;;) {
      clearTimeout(silence)
      if (!mayBeSilent) silence = setTimeout(late, silenceMs)
      const piece = reader ? await unlessStopped(reader.read(), signal) : { done: true as const }
      if (piece.done) return
      yield piece.value as Uint8Array
    }
  } catch (error) {
    signal.throwIfAborted()
    throw brokeOff(error, requestId)
  } finally {
    clearTimeout(silence)
    stopper.release()
    // closes the connection where it is left early
    void reader?.cancel().catch(() => {})
    stopper.abort(new Error('closed'))
  }
}

type Line = Readonly<Record<string, unknown>> & { readonly type: string }

/** Every line but pings, up to `last`. An `error` line is thrown; so is an end without `last`. */
async function* readLines(begun: Begun, call: Call, last: string): AsyncGenerator<Line, void, undefined> {
  const { status } = begun.response
  const requestId = requestIdOf(begun.response, call)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of piecesOf(begun, call, false)) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const line = parsed(text)
      if (!isObject(line) || typeof line['type'] !== 'string') throw unexpected(begun.response, text, call)
      if (line['type'] === 'error')
        throw refusalOf(line['error'], { status, requestId }) ?? unexpected(begun.response, text, call)
      if (line['type'] !== 'ping') yield line as Line
      if (line['type'] === last) return
    }
    if (rest.length > longestLine) throw unexpected(begun.response, rest.slice(0, 200), call)
  }
  throw brokeOff('it has no last line', requestId)
}

/** a command whose stream broke off may have run, and may have ended */
const unknownOutcome = (error: AtelierError): AtelierError =>
  new AtelierError(
    `${error.message} The outcome of the command is unknown: find out by another command before repeating it.`,
    { ...withoutAnswer('exec_outcome_unknown'), requestId: error.requestId },
    { cause: error },
  )

function bodyOf(begun: Begun, call: Call): ReadableStream<Uint8Array> {
  begun.stopper.stopClock()
  const pieces = piecesOf(begun, call, true)
  const length = begun.response.headers.get('content-length')
  let left = length === null ? undefined : Number(length)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (value) {
          if (left !== undefined) left -= value.length
          controller.enqueue(value)
        } else if (done && left !== undefined && left !== 0)
          controller.error(brokeOff('it is not as long as announced', requestIdOf(begun.response, call)))
        else controller.close()
      },
      cancel: () => void pieces.return(),
    },
    // nothing is read before it is asked for
    { highWaterMark: 0 },
  )
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body as never).arrayBuffer())
}

const readTree =
  (call: Call) =>
  async (begun: Begun): Promise<TreeAnswer> => ({
    body: bodyOf(begun, call),
    requestId: requestIdOf(begun.response, call),
  })

const readFileAnswer =
  (call: Call) =>
  async (begun: Begun): Promise<FileAnswer> => {
    const { headers } = begun.response
    const body = bodyOf(begun, call)
    return {
      body,
      sizeBytes: Number(headers.get('content-length')),
      mode: headers.get('x-file-mode') ?? '',
      modifiedAt: headers.get('x-file-modified') ?? '',
      requestId: requestIdOf(begun.response, call),
      bytes: () => bytesOf(body),
      text: async () => new TextDecoder().decode(await bytesOf(body)),
    }
  }

// A list that is read page by page when it is awaited or iterated, and never cut without an error.

type AskPage<T> = (cursor: string | undefined) => Promise<Answered<ListPage<T>>>

/**
 * A list. `await` gives its first page, which is read once. `for await` gives every item; each iteration reads again.
 * Returned by an async function it becomes its first page, like everything that can be awaited.
 */
export class List<T> implements PromiseLike<Answered<ListPage<T>>>, AsyncIterable<T> {
  readonly #ask: AskPage<T>
  #first: Promise<Answered<ListPage<T>>> | undefined

  constructor(ask: AskPage<T>) {
    this.#ask = ask
  }

  /** the first page; it is the whole list only if `nextCursor` is null */
  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<A = Answered<ListPage<T>>, B = never>(
    onPage?: ((page: Answered<ListPage<T>>) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#ask(undefined)
    return this.#first.then(onPage, onFailure)
  }

  /** every item of every page */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** every page */
  async *pages(): AsyncGenerator<Answered<ListPage<T>>, void, undefined> {
    let cursor: string | undefined
    for (;;) {
      const page = await this.#ask(cursor)
      yield page
      const { nextCursor, requestId } = page
      if (nextCursor === null) return
      if (nextCursor === cursor)
        throw new AtelierError(
          'The next page was already read: paging would never end.',
          withoutAnswer('unexpected_answer', { status: 200, requestId }),
        )
      cursor = nextCursor
    }
  }
}

// What a request carries: JSON, a file, a tar, or a build context behind its description.

/** the body of a request; `make` gives a fresh one for each attempt */
interface Sent {
  readonly type: string
  readonly make: () => unknown
  readonly isStream: boolean
  /** known where it is no stream */
  readonly sizeBytes: number | undefined
}

const isStream = (content: Content): content is ReadableStream<Uint8Array> => content instanceof ReadableStream

/** of a runtime that sends the length of a stream only if the stream itself knows it */
type FixedLength = new (length: number) => TransformStream<Uint8Array, Uint8Array>
const fixedLength = (): FixedLength | undefined =>
  (globalThis as unknown as { readonly FixedLengthStream?: FixedLength }).FixedLengthStream

const sendJson = (value: unknown): Sent => ({
  type: 'application/json',
  make: () => JSON.stringify(value),
  isStream: false,
  sizeBytes: undefined,
})

/** `sizeBytes`: of a stream, whose length cannot be seen */
function sendContent(type: string, content: Content, sizeBytes: number | undefined): Sent {
  if (!isStream(content)) {
    // a Blob would replace the type by its own
    const body = content instanceof Blob ? content.slice(0, content.size, type) : content
    return { type, make: () => body, isStream: false, sizeBytes: undefined }
  }
  const Fixed = fixedLength()
  const make = () => (Fixed && sizeBytes !== undefined ? content.pipeThrough(new Fixed(sizeBytes)) : content)
  return { type, make, isStream: true, sizeBytes }
}

/** two parts, `spec` and `context`, as the service reads them */
function sendForm(spec: object, context: Content): Sent {
  const boundary = `atelier-${crypto.randomUUID()}`
  const type = `multipart/form-data; boundary=${boundary}`
  const head = (name: string, media: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${media}\r\n\r\n`
  const before = `${head('spec', 'application/json')}${JSON.stringify(spec)}\r\n${head('context', 'application/x-tar')}`
  const after = `\r\n--${boundary}--\r\n`
  if (!isStream(context)) {
    const whole = new Blob([before, context as never, after])
    return { type, make: () => whole, isStream: false, sizeBytes: undefined }
  }
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    flush: (controller) => controller.enqueue(encoder.encode(after)),
  })
  const make = () => {
    // a failure of the context fails the body, too
    context.pipeTo(writable).catch(() => {})
    return readable
  }
  return { type, make, isStream: true, sizeBytes: undefined }
}

// The base of the client: its options, and calling an operation by its name.

interface Ground {
  readonly operations: Readonly<Record<string, OperationInfo>>
  readonly agent: string
}

type Params = Readonly<Record<string, unknown>>

/** more than the service needs by itself; a command adds its own time */
const standardTimeoutMs = 60_000
const standardRetries = 2
const standardCommandSeconds = 60

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(host)

/** The address without a slash at the end. Errors do not repeat it: it may hold a password. */
function baseOf(url: string, insecure: boolean): string {
  if (!URL.canParse(url)) throw new TypeError('`url` is an address such as https://atelier.example.com.')
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('`url` begins with https:// or http://.')
  if (username || password || search || hash)
    throw new TypeError('`url` is an address without user, query and fragment.')
  if (protocol === 'http:' && !insecure && !isLoopback(hostname))
    throw new TypeError(
      `Over plain http, others on the network can read the key. Use https, or set \`insecure: true\` for ${hostname}.`,
    )
  return origin + pathname.replace(/\/+$/, '')
}

/** Other characters would fail later in a header, with an error that repeats the key. */
function checkKey(key: string) {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('`key` is an API key: letters, digits and signs without spaces.')
}

function checkBounds({ timeoutMs = 1, retries = 0 }: CallOptions) {
  if (!(timeoutMs > 0)) throw new TypeError('`timeoutMs` is a number above 0, or Infinity.')
  if (!(retries >= 0)) throw new TypeError('`retries` is a number, 0 or more.')
}

/** An id cannot become another part of the path. */
function readStep(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is an id, as text.`)
  return encodeURIComponent(value)
}

/** a list is joined by commas, but for `label`, which is repeated */
function pairsOf([name, value]: [string, unknown]): string[] {
  const values = Array.isArray(value) ? (name === 'label' ? value : [value.join(',')]) : [value]
  return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one)).replaceAll('%2C', ',')}`)
}

function targetOf({ path, input }: OperationInfo, params: Params): string {
  const { id, ...rest } = params
  const isStep = path.includes('{id}')
  const inQuery = input === 'json' ? [] : Object.entries(isStep ? rest : params)
  const query = inQuery.filter(([, value]) => value !== undefined).flatMap(pairsOf)
  const target = isStep ? path.replace('{id}', readStep('id', id)) : path
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}

interface Wish {
  readonly accept?: string
  readonly sent?: Sent | undefined
  readonly repeat?: Repeat
  readonly timeoutMs?: number
}

class BaseClient {
  readonly #ground: Ground
  readonly #options: AtelierOptions
  readonly #base: string

  constructor(ground: Ground, options: AtelierOptions) {
    checkKey(options.key)
    checkBounds(options)
    this.#ground = ground
    this.#options = { ...options }
    this.#base = baseOf(options.url, options.insecure === true)
  }

  protected async json<T>(operation: string, params: object, options: CallOptions = {}): Promise<T> {
    const call = this.#call(operation, params, options, this.#wishOf(operation, params))
    return (await exchange(call, readJson(call))) as T
  }

  protected list<T>(operation: string, params: object, options: CallOptions = {}): List<T> {
    const ask = (cursor: string | undefined) =>
      this.json<Answered<ListPage<T>>>(operation, cursor === undefined ? params : { ...params, cursor }, options)
    return new List<T>(ask)
  }

  protected async file(operation: string, params: object, options: CallOptions = {}): Promise<FileAnswer> {
    const call = this.#call(operation, params, options, { accept: 'application/octet-stream' })
    return exchange(call, readFileAnswer(call), true)
  }

  protected async tree(operation: string, params: object, options: CallOptions = {}): Promise<TreeAnswer> {
    const call = this.#call(operation, params, options, { accept: 'application/x-tar' })
    return exchange(call, readTree(call), true)
  }

  protected async put<T>(
    operation: string,
    type: string,
    params: Params,
    content: Content,
    options: CallOptions = {},
  ): Promise<T> {
    const { sizeBytes, ...rest } = params
    const sent = sendContent(type, content, sizeBytes as number | undefined)
    const again = rest['ifAbsent'] === true ? 'refused' : 'any'
    const wish = { sent, repeat: sent.isStream ? 'never' : again, timeoutMs: Infinity } as const
    const call = this.#call(operation, rest, options, wish)
    return (await exchange(call, readJson(call))) as T
  }

  protected async form<T>(operation: string, spec: object, context: Content, options: CallOptions = {}): Promise<T> {
    const sent = sendForm(spec, context)
    const wish = { sent, repeat: sent.isStream ? 'never' : 'keyed', timeoutMs: Infinity } as const
    const call = this.#call(operation, {}, options, wish)
    return (await exchange(call, readJson(call))) as T
  }

  /** the output of a command; leaving the loop ends the command */
  protected async *commandEvents<Event>(operation: string, params: object, options: CallOptions = {}) {
    const call = this.#call(operation, params, options, { ...this.#wishOf(operation, params), accept: ndjson })
    const begun = await exchange(call, keepOpen, true)
    try {
      for await (const line of readLines(begun, call, 'exit')) yield line as Event
    } catch (error) {
      throw error instanceof AtelierError && error.type === 'unreachable' ? unknownOutcome(error) : error
    }
  }

  /** the log of a build, or a command that runs on; after a broken connection it is read on from where it was */
  protected async *logEvents<Event>(operation: string, params: object, options: CallOptions = {}, last = 'end') {
    const { retries = standardRetries } = { ...this.#options, ...options }
    let after: unknown
    for (let failures = 0; ; failures++) {
      const call = this.#call(operation, after === undefined ? params : { ...params, after }, options, {
        accept: ndjson,
      })
      const begun = await exchange(call, keepOpen, true)
      try {
        for await (const line of readLines(begun, call, last)) {
          failures = 0
          after = line['seq'] ?? after
          yield line as Event
        }
        return
      } catch (error) {
        const isBroken = error instanceof AtelierError && error.type === 'unreachable'
        if (!isBroken || failures >= retries) throw error
      }
    }
  }

  #wishOf(operation: string, params: object): Wish {
    const { input, isIdempotent, method } = this.#find(operation)
    const sent = input === 'json' ? sendJson(params) : undefined
    if (method !== 'POST') return { sent, repeat: 'any' }
    if (!isIdempotent) {
      const { timeoutSeconds = standardCommandSeconds } = params as { timeoutSeconds?: number }
      return { sent, repeat: 'refused', timeoutMs: standardTimeoutMs + timeoutSeconds * 1_000 }
    }
    // the secret of a first answer is not in its repeat
    const hasSecret = operation === 'createSshSession' && !(params as { publicKey?: string }).publicKey
    return { sent, repeat: hasSecret ? 'refused' : 'keyed' }
  }

  #find(operation: string): OperationInfo {
    const { operations } = this.#ground
    const info = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (!info) throw new TypeError(`There is no operation ${JSON.stringify(operation)}. \`operations\` lists them all.`)
    return info
  }

  #call(operation: string, params: object, options: CallOptions, wish: Wish): Call {
    checkBounds(options)
    const { accept = 'application/json', sent, repeat = 'any', timeoutMs = standardTimeoutMs } = wish
    const info = this.#find(operation)
    const { key, fetch: send, userAgent = this.#ground.agent, ...own } = this.#options
    const { idempotencyKey = crypto.randomUUID() } = options
    return {
      address: this.#base + targetOf(info, params as Params),
      base: this.#base,
      key,
      method: info.method,
      headers: {
        authorization: `Bearer ${key}`,
        accept,
        'user-agent': userAgent,
        ...(sent && { 'content-type': sent.type }),
        ...(sent?.sizeBytes !== undefined && { 'content-length': String(sent.sizeBytes) }),
        ...(info.isIdempotent && { 'idempotency-key': idempotencyKey }),
      },
      body: sent?.make,
      isStream: sent?.isStream === true,
      repeat,
      // the fetch of some runtimes fails as a method of another object
      send: send ? (address, init) => send(address, init) : (address, init) => fetch(address, init),
      timeoutMs: options.timeoutMs ?? own.timeoutMs ?? timeoutMs,
      retries: options.retries ?? own.retries ?? standardRetries,
      // not every compiler infers it
      signals: [own.signal, options.signal].filter((signal): signal is AbortSignal => signal !== undefined),
    }
  }
}

const ndjson = 'application/x-ndjson'

async function keepOpen(begun: Begun): Promise<Begun> {
  begun.stopper.stopClock()
  return begun
}

export interface Container {
  readonly id: string
  readonly name: string | null
  readonly status: 'creating' | 'running' | 'exited' | 'failed' | 'deleted'
  readonly statusReason: 'main_exited' | 'ttl_expired' | 'idle_timeout' | 'disk_limit' | 'engine_lost' | 'exec_kill_escalated' | 'user_deleted' | null
  readonly exitCode: number | null
  readonly image: {
    readonly id: string
    readonly name: string
  }
  readonly command: readonly string[] | null
  readonly workingDir: string
  readonly user: string
  readonly envNames: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly limits: {
    readonly cpu: number
    readonly memoryMiB: number
    readonly pids: number
    readonly diskMiB: number
  }
  readonly network: 'none' | 'egress'
  readonly readOnlyRootfs: boolean
  /** Format: date-time. */
  readonly createdAt: string
  /** Format: date-time. */
  readonly startedAt: string | null
  /** Format: date-time. */
  readonly lastActivityAt: string
  /** Format: date-time. */
  readonly expiresAt: string
  readonly idleTimeoutSeconds: number | null
  /** Format: date-time. */
  readonly deletedAt: string | null
  readonly egress?: {
    readonly hosts: readonly string[]
  }
  readonly secrets?: Readonly<Record<string, {
    readonly hosts: readonly string[]
    readonly header: string
  }>>
}

export interface DeletedContainer {
  readonly id: string
  readonly status: string
  /** Format: date-time. */
  readonly deletedAt: string
}

export interface ExecResult {
  readonly execId: string
  readonly exitCode: number
  readonly signal: string | null
  readonly timedOut: boolean
  readonly oomKilled: true | null
  readonly durationMs: number
  readonly stdout: string
  readonly stderr: string
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
  readonly outputEncoding: 'utf8' | 'base64'
}

export interface DetachedExec {
  readonly execId: string
}

export interface WrittenFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256?: string
  readonly mode?: string
  readonly entries?: number
}

export interface Folder {
  readonly path: string
  readonly entries: readonly {
    readonly name: string
    readonly nameBase64: string | null
    readonly type: 'file' | 'directory' | 'symlink' | 'other'
    readonly mode: string
    readonly sizeBytes: number
    /** Format: date-time. */
    readonly modifiedAt: string
    readonly isReachable: boolean
  }[]
  readonly total: number
  readonly isComplete: boolean
}

export interface Image {
  readonly id: string
  readonly name: string
  readonly scope: 'own' | 'base'
  readonly status: 'queued' | 'building' | 'ready' | 'failed' | 'cancelled'
  readonly error: {
    readonly type: string
    readonly message: string
    readonly step: number | null
  } | null
  readonly sizeBytes: number | null
  readonly config: {
    readonly command: readonly string[] | null
    readonly entrypoint: readonly string[] | null
    readonly workingDir: string
    readonly user: string | null
    readonly envNames: readonly string[]
    readonly labels: Readonly<Record<string, string>>
  }
  readonly baseImage: {
    readonly id: string
    readonly name: string
  } | null
  /** Format: date-time. */
  readonly createdAt: string
  /** Format: date-time. */
  readonly finishedAt: string | null
  readonly durationMs: number | null
}

export interface SshSession {
  readonly sessionId: string
  readonly containerId: string
  readonly host: string
  readonly port: number
  readonly username: string
  readonly hostKey: string
  readonly hostKeyFingerprint: string
  readonly privateKey: string | null
  /** Format: date-time. */
  readonly expiresAt: string
  readonly command: string
}

export interface Subscription {
  readonly currency: string
  readonly plans: readonly Readonly<Record<string, unknown>>[]
  readonly current: {
    readonly planId: string
    readonly limits: Readonly<Record<string, number>>
    readonly usage: {
      readonly containers: number
      readonly memoryMiB: number
      readonly cpu: number
      readonly images: number
    }
  }
}

export interface ListContainersParams {
  /** One container; stands alone. */
  readonly id?: string | undefined
  /** Statuses, separated by commas. */
  readonly status?: 'creating' | 'running' | 'exited' | 'failed' | 'deleted' | readonly ('creating' | 'running' | 'exited' | 'failed' | 'deleted')[] | undefined
  /** The name, exactly. */
  readonly name?: string | undefined
  /** A label as `k=v`; may be given several times, and all must match. */
  readonly label?: string | readonly string[] | undefined
  /** Items of one page. By default 50. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface CreateContainerParams {
  /** An image id, or the name of an own image or of a base image. */
  readonly image: string
  /** Unique among the living containers of the account. Small letters, digits, `.`, `_` and `-`; at most 63 characters, the first a letter or digit. */
  readonly name?: string | null | undefined
  /** The argv, exactly: 1 to 256 texts without NUL, the first not empty, 128 KiB in all. No shell is added. */
  readonly command?: readonly string[] | null | undefined
  /** Environment: at most 128 variables, values without NUL, 128 KiB in all. Names beginning with ATELIER_ are reserved. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** At most 32 labels; names of small letters, digits, `.`, `_`, `/` and `-`, none beginning with `atelier.`; values of at most 256 characters. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** An absolute path without empty, `.` or `..` segments. */
  readonly workingDir?: string | null | undefined
  /** `uid` or `uid:gid`, each from 0 to 1023. */
  readonly user?: string | null | undefined
  /** What the container may use; missing members take the default. */
  readonly limits?: {
    readonly cpu?: number | undefined
    readonly memoryMiB?: number | undefined
    readonly pids?: number | undefined
    readonly diskMiB?: number | undefined
  } | undefined
  /** `egress` only where the operator allows it. */
  readonly network?: 'none' | 'egress' | undefined
  /** Addition to the contract: hosts that the container reaches through a proxy of the service, where the operator allows them. Its network stays `none`. */
  readonly egress?: {
    /** Names such as `api.example.com`, and `*.example.com` for every name below it. */
    readonly hosts: readonly string[]
  } | null | undefined
  /** Addition to the contract: secrets that stay outside the container. Its environment has a placeholder by each name, which the proxy replaces by the value in one header of requests to the hosts of that secret, over TLS alone. The container reaches these hosts. */
  readonly secrets?: Readonly<Record<string, {
    /** Never shown again. Printable ASCII, without spaces at the ends. */
    readonly value: string
    /** Names, without patterns. */
    readonly hosts: readonly string[]
    readonly header?: string
  }>> | undefined
  /** Only the working directory and /tmp can be written. */
  readonly readOnlyRootfs?: boolean | undefined
  readonly ttlSeconds?: number | undefined
  readonly idleTimeoutSeconds?: number | null | undefined
}

export interface DeleteContainerParams {
  /** The container. */
  readonly id: string
  /** How long its command may take to end by itself after TERM. By default 2. */
  readonly graceSeconds?: number | undefined
}

export interface RunCommandParams {
  readonly containerId: string
  /** The argv, exactly: 1 to 256 texts without NUL, the first not empty, 128 KiB in all. No shell is added. */
  readonly command: readonly string[]
  /** An absolute path without empty, `.` or `..` segments. */
  readonly workingDir?: string | null | undefined
  /** Environment: at most 128 variables, values without NUL, 128 KiB in all. Names beginning with ATELIER_ are reserved. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** `uid` or `uid:gid`, each from 0 to 1023. */
  readonly user?: string | null | undefined
  /** Standard input, at most 1 MiB; then its end. */
  readonly stdin?: string | null | undefined
  readonly stdinEncoding?: 'utf8' | 'base64' | undefined
  readonly outputEncoding?: 'utf8' | 'base64' | undefined
  readonly timeoutSeconds?: number | undefined
  readonly maxOutputBytes?: number | undefined
  /** Answer at once, and let the command run on. Addition to the contract: its output is kept in memory and can be followed by GET /containers/exec. */
  readonly detach?: boolean | undefined
  /** Addition to the contract, for `application/x-ndjson`. With `keep` the command runs on as a detached one when the caller goes: GET /containers/exec follows it. It then has a timeout only if `timeoutSeconds` is given, and a caller who reads slowly loses the oldest lines. */
  readonly onDisconnect?: 'kill' | 'keep' | undefined
}

export interface FollowCommandParams {
  /** The `execId`. */
  readonly id: string
  /** Only lines after this `seq`. By default 0. */
  readonly after?: number | undefined
}

export interface ReadFileParams {
  /** The container. */
  readonly containerId: string
  /** An absolute path; `/` for trees alone. */
  readonly path: string
}

export interface PutFileParams {
  /** The container. */
  readonly containerId: string
  /** An absolute path; `/` for trees alone. */
  readonly path: string
  /** Of a file: three octal digits (0644). */
  readonly mode?: string | undefined
  /** Make missing parents, mode 0755. By default false. */
  readonly createParents?: boolean | undefined
  /** Of a file: refuse to replace one. */
  readonly ifAbsent?: boolean | undefined
  /** Of a file that is given as a stream, whose length cannot be seen. */
  readonly sizeBytes?: number | undefined
}

export interface ListFilesParams {
  /** The container. */
  readonly containerId: string
  /** An absolute path. */
  readonly path: string
  /** At most so many entries. By default 1000. */
  readonly limit?: number | undefined
}

export interface DeleteFileParams {
  /** The container. */
  readonly containerId: string
  /** An absolute path. */
  readonly path: string
  /** Remove what is in a directory, too. By default false. */
  readonly recursive?: boolean | undefined
}

export interface ListImagesParams {
  /** `own`, `base` or both. */
  readonly scope?: 'own' | 'base' | readonly ('own' | 'base')[] | undefined
  /** Statuses, separated by commas. */
  readonly status?: 'queued' | 'building' | 'ready' | 'failed' | 'cancelled' | readonly ('queued' | 'building' | 'ready' | 'failed' | 'cancelled')[] | undefined
  /** The name, exactly. */
  readonly name?: string | undefined
  /** Items of one page. By default 50. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface CreateImageParams {
  /** Small letters, digits, `.`, `_` and `-`; at most 63 characters, the first a letter or digit. */
  readonly name: string
  /** One stage, at most 100 steps, 64 KiB. */
  readonly dockerfile: string
  readonly buildArgs?: Readonly<Record<string, string>> | undefined
  /** At most 32 labels; names of small letters, digits, `.`, `_`, `/` and `-`, none beginning with `atelier.`; values of at most 256 characters. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly timeoutSeconds?: number | undefined
  /** Addition to the contract: perform every step, and keep its result in place of an earlier one. Without it, first steps that are the same as in an earlier build of the account may be taken from the cache. */
  readonly noCache?: boolean | undefined
  readonly files?: readonly {
    readonly path: string
    readonly mode?: string | undefined
    readonly contentBase64: string
  }[] | undefined
}

export interface ReadImageParams {
  /** The id. */
  readonly id: string
}

export interface DeleteImageParams {
  /** The id. */
  readonly id: string
}

export interface ReadImageLogParams {
  /** The id. */
  readonly id: string
  /** Only lines after this `seq`. By default 0. */
  readonly after?: number | undefined
  /** Go on until the build ends. By default false. */
  readonly follow?: boolean | undefined
}

export interface CreateSshSessionParams {
  readonly containerId: string
  /** One line of ssh-ed25519, ecdsa-sha2-nistp256, -384 or -521, or ssh-rsa of 3072 bits or more, without options. Without it the service makes a key pair and shows `privateKey` once. */
  readonly publicKey?: string | null | undefined
  readonly ttlSeconds?: number | undefined
}

export type OperationName = 'listContainers' | 'createContainer' | 'deleteContainer' | 'runCommand' | 'followCommand' | 'readFile' | 'putFile' | 'listFiles' | 'deleteFile' | 'listImages' | 'createImage' | 'readImage' | 'deleteImage' | 'readImageLog' | 'createSshSession' | 'readSubscription'

/** every operation of a key as data, by name */
export const operations: Readonly<Record<OperationName, OperationInfo>> = {
  listContainers: { method: 'GET', path: '/containers', input: 'query', isIdempotent: false },
  createContainer: { method: 'POST', path: '/containers', input: 'json', isIdempotent: true },
  deleteContainer: { method: 'DELETE', path: '/containers', input: 'query', isIdempotent: false },
  runCommand: { method: 'POST', path: '/containers/exec', input: 'json', isIdempotent: false },
  followCommand: { method: 'GET', path: '/containers/exec', input: 'query', isIdempotent: false },
  readFile: { method: 'GET', path: '/containers/files', input: 'query', isIdempotent: false },
  putFile: { method: 'PUT', path: '/containers/files', input: 'query', isIdempotent: false },
  listFiles: { method: 'GET', path: '/containers/files/entries', input: 'query', isIdempotent: false },
  deleteFile: { method: 'DELETE', path: '/containers/files', input: 'query', isIdempotent: false },
  listImages: { method: 'GET', path: '/images', input: 'query', isIdempotent: false },
  createImage: { method: 'POST', path: '/images', input: 'json', isIdempotent: true },
  readImage: { method: 'GET', path: '/images/{id}', input: 'query', isIdempotent: false },
  deleteImage: { method: 'DELETE', path: '/images/{id}', input: 'query', isIdempotent: false },
  readImageLog: { method: 'GET', path: '/images/{id}/logs', input: 'query', isIdempotent: false },
  createSshSession: { method: 'POST', path: '/containers/ssh', input: 'json', isIdempotent: true },
  readSubscription: { method: 'GET', path: '/subscription/config', input: 'query', isIdempotent: false },
}

/** A service, called with one API key. A method sends one request; a list or a stream sends its requests when it is iterated. */
export class Atelier extends BaseClient {
  constructor(options: AtelierOptions) {
    super({ operations, agent: 'atelier-client/0.1.0' }, options)
  }

  /**
   * List containers, newest first.
   * Without `status`, all that are not deleted. With `id`, exactly that one. Deleted ones are kept for 24 hours.
   * Scope: `containers:read`.
   */
  listContainers(params: ListContainersParams = {}, options?: CallOptions): List<Container> {
    return this.list<Container>('listContainers', params, options)
  }

  /**
   * Create and start a container.
   * Scope: `containers:write`.
   */
  createContainer(params: CreateContainerParams, options?: CallOptions): Promise<Answered<Container>> {
    return this.json<Answered<Container>>('createContainer', params, options)
  }

  /**
   * Delete a container.
   * Answers when the engine has nothing of it any more; repeated, it gives the same answer for 24 hours.
   * Scope: `containers:write`.
   */
  deleteContainer(params: DeleteContainerParams, options?: CallOptions): Promise<Answered<DeletedContainer>> {
    return this.json<Answered<DeletedContainer>>('deleteContainer', params, options)
  }

  /**
   * Run a command in a container.
   * Answers when the command has ended. With `Accept: application/x-ndjson` the output is sent as it comes, one JSON object for each line; the last one is `exit` or `error`.
   * Scope: `exec`.
   */
  runCommand<const Given extends RunCommandParams>(params: Given, options?: CallOptions): Promise<Answered<Given extends { readonly detach: true } ? DetachedExec : ExecResult>> {
    return this.json<Answered<Given extends { readonly detach: true } ? DetachedExec : ExecResult>>('runCommand', params, options)
  }

  /**
   * Run a command in a container.
   * The output as it comes. It is asked for when it is iterated; leaving the loop ends the command.
   * Scope: `exec`.
   */
  runCommandStream(params: RunCommandParams, options?: CallOptions): AsyncGenerator<CommandEvent, void, undefined> {
    return this.commandEvents<CommandEvent>('runCommand', params, options)
  }

  /**
   * Follow a command that runs on without its caller.
   * Its output as it comes; leaving the loop leaves the command alone. After a broken connection it goes on where it was, with another `start`.
   * Scope: `exec`.
   */
  followCommand(params: FollowCommandParams, options?: CallOptions): AsyncGenerator<CommandEvent, void, undefined> {
    return this.logEvents<CommandEvent>('followCommand', params, options, 'exit')
  }

  /**
   * Read a file, or a directory as a tar.
   * With `Accept: application/x-tar`, `path` is a directory. HEAD answers the head alone.
   * Scope: `files`.
   */
  readFile(params: ReadFileParams, options?: CallOptions): Promise<FileAnswer> {
    return this.file('readFile', params, options)
  }

  /**
   * Read a file, or a directory as a tar.
   * The directory as a tar.
   * Scope: `files`.
   */
  readFileTree(params: ReadFileParams, options?: CallOptions): Promise<TreeAnswer> {
    return this.tree('readFile', params, options)
  }

  /**
   * Write a file, or a tar into a directory.
   * A file replaces a regular file, and has the user of the container as its owner. A tar is checked entry by entry and written anew. Not atomic: a failed write may leave a part.
   * Scope: `files`.
   */
  putFile(params: PutFileParams, content: Content, options?: CallOptions): Promise<Answered<WrittenFile>> {
    return this.put<Answered<WrittenFile>>('putFile', 'application/octet-stream', { ...params }, content, options)
  }

  /**
   * Write a file, or a tar into a directory.
   * The content is an uncompressed tar.
   * Scope: `files`.
   */
  putFileTree(params: PutFileParams, content: Content, options?: CallOptions): Promise<Answered<WrittenFile>> {
    return this.put<Answered<WrittenFile>>('putFile', 'application/x-tar', { ...params }, content, options)
  }

  /**
   * List a directory.
   * An addition to the contract. The entries of one directory in the order of the bytes of their names, as the user of the container sees them; the image needs a shell and the usual small programs. `total` counts all entries, and `isComplete` says whether all are shown. A name that is not UTF-8 is exact in `nameBase64`, and shown with replacement characters in `name`. `isReachable` is false where no path of this API can name the entry.
   * Scope: `files`.
   */
  listFiles(params: ListFilesParams, options?: CallOptions): Promise<Answered<Folder>> {
    return this.json<Answered<Folder>>('listFiles', params, options)
  }

  /**
   * Remove a file or a directory.
   * An addition to the contract. Removes a file, a symlink or an empty directory, as the user of the container may; with `recursive`, a directory and all that is in it. Not atomic: a removal that fails may have removed a part.
   * Scope: `files`.
   */
  deleteFile(params: DeleteFileParams, options?: CallOptions): Promise<void> {
    return this.json<void>('deleteFile', params, options)
  }

  /**
   * List images, newest first.
   * The own images and the base images of the operator.
   * Scope: `images:read`.
   */
  listImages(params: ListImagesParams = {}, options?: CallOptions): List<Image> {
    return this.list<Image>('listImages', params, options)
  }

  /**
   * Build an image from a Dockerfile.
   * As JSON with small files inside, or as multipart/form-data with the parts `spec` and `context` (an uncompressed tar), in this order.
   * Scope: `images:write`.
   */
  createImage(params: CreateImageParams, options?: CallOptions): Promise<Answered<Image>> {
    return this.json<Answered<Image>>('createImage', params, options)
  }

  /**
   * Build an image from a Dockerfile.
   * The context is an uncompressed tar.
   * Scope: `images:write`.
   */
  createImageWithContext(params: Omit<CreateImageParams, 'files'>, context: Content, options?: CallOptions): Promise<Answered<Image>> {
    return this.form<Answered<Image>>('createImage', params, context, options)
  }

  /**
   * Read an image.
   * Scope: `images:read`.
   */
  readImage(params: ReadImageParams, options?: CallOptions): Promise<Answered<Image>> {
    return this.json<Answered<Image>>('readImage', params, options)
  }

  /**
   * Delete an image.
   * A build at work is cancelled first. Repeated, it is 204 for 24 hours.
   * Scope: `images:write`.
   */
  deleteImage(params: DeleteImageParams, options?: CallOptions): Promise<void> {
    return this.json<void>('deleteImage', params, options)
  }

  /**
   * Read or follow the log of a build.
   * It is read when it is iterated. After a broken connection it goes on where it was.
   * Scope: `images:read`.
   */
  readImageLog(params: ReadImageLogParams, options?: CallOptions): AsyncGenerator<LogEvent, void, undefined> {
    return this.logEvents<LogEvent>('readImageLog', params, options)
  }

  /**
   * Open an SSH session in a container.
   * The session takes this one key and user name. It ends at `expiresAt`, with its container, and with the API key that made it; open connections are closed then. A connection has at most 4 channels at once.
   * Scope: `ssh`.
   */
  createSshSession(params: CreateSshSessionParams, options?: CallOptions): Promise<Answered<SshSession>> {
    return this.json<Answered<SshSession>>('createSshSession', params, options)
  }

  /**
   * Read plans, limits and usage.
   * Usage counts what is neither deleted nor failed.
   */
  readSubscription(options?: CallOptions): Promise<Answered<Subscription>> {
    return this.json<Answered<Subscription>>('readSubscription', {}, options)
  }
}
