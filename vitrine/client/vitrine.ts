/*! Vitrine 0.1.0, typed client: one file, no dependencies. https only, or this machine. Apache-2.0 */
// Derived from the catalogue and from client/parts by `npm run derive`: change those, not this file. Long, because it is all.

export type ErrorType = 'invalid_query' | 'unauthorized' | 'forbidden' | 'upstream_forbidden' | 'resource_not_found' | 'localization_not_found' | 'method_not_allowed' | 'ambiguous_selection' | 'rate_limited' | 'upstream_error' | 'overloaded' | 'internal_error' | 'bad_request' | 'request_timeout' | 'payload_too_large' | 'uri_too_long' | 'expectation_failed' | 'headers_too_large' | 'unreachable' | 'deadline' | 'unexpected_answer' | 'too_many_items'
export type ErrorCode = 'unknown_parameter' | 'repeated_parameter' | 'empty_parameter' | 'malformed_query' | 'value_not_allowed' | 'request_too_long' | 'cursor_invalid' | 'cursor_mismatch' | 'cursor_expired' | 'platform_refused_value' | 'key_missing' | 'key_invalid' | 'group_not_granted' | 'personal_not_granted' | 'route_not_for_apps' | 'upstream_forbidden' | 'upstream_agreement_missing' | 'route_not_found' | 'connection_not_found' | 'resource_not_found' | 'localization_not_found' | 'method_not_allowed' | 'ambiguous_selection' | 'key_rate_limited' | 'key_budget_spent' | 'upstream_rate_limited' | 'upstream_key_rejected' | 'upstream_malformed' | 'upstream_failed' | 'upstream_unavailable' | 'upstream_timeout' | 'store_unavailable' | 'audit_behind' | 'too_busy' | 'too_many_failures' | 'connection_unreadable' | 'stopping' | 'internal_error' | 'malformed_request' | 'ambiguous_header' | 'host_not_allowed' | 'content_not_allowed' | 'request_timeout' | 'payload_too_large' | 'uri_too_long' | 'expectation_failed' | 'headers_too_large' | 'version_not_supported' | 'unreachable' | 'deadline' | 'unexpected_answer' | 'too_many_items' | 'redirected' | 'cursor_repeated'

// The types of parameters and results, and of operations as data.

/** One of the known values, or one that the platform added later. */
export type Known<Values extends string> = Values | (string & {})

/** A result with the id of its request, which is not enumerable, so that the result stays as it was sent. */
export type Answered<T> = T & { readonly requestId: string }

/** A resource reduced to `fields` and `id`. Without `fields`, all of it. */
export type Selected<T extends { readonly id: string }, Field extends keyof T> = [Field] extends [never]
  ? T
  : Pick<T, 'id' | Field>

/** One page of a list. It is the last one only if `nextCursor` is null. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface QueryInfo {
  readonly kind: 'filter' | 'sort' | 'fields' | 'limit' | 'cursor'
  /** a closed list */
  readonly values?: readonly string[]
  /** of `limit` */
  readonly maximum?: number
}

/** The parameters of an operation, for programs that learn its name at run time. */
export interface OperationInfo {
  /** below the connection */
  readonly path: string
  readonly shape: 'one' | 'page' | 'ids' | 'id'
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryInfo>>
}

/** The part of `fetch` that the client uses. */
export type Fetch = (
  address: string,
  init: {
    readonly method: 'GET'
    readonly headers: Record<string, string>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<Response>

export interface CallOptions {
  /** aborts the call, which rejects with the signal's reason */
  readonly signal?: AbortSignal | undefined
  /** for the whole call with its repeats; for each page of a list. Infinity: no deadline */
  readonly timeoutMs?: number | undefined
  /** how often a failed call is repeated */
  readonly retries?: number | undefined
  /** another connection than the instance's */
  readonly connection?: string | undefined
}

export interface VitrineOptions extends CallOptions {
  /** the address of the service, such as `https://vitrine.example.com` */
  readonly url: string
  /** the facade key, which is sent to this address in one header and written nowhere else */
  readonly key: string
  /** replaces the runtime's own */
  readonly fetch?: Fetch | undefined
  readonly userAgent?: string | undefined
  /** allows plain http to another machine: others on the network can read the key */
  readonly insecure?: boolean | undefined
  /** instead of JSON.parse, which rounds integers beyond 2^53 */
  readonly parse?: ((text: string) => unknown) | undefined
}

// Reads the arguments of an operation, in the same way for the typed client, the command line and agents. Imports nothing.

/** what can be wrong before a request is sent, by the service's codes */
type ArgumentCode =
  | 'value_not_allowed'
  | 'empty_parameter'
  | 'unknown_parameter'
  | 'cursor_invalid'
  | 'resource_not_found'
  | 'connection_not_found'
  | 'route_not_found'
  | 'request_too_long'

/** Makes the caller's error. `said` follows the name of the parameter, if there is one. */
type RefuseArgument = (code: ArgumentCode, param: string | undefined, said: string) => Error

const isOneValue = (value: unknown): value is string | number | bigint | boolean =>
  /^(string|number|bigint|boolean)$/.test(typeof value)

/** A lone surrogate cannot be encoded. */
const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text)

/** dot segments, encoded or not */
const isStep = (text: string): boolean => /^\.\.?$/.test(text)

const noValue = 'has no value. Give it one, or leave it out.'
const oneValue = 'stands in the path: give one value, as text.'
const noStep = 'cannot be a step of the path.'

/** Text, a number or a boolean as text. Refuses numbers that have lost digits. */
function readText(name: string, value: unknown, refuse: RefuseArgument): string {
  if (value === null && name === 'cursor')
    throw refuse('cursor_invalid', name, 'is null: the list has ended. Leave it out to start again.')
  if (value === null || value === '') throw refuse('empty_parameter', name, noValue)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refuse('value_not_allowed', name, 'holds a number that is not whole, or beyond 2^53: give it as text.')
  if (!isOneValue(value))
    throw name === 'cursor'
      ? refuse('cursor_invalid', name, 'was not issued by this service.')
      : refuse('value_not_allowed', name, 'takes text, a whole number, true, false, or a list of them.')
  const text = String(value)
  if (!isWellFormed(text)) throw refuse('value_not_allowed', name, 'holds half of a character.')
  return text
}

function readSegment(name: string, value: unknown, refuse: RefuseArgument): string {
  if (Array.isArray(value)) throw refuse('value_not_allowed', name, oneValue)
  const text = readText(name, value, refuse)
  if (isStep(text)) throw refuse('resource_not_found', name, noStep)
  return text
}

/** Joins a list with commas. */
function readList(name: string, value: unknown, refuse: RefuseArgument): string {
  if (!Array.isArray(value) || name === 'cursor') return readText(name, value, refuse)
  if (value.length === 0) throw refuse('empty_parameter', name, noValue)
  return Array.from(value, (member: unknown) => {
    const text = readText(name, member, refuse)
    // it would be read as two values
    if (text.includes(',')) throw refuse('value_not_allowed', name, 'has a comma inside of a value of its list.')
    return text
  }).join()
}

/** The parameters as texts by name. The service checks the names of the query. */
function readArguments(given: unknown, inPath: readonly string[], refuse: RefuseArgument): Map<string, string> {
  // a list or a Map has no members of its own, and would be read as empty
  if (typeof given !== 'object' || given === null || Symbol.iterator in given)
    throw refuse('value_not_allowed', 'params', 'is an object of parameters by name.')
  const values = new Map<string, unknown>(Object.entries(given))
  for (const name of inPath) if (values.get(name) === undefined) throw refuse('value_not_allowed', name, oneValue)
  const texts = new Map<string, string>()
  for (const [name, value] of values) {
    if (value === undefined) continue
    if (name === 'connectionId')
      throw refuse('unknown_parameter', name, 'is no parameter: the connection is given apart, as `connection`.')
    if (!isWellFormed(name)) throw refuse('unknown_parameter', name, 'is not a parameter of this operation.')
    texts.set(name, inPath.includes(name) ? readSegment(name, value, refuse) : readList(name, value, refuse))
  }
  return texts
}

function readConnection(value: unknown, refuse: RefuseArgument): string {
  if (typeof value !== 'string')
    throw refuse('value_not_allowed', 'connection', 'is the name of one, as text. No connection is chosen.')
  const text = readText('connection', value, refuse)
  if (isStep(text)) throw refuse('connection_not_found', 'connection', noStep)
  return text
}

/** An unknown member is refused: ignoring it could read another account or drop a filter. */
function checkMembers(given: object, known: readonly string[], refuse: RefuseArgument) {
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other !== undefined) throw refuse('unknown_parameter', other, `is none of: ${known.join(', ')}.`)
}

/** the service takes 8,192 bytes, including a path prefix of the address */
const longestTarget = 8_000

/** Values are escaped, so none can become another part of the target. */
function writeTarget(
  pattern: string,
  connection: string,
  texts: ReadonlyMap<string, string>,
  refuse: RefuseArgument,
): { readonly path: string; readonly query: string } {
  const left = new Map(texts)
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    left.delete(name)
    return encodeURIComponent(name === 'connectionId' ? connection : (texts.get(name) ?? ''))
  })
  const query = [...left]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
    .replaceAll('%2C', ',')
  if (path.length + query.length > longestTarget)
    throw refuse('request_too_long', undefined, 'The request is too long: ask in several.')
  return { path, query }
}

// One class for each way a call can fail: by the service's error types, and for failures without an answer of the service.

interface Failure {
  readonly type: Known<ErrorType>
  readonly code: Known<ErrorCode>
  readonly status: number
  readonly requestId: string
  readonly retryable: boolean
  readonly docUrl: string
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSec?: number
}

/** how far paging got */
export interface Walked {
  /** items of the pages read so far */
  readonly items: number
  /** of the failed page: `pages({ cursor })` continues from there; null: the first page */
  readonly cursor: string | null
}

/** Every failure of a call except an abort, which rejects with the signal's reason. */
export class VitrineError extends Error {
  override name = 'VitrineError'
  /** a closed list, for decisions in programs */
  declare readonly type: Known<ErrorType>
  /** finer than the type; more may come */
  declare readonly code: Known<ErrorCode>
  /** of the HTTP response; 0 without one */
  declare readonly status: number
  /** also in the service's log; empty without a response */
  declare readonly requestId: string
  /** whether the same call may succeed later */
  declare readonly retryable: boolean
  /** a page about the code */
  declare readonly docUrl: string
  /** the wrong parameter */
  declare readonly param?: string
  declare readonly details?: Readonly<Record<string, unknown>>
  /** how long to wait before a repeat */
  declare readonly retryAfterSec?: number
  /** set if a list failed after its first page */
  declare readonly walked?: Walked

  constructor(message: string, failure: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, failure)
  }
}

/** A parameter is wrong; `param` names it. Status 0: nothing was sent. */
export class InvalidQueryError extends VitrineError {
  override name = 'InvalidQueryError'
}
/** The key is missing, mistyped, expired or revoked. */
export class UnauthorizedError extends VitrineError {
  override name = 'UnauthorizedError'
}
/** The key lacks a group of operations. */
export class ForbiddenError extends VitrineError {
  override name = 'ForbiddenError'
}
/** The platform does not let the connection's signing key read this. */
export class UpstreamForbiddenError extends VitrineError {
  override name = 'UpstreamForbiddenError'
}
export class ResourceNotFoundError extends VitrineError {
  override name = 'ResourceNotFoundError'
}
/** There is no localization with exactly this locale. */
export class LocalizationNotFoundError extends VitrineError {
  override name = 'LocalizationNotFoundError'
}
/** There is more than one localization with this locale. */
export class AmbiguousSelectionError extends VitrineError {
  override name = 'AmbiguousSelectionError'
}
export class RateLimitedError extends VitrineError {
  override name = 'RateLimitedError'
}
/** The platform failed, or does not answer. */
export class UpstreamError extends VitrineError {
  override name = 'UpstreamError'
}
/** The service is overloaded, or is stopping. */
export class OverloadedError extends VitrineError {
  override name = 'OverloadedError'
}
/** The service failed. */
export class InternalError extends VitrineError {
  override name = 'InternalError'
}
export class MethodNotAllowedError extends VitrineError {
  override name = 'MethodNotAllowedError'
}
/** An error of another type: a malformed request, or a type newer than this client. */
export class RequestError extends VitrineError {
  override name = 'RequestError'
}

/** The service cannot be reached, or its response ended early. */
export class UnreachableError extends VitrineError {
  override name = 'UnreachableError'
}
/** The call reached its deadline. */
export class DeadlineError extends VitrineError {
  override name = 'DeadlineError'
}
/** The response is not from the service: a proxy's page, a redirect, other JSON. */
export class UnexpectedAnswerError extends VitrineError {
  override name = 'UnexpectedAnswerError'
}
/** The list has more items than `max`. */
export class TooManyItemsError extends VitrineError {
  override name = 'TooManyItemsError'
  readonly max: number

  constructor(max: number, base = '') {
    super(
      `There are more than ${max} items. Raise \`max\`, or read the list with for await.`,
      withoutAnswer(base, 'too_many_items'),
    )
    this.max = max
  }
}

const errorClasses: Readonly<Record<string, typeof VitrineError>> = {
  invalid_query: InvalidQueryError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  upstream_forbidden: UpstreamForbiddenError,
  resource_not_found: ResourceNotFoundError,
  localization_not_found: LocalizationNotFoundError,
  ambiguous_selection: AmbiguousSelectionError,
  rate_limited: RateLimitedError,
  upstream_error: UpstreamError,
  overloaded: OverloadedError,
  internal_error: InternalError,
  method_not_allowed: MethodNotAllowedError,
}

/** Members of an error without a response. `base`: the service's address, which has a page for each code. */
function withoutAnswer(base: string, code: string, type = code, param?: string): Failure {
  const failure = {
    type,
    code,
    status: 0,
    requestId: '',
    retryable: type === 'unreachable' || type === 'deadline',
    docUrl: `${base}/errors/${code}`,
  }
  return param === undefined ? failure : { ...failure, param }
}

/** an error that is found before a request is sent */
function notSent(base: string, code: ArgumentCode, param: string | undefined, said: string): VitrineError {
  const Kind = code.endsWith('_not_found') ? ResourceNotFoundError : InvalidQueryError
  const type = Kind === ResourceNotFoundError ? 'resource_not_found' : 'invalid_query'
  return new Kind(param === undefined ? said : `"${param}" ${said}`, withoutAnswer(base, code, type, param))
}

// Turns an HTTP response into a result or an error. Only exactly what the service promises is a result.

/** `connection`: the status of a connection, whose id is in that member */
type Shape = OperationInfo['shape'] | 'connection'

interface Reading {
  readonly shape: Shape
  /** the address of the service, without a slash at the end */
  readonly base: string
  readonly key: string
  readonly parse: (text: string) => unknown
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isResource = (value: unknown): boolean => isObject(value) && typeof value['id'] === 'string'
const isId = (value: unknown): boolean => typeof value === 'string'

function isPage(body: Members, isItem: (value: unknown) => boolean): boolean {
  const { items, nextCursor } = body
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor === '')) return false
  return Array.isArray(items) && items.every(isItem)
}

