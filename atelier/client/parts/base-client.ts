// The base of the client: its options, and calling an operation by its name.
import { sendContent, sendForm, sendJson, type Sent } from './content.ts'
import { AtelierError } from './errors.ts'
import { type Begun, type Call, exchange, readJson, type Repeat } from './exchange.ts'
import { List } from './list.ts'
import { readFileAnswer, readLines, readTree, unknownOutcome } from './stream.ts'
import type { Answered, AtelierOptions, CallOptions, Content, FileAnswer, ListPage } from './types.ts'
import type { OperationInfo, TreeAnswer } from './types.ts'

export interface Ground {
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

export class BaseClient {
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
