// The base of every client: its options, and reading by the name of an operation.
import { checkMembers, readArguments, readConnection, type RefuseArgument, writeTarget } from './arguments.ts'
import type { Shape } from './answer.ts'
import { notSent } from './errors.ts'
import { exchange } from './exchange.ts'
import { List, type PageWish } from './list.ts'
import type { Answered, CallOptions, OperationInfo, Page, VitrineOptions } from './types.ts'

export interface Ground {
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

export class Reader {
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