function isResult(shape: Shape, body: unknown): body is Members {
  if (!isObject(body)) return false
  if (shape === 'connection') return isId(body[shape])
  if (shape === 'page') return isPage(body, isResource)
  if (shape === 'ids') return isPage(body, isId)
  return isResource(body) || (shape === 'id' && body['id'] === null)
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
const requestIdOf = ({ headers }: Response, { key }: Pick<Reading, 'key'>): string =>
  keyless(headers.get('x-request-id') ?? '', key)

/** the start of a foreign body, on one line */
function wordsOf(text: string, key: string): string {
  const line = keyless(text, key)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** statuses that may be transient */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

function unexpected(
  response: Response,
  text: string,
  { key, base }: Reading,
  requestId: string,
): UnexpectedAnswerError {
  const { status, headers } = response
  const isMoved = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
  const to = wordsOf(headers.get('location') ?? '', key)
  const kind = headers.get('content-type') ?? 'no content type'
  const message = isMoved
    ? `The address redirects${to && ` to ${to}`}. The key is not sent along: give the final address as \`url\`.`
    : `This is no answer of the service: status ${status}, ${wordsOf(kind, key)}, "${wordsOf(text, key)}".`
  const retryAfterSec = readRetryAfter(headers.get('retry-after'))
  return new UnexpectedAnswerError(message, {
    ...withoutAnswer(base, isMoved ? 'redirected' : 'unexpected_answer', 'unexpected_answer'),
    status,
    requestId,
    retryable: passing.has(status),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function refusalOf(body: unknown, response: Response, base: string, headerId: string): VitrineError | undefined {
  const error = isObject(body) ? body['error'] : undefined
  if (!isObject(error) || typeof error['type'] !== 'string' || typeof error['code'] !== 'string') return undefined
  const { type, code, message, requestId, retryable, docUrl, param, details } = error
  const retryAfterSec = readRetryAfter(response.headers.get('retry-after'))
  const Kind = (Object.hasOwn(errorClasses, type) && errorClasses[type]) || RequestError
  return new Kind(text(message) || code, {
    type,
    code,
    status: response.status,
    requestId: text(requestId) || headerId,
    retryable: retryable === true,
    docUrl: text(docUrl).startsWith('/') ? base + text(docUrl) : text(docUrl),
    ...(typeof param === 'string' && { param }),
    ...(isObject(details) && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

function parsed(parse: (text: string) => unknown, body: string): unknown {
  try {
    return parse(body)
  } catch {
    return undefined
  }
}

/** The request id is not enumerable, so JSON.stringify leaves it out. */
function readAnswer(response: Response, body: string, reading: Reading): object {
  const requestId = requestIdOf(response, reading)
  if (response.status === 200) {
    const result = parsed(reading.parse, body)
    if (isResult(reading.shape, result)) return Object.defineProperty(result, 'requestId', { value: requestId })
  }
  const said = keyless(body, reading.key)
  const refusal = response.status >= 400 && refusalOf(parsed(JSON.parse, said), response, reading.base, requestId)
  throw refusal || unexpected(response, said, reading, requestId)
}

// One call: its deadline, its signals, and repeats after failures that allow them.

interface Call extends Reading {
  readonly address: string
  readonly headers: Record<string, string>
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

/** The runtime's code of the failure: some hide it behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return String(code ?? message ?? error).replace(/\.$/, '')
}

async function askOnce(call: Call, signal: AbortSignal): Promise<object> {
  const { address, headers, send, base } = call
  let response: Response | undefined
  let body: string
  try {
    // a redirect could send the key elsewhere
    response = await unlessStopped(send(address, { method: 'GET', headers, redirect: 'manual', signal }), signal)
    body = await unlessStopped(response.text(), signal)
  } catch (cause) {
    const said = response ? 'The answer broke off' : `${base} cannot be reached`
    throw new UnreachableError(
      `${said}: ${reasonOf(cause)}.`,
      { ...withoutAnswer(base, 'unreachable'), requestId: response ? requestIdOf(response, call) : '' },
      { cause },
    )
  }
  return readAnswer(response, body, call)
}

/** 500 is a defect, which a repeat would meet again; status 0: no response. */
const isRepeatable = (error: unknown): error is VitrineError =>
  error instanceof VitrineError && error.retryable && (error.status === 0 || passing.has(error.status))

/** As long as the service asks, else longer each time, with jitter. */
function waitMs({ retryAfterSec }: VitrineError, repeats: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000
  return Math.random() * Math.min(8_000, 500 * 2 ** repeats)
}

function overdue({ base, timeoutMs }: Call, last: VitrineError | undefined): DeadlineError {
  const before = last ? ` The last failure before that: ${last.message}` : ''
  const message = `There was no answer within ${timeoutMs} ms.${before}`
  return new DeadlineError(message, withoutAnswer(base, 'deadline'), { ...(last && { cause: last }) })
}

/** Sends the request, and repeats it while the failure allows it and the deadline is not reached. */
async function exchange(call: Call): Promise<object> {
  const { timeoutMs, retries, signals } = call
  const stopper = new AbortController()
  const { signal } = stopper
  let last: VitrineError | undefined
  const endsAt = performance.now() + timeoutMs
  const timer =
    timeoutMs <= longestTimerMs ? setTimeout(() => stopper.abort(overdue(call, last)), timeoutMs) : undefined
  const follow = () => stopper.abort(signals.find(({ aborted }) => aborted)?.reason)
  for (const one of signals) one.addEventListener('abort', follow)
  try {
    if (signals.some(({ aborted }) => aborted)) follow()
    for (let repeats = 0; ; repeats++) {
      signal.throwIfAborted()
      try {
        return await askOnce(call, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!isRepeatable(error) || repeats >= retries) throw error
        const ms = waitMs(error, repeats)
        if (performance.now() + ms >= endsAt || ms > longestTimerMs) throw error
        last = error
        await pause(ms, signal)
      }
    }
  } finally {
    clearTimeout(timer)
    for (const one of signals) one.removeEventListener('abort', follow)
  }
}

// A list that is read page by page when it is awaited or iterated, and never cut without an error.

/** start and size of pages */
interface PageWish {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Reads one page. Members that are left out are those of the list's own parameters. */
type AskPage<T> = (wish: PageWish) => Promise<Answered<Page<T>>>

interface Lister<T> {
  readonly ask: AskPage<T>
  /** the address of the service */
  readonly base: string
  /** the cursor of the caller */
  readonly cursor: string | undefined
  /** the largest page size; undefined if the caller chose one */
  readonly largest: number | undefined
}

/**
 * A list. `await` gives its first page, which is read once. `for await` gives every item; each iteration reads again.
 * Returned by an async function it becomes its first page, like everything that can be awaited.
 */
export class List<T> implements PromiseLike<Answered<Page<T>>>, AsyncIterable<T> {
  readonly #lister: Lister<T>
  #first: Promise<Answered<Page<T>>> | undefined

  constructor(lister: Lister<T>) {
    this.#lister = lister
  }

  /** the first page; it is the whole list only if `nextCursor` is null */
  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<A = Answered<Page<T>>, B = never>(
    onPage?: ((page: Answered<Page<T>>) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#lister.ask({})
    return this.#first.then(onPage, onFailure)
  }

  /** every item of every page; an error has `walked`, which says how far paging got */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** every page, from `cursor` on. A page may be empty and not the last one */
  pages({ cursor }: { readonly cursor?: string | undefined } = {}): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    return this.#walk(cursor === undefined ? {} : { cursor })
  }

  /** every item at once; TooManyItemsError if there are more than `max`, which may be Infinity */
  async toArray({ max }: { readonly max: number }): Promise<T[]> {
    if (!(max >= 0) || (max !== Infinity && !Number.isInteger(max)))
      throw new TypeError('`max` is a whole number, how many items you are ready to hold, or Infinity.')
    const { largest, base } = this.#lister
    const all: T[] = []
    // one item more than `max` shows that there are more; large pages cost least quota
    for await (const { items } of this.#walk(largest === undefined ? {} : { limit: Math.min(largest, max + 1) })) {
      if (all.length + items.length > max) throw new TooManyItemsError(max, base)
      for (const item of items) all.push(item)
    }
    return all
  }

  async *#walk(wish: PageWish): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    const { ask, base, cursor: start } = this.#lister
    // null, the cursor of a last page, is sent and refused: without it the list would start again
    let cursor = wish.cursor === undefined ? start : wish.cursor
    let mark: string | null = null
    for (let items = 0, pages = 1; ; pages++) {
      const page = await ask({ ...wish, ...(cursor !== undefined && { cursor }) }).catch((error: unknown) => {
        throw error instanceof VitrineError
          ? Object.assign(error, { walked: { items, cursor: cursor ?? null } })
          : error
      })
      yield page
      items += page.items.length
      const { nextCursor, requestId } = page
      if (nextCursor === null) return
      if (nextCursor === cursor || nextCursor === mark)
        throw circling(base, requestId, { items, cursor: cursor ?? null })
      // one cursor, kept for twice as many pages each time, finds a circle of any length
      if ((pages & (pages - 1)) === 0) mark = nextCursor
      cursor = nextCursor
    }
  }
}

function circling(base: string, requestId: string, walked: NonNullable<VitrineError['walked']>): UnexpectedAnswerError {
  const failure = { ...withoutAnswer(base, 'cursor_repeated', 'unexpected_answer'), status: 200, requestId }
  const error = new UnexpectedAnswerError('The next page was already read: paging would never end.', failure)
  return Object.assign(error, { walked })
}

// The base of every client: its options, and reading by the name of an operation.

interface Ground {
  readonly operations: Readonly<Record<string, OperationInfo>>
  /** the start of the path of every operation */
  readonly root: string
  readonly agent: string
}

/** above the service's own deadline, so that the service reports what took so long */
const standardTimeoutMs = 30_000
const standardRetries = 2

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(host)

function addressed(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new TypeError('`url` is an address such as https://vitrine.example.com.')
  }
}

/** The address without a slash at the end. Errors do not repeat it: it may hold a password. */
function baseOf(url: string, insecure: boolean): string {
  const { protocol, hostname, username, password, search, hash, origin, pathname } = addressed(url)
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
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('`key` is a facade key: letters, digits and signs without spaces.')
}

function checkBounds({ timeoutMs = 1, retries = 0 }: CallOptions) {
  if (!(timeoutMs > 0)) throw new TypeError('`timeoutMs` is a number above 0, or Infinity.')
  if (!(retries >= 0)) throw new TypeError('`retries` is a number, 0 or more.')
}

const callMembers = ['signal', 'timeoutMs', 'retries', 'connection']
const clientMembers = [...callMembers, 'url', 'key', 'fetch', 'userAgent', 'insecure', 'parse']

class Reader {
  readonly #ground: Ground
  readonly #options: VitrineOptions
  readonly #base: string
  readonly #refuse: RefuseArgument

  constructor(ground: Ground, options: VitrineOptions) {
    checkKey(options.key)
    checkBounds(options)
    this.#ground = ground
    this.#options = { ...options }
    const base = baseOf(options.url, options.insecure === true)
    this.#base = base
    this.#refuse = (code, param, said) => notSent(base, code, param, said)
    checkMembers(options, clientMembers, this.#refuse)
  }

  /** the same client, bound to this connection */
  connection(id: string): this {
    const Same = this.constructor as new (options: VitrineOptions) => this
    return new Same({ ...this.#options, connection: id })
  }

  /** one answer of this operation: a resource, an id, or one page */
  async read<T extends object = Readonly<Record<string, unknown>>>(
    operation: string,
    params: object = {},
    options: CallOptions = {},
  ): Promise<Answered<T>> {
    const { path, shape, pathParameters } = this.#find(operation)
    const texts = readArguments(params, pathParameters, this.#refuse)
    return this.#ask<T>(this.#ground.root + path, texts, shape, options)
  }

  /** the list of this operation */
  walk<T = unknown>(operation: string, params: object = {}, options: CallOptions = {}): List<T> {
    const { shape, query, pathParameters } = this.#find(operation)
    if (shape !== 'page' && shape !== 'ids')
      throw this.#refuse('value_not_allowed', 'operation', `is ${operation}, which answers with no list: use read.`)
    const { cursor, limit } = (params ?? {}) as PageWish
    return new List<T>({
      base: this.#base,
      ask: async (wish) => {
        // a spread Map is empty, and would drop all parameters
        readArguments(params, pathParameters, this.#refuse)
        return this.read<Page<T>>(operation, { ...params, ...wish }, options)
      },
      cursor,
      largest: limit === undefined ? query['limit']?.maximum : undefined,
    })
  }

  /** an operation of the service itself; `shape`: how its answer is recognized */
  protected async own<T>(pattern: string, shape: Shape, options: CallOptions = {}): Promise<Answered<T>> {
    return this.#ask<T>(pattern, new Map(), shape, options)
  }

  #find(operation: string): OperationInfo {
    const { operations } = this.#ground
    const info = Object.keys(operations).includes(operation) ? operations[operation] : undefined
    if (!info)
      throw this.#refuse(
        typeof operation === 'string' ? 'route_not_found' : 'value_not_allowed',
        'operation',
        `is "${operation}", and there is none of this name. \`operations\` lists them all.`,
      )
    return info
  }

  async #ask<T>(
    pattern: string,
    texts: ReadonlyMap<string, string>,
    shape: Shape,
    call: CallOptions,
  ): Promise<Answered<T>> {
    checkBounds(call)
    checkMembers(call, callMembers, this.#refuse)
    const { connection = this.#options.connection } = call
    const isOwn = !pattern.includes('{connectionId}')
    const id = isOwn ? '' : readConnection(connection, this.#refuse)
    const { path, query } = writeTarget(pattern, id, texts, this.#refuse)
    const target = query === '' ? path : `${path}?${query}`
    const { key, fetch: send, userAgent = this.#ground.agent, parse = JSON.parse, ...own } = this.#options
    return exchange({
      address: this.#base + target,
      base: this.#base,
      shape,
      key,
      parse,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'user-agent': userAgent },
      // the fetch of some runtimes fails as a method of another object
      send: send ? (address, init) => send(address, init) : (address, init) => fetch(address, init),
      timeoutMs: call.timeoutMs ?? own.timeoutMs ?? standardTimeoutMs,
      retries: call.retries ?? own.retries ?? standardRetries,
      // not every compiler infers it
      signals: [own.signal, call.signal].filter((signal): signal is AbortSignal => signal !== undefined),
    }) as Promise<Answered<T>>
  }
}

export interface SingleId {
  /** Id at the platform; keep it unchanged. */
  readonly id: string | null
}

export interface App {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Page about the accessibility of the app. Format: uri. */
  readonly accessibilityUrl?: string | null
  /** Name in the primary locale. */
  readonly name?: string | null
  /** Bundle identifier. */
  readonly bundleId?: string | null
  /** Stock-keeping unit that the developer chose. */
  readonly sku?: string | null
  /** Locale that is shown if no other fits. */
  readonly primaryLocale?: string | null
  /** Whether the app is or was in the Kids category. */
  readonly isOrEverWasMadeForKids?: boolean | null
  /** Receives server notifications of production. Format: uri. */
  readonly subscriptionStatusUrl?: string | null
  /** Version of these notifications. */
  readonly subscriptionStatusUrlVersion?: Known<'V1' | 'V2'> | null
  /** Receives server notifications of the store's sandbox. Format: uri. */
  readonly subscriptionStatusUrlForSandbox?: string | null
  /** Version of these notifications. */
  readonly subscriptionStatusUrlVersionForSandbox?: Known<'V1' | 'V2'> | null
  /** Whether the app shows content of third parties. */
  readonly contentRightsDeclaration?: Known<'DOES_NOT_USE_THIRD_PARTY_CONTENT' | 'USES_THIRD_PARTY_CONTENT'> | null
  /** Whether a purchase can start on the product page. */
  readonly streamlinedPurchasingEnabled?: boolean | null
  /** Icon shown in the store. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreIconId?: string | null
  /** Product in continuous integration. Present only if the platform supplies the link; null if there is none. */
  readonly ciProductId?: string | null
  /** Licence that testers accept. Present only if the platform supplies the link; null if there is none. */
  readonly betaLicenseAgreementId?: string | null
  /** Details for the review of test builds. Present only if the platform supplies the link; null if there is none. */
  readonly betaAppReviewDetailId?: string | null
  /** Licence of the app. Present only if the platform supplies the link; null if there is none. */
  readonly endUserLicenseAgreementId?: string | null
  /** Grace period. Present only if the platform supplies the link; null if there is none. */
  readonly subscriptionGracePeriodId?: string | null
  /** Game centre settings. Present only if the platform supplies the link; null if there is none. */
  readonly gameCenterDetailId?: string | null
}

export interface PerformanceOverview {
  /** As given in the path: the platform has no id for this document. */
  readonly id: string
  /** Version of the document format. */
  readonly version?: string | null
  /** The app in the metrics; `latestVersion` is missing if there is no data. */
  readonly appMetadata?: {
    readonly bundleId?: string | null
    readonly appId?: string | null
    readonly latestVersion?: string | null
    readonly platform?: string | null
  } | null
  /** Metrics that got worse, and rising ones. */
  readonly insights?: {
    readonly regressions?: readonly {
      readonly metricCategory?: Known<'HANG' | 'LAUNCH' | 'MEMORY' | 'DISK' | 'BATTERY' | 'TERMINATION' | 'ANIMATION' | 'STORAGE'> | null
      readonly latestVersion?: string | null
      readonly metric?: string | null
      readonly summaryString?: string | null
      readonly referenceVersions?: string | null
      readonly subSystemLabel?: string | null
      readonly maxLatestVersionValue?: number | null
      readonly highImpact?: boolean | null
      readonly populations?: readonly {
        readonly deltaPercentage?: number | null
        readonly percentile?: string | null
        readonly summaryString?: string | null
        readonly referenceAverageValue?: number | null
        readonly latestVersionValue?: number | null
        readonly device?: string | null
      }[] | null
    }[] | null
    readonly trendingUp?: readonly {
      readonly metricCategory?: Known<'HANG' | 'LAUNCH' | 'MEMORY' | 'DISK' | 'BATTERY' | 'TERMINATION' | 'ANIMATION' | 'STORAGE'> | null
      readonly latestVersion?: string | null
      readonly metric?: string | null
      readonly summaryString?: string | null
      readonly referenceVersions?: string | null
      readonly subSystemLabel?: string | null
      readonly maxLatestVersionValue?: number | null
      readonly highImpact?: boolean | null
      readonly populations?: readonly {
        readonly deltaPercentage?: number | null
        readonly percentile?: string | null
        readonly summaryString?: string | null
        readonly referenceAverageValue?: number | null
        readonly latestVersionValue?: number | null
        readonly device?: string | null
      }[] | null
    }[] | null
  } | null
  /** Measurements by category, metric and device. */
  readonly categories?: readonly {
    readonly identifier?: string | null
    readonly displayName?: string | null
    readonly sections?: readonly {
      readonly identifier?: string | null
      readonly displayName?: string | null
      readonly relevanceScore?: number | null
      readonly sortOrder?: number | null
      readonly unit?: {
        readonly identifier?: string | null
        readonly displayName?: string | null
      } | null
      readonly datasets?: readonly {
        readonly filterCriteria?: {
          readonly percentile?: string | null
          readonly device?: string | null
          readonly deviceMarketingName?: string | null
        } | null
        readonly points?: readonly {
          readonly version?: string | null
          readonly value?: number | null
          readonly errorMargin?: number | null
          readonly percentageBreakdown?: {
            readonly value?: number | null
            readonly subSystemLabel?: string | null
          } | null
        }[] | null
        readonly recommendedMetricGoal?: {
          readonly value?: number | null
          readonly detail?: string | null
        } | null
      }[] | null
    }[] | null
  }[] | null
  /** The most expensive places in the code. */
  readonly signatures?: {
    readonly topHangPoint?: readonly {
      readonly signatureId?: string | null
      readonly signature?: string | null
      readonly count?: number | null
      readonly weight?: number | null
      readonly sourceFile?: string | null
      readonly lineNumber?: number | null
      readonly trendInfo?: Known<'UP' | 'DOWN' | 'UNDEFINED'> | null
      readonly metricsSummary?: {
        readonly referenceVersions?: readonly {
          readonly version?: string | null
          readonly value?: number | null
        }[] | null
      } | null
    }[] | null
    readonly topLaunchPoint?: readonly {
      readonly signatureId?: string | null
      readonly signature?: string | null
      readonly count?: number | null
      readonly weight?: number | null
      readonly sourceFile?: string | null
      readonly lineNumber?: number | null
      readonly trendInfo?: Known<'UP' | 'DOWN' | 'UNDEFINED'> | null
      readonly metricsSummary?: {
        readonly referenceVersions?: readonly {
          readonly version?: string | null
          readonly value?: number | null
        }[] | null
      } | null
    }[] | null
    readonly topDiskWritePoint?: readonly {
      readonly signatureId?: string | null
      readonly signature?: string | null
      readonly count?: number | null
      readonly weight?: number | null
      readonly sourceFile?: string | null
      readonly lineNumber?: number | null
      readonly trendInfo?: Known<'UP' | 'DOWN' | 'UNDEFINED'> | null
      readonly metricsSummary?: {
        readonly referenceVersions?: readonly {
          readonly version?: string | null
          readonly value?: number | null
        }[] | null
      } | null
    }[] | null
  } | null
  /** Identifier of this report at the platform. */
  readonly telemetryIdentifier?: string | null
}

export interface AppEvent {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly referenceName?: string | null
  /** Badge on the event card. */
  readonly badge?: Known<'LIVE_EVENT' | 'PREMIERE' | 'CHALLENGE' | 'COMPETITION' | 'NEW_SEASON' | 'MAJOR_UPDATE' | 'SPECIAL_EVENT'> | null
  /** State of the event. */
  readonly eventState?: Known<'DRAFT' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'REJECTED' | 'ACCEPTED' | 'APPROVED' | 'PUBLISHED' | 'PAST' | 'ARCHIVED'> | null
  /** Link into the app. The platform does not check that it is a valid URI. Format: uri. */
  readonly deepLink?: string | null
  /** Whether taking part requires a purchase. */
  readonly purchaseRequirement?: string | null
  /** Locale that is shown if no other fits. */
  readonly primaryLocale?: string | null
  /** Priority among the events of the app. */
  readonly priority?: Known<'HIGH' | 'NORMAL'> | null
  /** Intended audience. */
  readonly purpose?: Known<'APPROPRIATE_FOR_ALL_USERS' | 'ATTRACT_NEW_USERS' | 'KEEP_ACTIVE_USERS_INFORMED' | 'BRING_BACK_LAPSED_USERS'> | null
  /** Times by territory. */
  readonly territorySchedules?: readonly {
    readonly territories?: readonly string[] | null
    /** Format: date-time. */
    readonly publishStart?: string | null
    /** Format: date-time. */
    readonly eventStart?: string | null
    /** Format: date-time. */
    readonly eventEnd?: string | null
  }[] | null
  /** Former times by territory. */
  readonly archivedTerritorySchedules?: readonly {
    readonly territories?: readonly string[] | null
    /** Format: date-time. */
    readonly publishStart?: string | null
    /** Format: date-time. */
    readonly eventStart?: string | null
    /** Format: date-time. */
    readonly eventEnd?: string | null
  }[] | null
}

export interface ExperimentTreatment {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Icon that the treatment shows. */
  readonly appIcon?: {
    readonly templateUrl?: string | null
    readonly width?: number | null
    readonly height?: number | null
  } | null
  /** Name of that icon in the build. */
  readonly appIconName?: string | null
  /** When the treatment became the product page. Format: date-time. */
  readonly promotedDate?: string | null
  /** Experiment it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreVersionExperimentId?: string | null
}

export interface BetaFeedbackScreenshotSubmission {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** When the tester sent it. Format: date-time. */
  readonly createdDate?: string | null
  /** The tester's comment. Personal data: only for keys with the grant `personal`. */
  readonly comment?: string | null
  /** The tester's e-mail address, if they gave one. Personal data: only for keys with the grant `personal`. */
  readonly email?: string | null
  /** Hardware identifier of the device. */
  readonly deviceModel?: string | null
  /** Version of the operating system. */
  readonly osVersion?: string | null
  /** Locale of the tester's device. */
  readonly locale?: string | null
  /** Time zone of the tester's device. Personal data: only for keys with the grant `personal`. */
  readonly timeZone?: string | null
  /** Processor architecture. */
  readonly architecture?: string | null
  /** How the device was connected. */
  readonly connectionType?: Known<'WIFI' | 'MOBILE_DATA' | 'WIRE' | 'UNKNOWN' | 'NONE'> | null
  /** Model of the paired watch. */
  readonly pairedVendorWatch?: string | null
  /** How long the app had been running. Format: int64. */
  readonly appUptimeInMilliseconds?: number | null
  /** Free space. Format: int64. */
  readonly diskBytesAvailable?: number | null
  /** Size of the storage. Format: int64. */
  readonly diskBytesTotal?: number | null
  /** Charge of the battery. */
  readonly batteryPercentage?: number | null
  /** Width of the screen. */
  readonly screenWidthInPoints?: number | null
  /** Height of the screen. */
  readonly screenHeightInPoints?: number | null
  /** Platform of the app. */
  readonly appPlatform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** Platform of the device. */
  readonly devicePlatform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** Family of the device. */
  readonly deviceFamily?: Known<'IPHONE' | 'IPAD' | 'VENDOR_TV' | 'VENDOR_WATCH' | 'MAC' | 'VISION'> | null
  /** Bundle identifier of the build. */
  readonly buildBundleId?: string | null
  /** Pictures, by links that expire after some days. Personal data: only for keys with the grant `personal`. */
  readonly screenshots?: readonly {
    readonly url?: string | null
    readonly width?: number | null
    readonly height?: number | null
    /** Format: date-time. */
    readonly expirationDate?: string | null
  }[] | null
  /** As given in the path. */
  readonly appId?: string
  /** Build the tester ran. Present only if the platform supplies the link; null if there is none. */
  readonly buildId?: string | null
  /** Tester. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly testerId?: string | null
}

export interface BuildUploadFile {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** State of the delivery. */
  readonly assetDeliveryState?: {
    readonly errors?: readonly {
      readonly code?: string | null
      readonly description?: string | null
    }[] | null
    readonly warnings?: readonly {
      readonly code?: string | null
      readonly description?: string | null
    }[] | null
    readonly state?: Known<'AWAITING_UPLOAD' | 'UPLOAD_COMPLETE' | 'COMPLETE' | 'FAILED'> | null
  } | null
  /** Token of the delivered file. */
  readonly assetToken?: string | null
  /** Kind of file. */
  readonly assetType?: Known<'ASSET' | 'ASSET_DESCRIPTION' | 'ASSET_SPI'> | null
  /** File name. */
  readonly fileName?: string | null
  /** Size in bytes. Format: int64. */
  readonly fileSize?: number | null
  /** Checksums that the uploader gave. */
  readonly sourceFileChecksums?: {
    readonly file?: {
      readonly hash?: string | null
      readonly algorithm?: Known<'MD5' | 'SHA_256'> | null
    } | null
    readonly composite?: {
      readonly hash?: string | null
      readonly algorithm?: Known<'MD5'> | null
    } | null
  } | null
  /** Recorded metadata of the upload; reading performs none of it. */
  readonly uploadOperations?: readonly {
    readonly method?: string | null
    readonly url?: string | null
    /** Format: int64. */
    readonly length?: number | null
    /** Format: int64. */
    readonly offset?: number | null
    /** Format: int64. */
    readonly partNumber?: number | null
    readonly requestHeaders?: readonly {
      readonly name?: string | null
      readonly value?: string | null
    }[] | null
    /** Format: date-time. */
    readonly expiration?: string | null
    readonly entityTag?: string | null
  }[] | null
  /** Uniform type identifier, in the platform's own words. */
  readonly uti?: Known<'com.apple.binary-property-list' | 'com.apple.ipa' | 'com.apple.pkg' | 'com.apple.xml-property-list' | 'com.pkware.zip-archive'> | null
}

export interface Placement {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** What is placed. */
  readonly mediaType?: Known<'IMAGE' | 'VIDEO'> | null
  /** Where it is placed. */
  readonly placementType?: Known<'APP_SCREENSHOT' | 'IMESSAGE_APP_SCREENSHOT' | 'APP_PREVIEW' | 'PRODUCT_PAGE_HEADER_ASSET' | 'APP_STORE_SEARCH_RESULTS_ASSET' | 'SEARCH_RESULTS_ADS_ASSET' | 'TODAY_TAB_ADS_ASSET' | 'EVENT_CARD_ASSET' | 'EVENT_DETAILS_PAGE_ASSET' | 'RETENTION_MESSAGE_ASSET'> | null
  /** Group that it is ordered in, such as a display size. */
  readonly placementGroup?: string | null
  /** When it was placed. Format: date-time. */
  readonly createdDate?: string | null
  /** When it last changed. Format: date-time. */
  readonly lastModifiedDate?: string | null
  /** State of the placement. */
  readonly state?: Known<'ASSET_PROCESSING' | 'FAILED' | 'PARENT_PREPARE_FOR_SUBMISSION' | 'PARENT_READY_FOR_REVIEW' | 'PARENT_WAITING_FOR_REVIEW' | 'PARENT_IN_REVIEW' | 'PARENT_APPROVED'> | null
  /** Reason for the state. */
  readonly stateDetails?: readonly {
    readonly code?: string | null
    readonly description?: string | null
  }[] | null
}

export interface SubscriptionOfferCode {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Who may redeem a code. */
  readonly customerEligibilities?: readonly (Known<'NEW' | 'EXISTING' | 'EXPIRED'>)[] | null
  /** How the offer combines with an introductory offer. */
  readonly offerEligibility?: Known<'STACK_WITH_INTRO_OFFERS' | 'REPLACE_INTRO_OFFERS'> | null
  /** Length of one period. */
  readonly duration?: Known<'THREE_DAYS' | 'ONE_WEEK' | 'TWO_WEEKS' | 'ONE_MONTH' | 'TWO_MONTHS' | 'THREE_MONTHS' | 'SIX_MONTHS' | 'ONE_YEAR'> | null
  /** How the offer is paid. */
  readonly offerMode?: Known<'PAY_AS_YOU_GO' | 'PAY_UP_FRONT' | 'FREE_TRIAL'> | null
  /** How many periods the offer lasts. */
  readonly numberOfPeriods?: number | null
  /** Codes created in total. */
  readonly totalNumberOfCodes?: number | null
  /** Codes created for production. */
  readonly productionCodeCount?: number | null
  /** Codes created for the store's sandbox. */
  readonly sandboxCodeCount?: number | null
  /** Whether codes can be redeemed. */
  readonly active?: boolean | null
  /** Whether the subscription renews after the offer. */
  readonly autoRenewEnabled?: boolean | null
  /** Plan that the offer is for. */
  readonly targetSubscriptionPlanType?: Known<'MONTHLY' | 'UPFRONT'> | null
  /** Subscription it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly subscriptionId?: string | null
}

export interface PurchaseCustomCode {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** The code that customers enter. */
  readonly customCode?: string | null
  /** Number of codes, or of uses of a custom code. */
  readonly numberOfCodes?: number | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** Last day on which it can be redeemed. Format: date. */
  readonly expirationDate?: string | null
  /** Whether it can be redeemed. */
  readonly active?: boolean | null
  /** Who created it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly createdByActorId?: string | null
  /** Who switched it off. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly deactivatedByActorId?: string | null
}

export interface AppClipExperienceLocalization {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Locale. */
  readonly locale?: string | null
  /** Subtitle on the App Clip card. */
  readonly subtitle?: string | null
  /** Default experience it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly experienceId?: string | null
  /** Picture on the card. Present only if the platform supplies the link; null if there is none. */
  readonly appClipHeaderImageId?: string | null
}

export interface TerritoryAgeRating {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Age rating in this territory. */
  readonly appStoreAgeRating?: Known<'L' | 'ALL' | 'ZERO_ZERO' | 'ONE_PLUS' | 'TWO_PLUS' | 'THREE_PLUS' | 'FOUR_PLUS' | 'FIVE_PLUS' | 'SIX_PLUS' | 'SEVEN_PLUS' | 'EIGHT_PLUS' | 'NINE_PLUS' | 'TEN_PLUS' | 'ELEVEN_PLUS' | 'TWELVE_PLUS' | 'THIRTEEN_PLUS' | 'FOURTEEN_PLUS' | 'FIFTEEN_PLUS' | 'SIXTEEN_PLUS' | 'SEVENTEEN_PLUS' | 'EIGHTEEN_PLUS' | 'NINETEEN_PLUS' | 'TWENTY_PLUS' | 'TWENTY_ONE_PLUS' | 'UNRATED'> | null
  /** As given in the path. */
  readonly appId?: string
  /** As given in the path. */
  readonly appInfoId?: string
  /** Territory, by its three-letter code. Present only if the platform supplies the link; null if there is none. */
  readonly territoryId?: string | null
}

export interface LegacyPurchaseImage {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Size in bytes. */
  readonly fileSize?: number | null
  /** File name. */
  readonly fileName?: string | null
  /** Checksum that the uploader gave. */
  readonly sourceFileChecksum?: string | null
  /** Token of the delivered file. */
  readonly assetToken?: string | null
  /** The address of the image, which is never downloaded. */
  readonly imageAsset?: {
    readonly templateUrl?: string | null
    readonly width?: number | null
    readonly height?: number | null
  } | null
  /** Recorded metadata of the upload; reading performs none of it. */
  readonly uploadOperations?: readonly {
    readonly method?: string | null
    readonly url?: string | null
    readonly length?: number | null
    readonly offset?: number | null
    readonly requestHeaders?: readonly {
      readonly name?: string | null
      readonly value?: string | null
    }[] | null
  }[] | null
  /** State of the image. */
  readonly state?: Known<'AWAITING_UPLOAD' | 'UPLOAD_COMPLETE' | 'FAILED' | 'PREPARE_FOR_SUBMISSION' | 'WAITING_FOR_REVIEW' | 'APPROVED' | 'REJECTED'> | null
  /** In-app purchase it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly inAppPurchaseId?: string | null
}

export interface WinBackOfferPrice {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Territory, by its three-letter code. Present only if the platform supplies the link; null if there is none. */
  readonly territoryId?: string | null
  /** Price point of the subscription. Present only if the platform supplies the link; null if there is none. */
  readonly subscriptionPricePointId?: string | null
}

export interface LegacySubscriptionLocalization {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name in this locale. */
  readonly name?: string | null
  /** Locale. */
  readonly locale?: string | null
  /** Description in this locale. */
  readonly description?: string | null
  /** State of the localization. */
  readonly state?: Known<'PREPARE_FOR_SUBMISSION' | 'WAITING_FOR_REVIEW' | 'APPROVED' | 'REJECTED'> | null
  /** Subscription it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly subscriptionId?: string | null
}

export interface FeaturingNomination {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name of the nomination. */
  readonly name?: string | null
  /** What is new. */
  readonly type?: Known<'APP_LAUNCH' | 'APP_ENHANCEMENTS' | 'NEW_CONTENT'> | null
  /** What should be featured, and why. */
  readonly description?: string | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** When it last changed. Format: date-time. */
  readonly lastModifiedDate?: string | null
  /** When it was submitted. Format: date-time. */
  readonly submittedDate?: string | null
  /** State of the nomination. */
  readonly state?: Known<'DRAFT' | 'SUBMITTED' | 'ARCHIVED'> | null
  /** First day of what is nominated. Format: date-time. */
  readonly publishStartDate?: string | null
  /** Last day of what is nominated. Format: date-time. */
  readonly publishEndDate?: string | null
  /** Devices it concerns. */
  readonly deviceFamilies?: readonly (Known<'IPHONE' | 'IPAD' | 'VENDOR_TV' | 'VENDOR_WATCH' | 'MAC' | 'VISION'>)[] | null
  /** Locales it concerns. */
  readonly locales?: readonly string[] | null
  /** Links to further material. */
  readonly supplementalMaterialsUris?: readonly string[] | null
  /** Whether an in-app event goes with it. */
  readonly hasInAppEvents?: boolean | null
  /** Whether it starts in some territories first. */
  readonly launchInSelectMarketsFirst?: boolean | null
  /** Notes for the editors. */
  readonly notes?: string | null
  /** Whether it can be ordered in advance. */
  readonly preOrderEnabled?: boolean | null
  /** Who created it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly createdByActorId?: string | null
  /** Who last changed it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly lastModifiedByActorId?: string | null
  /** Who submitted it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly submittedByActorId?: string | null
}

export interface BackgroundAsset {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Whether it is archived. */
  readonly archived?: boolean | null
  /** Identifier of the pack in the app. */
  readonly assetPackIdentifier?: string | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** Size in bytes. Format: int64. */
  readonly usedBytes?: number | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Version in the store. Present only if the platform supplies the link; null if there is none. */
  readonly versionId?: string | null
  /** Version of internal testers. Present only if the platform supplies the link; null if there is none. */
  readonly internalBetaVersionId?: string | null
  /** Version of external testers. Present only if the platform supplies the link; null if there is none. */
  readonly externalBetaVersionId?: string | null
}

export interface SubscriptionCodeBatch {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Number of codes, or of uses of a custom code. */
  readonly numberOfCodes?: number | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** Last day on which it can be redeemed. Format: date. */
  readonly expirationDate?: string | null
  /** Whether it can be redeemed. */
  readonly active?: boolean | null
  /** Environment in which the codes work. */
  readonly environment?: Known<'PRODUCTION' | 'SANDBOX'> | null
  /** Offer code it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly offerCodeId?: string | null
}

export interface PromotedPurchase {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Whether everyone sees it on the product page. */
  readonly visibleForAllUsers?: boolean | null
  /** Whether it is promoted. */
  readonly enabled?: boolean | null
  /** State of the promotion. */
  readonly state?: Known<'APPROVED' | 'IN_REVIEW' | 'PREPARE_FOR_SUBMISSION' | 'REJECTED'> | null
  /** In-app purchase that is promoted. Present only if the platform supplies the link; null if there is none. */
  readonly purchaseId?: string | null
  /** Subscription that is promoted. Present only if the platform supplies the link; null if there is none. */
  readonly subscriptionId?: string | null
}

export interface AppClipDomainStatus {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** What the platform found at each domain. */
  readonly domains?: readonly {
    readonly domain?: string | null
    readonly isValid?: boolean | null
    /** Format: date-time. */
    readonly lastUpdatedDate?: string | null
    readonly errorCode?: Known<'BAD_HTTP_RESPONSE' | 'BAD_JSON_CONTENT' | 'BAD_PKCS7_SIGNATURE' | 'CANNOT_REACH_AASA_FILE' | 'CROSS_SITE_REDIRECTS_FORBIDDEN' | 'DNS_ERROR' | 'INSECURE_REDIRECTS_FORBIDDEN' | 'INVALID_ENTITLEMENT_MISSING_SECTION' | 'INVALID_ENTITLEMENT_SYNTAX_ERROR' | 'INVALID_ENTITLEMENT_UNHANDLED_SECTION' | 'INVALID_ENTITLEMENT_UNKNOWN_ID' | 'NETWORK_ERROR' | 'NETWORK_ERROR_TEMPORARY' | 'OTHER_ERROR' | 'TIMEOUT' | 'TLS_ERROR' | 'TOO_MANY_REDIRECTS' | 'UNEXPECTED_ERROR'> | null
  }[] | null
  /** When the platform last checked. Format: date-time. */
  readonly lastUpdatedDate?: string | null
}

export interface CustomerReviewResponse {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** The text of the response. */
  readonly responseBody?: string | null
  /** When it last changed. Format: date-time. */
  readonly lastModifiedDate?: string | null
  /** Whether customers see it. */
  readonly state?: Known<'PUBLISHED' | 'PENDING_PUBLISH'> | null
  /** Review it responds to. Present only if the platform supplies the link; null if there is none. */
  readonly reviewId?: string | null
}

export interface AppVersion {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Platform. */
  readonly platform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** Version number that customers see. */
  readonly versionString?: string | null
  /** State of the version. */
  readonly appVersionState?: Known<'ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'INVALID_BINARY' | 'METADATA_REJECTED' | 'PENDING_APPLE_RELEASE' | 'PENDING_DEVELOPER_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'PROCESSING_FOR_DISTRIBUTION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_VERSION' | 'WAITING_FOR_EXPORT_COMPLIANCE' | 'WAITING_FOR_REVIEW'> | null
  /** Copyright line. */
  readonly copyright?: string | null
  /** What it is reviewed for. */
  readonly reviewType?: Known<'APP_STORE' | 'NOTARIZATION'> | null
  /** How it is released. */
  readonly releaseType?: Known<'MANUAL' | 'AFTER_APPROVAL' | 'SCHEDULED'> | null
  /** When a scheduled release may begin. Format: date-time. */
  readonly earliestReleaseDate?: string | null
  /** Whether customers can download it. */
  readonly downloadable?: boolean | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Build of the version. Present only if the platform supplies the link; null if there is none. */
  readonly buildId?: string | null
  /** Its release in phases. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreVersionPhasedReleaseId?: string | null
  /** Its Game Center version. Present only if the platform supplies the link; null if there is none. */
  readonly gameCenterAppVersionId?: string | null
  /** Area of a routing app. Present only if the platform supplies the link; null if there is none. */
  readonly routingAppCoverageId?: string | null
  /** Details for its review. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreReviewDetailId?: string | null
  /** Its submission, in the older form. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreVersionSubmissionId?: string | null
  /** App Clip experience released with it. Present only if the platform supplies the link; null if there is none. */
  readonly appClipDefaultExperienceId?: string | null
  /** Package for other marketplaces. Present only if the platform supplies the link; null if there is none. */
  readonly alternativeDistributionPackageId?: string | null
}

export interface Build {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Build number. */
  readonly version?: string | null
  /** When it was uploaded. Format: date-time. */
  readonly uploadedDate?: string | null
  /** When testers can no longer install it. Format: date-time. */
  readonly expirationDate?: string | null
  /** Whether that is so already. */
  readonly expired?: boolean | null
  /** Lowest version of the operating system. */
  readonly minOsVersion?: string | null
  /** Lowest version of macOS, as the build says. */
  readonly lsMinimumSystemVersion?: string | null
  /** Lowest version of macOS, as the platform computes it. */
  readonly computedMinMacOsVersion?: string | null
  /** Lowest version of visionOS, as the platform computes it. */
  readonly computedMinVisionOsVersion?: string | null
  /** Icon of the build. */
  readonly iconAssetToken?: {
    readonly templateUrl?: string | null
    readonly width?: number | null
    readonly height?: number | null
  } | null
  /** State of its processing. */
  readonly processingState?: Known<'PROCESSING' | 'FAILED' | 'INVALID' | 'VALID'> | null
  /** Who it may be given to. */
  readonly buildAudienceType?: Known<'INTERNAL_ONLY' | 'APP_STORE_ELIGIBLE'> | null
  /** Whether it uses encryption that must be declared. */
  readonly usesNonExemptEncryption?: boolean | null
  /** Pre-release version. Present only if the platform supplies the link; null if there is none. */
  readonly preReleaseVersionId?: string | null
  /** Declaration of its encryption. Present only if the platform supplies the link; null if there is none. */
  readonly appEncryptionDeclarationId?: string | null
  /** Its review for testers outside the team. Present only if the platform supplies the link; null if there is none. */
  readonly betaAppReviewSubmissionId?: string | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Its state for testers. Present only if the platform supplies the link; null if there is none. */
  readonly buildBetaDetailId?: string | null
  /** Version it is for. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreVersionId?: string | null
  /** Upload it came with. Present only if the platform supplies the link; null if there is none. */
  readonly buildUploadId?: string | null
}

export interface BuildUpload {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Version number. */
  readonly cfBundleShortVersionString?: string | null
  /** Build number. */
  readonly cfBundleVersion?: string | null
  /** When the upload began. Format: date-time. */
  readonly createdDate?: string | null
  /** State of the upload, and what the platform says about it. */
  readonly state?: {
    readonly errors?: readonly {
      readonly code?: string | null
      readonly description?: string | null
    }[] | null
    readonly warnings?: readonly {
      readonly code?: string | null
      readonly description?: string | null
    }[] | null
    readonly infos?: readonly {
      readonly code?: string | null
      readonly description?: string | null
    }[] | null
    readonly state?: Known<'AWAITING_UPLOAD' | 'PROCESSING' | 'FAILED' | 'COMPLETE'> | null
  } | null
  /** Platform. */
  readonly platform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** When the upload was complete. Format: date-time. */
  readonly uploadedDate?: string | null
  /** Build that came of it. Present only if the platform supplies the link; null if there is none. */
  readonly buildId?: string | null
  /** File with the build. Present only if the platform supplies the link; null if there is none. */
  readonly assetFileId?: string | null
  /** File that describes it. Present only if the platform supplies the link; null if there is none. */
  readonly assetDescriptionFileId?: string | null
  /** File with the analyzer's output. Present only if the platform supplies the link; null if there is none. */
  readonly assetSpiFileId?: string | null
}

export interface EventLocalization {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Locale. */
  readonly locale?: string | null
  /** Name of the event in this locale. */
  readonly name?: string | null
  /** Text on the event card. */
  readonly shortDescription?: string | null
  /** Text on the page of the event. */
  readonly longDescription?: string | null
  /** Event it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appEventId?: string | null
}

export interface Experiment {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Platform. */
  readonly platform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** Share of the customers who see a treatment, in percent. */
  readonly trafficProportion?: number | null
  /** State of the experiment. */
  readonly state?: Known<'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REJECTED' | 'COMPLETED' | 'STOPPED'> | null
  /** Whether it must be reviewed. */
  readonly reviewRequired?: boolean | null
  /** When it began. Format: date-time. */
  readonly startDate?: string | null
  /** When it ended. Format: date-time. */
  readonly endDate?: string | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Version that treatments are compared with. Present only if the platform supplies the link; null if there is none. */
  readonly latestControlVersionId?: string | null
}

export interface ProductPage {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Address of the page. Format: uri. */
  readonly url?: string | null
  /** Whether customers can see it. */
  readonly visible?: boolean | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
}

export interface ProductPageVersion {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Number of the version. */
  readonly version?: string | null
  /** State of the version. */
  readonly state?: Known<'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED'> | null
  /** Link into the app. Format: uri. */
  readonly deepLink?: string | null
  /** Page it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appCustomProductPageId?: string | null
}

export interface ProductPageLocalization {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Locale. */
  readonly locale?: string | null
  /** Text that promotes the app. */
  readonly promotionalText?: string | null
  /** Version of the page it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appCustomProductPageVersionId?: string | null
}

export interface SubscriptionGroup {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly referenceName?: string | null
}

export interface Subscription {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Product identifier in the app. */
  readonly productId?: string | null
  /** Whether a family can share it. */
  readonly familySharable?: boolean | null
  /** State of the subscription. */
  readonly state?: Known<'MISSING_METADATA' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED'> | null
  /** Length of one period. */
  readonly subscriptionPeriod?: Known<'ONE_WEEK' | 'ONE_MONTH' | 'TWO_MONTHS' | 'THREE_MONTHS' | 'SIX_MONTHS' | 'ONE_YEAR'> | null
  /** Note for the review. */
  readonly reviewNote?: string | null
  /** Level of service in its group; 1 is the highest. */
  readonly groupLevel?: number | null
  /** Screenshot for the review. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreReviewScreenshotId?: string | null
  /** Group it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly groupId?: string | null
  /** Its promotion. Present only if the platform supplies the link; null if there is none. */
  readonly promotedPurchaseId?: string | null
}

export interface WinBackOffer {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly referenceName?: string | null
  /** Identifier of the offer in the app. */
  readonly offerId?: string | null
  /** Length of one period. */
  readonly duration?: Known<'THREE_DAYS' | 'ONE_WEEK' | 'TWO_WEEKS' | 'ONE_MONTH' | 'TWO_MONTHS' | 'THREE_MONTHS' | 'SIX_MONTHS' | 'ONE_YEAR'> | null
  /** How the offer is paid. */
  readonly offerMode?: Known<'PAY_AS_YOU_GO' | 'PAY_UP_FRONT' | 'FREE_TRIAL'> | null
  /** How many periods the offer lasts. */
  readonly periodCount?: number | null
  /** How long customers must have paid, in months. */
  readonly customerEligibilityPaidSubscriptionDurationInMonths?: number | null
  /** How long ago customers must have left, in months. */
  readonly customerEligibilityTimeSinceLastSubscribedInMonths?: {
    readonly minimum?: number | null
    readonly maximum?: number | null
  } | null
  /** Months between two offers to a customer. */
  readonly customerEligibilityWaitBetweenOffersInMonths?: number | null
  /** First day of the offer. Format: date. */
  readonly startDate?: string | null
  /** Last day of the offer. Format: date. */
  readonly endDate?: string | null
  /** Priority among the offers. */
  readonly priority?: Known<'HIGH' | 'NORMAL'> | null
  /** Whether the store promotes it. */
  readonly promotionIntent?: Known<'NOT_PROMOTED' | 'USE_AUTO_GENERATED_ASSETS'> | null
  /** Plan that the offer is for. */
  readonly targetSubscriptionPlanType?: Known<'MONTHLY' | 'UPFRONT'> | null
}

export interface InAppPurchase {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Product identifier in the app. */
  readonly productId?: string | null
  /** Kind of purchase. */
  readonly inAppPurchaseType?: Known<'CONSUMABLE' | 'NON_CONSUMABLE' | 'NON_RENEWING_SUBSCRIPTION'> | null
  /** State of the purchase. */
  readonly state?: Known<'MISSING_METADATA' | 'WAITING_FOR_UPLOAD' | 'PROCESSING_CONTENT' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED'> | null
  /** Note for the review. */
  readonly reviewNote?: string | null
  /** Whether a family can share it. */
  readonly familySharable?: boolean | null
  /** Whether the platform hosts its content. */
  readonly contentHosting?: boolean | null
  /** Its content. Present only if the platform supplies the link; null if there is none. */
  readonly contentId?: string | null
  /** Screenshot for the review. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreReviewScreenshotId?: string | null
  /** Its promotion. Present only if the platform supplies the link; null if there is none. */
  readonly promotedPurchaseId?: string | null
  /** Its prices. Present only if the platform supplies the link; null if there is none. */
  readonly iapPriceScheduleId?: string | null
  /** Territories it is sold in. Present only if the platform supplies the link; null if there is none. */
  readonly inAppPurchaseAvailabilityId?: string | null
}

export interface InAppPurchaseVersion {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Number of the version. */
  readonly version?: number | null
  /** State of the version. */
  readonly state?: Known<'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED' | 'DEVELOPER_REJECTED'> | null
  /** In-app purchase it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly inAppPurchaseId?: string | null
  /** Its image. Present only if the platform supplies the link; null if there is none. */
  readonly imageId?: string | null
}

export interface PurchaseOfferCode {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Name inside the team. */
  readonly name?: string | null
  /** Who may redeem a code. */
  readonly customerEligibilities?: readonly (Known<'NON_SPENDER' | 'ACTIVE_SPENDER' | 'CHURNED_SPENDER'>)[] | null
  /** Codes created for production. */
  readonly productionCodeCount?: number | null
  /** Codes created for the store's sandbox. */
  readonly sandboxCodeCount?: number | null
  /** Whether codes can be redeemed. */
  readonly active?: boolean | null
}

export interface AppClip {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Bundle identifier. */
  readonly bundleId?: string | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
}

export interface AppClipExperience {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** What the button on the card says. */
  readonly action?: Known<'OPEN' | 'VIEW' | 'PLAY'> | null
  /** App Clip it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appClipId?: string | null
  /** Version that it is released with. Present only if the platform supplies the link; null if there is none. */
  readonly releaseWithAppStoreVersionId?: string | null
  /** Details for its review. Present only if the platform supplies the link; null if there is none. */
  readonly appClipAppStoreReviewDetailId?: string | null
}

export interface AppInfo {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** State: one info is on sale, the next one is being prepared. */
  readonly state?: Known<'ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'PENDING_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_INFO' | 'WAITING_FOR_REVIEW'> | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Answers it is rated by. Present only if the platform supplies the link; null if there is none. */
  readonly ageRatingDeclarationId?: string | null
  /** First category. Present only if the platform supplies the link; null if there is none. */
  readonly primaryCategoryId?: string | null
  /** Its first subcategory. Present only if the platform supplies the link; null if there is none. */
  readonly primarySubcategoryOneId?: string | null
  /** Its second subcategory. Present only if the platform supplies the link; null if there is none. */
  readonly primarySubcategoryTwoId?: string | null
  /** Second category. Present only if the platform supplies the link; null if there is none. */
  readonly secondaryCategoryId?: string | null
  /** Its first subcategory. Present only if the platform supplies the link; null if there is none. */
  readonly secondarySubcategoryOneId?: string | null
  /** Its second subcategory. Present only if the platform supplies the link; null if there is none. */
  readonly secondarySubcategoryTwoId?: string | null
}

export interface CustomerReview {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Stars, from 1 to 5. */
  readonly rating?: number | null
  /** Title of the review. */
  readonly title?: string | null
  /** Text of the review. */
  readonly body?: string | null
  /** Name that the customer goes by. Personal data: only for keys with the grant `personal`. */
  readonly reviewerNickname?: string | null
  /** When it was written. Format: date-time. */
  readonly createdDate?: string | null
  /** Territory, by three-letter code. */
  readonly territory?: Known<'ABW' | 'AFG' | 'AGO' | 'AIA' | 'ALB' | 'AND' | 'ANT' | 'ARE' | 'ARG' | 'ARM' | 'ASM' | 'ATG' | 'AUS' | 'AUT' | 'AZE' | 'BDI' | 'BEL' | 'BEN' | 'BES' | 'BFA' | 'BGD' | 'BGR' | 'BHR' | 'BHS' | 'BIH' | 'BLR' | 'BLZ' | 'BMU' | 'BOL' | 'BRA' | 'BRB' | 'BRN' | 'BTN' | 'BWA' | 'CAF' | 'CAN' | 'CHE' | 'CHL' | 'CHN' | 'CIV' | 'CMR' | 'COD' | 'COG' | 'COK' | 'COL' | 'COM' | 'CPV' | 'CRI' | 'CUB' | 'CUW' | 'CXR' | 'CYM' | 'CYP' | 'CZE' | 'DEU' | 'DJI' | 'DMA' | 'DNK' | 'DOM' | 'DZA' | 'ECU' | 'EGY' | 'ERI' | 'ESP' | 'EST' | 'ETH' | 'FIN' | 'FJI' | 'FLK' | 'FRA' | 'FRO' | 'FSM' | 'GAB' | 'GBR' | 'GEO' | 'GGY' | 'GHA' | 'GIB' | 'GIN' | 'GLP' | 'GMB' | 'GNB' | 'GNQ' | 'GRC' | 'GRD' | 'GRL' | 'GTM' | 'GUF' | 'GUM' | 'GUY' | 'HKG' | 'HND' | 'HRV' | 'HTI' | 'HUN' | 'IDN' | 'IMN' | 'IND' | 'IRL' | 'IRQ' | 'ISL' | 'ISR' | 'ITA' | 'JAM' | 'JEY' | 'JOR' | 'JPN' | 'KAZ' | 'KEN' | 'KGZ' | 'KHM' | 'KIR' | 'KNA' | 'KOR' | 'KWT' | 'LAO' | 'LBN' | 'LBR' | 'LBY' | 'LCA' | 'LIE' | 'LKA' | 'LSO' | 'LTU' | 'LUX' | 'LVA' | 'MAC' | 'MAR' | 'MCO' | 'MDA' | 'MDG' | 'MDV' | 'MEX' | 'MHL' | 'MKD' | 'MLI' | 'MLT' | 'MMR' | 'MNE' | 'MNG' | 'MNP' | 'MOZ' | 'MRT' | 'MSR' | 'MTQ' | 'MUS' | 'MWI' | 'MYS' | 'MYT' | 'NAM' | 'NCL' | 'NER' | 'NFK' | 'NGA' | 'NIC' | 'NIU' | 'NLD' | 'NOR' | 'NPL' | 'NRU' | 'NZL' | 'OMN' | 'PAK' | 'PAN' | 'PER' | 'PHL' | 'PLW' | 'PNG' | 'POL' | 'PRI' | 'PRT' | 'PRY' | 'PSE' | 'PYF' | 'QAT' | 'REU' | 'ROU' | 'RUS' | 'RWA' | 'SAU' | 'SEN' | 'SGP' | 'SHN' | 'SLB' | 'SLE' | 'SLV' | 'SMR' | 'SOM' | 'SPM' | 'SRB' | 'SSD' | 'STP' | 'SUR' | 'SVK' | 'SVN' | 'SWE' | 'SWZ' | 'SXM' | 'SYC' | 'TCA' | 'TCD' | 'TGO' | 'THA' | 'TJK' | 'TKM' | 'TLS' | 'TON' | 'TTO' | 'TUN' | 'TUR' | 'TUV' | 'TWN' | 'TZA' | 'UGA' | 'UKR' | 'UMI' | 'URY' | 'USA' | 'UZB' | 'VAT' | 'VCT' | 'VEN' | 'VGB' | 'VIR' | 'VNM' | 'VUT' | 'WLF' | 'WSM' | 'XKS' | 'YEM' | 'ZAF' | 'ZMB' | 'ZWE'> | null
  /** Response to it. Present only if the platform supplies the link; null if there is none. */
  readonly responseId?: string | null
  /** Territory, by its three-letter code. Present only if the platform supplies the link; null if there is none. */
  readonly reviewTerritoryId?: string | null
}

export interface EncryptionDeclaration {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** What the encryption is for. */
  readonly appDescription?: string | null
  /** When it was created. Format: date-time. */
  readonly createdDate?: string | null
  /** Whether it needs no documents. */
  readonly exempt?: boolean | null
  /** Whether an algorithm is no standard. */
  readonly containsProprietaryCryptography?: boolean | null
  /** Whether it comes from third parties. */
  readonly containsThirdPartyCryptography?: boolean | null
  /** Whether the app is sold in France. */
  readonly availableOnFrenchStore?: boolean | null
  /** State of the declaration. */
  readonly appEncryptionDeclarationState?: Known<'CREATED' | 'IN_REVIEW' | 'APPROVED' | 'REJECTED' | 'INVALID' | 'EXPIRED'> | null
  /** Code for the property list of the app. */
  readonly codeValue?: string | null
  /** Its document. Present only if the platform supplies the link; null if there is none. */
  readonly appEncryptionDeclarationDocumentId?: string | null
}

export interface ReviewSubmission {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** Platform. */
  readonly platform?: Known<'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS'> | null
  /** When it was submitted. Format: date-time. */
  readonly submittedDate?: string | null
  /** State of the review. */
  readonly state?: Known<'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'UNRESOLVED_ISSUES' | 'CANCELING' | 'COMPLETING' | 'COMPLETE'> | null
  /** App it belongs to. Present only if the platform supplies the link; null if there is none. */
  readonly appId?: string | null
  /** Version in review. Present only if the platform supplies the link; null if there is none. */
  readonly appStoreVersionForReviewId?: string | null
  /** Who submitted it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly submittedByActorId?: string | null
  /** Who last changed it. Present only if the platform supplies the link; null if there is none. Personal data: only for keys with the grant `personal`. */
  readonly lastUpdatedByActorId?: string | null
}

export interface WebhookDelivery {
  /** Id at the platform; keep it unchanged. */
  readonly id: string
  /** When the delivery was created. Format: date-time. */
  readonly createdDate?: string | null
  /** Whether the receiver has accepted it. */
  readonly deliveryState?: Known<'SUCCEEDED' | 'FAILED' | 'PENDING'> | null
  /** Whether it repeats an earlier delivery. */
  readonly redelivery?: boolean | null
  /** When it was sent. Format: date-time. */
  readonly sentDate?: string | null
  /** What happened. */
  readonly eventType?: Known<'ALTERNATIVE_DISTRIBUTION_PACKAGE_AVAILABLE_UPDATED' | 'ALTERNATIVE_DISTRIBUTION_PACKAGE_VERSION_CREATED' | 'ALTERNATIVE_DISTRIBUTION_TERRITORY_AVAILABILITY_UPDATED' | 'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED' | 'BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED' | 'BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED' | 'BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED' | 'BACKGROUND_ASSET_VERSION_STATE_UPDATED' | 'BETA_FEEDBACK_CRASH_SUBMISSION_CREATED' | 'BETA_FEEDBACK_SCREENSHOT_SUBMISSION_CREATED' | 'BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED' | 'BUILD_UPLOAD_STATE_UPDATED'> | null
  /** When it happened. Format: date-time. */
  readonly eventCreatedDate?: string | null
  /** Whether it was only a test. */
  readonly eventPing?: boolean | null
  /** What receivers are sent, as JSON in a string: the resource, its old and new state. */
  readonly eventPayload?: string | null
  /** Which of the webhooks lists the item. */
  readonly webhookId?: string
  /** Event that it tells; several deliveries can tell one. Present only if the platform supplies the link; null if there is none. */
  readonly eventId?: string | null
}

export interface Whoami {
  /** The public part of the key, which the operator sees. */
  readonly id: string
  readonly name: string
  /** Ids that the key may read now. */
  readonly connections: readonly string[]
  /** Ids that the key names and does not read: the connection was removed, or has another account now. */
  readonly endedConnections: readonly string[]
  /** Whether connections that are added later are readable too. */
  readonly allConnections: boolean
  /** Route groups that the key may read. */
  readonly groups: readonly string[]
  /** Ids of the apps that the key is for; null: all. */
  readonly apps: readonly string[] | null
  /** Whether the key is shown personal data. */
  readonly personal: boolean
  /** The key's own rate limit; null: that of the service. */
  readonly perMinute: number | null
  /** The budget of this key; null: it has none. */
  readonly platformCalls: {
    /** Platform calls that the key may cause in an hour. */
    readonly perHour: number
    /** Platform calls that are left of that hour. */
    readonly remaining: number
    /** Seconds until all of them are left again. */
    readonly resetSec: number
  } | null
  /** Format: date-time. */
  readonly createdAt: string
  /** null: never. Format: date-time. */
  readonly expiresAt: string | null
}

export interface ConnectionStatus {
  /** Its id. */
  readonly connection: string
  /** `closed`: the platform is called. `open`: it does not answer, and is not called. `half-open`: one call tests it. */
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Seconds until the platform is tried again; null while the breaker is closed. */
  readonly retryAfterSec: number | null
  readonly quota: {
    /** The rolling hour; null: not reported by the platform. */
    readonly hour: {
      /** Calls in the whole window. */
      readonly limit: number
      /** Calls that are left of it. */
      readonly remaining: number
    } | null
    /** The rolling minute; null: not reported by the platform. */
    readonly minute: {
      /** Calls in the whole window. */
      readonly limit: number
      /** Calls that are left of it. */
      readonly remaining: number
    } | null
    /** Seconds until the signing key may be used again; 0: now. */
    readonly pausedSec: number
  }
  readonly calls: {
    /** Calls with the signing key that are running. */
    readonly running: number
    /** Calls that wait in the queue. */
    readonly waiting: number
  }
  /** Whether the platform refuses the signing key at present. */
  readonly keyRejected: boolean
  /** When the platform last answered with a document; null: not yet. Format: date-time. */
  readonly lastAnswerAt: string | null
  /** The last failure of the platform; null: none yet. */
  readonly lastFailure: {
    /** Format: date-time. */
    readonly at: string
    /** Such as `upstream_unavailable`. */
    readonly code: string
  } | null
  /** The budget of this key; null: it has none. */
  readonly platformCalls: {
    /** Platform calls that the key may cause in an hour. */
    readonly perHour: number
    /** Platform calls that are left of that hour. */
    readonly remaining: number
    /** Seconds until all of them are left again. */
    readonly resetSec: number
  } | null
}

export type ListAppsField = 'accessibilityUrl' | 'name' | 'bundleId' | 'sku' | 'primaryLocale' | 'isOrEverWasMadeForKids' | 'subscriptionStatusUrl' | 'subscriptionStatusUrlVersion' | 'subscriptionStatusUrlForSandbox' | 'subscriptionStatusUrlVersionForSandbox' | 'contentRightsDeclaration' | 'streamlinedPurchasingEnabled'
export interface ListAppsParams<Field extends ListAppsField = ListAppsField> {
  /** Only apps with one of these names. A comma separates and cannot be escaped. */
  readonly name?: string | readonly string[] | undefined
  /** Only apps with one of these bundle identifiers. */
  readonly bundleId?: string | readonly string[] | undefined
  /** Only apps with one of these stock-keeping units. */
  readonly sku?: string | readonly string[] | undefined
  /** Only apps with a version for one of these platforms. */
  readonly versionPlatform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only apps with a review submission for one of these platforms. */
  readonly reviewPlatform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only apps with a version in one of these states. */
  readonly versionState?: 'ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'INVALID_BINARY' | 'METADATA_REJECTED' | 'PENDING_APPLE_RELEASE' | 'PENDING_DEVELOPER_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'PROCESSING_FOR_DISTRIBUTION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_VERSION' | 'WAITING_FOR_EXPORT_COMPLIANCE' | 'WAITING_FOR_REVIEW' | readonly ('ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'INVALID_BINARY' | 'METADATA_REJECTED' | 'PENDING_APPLE_RELEASE' | 'PENDING_DEVELOPER_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'PROCESSING_FOR_DISTRIBUTION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_VERSION' | 'WAITING_FOR_EXPORT_COMPLIANCE' | 'WAITING_FOR_REVIEW')[] | undefined
  /** Only apps with a review submission in one of these states. */
  readonly reviewState?: 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'UNRESOLVED_ISSUES' | 'CANCELING' | 'COMPLETING' | 'COMPLETE' | readonly ('READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'UNRESOLVED_ISSUES' | 'CANCELING' | 'COMPLETING' | 'COMPLETE')[] | undefined
  /** Only the apps of these versions, by id. */
  readonly versionId?: string | readonly string[] | undefined
  /** Only these apps, by id. */
  readonly id?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'name' | '-name' | 'bundleId' | '-bundleId' | 'sku' | '-sku' | readonly ('name' | '-name' | 'bundleId' | '-bundleId' | 'sku' | '-sku')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface GetPerformanceOverviewParams {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Device types such as `all_iphones`. A comma separates and cannot be escaped. */
  readonly deviceType?: string | readonly string[] | undefined
}

export type GetEventField = 'referenceName' | 'badge' | 'eventState' | 'deepLink' | 'purchaseRequirement' | 'primaryLocale' | 'priority' | 'purpose' | 'territorySchedules' | 'archivedTerritorySchedules'
export interface GetEventParams<Field extends GetEventField = GetEventField> {
  /** The in-app event. */
  readonly eventId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export type ListExperimentTreatmentsField = 'name' | 'appIcon' | 'appIconName' | 'promotedDate'
export interface ListExperimentTreatmentsParams<Field extends ListExperimentTreatmentsField = ListExperimentTreatmentsField> {
  /** The product page experiment. */
  readonly experimentId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListBetaFeedbackSubmissionsField = 'createdDate' | 'comment' | 'email' | 'deviceModel' | 'osVersion' | 'locale' | 'timeZone' | 'architecture' | 'connectionType' | 'pairedVendorWatch' | 'appUptimeInMilliseconds' | 'diskBytesAvailable' | 'diskBytesTotal' | 'batteryPercentage' | 'screenWidthInPoints' | 'screenHeightInPoints' | 'appPlatform' | 'devicePlatform' | 'deviceFamily' | 'buildBundleId' | 'screenshots'
export interface ListBetaFeedbackSubmissionsParams<Field extends ListBetaFeedbackSubmissionsField = ListBetaFeedbackSubmissionsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only from these devices, by hardware identifier. */
  readonly deviceModel?: string | readonly string[] | undefined
  /** Only from these versions of the operating system. */
  readonly osVersion?: string | readonly string[] | undefined
  /** Only for these platforms of the app. */
  readonly appPlatform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only from these platforms of the device. */
  readonly devicePlatform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only for these builds, by id. */
  readonly buildId?: string | readonly string[] | undefined
  /** Only for these pre-release versions, by id. */
  readonly 'build.preReleaseVersion'?: string | readonly string[] | undefined
  /** Only from these testers, by id. Personal data: only for keys with the grant `personal`. */
  readonly tester?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'createdDate' | '-createdDate' | readonly ('createdDate' | '-createdDate')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type GetBuildUploadFileField = 'assetDeliveryState' | 'assetToken' | 'assetType' | 'fileName' | 'fileSize' | 'sourceFileChecksums' | 'uploadOperations' | 'uti'
export interface GetBuildUploadFileParams<Field extends GetBuildUploadFileField = GetBuildUploadFileField> {
  /** The build upload file. */
  readonly buildUploadFileId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export type ListProductPagePlacementsField = 'mediaType' | 'placementType' | 'placementGroup' | 'createdDate' | 'lastModifiedDate' | 'state' | 'stateDetails'
export interface ListProductPagePlacementsParams<Field extends ListProductPagePlacementsField = ListProductPagePlacementsField> {
  /** The version of a custom product page. */
  readonly pageVersionId: string
  /** An exact locale identifier such as `en-US`, compared byte for byte, without a fallback. */
  readonly locale: string
  /** Only these places. */
  readonly placementType?: 'APP_SCREENSHOT' | 'IMESSAGE_APP_SCREENSHOT' | 'APP_PREVIEW' | 'PRODUCT_PAGE_HEADER_ASSET' | 'APP_STORE_SEARCH_RESULTS_ASSET' | 'SEARCH_RESULTS_ADS_ASSET' | 'TODAY_TAB_ADS_ASSET' | 'EVENT_CARD_ASSET' | 'EVENT_DETAILS_PAGE_ASSET' | 'RETENTION_MESSAGE_ASSET' | readonly ('APP_SCREENSHOT' | 'IMESSAGE_APP_SCREENSHOT' | 'APP_PREVIEW' | 'PRODUCT_PAGE_HEADER_ASSET' | 'APP_STORE_SEARCH_RESULTS_ASSET' | 'SEARCH_RESULTS_ADS_ASSET' | 'TODAY_TAB_ADS_ASSET' | 'EVENT_CARD_ASSET' | 'EVENT_DETAILS_PAGE_ASSET' | 'RETENTION_MESSAGE_ASSET')[] | undefined
  /** Only these groups. */
  readonly placementGroup?: string | readonly string[] | undefined
  /** Only these states. */
  readonly state?: 'ASSET_PROCESSING' | 'FAILED' | 'PARENT_PREPARE_FOR_SUBMISSION' | 'PARENT_READY_FOR_REVIEW' | 'PARENT_WAITING_FOR_REVIEW' | 'PARENT_IN_REVIEW' | 'PARENT_APPROVED' | readonly ('ASSET_PROCESSING' | 'FAILED' | 'PARENT_PREPARE_FOR_SUBMISSION' | 'PARENT_READY_FOR_REVIEW' | 'PARENT_WAITING_FOR_REVIEW' | 'PARENT_IN_REVIEW' | 'PARENT_APPROVED')[] | undefined
  /** Only placements of these library images, by id. */
  readonly image?: string | readonly string[] | undefined
  /** Only placements in these event localizations, by id. */
  readonly appEventLocalization?: string | readonly string[] | undefined
  /** Only placements in these version localizations, by id. */
  readonly appStoreVersionLocalization?: string | readonly string[] | undefined
  /** Only placements in these treatment localizations, by id. */
  readonly appStoreVersionExperimentTreatmentLocalization?: string | readonly string[] | undefined
  /** Only these placements, by id. */
  readonly id?: string | readonly string[] | undefined
  /** Only placements of these library videos, by id. */
  readonly video?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'createdDate' | '-createdDate' | 'lastModifiedDate' | '-lastModifiedDate' | 'placementGroupPosition' | '-placementGroupPosition' | readonly ('createdDate' | '-createdDate' | 'lastModifiedDate' | '-lastModifiedDate' | 'placementGroupPosition' | '-placementGroupPosition')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListLibraryVideoPlacementsField = 'mediaType' | 'placementType' | 'placementGroup' | 'createdDate' | 'lastModifiedDate' | 'state' | 'stateDetails'
export interface ListLibraryVideoPlacementsParams<Field extends ListLibraryVideoPlacementsField = ListLibraryVideoPlacementsField> {
  /** The video in the asset library. */
  readonly libraryVideoId: string
  /** Only these places. */
  readonly placementType?: 'APP_SCREENSHOT' | 'IMESSAGE_APP_SCREENSHOT' | 'APP_PREVIEW' | 'PRODUCT_PAGE_HEADER_ASSET' | 'APP_STORE_SEARCH_RESULTS_ASSET' | 'SEARCH_RESULTS_ADS_ASSET' | 'TODAY_TAB_ADS_ASSET' | 'EVENT_CARD_ASSET' | 'EVENT_DETAILS_PAGE_ASSET' | 'RETENTION_MESSAGE_ASSET' | readonly ('APP_SCREENSHOT' | 'IMESSAGE_APP_SCREENSHOT' | 'APP_PREVIEW' | 'PRODUCT_PAGE_HEADER_ASSET' | 'APP_STORE_SEARCH_RESULTS_ASSET' | 'SEARCH_RESULTS_ADS_ASSET' | 'TODAY_TAB_ADS_ASSET' | 'EVENT_CARD_ASSET' | 'EVENT_DETAILS_PAGE_ASSET' | 'RETENTION_MESSAGE_ASSET')[] | undefined
  /** Only these groups. */
  readonly placementGroup?: string | readonly string[] | undefined
  /** Only these states. */
  readonly state?: 'ASSET_PROCESSING' | 'FAILED' | 'PARENT_PREPARE_FOR_SUBMISSION' | 'PARENT_READY_FOR_REVIEW' | 'PARENT_WAITING_FOR_REVIEW' | 'PARENT_IN_REVIEW' | 'PARENT_APPROVED' | readonly ('ASSET_PROCESSING' | 'FAILED' | 'PARENT_PREPARE_FOR_SUBMISSION' | 'PARENT_READY_FOR_REVIEW' | 'PARENT_WAITING_FOR_REVIEW' | 'PARENT_IN_REVIEW' | 'PARENT_APPROVED')[] | undefined
  /** Only placements of these library images, by id. */
  readonly image?: string | readonly string[] | undefined
  /** Only placements in these event localizations, by id. */
  readonly appEventLocalization?: string | readonly string[] | undefined
  /** Only placements in these version localizations, by id. */
  readonly appStoreVersionLocalization?: string | readonly string[] | undefined
  /** Only placements in these treatment localizations, by id. */
  readonly appStoreVersionExperimentTreatmentLocalization?: string | readonly string[] | undefined
  /** Only these placements, by id. */
  readonly id?: string | readonly string[] | undefined
  /** Only placements in these custom product page localizations, by id. */
  readonly appCustomProductPageLocalization?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'createdDate' | '-createdDate' | 'lastModifiedDate' | '-lastModifiedDate' | 'placementGroupPosition' | '-placementGroupPosition' | readonly ('createdDate' | '-createdDate' | 'lastModifiedDate' | '-lastModifiedDate' | 'placementGroupPosition' | '-placementGroupPosition')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListSubscriptionOfferCodesField = 'name' | 'customerEligibilities' | 'offerEligibility' | 'duration' | 'offerMode' | 'numberOfPeriods' | 'totalNumberOfCodes' | 'productionCodeCount' | 'sandboxCodeCount' | 'active' | 'autoRenewEnabled' | 'targetSubscriptionPlanType'
export interface ListSubscriptionOfferCodesParams<Field extends ListSubscriptionOfferCodesField = ListSubscriptionOfferCodesField> {
  /** The subscription. */
  readonly subscriptionId: string
  /** Only these territories, by three-letter code. */
  readonly territory?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListPurchaseCustomCodesField = 'customCode' | 'numberOfCodes' | 'createdDate' | 'expirationDate' | 'active'
export interface ListPurchaseCustomCodesParams<Field extends ListPurchaseCustomCodesField = ListPurchaseCustomCodesField> {
  /** The offer code of an in-app purchase. */
  readonly purchaseOfferCodeId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListAppClipExperienceLocalizationsField = 'locale' | 'subtitle'
export interface ListAppClipExperienceLocalizationsParams<Field extends ListAppClipExperienceLocalizationsField = ListAppClipExperienceLocalizationsField> {
  /** The default App Clip experience. */
  readonly experienceId: string
  /** Only these locales, by exact identifier. */
  readonly locale?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListTerritoryAgeRatingsField = 'appStoreAgeRating'
export interface ListTerritoryAgeRatingsParams<Field extends ListTerritoryAgeRatingsField = ListTerritoryAgeRatingsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** The app info. It must belong to the app. */
  readonly appInfoId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type GetLegacyPurchaseImageField = 'fileSize' | 'fileName' | 'sourceFileChecksum' | 'assetToken' | 'imageAsset' | 'uploadOperations' | 'state'
export interface GetLegacyPurchaseImageParams<Field extends GetLegacyPurchaseImageField = GetLegacyPurchaseImageField> {
  /** The image of an in-app purchase. */
  readonly purchaseImageId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface ListWinBackOfferPricesParams {
  /** The win-back offer. */
  readonly winBackOfferId: string
  /** Only these territories, by three-letter code. */
  readonly territory?: string | readonly string[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type GetLegacySubscriptionLocalizationField = 'name' | 'locale' | 'description' | 'state'
export interface GetLegacySubscriptionLocalizationParams<Field extends GetLegacySubscriptionLocalizationField = GetLegacySubscriptionLocalizationField> {
  /** The subscription. */
  readonly subscriptionId: string
  /** An exact locale identifier such as `en-US`, compared byte for byte, without a fallback. */
  readonly locale: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export type GetFeaturingNominationField = 'name' | 'type' | 'description' | 'createdDate' | 'lastModifiedDate' | 'submittedDate' | 'state' | 'publishStartDate' | 'publishEndDate' | 'deviceFamilies' | 'locales' | 'supplementalMaterialsUris' | 'hasInAppEvents' | 'launchInSelectMarketsFirst' | 'notes' | 'preOrderEnabled'
export interface GetFeaturingNominationParams<Field extends GetFeaturingNominationField = GetFeaturingNominationField> {
  /** The featuring nomination. */
  readonly featuringNominationId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export type GetBackgroundAssetField = 'archived' | 'assetPackIdentifier' | 'createdDate' | 'usedBytes'
export interface GetBackgroundAssetParams<Field extends GetBackgroundAssetField = GetBackgroundAssetField> {
  /** The background asset. */
  readonly backgroundAssetId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface ListProductPagePlacementIdsParams {
  /** The version of a custom product page. */
  readonly pageVersionId: string
  /** An exact locale identifier such as `en-US`, compared byte for byte, without a fallback. */
  readonly locale: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type GetSubscriptionCodeBatchField = 'numberOfCodes' | 'createdDate' | 'expirationDate' | 'active' | 'environment'
export interface GetSubscriptionCodeBatchParams<Field extends GetSubscriptionCodeBatchField = GetSubscriptionCodeBatchField> {
  /** The batch of one-time-use codes. */
  readonly subscriptionCodeBatcheId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface ListEventScreenshotIdsParams {
  /** The in-app event. */
  readonly eventId: string
  /** An exact locale identifier such as `en-US`, compared byte for byte, without a fallback. */
  readonly locale: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface ListInAppPurchaseIdsParams {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface ListProductPageScreenshotSetIdsParams {
  /** The version of a custom product page. */
  readonly pageVersionId: string
  /** An exact locale identifier such as `en-US`, compared byte for byte, without a fallback. */
  readonly locale: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type GetPromotedPurchaseField = 'visibleForAllUsers' | 'enabled' | 'state'
export interface GetPromotedPurchaseParams<Field extends GetPromotedPurchaseField = GetPromotedPurchaseField> {
  /** The subscription. */
  readonly subscriptionId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface ListPurchaseLocalizationIdsParams {
  /** The version of an in-app purchase. */
  readonly purchaseVersionId: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface ListBuildUploadFileIdsParams {
  /** The build upload. */
  readonly buildUploadId: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface ListAppVersionIdsParams {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface GetAppClipDomainDebugStatusParams {
  /** The build bundle. */
  readonly buildBundleId: string
}

export type GetCustomerReviewResponseField = 'responseBody' | 'lastModifiedDate' | 'state'
export interface GetCustomerReviewResponseParams<Field extends GetCustomerReviewResponseField = GetCustomerReviewResponseField> {
  /** The response to a customer review. */
  readonly responseId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface GetLegacyEncryptionDeclarationAppIdParams {
  /** The encryption declaration. */
  readonly encryptionDeclarationId: string
}

export type GetAppField = 'accessibilityUrl' | 'name' | 'bundleId' | 'sku' | 'primaryLocale' | 'isOrEverWasMadeForKids' | 'subscriptionStatusUrl' | 'subscriptionStatusUrlVersion' | 'subscriptionStatusUrlForSandbox' | 'subscriptionStatusUrlVersionForSandbox' | 'contentRightsDeclaration' | 'streamlinedPurchasingEnabled'
export interface GetAppParams<Field extends GetAppField = GetAppField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
}

export type ListAppVersionsField = 'platform' | 'versionString' | 'appVersionState' | 'copyright' | 'reviewType' | 'releaseType' | 'earliestReleaseDate' | 'downloadable' | 'createdDate'
export interface ListAppVersionsParams<Field extends ListAppVersionsField = ListAppVersionsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only for these platforms. */
  readonly platform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only these version numbers. */
  readonly versionString?: string | readonly string[] | undefined
  /** Only in these states. */
  readonly state?: 'ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'INVALID_BINARY' | 'METADATA_REJECTED' | 'PENDING_APPLE_RELEASE' | 'PENDING_DEVELOPER_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'PROCESSING_FOR_DISTRIBUTION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_VERSION' | 'WAITING_FOR_EXPORT_COMPLIANCE' | 'WAITING_FOR_REVIEW' | readonly ('ACCEPTED' | 'DEVELOPER_REJECTED' | 'IN_REVIEW' | 'INVALID_BINARY' | 'METADATA_REJECTED' | 'PENDING_APPLE_RELEASE' | 'PENDING_DEVELOPER_RELEASE' | 'PREPARE_FOR_SUBMISSION' | 'PROCESSING_FOR_DISTRIBUTION' | 'READY_FOR_DISTRIBUTION' | 'READY_FOR_REVIEW' | 'REJECTED' | 'REPLACED_WITH_NEW_VERSION' | 'WAITING_FOR_EXPORT_COMPLIANCE' | 'WAITING_FOR_REVIEW')[] | undefined
  /** Only these versions, by id. */
  readonly id?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListBuildsField = 'version' | 'uploadedDate' | 'expirationDate' | 'expired' | 'minOsVersion' | 'lsMinimumSystemVersion' | 'computedMinMacOsVersion' | 'computedMinVisionOsVersion' | 'iconAssetToken' | 'processingState' | 'buildAudienceType' | 'usesNonExemptEncryption'
export interface ListBuildsParams<Field extends ListBuildsField = ListBuildsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only with these build numbers. */
  readonly version?: string | readonly string[] | undefined
  /** Whether it has expired: `true` or `false`. */
  readonly expired?: string | readonly string[] | undefined
  /** Only in these states of processing. */
  readonly processingState?: 'PROCESSING' | 'FAILED' | 'INVALID' | 'VALID' | readonly ('PROCESSING' | 'FAILED' | 'INVALID' | 'VALID')[] | undefined
  /** Only with a review in these states. */
  readonly betaReviewState?: 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'REJECTED' | 'APPROVED' | readonly ('WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'REJECTED' | 'APPROVED')[] | undefined
  /** Whether it uses such encryption: `true` or `false`. */
  readonly usesNonExemptEncryption?: string | readonly string[] | undefined
  /** Whether that question is answered. `true` or `false`. */
  readonly hasEncryptionAnswer?: 'true' | 'false' | undefined
  /** Only with these version numbers before release. */
  readonly 'preReleaseVersion.version'?: string | readonly string[] | undefined
  /** Only for these platforms. */
  readonly 'preReleaseVersion.platform'?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only for these audiences. */
  readonly buildAudienceType?: 'INTERNAL_ONLY' | 'APP_STORE_ELIGIBLE' | readonly ('INTERNAL_ONLY' | 'APP_STORE_ELIGIBLE')[] | undefined
  /** Only of these pre-release versions, by id. */
  readonly preReleaseVersion?: string | readonly string[] | undefined
  /** Only of these groups of testers, by id. */
  readonly betaGroups?: string | readonly string[] | undefined
  /** Only of these versions, by id. */
  readonly appStoreVersion?: string | readonly string[] | undefined
  /** Only these builds, by id. */
  readonly id?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'version' | '-version' | 'uploadedDate' | '-uploadedDate' | 'preReleaseVersion' | '-preReleaseVersion' | readonly ('version' | '-version' | 'uploadedDate' | '-uploadedDate' | 'preReleaseVersion' | '-preReleaseVersion')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export interface ListBuildBundleIdsParams {
  /** The build. */
  readonly buildId: string
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListBuildUploadsField = 'cfBundleShortVersionString' | 'cfBundleVersion' | 'createdDate' | 'state' | 'platform' | 'uploadedDate'
export interface ListBuildUploadsParams<Field extends ListBuildUploadsField = ListBuildUploadsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only with these version numbers. */
  readonly cfBundleShortVersionString?: string | readonly string[] | undefined
  /** Only with these build numbers. */
  readonly cfBundleVersion?: string | readonly string[] | undefined
  /** Only for these platforms. */
  readonly platform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only in these states, such as `COMPLETE`. */
  readonly state?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'cfBundleVersion' | '-cfBundleVersion' | 'uploadedDate' | '-uploadedDate' | readonly ('cfBundleVersion' | '-cfBundleVersion' | 'uploadedDate' | '-uploadedDate')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListEventsField = 'referenceName' | 'badge' | 'eventState' | 'deepLink' | 'purchaseRequirement' | 'primaryLocale' | 'priority' | 'purpose' | 'territorySchedules' | 'archivedTerritorySchedules'
export interface ListEventsParams<Field extends ListEventsField = ListEventsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only in these states. */
  readonly eventState?: 'DRAFT' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'REJECTED' | 'ACCEPTED' | 'APPROVED' | 'PUBLISHED' | 'PAST' | 'ARCHIVED' | readonly ('DRAFT' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'REJECTED' | 'ACCEPTED' | 'APPROVED' | 'PUBLISHED' | 'PAST' | 'ARCHIVED')[] | undefined
  /** Only these events, by id. */
  readonly id?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListEventLocalizationsField = 'locale' | 'name' | 'shortDescription' | 'longDescription'
export interface ListEventLocalizationsParams<Field extends ListEventLocalizationsField = ListEventLocalizationsField> {
  /** The in-app event. */
  readonly eventId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListExperimentsField = 'name' | 'platform' | 'trafficProportion' | 'state' | 'reviewRequired' | 'startDate' | 'endDate'
export interface ListExperimentsParams<Field extends ListExperimentsField = ListExperimentsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only in these states. */
  readonly state?: 'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REJECTED' | 'COMPLETED' | 'STOPPED' | readonly ('PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REJECTED' | 'COMPLETED' | 'STOPPED')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListProductPagesField = 'name' | 'url' | 'visible'
export interface ListProductPagesParams<Field extends ListProductPagesField = ListProductPagesField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Whether customers can see it: `true` or `false`. */
  readonly visible?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListProductPageVersionsField = 'version' | 'state' | 'deepLink'
export interface ListProductPageVersionsParams<Field extends ListProductPageVersionsField = ListProductPageVersionsField> {
  /** The custom product page. */
  readonly pageId: string
  /** Only in these states. */
  readonly state?: 'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED' | readonly ('PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListProductPageLocalizationsField = 'locale' | 'promotionalText'
export interface ListProductPageLocalizationsParams<Field extends ListProductPageLocalizationsField = ListProductPageLocalizationsField> {
  /** The version of a custom product page. */
  readonly pageVersionId: string
  /** Only these locales, by exact identifier. */
  readonly locale?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListSubscriptionGroupsField = 'referenceName'
export interface ListSubscriptionGroupsParams<Field extends ListSubscriptionGroupsField = ListSubscriptionGroupsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only with these names inside the team. */
  readonly referenceName?: string | readonly string[] | undefined
  /** Only with a subscription in these states. */
  readonly subscriptionState?: 'MISSING_METADATA' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED' | readonly ('MISSING_METADATA' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED')[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'referenceName' | '-referenceName' | readonly ('referenceName' | '-referenceName')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListSubscriptionsField = 'name' | 'productId' | 'familySharable' | 'state' | 'subscriptionPeriod' | 'reviewNote' | 'groupLevel'
export interface ListSubscriptionsParams<Field extends ListSubscriptionsField = ListSubscriptionsField> {
  /** The group of subscriptions. */
  readonly subscriptionGroupId: string
  /** Only with these product identifiers. */
  readonly productId?: string | readonly string[] | undefined
  /** Only with these names. */
  readonly name?: string | readonly string[] | undefined
  /** Only in these states. */
  readonly state?: 'MISSING_METADATA' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED' | readonly ('MISSING_METADATA' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED')[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'name' | '-name' | readonly ('name' | '-name')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListLegacySubscriptionLocalizationsField = 'name' | 'locale' | 'description' | 'state'
export interface ListLegacySubscriptionLocalizationsParams<Field extends ListLegacySubscriptionLocalizationsField = ListLegacySubscriptionLocalizationsField> {
  /** The subscription. */
  readonly subscriptionId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListWinBackOffersField = 'referenceName' | 'offerId' | 'duration' | 'offerMode' | 'periodCount' | 'customerEligibilityPaidSubscriptionDurationInMonths' | 'customerEligibilityTimeSinceLastSubscribedInMonths' | 'customerEligibilityWaitBetweenOffersInMonths' | 'startDate' | 'endDate' | 'priority' | 'promotionIntent' | 'targetSubscriptionPlanType'
export interface ListWinBackOffersParams<Field extends ListWinBackOffersField = ListWinBackOffersField> {
  /** The subscription. */
  readonly subscriptionId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListSubscriptionCodeBatchesField = 'numberOfCodes' | 'createdDate' | 'expirationDate' | 'active' | 'environment'
export interface ListSubscriptionCodeBatchesParams<Field extends ListSubscriptionCodeBatchesField = ListSubscriptionCodeBatchesField> {
  /** The offer code of a subscription. */
  readonly offerCodeId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListInAppPurchasesField = 'name' | 'productId' | 'inAppPurchaseType' | 'state' | 'reviewNote' | 'familySharable' | 'contentHosting'
export interface ListInAppPurchasesParams<Field extends ListInAppPurchasesField = ListInAppPurchasesField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only with these product identifiers. */
  readonly productId?: string | readonly string[] | undefined
  /** Only with these names. */
  readonly name?: string | readonly string[] | undefined
  /** Only in these states. */
  readonly state?: 'MISSING_METADATA' | 'WAITING_FOR_UPLOAD' | 'PROCESSING_CONTENT' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED' | readonly ('MISSING_METADATA' | 'WAITING_FOR_UPLOAD' | 'PROCESSING_CONTENT' | 'READY_TO_SUBMIT' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'DEVELOPER_ACTION_NEEDED' | 'PENDING_BINARY_APPROVAL' | 'APPROVED' | 'DEVELOPER_REMOVED_FROM_SALE' | 'REMOVED_FROM_SALE' | 'REJECTED')[] | undefined
  /** Only of these kinds. */
  readonly inAppPurchaseType?: 'CONSUMABLE' | 'NON_CONSUMABLE' | 'NON_RENEWING_SUBSCRIPTION' | readonly ('CONSUMABLE' | 'NON_CONSUMABLE' | 'NON_RENEWING_SUBSCRIPTION')[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'name' | '-name' | 'inAppPurchaseType' | '-inAppPurchaseType' | readonly ('name' | '-name' | 'inAppPurchaseType' | '-inAppPurchaseType')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListInAppPurchaseVersionsField = 'version' | 'state'
export interface ListInAppPurchaseVersionsParams<Field extends ListInAppPurchaseVersionsField = ListInAppPurchaseVersionsField> {
  /** The in-app purchase. */
  readonly inAppPurchaseId: string
  /** Only in these states. */
  readonly state?: 'PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED' | 'DEVELOPER_REJECTED' | readonly ('PREPARE_FOR_SUBMISSION' | 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REPLACED_WITH_NEW_VERSION' | 'REJECTED' | 'DEVELOPER_REJECTED')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListPurchaseOfferCodesField = 'name' | 'customerEligibilities' | 'productionCodeCount' | 'sandboxCodeCount' | 'active'
export interface ListPurchaseOfferCodesParams<Field extends ListPurchaseOfferCodesField = ListPurchaseOfferCodesField> {
  /** The in-app purchase. */
  readonly inAppPurchaseId: string
  /** Only these territories, by three-letter code. */
  readonly territory?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListLegacyPurchaseImagesField = 'fileSize' | 'fileName' | 'sourceFileChecksum' | 'assetToken' | 'imageAsset' | 'uploadOperations' | 'state'
export interface ListLegacyPurchaseImagesParams<Field extends ListLegacyPurchaseImagesField = ListLegacyPurchaseImagesField> {
  /** The in-app purchase. */
  readonly inAppPurchaseId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListAppClipsField = 'bundleId'
export interface ListAppClipsParams<Field extends ListAppClipsField = ListAppClipsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only with these bundle identifiers. */
  readonly bundleId?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListAppClipExperiencesField = 'action'
export interface ListAppClipExperiencesParams<Field extends ListAppClipExperiencesField = ListAppClipExperiencesField> {
  /** The App Clip. */
  readonly appClipId: string
  /** Whether it is released with a version. `true` or `false`. */
  readonly hasRelease?: 'true' | 'false' | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListAppInfosField = 'state'
export interface ListAppInfosParams<Field extends ListAppInfosField = ListAppInfosField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListFeaturingNominationsField = 'name' | 'type' | 'description' | 'createdDate' | 'lastModifiedDate' | 'submittedDate' | 'state' | 'publishStartDate' | 'publishEndDate' | 'deviceFamilies' | 'locales' | 'supplementalMaterialsUris' | 'hasInAppEvents' | 'launchInSelectMarketsFirst' | 'notes' | 'preOrderEnabled'
export interface ListFeaturingNominationsParams<Field extends ListFeaturingNominationsField = ListFeaturingNominationsField> {
  /** Only of these kinds. */
  readonly type?: 'APP_LAUNCH' | 'APP_ENHANCEMENTS' | 'NEW_CONTENT' | readonly ('APP_LAUNCH' | 'APP_ENHANCEMENTS' | 'NEW_CONTENT')[] | undefined
  /** Only in these states. By default those in any state of this list. */
  readonly state?: 'DRAFT' | 'SUBMITTED' | 'ARCHIVED' | readonly ('DRAFT' | 'SUBMITTED' | 'ARCHIVED')[] | undefined
  /** Whether an in-app event goes with it: `true` or `false`. */
  readonly hasInAppEvents?: string | readonly string[] | undefined
  /** Only of these apps, by id. */
  readonly relatedApps?: string | readonly string[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'lastModifiedDate' | '-lastModifiedDate' | 'publishStartDate' | '-publishStartDate' | 'publishEndDate' | '-publishEndDate' | 'name' | '-name' | 'type' | '-type' | readonly ('lastModifiedDate' | '-lastModifiedDate' | 'publishStartDate' | '-publishStartDate' | 'publishEndDate' | '-publishEndDate' | 'name' | '-name' | 'type' | '-type')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListBackgroundAssetsField = 'archived' | 'assetPackIdentifier' | 'createdDate' | 'usedBytes'
export interface ListBackgroundAssetsParams<Field extends ListBackgroundAssetsField = ListBackgroundAssetsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Whether it is archived: `true` or `false`. */
  readonly archived?: string | readonly string[] | undefined
  /** Only with these identifiers. */
  readonly assetPackIdentifier?: string | readonly string[] | undefined
  /** Only with a version in these locales. */
  readonly 'versions.locale'?: string | readonly string[] | undefined
  /** Only with a version for these platforms. */
  readonly 'versions.platforms'?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'assetPackIdentifier' | '-assetPackIdentifier' | 'createdDate' | '-createdDate' | readonly ('assetPackIdentifier' | '-assetPackIdentifier' | 'createdDate' | '-createdDate')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListCustomerReviewsField = 'rating' | 'title' | 'body' | 'reviewerNickname' | 'createdDate' | 'territory'
export interface ListCustomerReviewsParams<Field extends ListCustomerReviewsField = ListCustomerReviewsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only from these territories, by three-letter code. */
  readonly territory?: 'ABW' | 'AFG' | 'AGO' | 'AIA' | 'ALB' | 'AND' | 'ANT' | 'ARE' | 'ARG' | 'ARM' | 'ASM' | 'ATG' | 'AUS' | 'AUT' | 'AZE' | 'BDI' | 'BEL' | 'BEN' | 'BES' | 'BFA' | 'BGD' | 'BGR' | 'BHR' | 'BHS' | 'BIH' | 'BLR' | 'BLZ' | 'BMU' | 'BOL' | 'BRA' | 'BRB' | 'BRN' | 'BTN' | 'BWA' | 'CAF' | 'CAN' | 'CHE' | 'CHL' | 'CHN' | 'CIV' | 'CMR' | 'COD' | 'COG' | 'COK' | 'COL' | 'COM' | 'CPV' | 'CRI' | 'CUB' | 'CUW' | 'CXR' | 'CYM' | 'CYP' | 'CZE' | 'DEU' | 'DJI' | 'DMA' | 'DNK' | 'DOM' | 'DZA' | 'ECU' | 'EGY' | 'ERI' | 'ESP' | 'EST' | 'ETH' | 'FIN' | 'FJI' | 'FLK' | 'FRA' | 'FRO' | 'FSM' | 'GAB' | 'GBR' | 'GEO' | 'GGY' | 'GHA' | 'GIB' | 'GIN' | 'GLP' | 'GMB' | 'GNB' | 'GNQ' | 'GRC' | 'GRD' | 'GRL' | 'GTM' | 'GUF' | 'GUM' | 'GUY' | 'HKG' | 'HND' | 'HRV' | 'HTI' | 'HUN' | 'IDN' | 'IMN' | 'IND' | 'IRL' | 'IRQ' | 'ISL' | 'ISR' | 'ITA' | 'JAM' | 'JEY' | 'JOR' | 'JPN' | 'KAZ' | 'KEN' | 'KGZ' | 'KHM' | 'KIR' | 'KNA' | 'KOR' | 'KWT' | 'LAO' | 'LBN' | 'LBR' | 'LBY' | 'LCA' | 'LIE' | 'LKA' | 'LSO' | 'LTU' | 'LUX' | 'LVA' | 'MAC' | 'MAR' | 'MCO' | 'MDA' | 'MDG' | 'MDV' | 'MEX' | 'MHL' | 'MKD' | 'MLI' | 'MLT' | 'MMR' | 'MNE' | 'MNG' | 'MNP' | 'MOZ' | 'MRT' | 'MSR' | 'MTQ' | 'MUS' | 'MWI' | 'MYS' | 'MYT' | 'NAM' | 'NCL' | 'NER' | 'NFK' | 'NGA' | 'NIC' | 'NIU' | 'NLD' | 'NOR' | 'NPL' | 'NRU' | 'NZL' | 'OMN' | 'PAK' | 'PAN' | 'PER' | 'PHL' | 'PLW' | 'PNG' | 'POL' | 'PRI' | 'PRT' | 'PRY' | 'PSE' | 'PYF' | 'QAT' | 'REU' | 'ROU' | 'RUS' | 'RWA' | 'SAU' | 'SEN' | 'SGP' | 'SHN' | 'SLB' | 'SLE' | 'SLV' | 'SMR' | 'SOM' | 'SPM' | 'SRB' | 'SSD' | 'STP' | 'SUR' | 'SVK' | 'SVN' | 'SWE' | 'SWZ' | 'SXM' | 'SYC' | 'TCA' | 'TCD' | 'TGO' | 'THA' | 'TJK' | 'TKM' | 'TLS' | 'TON' | 'TTO' | 'TUN' | 'TUR' | 'TUV' | 'TWN' | 'TZA' | 'UGA' | 'UKR' | 'UMI' | 'URY' | 'USA' | 'UZB' | 'VAT' | 'VCT' | 'VEN' | 'VGB' | 'VIR' | 'VNM' | 'VUT' | 'WLF' | 'WSM' | 'XKS' | 'YEM' | 'ZAF' | 'ZMB' | 'ZWE' | readonly ('ABW' | 'AFG' | 'AGO' | 'AIA' | 'ALB' | 'AND' | 'ANT' | 'ARE' | 'ARG' | 'ARM' | 'ASM' | 'ATG' | 'AUS' | 'AUT' | 'AZE' | 'BDI' | 'BEL' | 'BEN' | 'BES' | 'BFA' | 'BGD' | 'BGR' | 'BHR' | 'BHS' | 'BIH' | 'BLR' | 'BLZ' | 'BMU' | 'BOL' | 'BRA' | 'BRB' | 'BRN' | 'BTN' | 'BWA' | 'CAF' | 'CAN' | 'CHE' | 'CHL' | 'CHN' | 'CIV' | 'CMR' | 'COD' | 'COG' | 'COK' | 'COL' | 'COM' | 'CPV' | 'CRI' | 'CUB' | 'CUW' | 'CXR' | 'CYM' | 'CYP' | 'CZE' | 'DEU' | 'DJI' | 'DMA' | 'DNK' | 'DOM' | 'DZA' | 'ECU' | 'EGY' | 'ERI' | 'ESP' | 'EST' | 'ETH' | 'FIN' | 'FJI' | 'FLK' | 'FRA' | 'FRO' | 'FSM' | 'GAB' | 'GBR' | 'GEO' | 'GGY' | 'GHA' | 'GIB' | 'GIN' | 'GLP' | 'GMB' | 'GNB' | 'GNQ' | 'GRC' | 'GRD' | 'GRL' | 'GTM' | 'GUF' | 'GUM' | 'GUY' | 'HKG' | 'HND' | 'HRV' | 'HTI' | 'HUN' | 'IDN' | 'IMN' | 'IND' | 'IRL' | 'IRQ' | 'ISL' | 'ISR' | 'ITA' | 'JAM' | 'JEY' | 'JOR' | 'JPN' | 'KAZ' | 'KEN' | 'KGZ' | 'KHM' | 'KIR' | 'KNA' | 'KOR' | 'KWT' | 'LAO' | 'LBN' | 'LBR' | 'LBY' | 'LCA' | 'LIE' | 'LKA' | 'LSO' | 'LTU' | 'LUX' | 'LVA' | 'MAC' | 'MAR' | 'MCO' | 'MDA' | 'MDG' | 'MDV' | 'MEX' | 'MHL' | 'MKD' | 'MLI' | 'MLT' | 'MMR' | 'MNE' | 'MNG' | 'MNP' | 'MOZ' | 'MRT' | 'MSR' | 'MTQ' | 'MUS' | 'MWI' | 'MYS' | 'MYT' | 'NAM' | 'NCL' | 'NER' | 'NFK' | 'NGA' | 'NIC' | 'NIU' | 'NLD' | 'NOR' | 'NPL' | 'NRU' | 'NZL' | 'OMN' | 'PAK' | 'PAN' | 'PER' | 'PHL' | 'PLW' | 'PNG' | 'POL' | 'PRI' | 'PRT' | 'PRY' | 'PSE' | 'PYF' | 'QAT' | 'REU' | 'ROU' | 'RUS' | 'RWA' | 'SAU' | 'SEN' | 'SGP' | 'SHN' | 'SLB' | 'SLE' | 'SLV' | 'SMR' | 'SOM' | 'SPM' | 'SRB' | 'SSD' | 'STP' | 'SUR' | 'SVK' | 'SVN' | 'SWE' | 'SWZ' | 'SXM' | 'SYC' | 'TCA' | 'TCD' | 'TGO' | 'THA' | 'TJK' | 'TKM' | 'TLS' | 'TON' | 'TTO' | 'TUN' | 'TUR' | 'TUV' | 'TWN' | 'TZA' | 'UGA' | 'UKR' | 'UMI' | 'URY' | 'USA' | 'UZB' | 'VAT' | 'VCT' | 'VEN' | 'VGB' | 'VIR' | 'VNM' | 'VUT' | 'WLF' | 'WSM' | 'XKS' | 'YEM' | 'ZAF' | 'ZMB' | 'ZWE')[] | undefined
  /** Only with these numbers of stars. */
  readonly rating?: string | readonly string[] | undefined
  /** Only from these territories, by id. */
  readonly reviewTerritory?: string | readonly string[] | undefined
  /** Whether a response is published. `true` or `false`. */
  readonly hasPublishedResponse?: 'true' | 'false' | undefined
  /** The order; `-` means descending. */
  readonly sort?: 'rating' | '-rating' | 'createdDate' | '-createdDate' | readonly ('rating' | '-rating' | 'createdDate' | '-createdDate')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListEncryptionDeclarationsField = 'appDescription' | 'createdDate' | 'exempt' | 'containsProprietaryCryptography' | 'containsThirdPartyCryptography' | 'availableOnFrenchStore' | 'appEncryptionDeclarationState' | 'codeValue'
export interface ListEncryptionDeclarationsParams<Field extends ListEncryptionDeclarationsField = ListEncryptionDeclarationsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only of these builds, by id. */
  readonly builds?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListReviewSubmissionsField = 'platform' | 'submittedDate' | 'state'
export interface ListReviewSubmissionsParams<Field extends ListReviewSubmissionsField = ListReviewSubmissionsField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only for these platforms. */
  readonly platform?: 'IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS' | readonly ('IOS' | 'MAC_OS' | 'TV_OS' | 'VISION_OS')[] | undefined
  /** Only in these states. */
  readonly state?: 'READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'UNRESOLVED_ISSUES' | 'CANCELING' | 'COMPLETING' | 'COMPLETE' | readonly ('READY_FOR_REVIEW' | 'WAITING_FOR_REVIEW' | 'IN_REVIEW' | 'UNRESOLVED_ISSUES' | 'CANCELING' | 'COMPLETING' | 'COMPLETE')[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type ListWebhookDeliveriesField = 'createdDate' | 'deliveryState' | 'redelivery' | 'sentDate' | 'eventType' | 'eventCreatedDate' | 'eventPing' | 'eventPayload'
export interface ListWebhookDeliveriesParams<Field extends ListWebhookDeliveriesField = ListWebhookDeliveriesField> {
  /** The app, by the id that List apps returns. */
  readonly appId: string
  /** Only in these states. */
  readonly deliveryState?: 'SUCCEEDED' | 'FAILED' | 'PENDING' | readonly ('SUCCEEDED' | 'FAILED' | 'PENDING')[] | undefined
  /** Only from this instant on, in RFC 3339. */
  readonly createdFrom?: string | readonly string[] | undefined
  /** Only before this instant, in RFC 3339. */
  readonly createdBefore?: string | readonly string[] | undefined
  /** The attributes to return next to `id`, without linkages and values of the path. By default everything is returned. */
  readonly fields?: Field | readonly Field[] | undefined
  /** The maximum number of items on a page. From 1 to 200, by default 50. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined
}

export type OperationName = 'listApps' | 'getPerformanceOverview' | 'getEvent' | 'listExperimentTreatments' | 'listBetaFeedbackSubmissions' | 'getBuildUploadFile' | 'listProductPagePlacements' | 'listLibraryVideoPlacements' | 'listSubscriptionOfferCodes' | 'listPurchaseCustomCodes' | 'listAppClipExperienceLocalizations' | 'listTerritoryAgeRatings' | 'getLegacyPurchaseImage' | 'listWinBackOfferPrices' | 'getLegacySubscriptionLocalization' | 'getFeaturingNomination' | 'getBackgroundAsset' | 'listProductPagePlacementIds' | 'getSubscriptionCodeBatch' | 'listEventScreenshotIds' | 'listInAppPurchaseIds' | 'listProductPageScreenshotSetIds' | 'getPromotedPurchase' | 'listPurchaseLocalizationIds' | 'listBuildUploadFileIds' | 'listAppVersionIds' | 'getAppClipDomainDebugStatus' | 'getCustomerReviewResponse' | 'getLegacyEncryptionDeclarationAppId' | 'getApp' | 'listAppVersions' | 'listBuilds' | 'listBuildBundleIds' | 'listBuildUploads' | 'listEvents' | 'listEventLocalizations' | 'listExperiments' | 'listProductPages' | 'listProductPageVersions' | 'listProductPageLocalizations' | 'listSubscriptionGroups' | 'listSubscriptions' | 'listLegacySubscriptionLocalizations' | 'listWinBackOffers' | 'listSubscriptionCodeBatches' | 'listInAppPurchases' | 'listInAppPurchaseVersions' | 'listPurchaseOfferCodes' | 'listLegacyPurchaseImages' | 'listAppClips' | 'listAppClipExperiences' | 'listAppInfos' | 'listFeaturingNominations' | 'listBackgroundAssets' | 'listCustomerReviews' | 'listEncryptionDeclarations' | 'listReviewSubmissions' | 'listWebhookDeliveries'

const paging = { limit: { kind: 'limit', maximum: 200 }, cursor: { kind: 'cursor' } } as const

/** every operation as data, by name */
export const operations: Readonly<Record<OperationName, OperationInfo>> = {
  listApps: {
    path: '/apps',
    shape: 'page',
    pathParameters: [],
    query: {
      name: { kind: 'filter' },
      bundleId: { kind: 'filter' },
      sku: { kind: 'filter' },
      versionPlatform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      reviewPlatform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      versionState: { kind: 'filter', values: ['ACCEPTED', 'DEVELOPER_REJECTED', 'IN_REVIEW', 'INVALID_BINARY', 'METADATA_REJECTED', 'PENDING_APPLE_RELEASE', 'PENDING_DEVELOPER_RELEASE', 'PREPARE_FOR_SUBMISSION', 'PROCESSING_FOR_DISTRIBUTION', 'READY_FOR_DISTRIBUTION', 'READY_FOR_REVIEW', 'REJECTED', 'REPLACED_WITH_NEW_VERSION', 'WAITING_FOR_EXPORT_COMPLIANCE', 'WAITING_FOR_REVIEW'] },
      reviewState: { kind: 'filter', values: ['READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'UNRESOLVED_ISSUES', 'CANCELING', 'COMPLETING', 'COMPLETE'] },
      versionId: { kind: 'filter' },
      id: { kind: 'filter' },
      sort: { kind: 'sort', values: ['name', '-name', 'bundleId', '-bundleId', 'sku', '-sku'] },
      fields: { kind: 'fields', values: ['accessibilityUrl', 'name', 'bundleId', 'sku', 'primaryLocale', 'isOrEverWasMadeForKids', 'subscriptionStatusUrl', 'subscriptionStatusUrlVersion', 'subscriptionStatusUrlForSandbox', 'subscriptionStatusUrlVersionForSandbox', 'contentRightsDeclaration', 'streamlinedPurchasingEnabled'] },
      ...paging,
    },
  },
  getPerformanceOverview: {
    path: '/apps/{appId}/performance-overviews',
    shape: 'one',
    pathParameters: ['appId'],
    query: {
      deviceType: { kind: 'filter' },
    },
  },
  getEvent: {
    path: '/events/{eventId}',
    shape: 'one',
    pathParameters: ['eventId'],
    query: {
      fields: { kind: 'fields', values: ['referenceName', 'badge', 'eventState', 'deepLink', 'purchaseRequirement', 'primaryLocale', 'priority', 'purpose', 'territorySchedules', 'archivedTerritorySchedules'] },
    },
  },
  listExperimentTreatments: {
    path: '/experiments/{experimentId}/treatments',
    shape: 'page',
    pathParameters: ['experimentId'],
    query: {
      fields: { kind: 'fields', values: ['name', 'appIcon', 'appIconName', 'promotedDate'] },
      ...paging,
    },
  },
  listBetaFeedbackSubmissions: {
    path: '/apps/{appId}/beta-feedback-screenshot-submissions',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      deviceModel: { kind: 'filter' },
      osVersion: { kind: 'filter' },
      appPlatform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      devicePlatform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      buildId: { kind: 'filter' },
      'build.preReleaseVersion': { kind: 'filter' },
      tester: { kind: 'filter' },
      sort: { kind: 'sort', values: ['createdDate', '-createdDate'] },
      fields: { kind: 'fields', values: ['createdDate', 'comment', 'email', 'deviceModel', 'osVersion', 'locale', 'timeZone', 'architecture', 'connectionType', 'pairedVendorWatch', 'appUptimeInMilliseconds', 'diskBytesAvailable', 'diskBytesTotal', 'batteryPercentage', 'screenWidthInPoints', 'screenHeightInPoints', 'appPlatform', 'devicePlatform', 'deviceFamily', 'buildBundleId', 'screenshots'] },
      ...paging,
    },
  },
  getBuildUploadFile: {
    path: '/build-upload-files/{buildUploadFileId}',
    shape: 'one',
    pathParameters: ['buildUploadFileId'],
    query: {
      fields: { kind: 'fields', values: ['assetDeliveryState', 'assetToken', 'assetType', 'fileName', 'fileSize', 'sourceFileChecksums', 'uploadOperations', 'uti'] },
    },
  },
  listProductPagePlacements: {
    path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements',
    shape: 'page',
    pathParameters: ['pageVersionId', 'locale'],
    query: {
      placementType: { kind: 'filter', values: ['APP_SCREENSHOT', 'IMESSAGE_APP_SCREENSHOT', 'APP_PREVIEW', 'PRODUCT_PAGE_HEADER_ASSET', 'APP_STORE_SEARCH_RESULTS_ASSET', 'SEARCH_RESULTS_ADS_ASSET', 'TODAY_TAB_ADS_ASSET', 'EVENT_CARD_ASSET', 'EVENT_DETAILS_PAGE_ASSET', 'RETENTION_MESSAGE_ASSET'] },
      placementGroup: { kind: 'filter' },
      state: { kind: 'filter', values: ['ASSET_PROCESSING', 'FAILED', 'PARENT_PREPARE_FOR_SUBMISSION', 'PARENT_READY_FOR_REVIEW', 'PARENT_WAITING_FOR_REVIEW', 'PARENT_IN_REVIEW', 'PARENT_APPROVED'] },
      image: { kind: 'filter' },
      appEventLocalization: { kind: 'filter' },
      appStoreVersionLocalization: { kind: 'filter' },
      appStoreVersionExperimentTreatmentLocalization: { kind: 'filter' },
      id: { kind: 'filter' },
      video: { kind: 'filter' },
      sort: { kind: 'sort', values: ['createdDate', '-createdDate', 'lastModifiedDate', '-lastModifiedDate', 'placementGroupPosition', '-placementGroupPosition'] },
      fields: { kind: 'fields', values: ['mediaType', 'placementType', 'placementGroup', 'createdDate', 'lastModifiedDate', 'state', 'stateDetails'] },
      ...paging,
    },
  },
  listLibraryVideoPlacements: {
    path: '/library-videos/{libraryVideoId}/placements',
    shape: 'page',
    pathParameters: ['libraryVideoId'],
    query: {
      placementType: { kind: 'filter', values: ['APP_SCREENSHOT', 'IMESSAGE_APP_SCREENSHOT', 'APP_PREVIEW', 'PRODUCT_PAGE_HEADER_ASSET', 'APP_STORE_SEARCH_RESULTS_ASSET', 'SEARCH_RESULTS_ADS_ASSET', 'TODAY_TAB_ADS_ASSET', 'EVENT_CARD_ASSET', 'EVENT_DETAILS_PAGE_ASSET', 'RETENTION_MESSAGE_ASSET'] },
      placementGroup: { kind: 'filter' },
      state: { kind: 'filter', values: ['ASSET_PROCESSING', 'FAILED', 'PARENT_PREPARE_FOR_SUBMISSION', 'PARENT_READY_FOR_REVIEW', 'PARENT_WAITING_FOR_REVIEW', 'PARENT_IN_REVIEW', 'PARENT_APPROVED'] },
      image: { kind: 'filter' },
      appEventLocalization: { kind: 'filter' },
      appStoreVersionLocalization: { kind: 'filter' },
      appStoreVersionExperimentTreatmentLocalization: { kind: 'filter' },
      id: { kind: 'filter' },
      appCustomProductPageLocalization: { kind: 'filter' },
      sort: { kind: 'sort', values: ['createdDate', '-createdDate', 'lastModifiedDate', '-lastModifiedDate', 'placementGroupPosition', '-placementGroupPosition'] },
      fields: { kind: 'fields', values: ['mediaType', 'placementType', 'placementGroup', 'createdDate', 'lastModifiedDate', 'state', 'stateDetails'] },
      ...paging,
    },
  },
  listSubscriptionOfferCodes: {
    path: '/subscriptions/{subscriptionId}/offer-codes',
    shape: 'page',
    pathParameters: ['subscriptionId'],
    query: {
      territory: { kind: 'filter' },
      fields: { kind: 'fields', values: ['name', 'customerEligibilities', 'offerEligibility', 'duration', 'offerMode', 'numberOfPeriods', 'totalNumberOfCodes', 'productionCodeCount', 'sandboxCodeCount', 'active', 'autoRenewEnabled', 'targetSubscriptionPlanType'] },
      ...paging,
    },
  },
  listPurchaseCustomCodes: {
    path: '/purchase-offer-codes/{purchaseOfferCodeId}/custom-codes',
    shape: 'page',
    pathParameters: ['purchaseOfferCodeId'],
    query: {
      fields: { kind: 'fields', values: ['customCode', 'numberOfCodes', 'createdDate', 'expirationDate', 'active'] },
      ...paging,
    },
  },
  listAppClipExperienceLocalizations: {
    path: '/app-clip-default-experiences/{experienceId}/localizations',
    shape: 'page',
    pathParameters: ['experienceId'],
    query: {
      locale: { kind: 'filter' },
      fields: { kind: 'fields', values: ['locale', 'subtitle'] },
      ...paging,
    },
  },
  listTerritoryAgeRatings: {
    path: '/apps/{appId}/app-infos/{appInfoId}/territory-age-ratings',
    shape: 'page',
    pathParameters: ['appId', 'appInfoId'],
    query: {
      fields: { kind: 'fields', values: ['appStoreAgeRating'] },
      ...paging,
    },
  },
  getLegacyPurchaseImage: {
    path: '/legacy/purchase-images/{purchaseImageId}',
    shape: 'one',
    pathParameters: ['purchaseImageId'],
    query: {
      fields: { kind: 'fields', values: ['fileSize', 'fileName', 'sourceFileChecksum', 'assetToken', 'imageAsset', 'uploadOperations', 'state'] },
    },
  },
  listWinBackOfferPrices: {
    path: '/win-back-offers/{winBackOfferId}/prices',
    shape: 'page',
    pathParameters: ['winBackOfferId'],
    query: {
      territory: { kind: 'filter' },
      ...paging,
    },
  },
  getLegacySubscriptionLocalization: {
    path: '/legacy/subscriptions/{subscriptionId}/localizations/{locale}',
    shape: 'one',
    pathParameters: ['subscriptionId', 'locale'],
    query: {
      fields: { kind: 'fields', values: ['name', 'locale', 'description', 'state'] },
    },
  },
  getFeaturingNomination: {
    path: '/featuring-nominations/{featuringNominationId}',
    shape: 'one',
    pathParameters: ['featuringNominationId'],
    query: {
      fields: { kind: 'fields', values: ['name', 'type', 'description', 'createdDate', 'lastModifiedDate', 'submittedDate', 'state', 'publishStartDate', 'publishEndDate', 'deviceFamilies', 'locales', 'supplementalMaterialsUris', 'hasInAppEvents', 'launchInSelectMarketsFirst', 'notes', 'preOrderEnabled'] },
    },
  },
  getBackgroundAsset: {
    path: '/background-assets/{backgroundAssetId}',
    shape: 'one',
    pathParameters: ['backgroundAssetId'],
    query: {
      fields: { kind: 'fields', values: ['archived', 'assetPackIdentifier', 'createdDate', 'usedBytes'] },
    },
  },
  listProductPagePlacementIds: {
    path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements/ids',
    shape: 'ids',
    pathParameters: ['pageVersionId', 'locale'],
    query: {
      ...paging,
    },
  },
  getSubscriptionCodeBatch: {
    path: '/subscription-code-batches/{subscriptionCodeBatcheId}',
    shape: 'one',
    pathParameters: ['subscriptionCodeBatcheId'],
    query: {
      fields: { kind: 'fields', values: ['numberOfCodes', 'createdDate', 'expirationDate', 'active', 'environment'] },
    },
  },
  listEventScreenshotIds: {
    path: '/events/{eventId}/localizations/{locale}/event-screenshots/ids',
    shape: 'ids',
    pathParameters: ['eventId', 'locale'],
    query: {
      ...paging,
    },
  },
  listInAppPurchaseIds: {
    path: '/apps/{appId}/in-app-purchases/ids',
    shape: 'ids',
    pathParameters: ['appId'],
    query: {
      ...paging,
    },
  },
  listProductPageScreenshotSetIds: {
    path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/screenshot-sets/ids',
    shape: 'ids',
    pathParameters: ['pageVersionId', 'locale'],
    query: {
      ...paging,
    },
  },
  getPromotedPurchase: {
    path: '/subscriptions/{subscriptionId}/promoted-purchase',
    shape: 'one',
    pathParameters: ['subscriptionId'],
    query: {
      fields: { kind: 'fields', values: ['visibleForAllUsers', 'enabled', 'state'] },
    },
  },
  listPurchaseLocalizationIds: {
    path: '/purchase-versions/{purchaseVersionId}/localizations/ids',
    shape: 'ids',
    pathParameters: ['purchaseVersionId'],
    query: {
      ...paging,
    },
  },
  listBuildUploadFileIds: {
    path: '/build-uploads/{buildUploadId}/build-upload-files/ids',
    shape: 'ids',
    pathParameters: ['buildUploadId'],
    query: {
      ...paging,
    },
  },
  listAppVersionIds: {
    path: '/apps/{appId}/versions/ids',
    shape: 'ids',
    pathParameters: ['appId'],
    query: {
      ...paging,
    },
  },
  getAppClipDomainDebugStatus: {
    path: '/build-bundles/{buildBundleId}/app-clip-domain-debug-status',
    shape: 'one',
    pathParameters: ['buildBundleId'],
    query: {},
  },
  getCustomerReviewResponse: {
    path: '/customer-review-responses/{responseId}',
    shape: 'one',
    pathParameters: ['responseId'],
    query: {
      fields: { kind: 'fields', values: ['responseBody', 'lastModifiedDate', 'state'] },
    },
  },
  getLegacyEncryptionDeclarationAppId: {
    path: '/legacy/encryption-declarations/{encryptionDeclarationId}/app/id',
    shape: 'id',
    pathParameters: ['encryptionDeclarationId'],
    query: {},
  },
  getApp: {
    path: '/apps/{appId}',
    shape: 'one',
    pathParameters: ['appId'],
    query: {
      fields: { kind: 'fields', values: ['accessibilityUrl', 'name', 'bundleId', 'sku', 'primaryLocale', 'isOrEverWasMadeForKids', 'subscriptionStatusUrl', 'subscriptionStatusUrlVersion', 'subscriptionStatusUrlForSandbox', 'subscriptionStatusUrlVersionForSandbox', 'contentRightsDeclaration', 'streamlinedPurchasingEnabled'] },
    },
  },
  listAppVersions: {
    path: '/apps/{appId}/versions',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      platform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      versionString: { kind: 'filter' },
      state: { kind: 'filter', values: ['ACCEPTED', 'DEVELOPER_REJECTED', 'IN_REVIEW', 'INVALID_BINARY', 'METADATA_REJECTED', 'PENDING_APPLE_RELEASE', 'PENDING_DEVELOPER_RELEASE', 'PREPARE_FOR_SUBMISSION', 'PROCESSING_FOR_DISTRIBUTION', 'READY_FOR_DISTRIBUTION', 'READY_FOR_REVIEW', 'REJECTED', 'REPLACED_WITH_NEW_VERSION', 'WAITING_FOR_EXPORT_COMPLIANCE', 'WAITING_FOR_REVIEW'] },
      id: { kind: 'filter' },
      fields: { kind: 'fields', values: ['platform', 'versionString', 'appVersionState', 'copyright', 'reviewType', 'releaseType', 'earliestReleaseDate', 'downloadable', 'createdDate'] },
      ...paging,
    },
  },
  listBuilds: {
    path: '/apps/{appId}/builds',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      version: { kind: 'filter' },
      expired: { kind: 'filter' },
      processingState: { kind: 'filter', values: ['PROCESSING', 'FAILED', 'INVALID', 'VALID'] },
      betaReviewState: { kind: 'filter', values: ['WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED', 'APPROVED'] },
      usesNonExemptEncryption: { kind: 'filter' },
      hasEncryptionAnswer: { kind: 'filter', values: ['true', 'false'] },
      'preReleaseVersion.version': { kind: 'filter' },
      'preReleaseVersion.platform': { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      buildAudienceType: { kind: 'filter', values: ['INTERNAL_ONLY', 'APP_STORE_ELIGIBLE'] },
      preReleaseVersion: { kind: 'filter' },
      betaGroups: { kind: 'filter' },
      appStoreVersion: { kind: 'filter' },
      id: { kind: 'filter' },
      sort: { kind: 'sort', values: ['version', '-version', 'uploadedDate', '-uploadedDate', 'preReleaseVersion', '-preReleaseVersion'] },
      fields: { kind: 'fields', values: ['version', 'uploadedDate', 'expirationDate', 'expired', 'minOsVersion', 'lsMinimumSystemVersion', 'computedMinMacOsVersion', 'computedMinVisionOsVersion', 'iconAssetToken', 'processingState', 'buildAudienceType', 'usesNonExemptEncryption'] },
      ...paging,
    },
  },
  listBuildBundleIds: {
    path: '/builds/{buildId}/build-bundles/ids',
    shape: 'ids',
    pathParameters: ['buildId'],
    query: {
      ...paging,
    },
  },
  listBuildUploads: {
    path: '/apps/{appId}/build-uploads',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      cfBundleShortVersionString: { kind: 'filter' },
      cfBundleVersion: { kind: 'filter' },
      platform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      state: { kind: 'filter' },
      sort: { kind: 'sort', values: ['cfBundleVersion', '-cfBundleVersion', 'uploadedDate', '-uploadedDate'] },
      fields: { kind: 'fields', values: ['cfBundleShortVersionString', 'cfBundleVersion', 'createdDate', 'state', 'platform', 'uploadedDate'] },
      ...paging,
    },
  },
  listEvents: {
    path: '/apps/{appId}/events',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      eventState: { kind: 'filter', values: ['DRAFT', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED', 'ACCEPTED', 'APPROVED', 'PUBLISHED', 'PAST', 'ARCHIVED'] },
      id: { kind: 'filter' },
      fields: { kind: 'fields', values: ['referenceName', 'badge', 'eventState', 'deepLink', 'purchaseRequirement', 'primaryLocale', 'priority', 'purpose', 'territorySchedules', 'archivedTerritorySchedules'] },
      ...paging,
    },
  },
  listEventLocalizations: {
    path: '/events/{eventId}/localizations',
    shape: 'page',
    pathParameters: ['eventId'],
    query: {
      fields: { kind: 'fields', values: ['locale', 'name', 'shortDescription', 'longDescription'] },
      ...paging,
    },
  },
  listExperiments: {
    path: '/apps/{appId}/experiments',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      state: { kind: 'filter', values: ['PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED', 'APPROVED', 'REJECTED', 'COMPLETED', 'STOPPED'] },
      fields: { kind: 'fields', values: ['name', 'platform', 'trafficProportion', 'state', 'reviewRequired', 'startDate', 'endDate'] },
      ...paging,
    },
  },
  listProductPages: {
    path: '/apps/{appId}/custom-product-pages',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      visible: { kind: 'filter' },
      fields: { kind: 'fields', values: ['name', 'url', 'visible'] },
      ...paging,
    },
  },
  listProductPageVersions: {
    path: '/custom-product-pages/{pageId}/versions',
    shape: 'page',
    pathParameters: ['pageId'],
    query: {
      state: { kind: 'filter', values: ['PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED', 'APPROVED', 'REPLACED_WITH_NEW_VERSION', 'REJECTED'] },
      fields: { kind: 'fields', values: ['version', 'state', 'deepLink'] },
      ...paging,
    },
  },
  listProductPageLocalizations: {
    path: '/custom-product-page-versions/{pageVersionId}/localizations',
    shape: 'page',
    pathParameters: ['pageVersionId'],
    query: {
      locale: { kind: 'filter' },
      fields: { kind: 'fields', values: ['locale', 'promotionalText'] },
      ...paging,
    },
  },
  listSubscriptionGroups: {
    path: '/apps/{appId}/subscription-groups',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      referenceName: { kind: 'filter' },
      subscriptionState: { kind: 'filter', values: ['MISSING_METADATA', 'READY_TO_SUBMIT', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'DEVELOPER_ACTION_NEEDED', 'PENDING_BINARY_APPROVAL', 'APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE', 'REJECTED'] },
      sort: { kind: 'sort', values: ['referenceName', '-referenceName'] },
      fields: { kind: 'fields', values: ['referenceName'] },
      ...paging,
    },
  },
  listSubscriptions: {
    path: '/subscription-groups/{subscriptionGroupId}/subscriptions',
    shape: 'page',
    pathParameters: ['subscriptionGroupId'],
    query: {
      productId: { kind: 'filter' },
      name: { kind: 'filter' },
      state: { kind: 'filter', values: ['MISSING_METADATA', 'READY_TO_SUBMIT', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'DEVELOPER_ACTION_NEEDED', 'PENDING_BINARY_APPROVAL', 'APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE', 'REJECTED'] },
      sort: { kind: 'sort', values: ['name', '-name'] },
      fields: { kind: 'fields', values: ['name', 'productId', 'familySharable', 'state', 'subscriptionPeriod', 'reviewNote', 'groupLevel'] },
      ...paging,
    },
  },
  listLegacySubscriptionLocalizations: {
    path: '/legacy/subscriptions/{subscriptionId}/localizations',
    shape: 'page',
    pathParameters: ['subscriptionId'],
    query: {
      fields: { kind: 'fields', values: ['name', 'locale', 'description', 'state'] },
      ...paging,
    },
  },
  listWinBackOffers: {
    path: '/subscriptions/{subscriptionId}/win-back-offers',
    shape: 'page',
    pathParameters: ['subscriptionId'],
    query: {
      fields: { kind: 'fields', values: ['referenceName', 'offerId', 'duration', 'offerMode', 'periodCount', 'customerEligibilityPaidSubscriptionDurationInMonths', 'customerEligibilityTimeSinceLastSubscribedInMonths', 'customerEligibilityWaitBetweenOffersInMonths', 'startDate', 'endDate', 'priority', 'promotionIntent', 'targetSubscriptionPlanType'] },
      ...paging,
    },
  },
  listSubscriptionCodeBatches: {
    path: '/subscription-offer-codes/{offerCodeId}/code-batches',
    shape: 'page',
    pathParameters: ['offerCodeId'],
    query: {
      fields: { kind: 'fields', values: ['numberOfCodes', 'createdDate', 'expirationDate', 'active', 'environment'] },
      ...paging,
    },
  },
  listInAppPurchases: {
    path: '/apps/{appId}/in-app-purchases',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      productId: { kind: 'filter' },
      name: { kind: 'filter' },
      state: { kind: 'filter', values: ['MISSING_METADATA', 'WAITING_FOR_UPLOAD', 'PROCESSING_CONTENT', 'READY_TO_SUBMIT', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'DEVELOPER_ACTION_NEEDED', 'PENDING_BINARY_APPROVAL', 'APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE', 'REJECTED'] },
      inAppPurchaseType: { kind: 'filter', values: ['CONSUMABLE', 'NON_CONSUMABLE', 'NON_RENEWING_SUBSCRIPTION'] },
      sort: { kind: 'sort', values: ['name', '-name', 'inAppPurchaseType', '-inAppPurchaseType'] },
      fields: { kind: 'fields', values: ['name', 'productId', 'inAppPurchaseType', 'state', 'reviewNote', 'familySharable', 'contentHosting'] },
      ...paging,
    },
  },
  listInAppPurchaseVersions: {
    path: '/in-app-purchases/{inAppPurchaseId}/versions',
    shape: 'page',
    pathParameters: ['inAppPurchaseId'],
    query: {
      state: { kind: 'filter', values: ['PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED', 'APPROVED', 'REPLACED_WITH_NEW_VERSION', 'REJECTED', 'DEVELOPER_REJECTED'] },
      fields: { kind: 'fields', values: ['version', 'state'] },
      ...paging,
    },
  },
  listPurchaseOfferCodes: {
    path: '/in-app-purchases/{inAppPurchaseId}/offer-codes',
    shape: 'page',
    pathParameters: ['inAppPurchaseId'],
    query: {
      territory: { kind: 'filter' },
      fields: { kind: 'fields', values: ['name', 'customerEligibilities', 'productionCodeCount', 'sandboxCodeCount', 'active'] },
      ...paging,
    },
  },
  listLegacyPurchaseImages: {
    path: '/legacy/in-app-purchases/{inAppPurchaseId}/images',
    shape: 'page',
    pathParameters: ['inAppPurchaseId'],
    query: {
      fields: { kind: 'fields', values: ['fileSize', 'fileName', 'sourceFileChecksum', 'assetToken', 'imageAsset', 'uploadOperations', 'state'] },
      ...paging,
    },
  },
  listAppClips: {
    path: '/apps/{appId}/app-clips',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      bundleId: { kind: 'filter' },
      fields: { kind: 'fields', values: ['bundleId'] },
      ...paging,
    },
  },
  listAppClipExperiences: {
    path: '/app-clips/{appClipId}/default-experiences',
    shape: 'page',
    pathParameters: ['appClipId'],
    query: {
      hasRelease: { kind: 'filter', values: ['true', 'false'] },
      fields: { kind: 'fields', values: ['action'] },
      ...paging,
    },
  },
  listAppInfos: {
    path: '/apps/{appId}/app-infos',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      fields: { kind: 'fields', values: ['state'] },
      ...paging,
    },
  },
  listFeaturingNominations: {
    path: '/featuring-nominations',
    shape: 'page',
    pathParameters: [],
    query: {
      type: { kind: 'filter', values: ['APP_LAUNCH', 'APP_ENHANCEMENTS', 'NEW_CONTENT'] },
      state: { kind: 'filter', values: ['DRAFT', 'SUBMITTED', 'ARCHIVED'] },
      hasInAppEvents: { kind: 'filter' },
      relatedApps: { kind: 'filter' },
      sort: { kind: 'sort', values: ['lastModifiedDate', '-lastModifiedDate', 'publishStartDate', '-publishStartDate', 'publishEndDate', '-publishEndDate', 'name', '-name', 'type', '-type'] },
      fields: { kind: 'fields', values: ['name', 'type', 'description', 'createdDate', 'lastModifiedDate', 'submittedDate', 'state', 'publishStartDate', 'publishEndDate', 'deviceFamilies', 'locales', 'supplementalMaterialsUris', 'hasInAppEvents', 'launchInSelectMarketsFirst', 'notes', 'preOrderEnabled'] },
      ...paging,
    },
  },
  listBackgroundAssets: {
    path: '/apps/{appId}/background-assets',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      archived: { kind: 'filter' },
      assetPackIdentifier: { kind: 'filter' },
      'versions.locale': { kind: 'filter' },
      'versions.platforms': { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      sort: { kind: 'sort', values: ['assetPackIdentifier', '-assetPackIdentifier', 'createdDate', '-createdDate'] },
      fields: { kind: 'fields', values: ['archived', 'assetPackIdentifier', 'createdDate', 'usedBytes'] },
      ...paging,
    },
  },
  listCustomerReviews: {
    path: '/apps/{appId}/customer-reviews',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      territory: { kind: 'filter', values: ['ABW', 'AFG', 'AGO', 'AIA', 'ALB', 'AND', 'ANT', 'ARE', 'ARG', 'ARM', 'ASM', 'ATG', 'AUS', 'AUT', 'AZE', 'BDI', 'BEL', 'BEN', 'BES', 'BFA', 'BGD', 'BGR', 'BHR', 'BHS', 'BIH', 'BLR', 'BLZ', 'BMU', 'BOL', 'BRA', 'BRB', 'BRN', 'BTN', 'BWA', 'CAF', 'CAN', 'CHE', 'CHL', 'CHN', 'CIV', 'CMR', 'COD', 'COG', 'COK', 'COL', 'COM', 'CPV', 'CRI', 'CUB', 'CUW', 'CXR', 'CYM', 'CYP', 'CZE', 'DEU', 'DJI', 'DMA', 'DNK', 'DOM', 'DZA', 'ECU', 'EGY', 'ERI', 'ESP', 'EST', 'ETH', 'FIN', 'FJI', 'FLK', 'FRA', 'FRO', 'FSM', 'GAB', 'GBR', 'GEO', 'GGY', 'GHA', 'GIB', 'GIN', 'GLP', 'GMB', 'GNB', 'GNQ', 'GRC', 'GRD', 'GRL', 'GTM', 'GUF', 'GUM', 'GUY', 'HKG', 'HND', 'HRV', 'HTI', 'HUN', 'IDN', 'IMN', 'IND', 'IRL', 'IRQ', 'ISL', 'ISR', 'ITA', 'JAM', 'JEY', 'JOR', 'JPN', 'KAZ', 'KEN', 'KGZ', 'KHM', 'KIR', 'KNA', 'KOR', 'KWT', 'LAO', 'LBN', 'LBR', 'LBY', 'LCA', 'LIE', 'LKA', 'LSO', 'LTU', 'LUX', 'LVA', 'MAC', 'MAR', 'MCO', 'MDA', 'MDG', 'MDV', 'MEX', 'MHL', 'MKD', 'MLI', 'MLT', 'MMR', 'MNE', 'MNG', 'MNP', 'MOZ', 'MRT', 'MSR', 'MTQ', 'MUS', 'MWI', 'MYS', 'MYT', 'NAM', 'NCL', 'NER', 'NFK', 'NGA', 'NIC', 'NIU', 'NLD', 'NOR', 'NPL', 'NRU', 'NZL', 'OMN', 'PAK', 'PAN', 'PER', 'PHL', 'PLW', 'PNG', 'POL', 'PRI', 'PRT', 'PRY', 'PSE', 'PYF', 'QAT', 'REU', 'ROU', 'RUS', 'RWA', 'SAU', 'SEN', 'SGP', 'SHN', 'SLB', 'SLE', 'SLV', 'SMR', 'SOM', 'SPM', 'SRB', 'SSD', 'STP', 'SUR', 'SVK', 'SVN', 'SWE', 'SWZ', 'SXM', 'SYC', 'TCA', 'TCD', 'TGO', 'THA', 'TJK', 'TKM', 'TLS', 'TON', 'TTO', 'TUN', 'TUR', 'TUV', 'TWN', 'TZA', 'UGA', 'UKR', 'UMI', 'URY', 'USA', 'UZB', 'VAT', 'VCT', 'VEN', 'VGB', 'VIR', 'VNM', 'VUT', 'WLF', 'WSM', 'XKS', 'YEM', 'ZAF', 'ZMB', 'ZWE'] },
      rating: { kind: 'filter' },
      reviewTerritory: { kind: 'filter' },
      hasPublishedResponse: { kind: 'filter', values: ['true', 'false'] },
      sort: { kind: 'sort', values: ['rating', '-rating', 'createdDate', '-createdDate'] },
      fields: { kind: 'fields', values: ['rating', 'title', 'body', 'reviewerNickname', 'createdDate', 'territory'] },
      ...paging,
    },
  },
  listEncryptionDeclarations: {
    path: '/apps/{appId}/encryption-declarations',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      builds: { kind: 'filter' },
      fields: { kind: 'fields', values: ['appDescription', 'createdDate', 'exempt', 'containsProprietaryCryptography', 'containsThirdPartyCryptography', 'availableOnFrenchStore', 'appEncryptionDeclarationState', 'codeValue'] },
      ...paging,
    },
  },
  listReviewSubmissions: {
    path: '/apps/{appId}/review-submissions',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      platform: { kind: 'filter', values: ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] },
      state: { kind: 'filter', values: ['READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'UNRESOLVED_ISSUES', 'CANCELING', 'COMPLETING', 'COMPLETE'] },
      fields: { kind: 'fields', values: ['platform', 'submittedDate', 'state'] },
      ...paging,
    },
  },
  listWebhookDeliveries: {
    path: '/apps/{appId}/webhook-deliveries',
    shape: 'page',
    pathParameters: ['appId'],
    query: {
      deliveryState: { kind: 'filter', values: ['SUCCEEDED', 'FAILED', 'PENDING'] },
      createdFrom: { kind: 'filter' },
      createdBefore: { kind: 'filter' },
      fields: { kind: 'fields', values: ['createdDate', 'deliveryState', 'redelivery', 'sentDate', 'eventType', 'eventCreatedDate', 'eventPing', 'eventPayload'] },
      ...paging,
    },
  },
}

/** A service, read with one facade key. A method sends one request; a list sends its requests when it is awaited or iterated. */
export class Vitrine extends Reader {
  constructor(options: VitrineOptions) {
    super({ operations, root: '/v1/connections/{connectionId}', agent: 'vitrine-client/0.1.0' }, options)
  }

  /**
   * What this facade key may do.
   * For programs that were given a key. A connection that was removed, or has another account now, is listed under `endedConnections`: ask for a new key.
   */
  whoami(options?: CallOptions): Promise<Answered<Whoami>> {
    return this.own<Whoami>('/v1/whoami', 'one', options)
  }

  /**
   * The state of a connection.
   * As this process of the service knows it. It needs no platform call, and works while the platform does not answer.
   */
  connectionStatus(options?: CallOptions): Promise<Answered<ConnectionStatus>> {
    return this.own<ConnectionStatus>('/v1/connections/{connectionId}/status', 'connection', options)
  }

  /**
   * List apps.
   * Reviewed against platform 4.4.1, `GET /v1/apps`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listApps({ limit: 2, sort: ['name'], fields: ['name', 'bundleId', 'sku', 'primaryLocale'] })) console.log(item)
   */
  listApps<const Field extends ListAppsField = never>(params: ListAppsParams<Field> = {}, options?: CallOptions): List<Selected<App, Field>> {
    return this.walk<Selected<App, Field>>('listApps', params, options)
  }

  /**
   * Read the performance overview of an app.
   * The platform gives this document no id, so `id` is the app id. An app without data is an overview with empty lists.
   * Reviewed against platform 4.5.1, `GET /v1/apps/{appId}/performanceOverviews`, on 2026-11-20.
   * @example
   * await vitrine.getPerformanceOverview({ appId: '6446998001' })
   */
  getPerformanceOverview(params: GetPerformanceOverviewParams, options?: CallOptions): Promise<Answered<PerformanceOverview>> {
    return this.read<PerformanceOverview>('getPerformanceOverview', params, options)
  }

  /**
   * Read an in-app event.
   * Reviewed against platform 4.4.1, `GET /v1/appEvents/{eventId}`, on 2026-11-21.
   * @example
   * await vitrine.getEvent({ eventId: '3f0c1b52-8a64-4e5e-9d10-0e0000000003' })
   */
  getEvent<const Field extends GetEventField = never>(params: GetEventParams<Field>, options?: CallOptions): Promise<Answered<Selected<AppEvent, Field>>> {
    return this.read<Selected<AppEvent, Field>>('getEvent', params, options)
  }

  /**
   * List the treatments of an experiment.
   * Reviewed against platform 4.4.1, `GET /v2/appStoreVersionExperiments/{experimentId}/appStoreVersionExperimentTreatments`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listExperimentTreatments({ experimentId: '9b7d2e10-61f4-4c0b-8a51-0e0000000004', limit: 2 })) console.log(item)
   */
  listExperimentTreatments<const Field extends ListExperimentTreatmentsField = never>(params: ListExperimentTreatmentsParams<Field>, options?: CallOptions): List<Selected<ExperimentTreatment, Field>> {
    return this.walk<Selected<ExperimentTreatment, Field>>('listExperimentTreatments', params, options)
  }

  /**
   * List the screenshot feedback of testers.
   * Comment, e-mail address, screenshots, time zone and tester need the grant `personal`.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/betaFeedbackScreenshotSubmissions`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listBetaFeedbackSubmissions({ appId: '6446998001', limit: 2, sort: ['-createdDate'] })) console.log(item)
   */
  listBetaFeedbackSubmissions<const Field extends ListBetaFeedbackSubmissionsField = never>(params: ListBetaFeedbackSubmissionsParams<Field>, options?: CallOptions): List<Selected<BetaFeedbackScreenshotSubmission, Field>> {
    return this.walk<Selected<BetaFeedbackScreenshotSubmission, Field>>('listBetaFeedbackSubmissions', params, options)
  }

  /**
   * Read a build upload file.
   * Reviewed against platform 4.4.1, `GET /v1/buildUploadFiles/{buildUploadFileId}`, on 2026-11-21.
   * @example
   * await vitrine.getBuildUploadFile({ buildUploadFileId: 'c2a8f6d4-0b3e-4f7a-9e21-0b0000000006' })
   */
  getBuildUploadFile<const Field extends GetBuildUploadFileField = never>(params: GetBuildUploadFileParams<Field>, options?: CallOptions): Promise<Answered<Selected<BuildUploadFile, Field>>> {
    return this.read<Selected<BuildUploadFile, Field>>('getBuildUploadFile', params, options)
  }

  /**
   * List the placements of a custom product page in one locale.
   * Reviewed against platform 4.5.1, `GET /v1/appCustomProductPageLocalizations/{localizationId}/placements`, on 2026-11-20.
   * @example
   * for await (const item of vitrine.listProductPagePlacements({ pageVersionId: '5d1e9a70-2c48-4b6f-a3d2-0c0000000007', locale: 'en-US', limit: 2 })) console.log(item)
   */
  listProductPagePlacements<const Field extends ListProductPagePlacementsField = never>(params: ListProductPagePlacementsParams<Field>, options?: CallOptions): List<Selected<Placement, Field>> {
    return this.walk<Selected<Placement, Field>>('listProductPagePlacements', params, options)
  }

  /**
   * List the placements of a library video.
   * No route lists library videos: version 4.4.1 of the platform has no list of them.
   * Reviewed against platform 4.5.1, `GET /v1/appAssetLibraryVideos/{libraryVideoId}/placements`, on 2026-11-20.
   * @example
   * for await (const item of vitrine.listLibraryVideoPlacements({ libraryVideoId: '10877402008', limit: 2, sort: ['-createdDate'] })) console.log(item)
   */
  listLibraryVideoPlacements<const Field extends ListLibraryVideoPlacementsField = never>(params: ListLibraryVideoPlacementsParams<Field>, options?: CallOptions): List<Selected<Placement, Field>> {
    return this.walk<Selected<Placement, Field>>('listLibraryVideoPlacements', params, options)
  }

  /**
   * List the offer codes of a subscription.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptions/{subscriptionId}/offerCodes`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listSubscriptionOfferCodes({ subscriptionId: '6746005009', limit: 2 })) console.log(item)
   */
  listSubscriptionOfferCodes<const Field extends ListSubscriptionOfferCodesField = never>(params: ListSubscriptionOfferCodesParams<Field>, options?: CallOptions): List<Selected<SubscriptionOfferCode, Field>> {
    return this.walk<Selected<SubscriptionOfferCode, Field>>('listSubscriptionOfferCodes', params, options)
  }

  /**
   * List the custom codes of an in-app purchase offer code.
   * Reviewed against platform 4.4.1, `GET /v1/inAppPurchaseOfferCodes/{purchaseOfferCodeId}/customCodes`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listPurchaseCustomCodes({ purchaseOfferCodeId: '4b81e7c6-90d2-4f3a-b5e8-0f0000000010' })) console.log(item)
   */
  listPurchaseCustomCodes<const Field extends ListPurchaseCustomCodesField = never>(params: ListPurchaseCustomCodesParams<Field>, options?: CallOptions): List<Selected<PurchaseCustomCode, Field>> {
    return this.walk<Selected<PurchaseCustomCode, Field>>('listPurchaseCustomCodes', params, options)
  }

  /**
   * List the localizations of a default App Clip experience.
   * Reviewed against platform 4.4.1, `GET /v1/appClipDefaultExperiences/{experienceId}/appClipDefaultExperienceLocalizations`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listAppClipExperienceLocalizations({ experienceId: 'e6f0a3b8-1d25-4c97-8f60-0a0000000011', locale: ['en-US', 'ja'] })) console.log(item)
   */
  listAppClipExperienceLocalizations<const Field extends ListAppClipExperienceLocalizationsField = never>(params: ListAppClipExperienceLocalizationsParams<Field>, options?: CallOptions): List<Selected<AppClipExperienceLocalization, Field>> {
    return this.walk<Selected<AppClipExperienceLocalization, Field>>('listAppClipExperienceLocalizations', params, options)
  }

  /**
   * List the age ratings of an app info by territory.
   * Reviewed against platform 4.4.1, `GET /v1/appInfos/{appInfoId}/territoryAgeRatings`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listTerritoryAgeRatings({ appId: '6446998001', appInfoId: '0b5c7d12-6e3f-4a80-9c41-0c0000000012', limit: 3 })) console.log(item)
   */
  listTerritoryAgeRatings<const Field extends ListTerritoryAgeRatingsField = never>(params: ListTerritoryAgeRatingsParams<Field>, options?: CallOptions): List<Selected<TerritoryAgeRating, Field>> {
    return this.walk<Selected<TerritoryAgeRating, Field>>('listTerritoryAgeRatings', params, options)
  }

  /**
   * Read the image of an in-app purchase, in the older shape.
   * Reviewed against platform 4.4.1, `GET /v1/inAppPurchaseImages/{purchaseImageId}`, on 2026-11-21.
   * @example
   * await vitrine.getLegacyPurchaseImage({ purchaseImageId: '7c94d0e5-3a1b-4e68-92f7-0d0000000013' })
   */
  getLegacyPurchaseImage<const Field extends GetLegacyPurchaseImageField = never>(params: GetLegacyPurchaseImageParams<Field>, options?: CallOptions): Promise<Answered<Selected<LegacyPurchaseImage, Field>>> {
    return this.read<Selected<LegacyPurchaseImage, Field>>('getLegacyPurchaseImage', params, options)
  }

  /**
   * List the prices of a win-back offer.
   * Reviewed against platform 4.4.1, `GET /v1/winBackOffers/{winBackOfferId}/prices`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listWinBackOfferPrices({ winBackOfferId: '6742001014', limit: 3 })) console.log(item)
   */
  listWinBackOfferPrices(params: ListWinBackOfferPricesParams, options?: CallOptions): List<WinBackOfferPrice> {
    return this.walk<WinBackOfferPrice>('listWinBackOfferPrices', params, options)
  }

  /**
   * Read the localization of a subscription in one locale, in the older shape.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptionLocalizations/{localizationId}`, on 2026-11-21.
   * @example
   * await vitrine.getLegacySubscriptionLocalization({ subscriptionId: '6746005009', locale: 'en-US' })
   */
  getLegacySubscriptionLocalization<const Field extends GetLegacySubscriptionLocalizationField = never>(params: GetLegacySubscriptionLocalizationParams<Field>, options?: CallOptions): Promise<Answered<Selected<LegacySubscriptionLocalization, Field>>> {
    return this.read<Selected<LegacySubscriptionLocalization, Field>>('getLegacySubscriptionLocalization', params, options)
  }

  /**
   * Read a featuring nomination.
   * Reviewed against platform 4.4.1, `GET /v1/nominations/{featuringNominationId}`, on 2026-11-21.
   * @example
   * await vitrine.getFeaturingNomination({ featuringNominationId: 'a1d3c5e7-2b4f-4608-8a9c-0e0000000016' })
   */
  getFeaturingNomination<const Field extends GetFeaturingNominationField = never>(params: GetFeaturingNominationParams<Field>, options?: CallOptions): Promise<Answered<Selected<FeaturingNomination, Field>>> {
    return this.read<Selected<FeaturingNomination, Field>>('getFeaturingNomination', params, options)
  }

  /**
   * Read a background asset.
   * Reviewed against platform 4.4.1, `GET /v1/backgroundAssets/{backgroundAssetId}`, on 2026-11-21.
   * @example
   * await vitrine.getBackgroundAsset({ backgroundAssetId: 'b8e2f4a6-5c7d-4190-93eb-0b0000000017' })
   */
  getBackgroundAsset<const Field extends GetBackgroundAssetField = never>(params: GetBackgroundAssetParams<Field>, options?: CallOptions): Promise<Answered<Selected<BackgroundAsset, Field>>> {
    return this.read<Selected<BackgroundAsset, Field>>('getBackgroundAsset', params, options)
  }

  /**
   * List the ids of the placements of a custom product page in one locale.
   * Reviewed against platform 4.5.1, `GET /v1/appCustomProductPageLocalizations/{localizationId}/relationships/placements`, on 2026-11-20.
   * @example
   * for await (const item of vitrine.listProductPagePlacementIds({ pageVersionId: '5d1e9a70-2c48-4b6f-a3d2-0c0000000007', locale: 'de-DE' })) console.log(item)
   */
  listProductPagePlacementIds(params: ListProductPagePlacementIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listProductPagePlacementIds', params, options)
  }

  /**
   * Read a batch of one-time-use codes.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptionOfferCodeOneTimeUseCodes/{subscriptionCodeBatcheId}`, on 2026-11-21.
   * @example
   * await vitrine.getSubscriptionCodeBatch({ subscriptionCodeBatcheId: 'f3a5b7c9-8d0e-4213-a4b5-0c0000000019' })
   */
  getSubscriptionCodeBatch<const Field extends GetSubscriptionCodeBatchField = never>(params: GetSubscriptionCodeBatchParams<Field>, options?: CallOptions): Promise<Answered<Selected<SubscriptionCodeBatch, Field>>> {
    return this.read<Selected<SubscriptionCodeBatch, Field>>('getSubscriptionCodeBatch', params, options)
  }

  /**
   * List the ids of the screenshots of an event in one locale.
   * Reviewed against platform 4.4.1, `GET /v1/appEventLocalizations/{localizationId}/relationships/appEventScreenshots`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listEventScreenshotIds({ eventId: '3f0c1b52-8a64-4e5e-9d10-0e0000000003', locale: 'en-US' })) console.log(item)
   */
  listEventScreenshotIds(params: ListEventScreenshotIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listEventScreenshotIds', params, options)
  }

  /**
   * List the ids of the in-app purchases of an app.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/relationships/inAppPurchasesV2`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listInAppPurchaseIds({ appId: '6446998001', limit: 3 })) console.log(item)
   */
  listInAppPurchaseIds(params: ListInAppPurchaseIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listInAppPurchaseIds', params, options)
  }

  /**
   * List the ids of the screenshot sets of a custom product page in one locale.
   * Reviewed against platform 4.4.1, `GET /v1/appCustomProductPageLocalizations/{localizationId}/relationships/appScreenshotSets`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listProductPageScreenshotSetIds({ pageVersionId: '5d1e9a70-2c48-4b6f-a3d2-0c0000000007', locale: 'ja' })) console.log(item)
   */
  listProductPageScreenshotSetIds(params: ListProductPageScreenshotSetIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listProductPageScreenshotSetIds', params, options)
  }

  /**
   * Read the promoted purchase of a subscription.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptions/{subscriptionId}/promotedPurchase`, on 2026-11-21.
   * @example
   * await vitrine.getPromotedPurchase({ subscriptionId: '6746005009' })
   */
  getPromotedPurchase<const Field extends GetPromotedPurchaseField = never>(params: GetPromotedPurchaseParams<Field>, options?: CallOptions): Promise<Answered<Selected<PromotedPurchase, Field>>> {
    return this.read<Selected<PromotedPurchase, Field>>('getPromotedPurchase', params, options)
  }

  /**
   * List the ids of the localizations of an in-app purchase version.
   * Reviewed against platform 4.4.1, `GET /v1/inAppPurchaseVersions/{purchaseVersionId}/relationships/localizations`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listPurchaseLocalizationIds({ purchaseVersionId: 'd0c2e4f6-7a8b-4930-b1c2-0d0000000024' })) console.log(item)
   */
  listPurchaseLocalizationIds(params: ListPurchaseLocalizationIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listPurchaseLocalizationIds', params, options)
  }

  /**
   * List the ids of the files of a build upload.
   * Reviewed against platform 4.4.1, `GET /v1/buildUploads/{buildUploadId}/relationships/buildUploadFiles`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listBuildUploadFileIds({ buildUploadId: '86f4a2c0-9e1d-4b35-87d6-0b0000000025' })) console.log(item)
   */
  listBuildUploadFileIds(params: ListBuildUploadFileIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listBuildUploadFileIds', params, options)
  }

  /**
   * List the ids of the versions of an app.
   * The platform documents no order.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/relationships/appStoreVersions`, on 2026-11-21.
   * @example
   * for await (const item of vitrine.listAppVersionIds({ appId: '6446998001', limit: 3 })) console.log(item)
   */
  listAppVersionIds(params: ListAppVersionIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listAppVersionIds', params, options)
  }

  /**
   * Read the App Clip domain status of a build bundle, for debugging.
   * Reviewed against platform 4.4.1, `GET /v1/buildBundles/{buildBundleId}/appClipDomainDebugStatus`, on 2026-11-21.
   * @example
   * await vitrine.getAppClipDomainDebugStatus({ buildBundleId: '2e9c7b5a-4f38-4d06-a1e2-0b0000000027' })
   */
  getAppClipDomainDebugStatus(params: GetAppClipDomainDebugStatusParams, options?: CallOptions): Promise<Answered<AppClipDomainStatus>> {
    return this.read<AppClipDomainStatus>('getAppClipDomainDebugStatus', params, options)
  }

  /**
   * Read the response to a customer review.
   * Reviewed against platform 4.4.1, `GET /v1/customerReviewResponses/{responseId}`, on 2026-11-21.
   * @example
   * await vitrine.getCustomerReviewResponse({ responseId: '00000028-b08c-4014-829e-0c0000000028' })
   */
  getCustomerReviewResponse<const Field extends GetCustomerReviewResponseField = never>(params: GetCustomerReviewResponseParams<Field>, options?: CallOptions): Promise<Answered<Selected<CustomerReviewResponse, Field>>> {
    return this.read<Selected<CustomerReviewResponse, Field>>('getCustomerReviewResponse', params, options)
  }

  /**
   * Read the id of the app of an encryption declaration.
   * An empty relation is `{"id": null}`.
   * Reviewed against platform 4.4.1, `GET /v1/appEncryptionDeclarations/{encryptionDeclarationId}/relationships/app`, on 2026-11-21.
   * @example
   * await vitrine.getLegacyEncryptionDeclarationAppId({ encryptionDeclarationId: '1f3e5d7c-9b0a-4827-96c5-0e0000000029' })
   */
  getLegacyEncryptionDeclarationAppId(params: GetLegacyEncryptionDeclarationAppIdParams, options?: CallOptions): Promise<Answered<SingleId>> {
    return this.read<SingleId>('getLegacyEncryptionDeclarationAppId', params, options)
  }

  /**
   * Read an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}`, on 2026-11-22.
   * @example
   * await vitrine.getApp({ appId: '6446998001', fields: ['name', 'bundleId', 'sku', 'primaryLocale'] })
   */
  getApp<const Field extends GetAppField = never>(params: GetAppParams<Field>, options?: CallOptions): Promise<Answered<Selected<App, Field>>> {
    return this.read<Selected<App, Field>>('getApp', params, options)
  }

  /**
   * List the versions of an app with their state.
   * The platform documents no order.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appStoreVersions`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listAppVersions({ appId: '6446998001', state: ['IN_REVIEW', 'READY_FOR_DISTRIBUTION', 'ACCEPTED'], limit: 2 })) console.log(item)
   */
  listAppVersions<const Field extends ListAppVersionsField = never>(params: ListAppVersionsParams<Field>, options?: CallOptions): List<Selected<AppVersion, Field>> {
    return this.walk<Selected<AppVersion, Field>>('listAppVersions', params, options)
  }

  /**
   * List the builds of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/builds`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listBuilds({ appId: '6446998001', limit: 2, sort: ['-uploadedDate'], expired: ['false'] })) console.log(item)
   */
  listBuilds<const Field extends ListBuildsField = never>(params: ListBuildsParams<Field>, options?: CallOptions): List<Selected<Build, Field>> {
    return this.walk<Selected<Build, Field>>('listBuilds', params, options)
  }

  /**
   * List the ids of the bundles of a build.
   * At most 50: the platform has no list of them. A build with more is refused, not cut short.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/builds/{buildId}`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listBuildBundleIds({ buildId: '79baa388-43ff-46d2-98dd-e5ec90dfc538' })) console.log(item)
   */
  listBuildBundleIds(params: ListBuildBundleIdsParams, options?: CallOptions): List<string> {
    return this.walk<string>('listBuildBundleIds', params, options)
  }

  /**
   * List the uploads of builds of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/buildUploads`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listBuildUploads({ appId: '6446998001', limit: 2, sort: ['-uploadedDate'] })) console.log(item)
   */
  listBuildUploads<const Field extends ListBuildUploadsField = never>(params: ListBuildUploadsParams<Field>, options?: CallOptions): List<Selected<BuildUpload, Field>> {
    return this.walk<Selected<BuildUpload, Field>>('listBuildUploads', params, options)
  }

  /**
   * List the in-app events of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appEvents`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listEvents({ appId: '6446998001', fields: ['referenceName', 'badge', 'eventState'] })) console.log(item)
   */
  listEvents<const Field extends ListEventsField = never>(params: ListEventsParams<Field>, options?: CallOptions): List<Selected<AppEvent, Field>> {
    return this.walk<Selected<AppEvent, Field>>('listEvents', params, options)
  }

  /**
   * List the localizations of an in-app event.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/appEvents/{eventId}/localizations`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listEventLocalizations({ eventId: '3f0c1b52-8a64-4e5e-9d10-0e0000000003', fields: ['locale', 'name'] })) console.log(item)
   */
  listEventLocalizations<const Field extends ListEventLocalizationsField = never>(params: ListEventLocalizationsParams<Field>, options?: CallOptions): List<Selected<EventLocalization, Field>> {
    return this.walk<Selected<EventLocalization, Field>>('listEventLocalizations', params, options)
  }

  /**
   * List the product page experiments of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appStoreVersionExperimentsV2`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listExperiments({ appId: '6446998001', state: ['APPROVED'] })) console.log(item)
   */
  listExperiments<const Field extends ListExperimentsField = never>(params: ListExperimentsParams<Field>, options?: CallOptions): List<Selected<Experiment, Field>> {
    return this.walk<Selected<Experiment, Field>>('listExperiments', params, options)
  }

  /**
   * List the custom product pages of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appCustomProductPages`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listProductPages({ appId: '6446998001', visible: ['true'] })) console.log(item)
   */
  listProductPages<const Field extends ListProductPagesField = never>(params: ListProductPagesParams<Field>, options?: CallOptions): List<Selected<ProductPage, Field>> {
    return this.walk<Selected<ProductPage, Field>>('listProductPages', params, options)
  }

  /**
   * List the versions of a custom product page.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/appCustomProductPages/{pageId}/appCustomProductPageVersions`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listProductPageVersions({ pageId: '61f6d616-833f-4754-960e-f8ad64377de5' })) console.log(item)
   */
  listProductPageVersions<const Field extends ListProductPageVersionsField = never>(params: ListProductPageVersionsParams<Field>, options?: CallOptions): List<Selected<ProductPageVersion, Field>> {
    return this.walk<Selected<ProductPageVersion, Field>>('listProductPageVersions', params, options)
  }

  /**
   * List the localizations of a version of a custom product page.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/appCustomProductPageVersions/{pageVersionId}/appCustomProductPageLocalizations`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listProductPageLocalizations({ pageVersionId: '5d1e9a70-2c48-4b6f-a3d2-0c0000000007', limit: 3 })) console.log(item)
   */
  listProductPageLocalizations<const Field extends ListProductPageLocalizationsField = never>(params: ListProductPageLocalizationsParams<Field>, options?: CallOptions): List<Selected<ProductPageLocalization, Field>> {
    return this.walk<Selected<ProductPageLocalization, Field>>('listProductPageLocalizations', params, options)
  }

  /**
   * List the subscription groups of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/subscriptionGroups`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listSubscriptionGroups({ appId: '6446998001', subscriptionState: ['APPROVED'] })) console.log(item)
   */
  listSubscriptionGroups<const Field extends ListSubscriptionGroupsField = never>(params: ListSubscriptionGroupsParams<Field>, options?: CallOptions): List<Selected<SubscriptionGroup, Field>> {
    return this.walk<Selected<SubscriptionGroup, Field>>('listSubscriptionGroups', params, options)
  }

  /**
   * List the subscriptions of a group.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptionGroups/{subscriptionGroupId}/subscriptions`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listSubscriptions({ subscriptionGroupId: '21560001', sort: ['name'] })) console.log(item)
   */
  listSubscriptions<const Field extends ListSubscriptionsField = never>(params: ListSubscriptionsParams<Field>, options?: CallOptions): List<Selected<Subscription, Field>> {
    return this.walk<Selected<Subscription, Field>>('listSubscriptions', params, options)
  }

  /**
   * List the localizations of a subscription, in the older shape.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptions/{subscriptionId}/subscriptionLocalizations`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listLegacySubscriptionLocalizations({ subscriptionId: '6746005009', fields: ['locale', 'name', 'state'] })) console.log(item)
   */
  listLegacySubscriptionLocalizations<const Field extends ListLegacySubscriptionLocalizationsField = never>(params: ListLegacySubscriptionLocalizationsParams<Field>, options?: CallOptions): List<Selected<LegacySubscriptionLocalization, Field>> {
    return this.walk<Selected<LegacySubscriptionLocalization, Field>>('listLegacySubscriptionLocalizations', params, options)
  }

  /**
   * List the win-back offers of a subscription.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptions/{subscriptionId}/winBackOffers`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listWinBackOffers({ subscriptionId: '6746005009', fields: ['referenceName', 'offerId', 'startDate'] })) console.log(item)
   */
  listWinBackOffers<const Field extends ListWinBackOffersField = never>(params: ListWinBackOffersParams<Field>, options?: CallOptions): List<Selected<WinBackOffer, Field>> {
    return this.walk<Selected<WinBackOffer, Field>>('listWinBackOffers', params, options)
  }

  /**
   * List the batches of one-time-use codes of a subscription offer code.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/subscriptionOfferCodes/{offerCodeId}/oneTimeUseCodes`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listSubscriptionCodeBatches({ offerCodeId: '66f8f693-29ce-40c9-9c83-d38ecb7b8b96' })) console.log(item)
   */
  listSubscriptionCodeBatches<const Field extends ListSubscriptionCodeBatchesField = never>(params: ListSubscriptionCodeBatchesParams<Field>, options?: CallOptions): List<Selected<SubscriptionCodeBatch, Field>> {
    return this.walk<Selected<SubscriptionCodeBatch, Field>>('listSubscriptionCodeBatches', params, options)
  }

  /**
   * List the in-app purchases of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/inAppPurchasesV2`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listInAppPurchases({ appId: '6446998001', limit: 2, state: ['APPROVED'] })) console.log(item)
   */
  listInAppPurchases<const Field extends ListInAppPurchasesField = never>(params: ListInAppPurchasesParams<Field>, options?: CallOptions): List<Selected<InAppPurchase, Field>> {
    return this.walk<Selected<InAppPurchase, Field>>('listInAppPurchases', params, options)
  }

  /**
   * List the versions of an in-app purchase.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v2/inAppPurchases/{inAppPurchaseId}/versions`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listInAppPurchaseVersions({ inAppPurchaseId: '6745000001' })) console.log(item)
   */
  listInAppPurchaseVersions<const Field extends ListInAppPurchaseVersionsField = never>(params: ListInAppPurchaseVersionsParams<Field>, options?: CallOptions): List<Selected<InAppPurchaseVersion, Field>> {
    return this.walk<Selected<InAppPurchaseVersion, Field>>('listInAppPurchaseVersions', params, options)
  }

  /**
   * List the offer codes of an in-app purchase.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v2/inAppPurchases/{inAppPurchaseId}/offerCodes`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listPurchaseOfferCodes({ inAppPurchaseId: '6745000001', limit: 2 })) console.log(item)
   */
  listPurchaseOfferCodes<const Field extends ListPurchaseOfferCodesField = never>(params: ListPurchaseOfferCodesParams<Field>, options?: CallOptions): List<Selected<PurchaseOfferCode, Field>> {
    return this.walk<Selected<PurchaseOfferCode, Field>>('listPurchaseOfferCodes', params, options)
  }

  /**
   * List the images of an in-app purchase, in the older shape.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v2/inAppPurchases/{inAppPurchaseId}/images`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listLegacyPurchaseImages({ inAppPurchaseId: '6745000001', fields: ['fileName', 'state', 'imageAsset'] })) console.log(item)
   */
  listLegacyPurchaseImages<const Field extends ListLegacyPurchaseImagesField = never>(params: ListLegacyPurchaseImagesParams<Field>, options?: CallOptions): List<Selected<LegacyPurchaseImage, Field>> {
    return this.walk<Selected<LegacyPurchaseImage, Field>>('listLegacyPurchaseImages', params, options)
  }

  /**
   * List the App Clips of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appClips`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listAppClips({ appId: '6446998001' })) console.log(item)
   */
  listAppClips<const Field extends ListAppClipsField = never>(params: ListAppClipsParams<Field>, options?: CallOptions): List<Selected<AppClip, Field>> {
    return this.walk<Selected<AppClip, Field>>('listAppClips', params, options)
  }

  /**
   * List the default experiences of an App Clip.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/appClips/{appClipId}/appClipDefaultExperiences`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listAppClipExperiences({ appClipId: '67905ad3-cc2d-452b-9f5f-6a6d2814de03' })) console.log(item)
   */
  listAppClipExperiences<const Field extends ListAppClipExperiencesField = never>(params: ListAppClipExperiencesParams<Field>, options?: CallOptions): List<Selected<AppClipExperience, Field>> {
    return this.walk<Selected<AppClipExperience, Field>>('listAppClipExperiences', params, options)
  }

  /**
   * List the app infos of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/appInfos`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listAppInfos({ appId: '6446998001' })) console.log(item)
   */
  listAppInfos<const Field extends ListAppInfosField = never>(params: ListAppInfosParams<Field>, options?: CallOptions): List<Selected<AppInfo, Field>> {
    return this.walk<Selected<AppInfo, Field>>('listAppInfos', params, options)
  }

  /**
   * List featuring nominations.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/nominations`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listFeaturingNominations({ fields: ['name', 'type', 'state'], sort: ['name'] })) console.log(item)
   */
  listFeaturingNominations<const Field extends ListFeaturingNominationsField = never>(params: ListFeaturingNominationsParams<Field> = {}, options?: CallOptions): List<Selected<FeaturingNomination, Field>> {
    return this.walk<Selected<FeaturingNomination, Field>>('listFeaturingNominations', params, options)
  }

  /**
   * List the background assets of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/backgroundAssets`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listBackgroundAssets({ appId: '6446998001', archived: ['false'] })) console.log(item)
   */
  listBackgroundAssets<const Field extends ListBackgroundAssetsField = never>(params: ListBackgroundAssetsParams<Field>, options?: CallOptions): List<Selected<BackgroundAsset, Field>> {
    return this.walk<Selected<BackgroundAsset, Field>>('listBackgroundAssets', params, options)
  }

  /**
   * List the customer reviews of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/apps/{appId}/customerReviews`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listCustomerReviews({ appId: '6446998001', limit: 2, sort: ['-createdDate'] })) console.log(item)
   */
  listCustomerReviews<const Field extends ListCustomerReviewsField = never>(params: ListCustomerReviewsParams<Field>, options?: CallOptions): List<Selected<CustomerReview, Field>> {
    return this.walk<Selected<CustomerReview, Field>>('listCustomerReviews', params, options)
  }

  /**
   * List the encryption declarations of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/appEncryptionDeclarations`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listEncryptionDeclarations({ appId: '6446998001' })) console.log(item)
   */
  listEncryptionDeclarations<const Field extends ListEncryptionDeclarationsField = never>(params: ListEncryptionDeclarationsParams<Field>, options?: CallOptions): List<Selected<EncryptionDeclaration, Field>> {
    return this.walk<Selected<EncryptionDeclaration, Field>>('listEncryptionDeclarations', params, options)
  }

  /**
   * List what was submitted for review of an app.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/reviewSubmissions`, on 2026-11-22.
   * @example
   * for await (const item of vitrine.listReviewSubmissions({ appId: '6446998001', platform: ['IOS'] })) console.log(item)
   */
  listReviewSubmissions<const Field extends ListReviewSubmissionsField = never>(params: ListReviewSubmissionsParams<Field>, options?: CallOptions): List<Selected<ReviewSubmission, Field>> {
    return this.walk<Selected<ReviewSubmission, Field>>('listReviewSubmissions', params, options)
  }

  /**
   * List the webhook deliveries of an app.
   * All deliveries of all webhooks of the app, one webhook after the other, by id. The platform states no order in time: sort by `createdDate`.
   * Beyond the contract: it lists ids that other routes need.
   * Reviewed against platform 4.4.1, `GET /v1/webhooks/{webhookId}/deliveries`, on 2026-11-23.
   * @example
   * for await (const item of vitrine.listWebhookDeliveries({ appId: '6446998001', limit: 2, createdFrom: '2026-02-01T00:00:00Z' })) console.log(item)
   */
  listWebhookDeliveries<const Field extends ListWebhookDeliveriesField = never>(params: ListWebhookDeliveriesParams<Field>, options?: CallOptions): List<Selected<WebhookDelivery, Field>> {
    return this.walk<Selected<WebhookDelivery, Field>>('listWebhookDeliveries', params, options)
  }
}
