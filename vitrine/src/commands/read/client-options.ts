// Reads the service's address, the facade key and the connection from options and the environment.
// A key is never an argument, which other users of the machine can read.
import { didYouMean, nearestOf } from '../../../../base/core/nearest.ts'
import { readKeyId } from '../../keys/facade-key.ts'
import { UserError } from '../../../../base/cli/user-error.ts'
import { printable } from '../../../../base/core/printable.ts'
import { usualOrigin } from '../../samples.ts'
import { readKeySource } from '../key-source.ts'
import { MissingKeyError, UsageError, ArgumentError } from './exits.ts'

type Variables = Readonly<Record<string, string | undefined>>

export interface ClientOptions {
  readonly url?: string | undefined
  readonly keyFile?: string | undefined
  readonly connection?: string | undefined
  readonly timeout?: string | undefined
  readonly insecure?: boolean
}

export interface ClientTarget {
  readonly url: string
  readonly insecure: boolean
  readonly key: string
  readonly connection: string | undefined
  readonly timeoutMs: number | undefined
}

/** a path is allowed: a proxy may serve the service under one */
function readServiceUrl(url: string, from: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isPlain = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === parsed.origin + parsed.pathname
  if (!isPlain)
    throw new UsageError(`${from}: must be an address such as ${usualOrigin}, without user, query and fragment.`)
  return parsed.href.replace(/\/+$/, '')
}

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(new URL(url).hostname)

function requireSafeTransport(url: string, insecure: boolean) {
  if (insecure || url.startsWith('https:') || isLoopback(url)) return
  throw new UsageError(
    `${url}: anyone on the network can read the key over plain http. Use https, or --insecure in a network of your own.`,
  )
}

/** anything but a facade key may be another secret, and is never sent */
function readKey(file: string | undefined, env: Variables): string {
  const from = file === undefined ? 'VITRINE_KEY' : '--key-file'
  const text = file === undefined ? env['VITRINE_KEY'] : readFile(file)
  const key = text?.trim() ?? ''
  if (key === '')
    throw new MissingKeyError(
      'There is no facade key: set VITRINE_KEY, or give --key-file FILE (- for standard input). The operator creates one with: vitrine keys create',
    )
  if (readKeyId(key) === undefined)
    throw new MissingKeyError(
      `${from}: this is not a complete facade key, so it was not sent. A facade key begins with vtr_.`,
    )
  return key
}

function readFile(keyFile: string): string {
  try {
    return readKeySource({ keyFile })
  } catch (error) {
    if (error instanceof UserError) throw new MissingKeyError(error.message, { cause: error })
    throw error
  }
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }
const longestMs = 600_000

function readTimeout(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  if (!(ms > 0 && ms <= longestMs))
    throw new UsageError('--timeout must be a time such as 60s, 2m or 500ms, up to 10m.')
  return ms
}

export function readClientOptions(options: ClientOptions, env: Variables = process.env): ClientTarget {
  const { url, keyFile, connection, timeout, insecure = false } = options
  const at =
    url === undefined ? readServiceUrl(env['VITRINE_URL'] || usualOrigin, 'VITRINE_URL') : readServiceUrl(url, '--url')
  requireSafeTransport(at, insecure)
  return {
    url: at,
    insecure,
    timeoutMs: timeout === undefined ? undefined : readTimeout(timeout),
    connection: connection ?? (env['VITRINE_CONNECTION'] || undefined),
    key: readKey(keyFile, env),
  }
}

/** throws if the key has none or several */
export function onlyConnection(connections: readonly string[]): string {
  const [only, ...others] = connections
  if (only === undefined)
    throw new MissingKeyError('This key may not read any connection. The operator can see why: vitrine keys show')
  if (others.length === 0) return only
  throw new ArgumentError(
    'value_not_allowed',
    'connection',
    `This key may read several connections: choose one with --connection or VITRINE_CONNECTION. They are: ${printable(connections.join(', '))}.`,
    { details: { allowed: connections } },
  )
}

export function connectionHint(connection: string, connections: readonly string[]): string {
  const list = connections.length > 0 ? connections.join(', ') : 'none'
  return `${didYouMean(nearestOf(connection, connections))} This key may read: ${list}.`.trimStart()
}
