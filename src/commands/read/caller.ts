// Who asks, and where: the service's address, the facade key and the connection, from options and the environment. A key is
// never an argument, since everybody on the machine can read those.
import { didYouMean, nearestOf } from '../../engine/nearest.ts'
import { readKeyId } from '../../keys/facade-key.ts'
import { Complaint } from '../complaint.ts'
import { printable } from '../printable.ts'
import { readKeySource } from '../private-key.ts'
import { Keyless, Misuse, WrongArgument } from './exits.ts'

type Variables = Readonly<Record<string, string | undefined>>

export interface CallerOptions {
  readonly url?: string | undefined
  readonly keyFile?: string | undefined
  readonly connection?: string | undefined
  readonly timeout?: string | undefined
  readonly insecure?: boolean
}

export interface Caller {
  readonly url: string
  readonly insecure: boolean
  readonly key: string
  readonly connection: string | undefined
  readonly timeoutMs: number | undefined
}

export const standardUrl = 'http://127.0.0.1:8080'

/** a path may be there, where a proxy gives the service one */
function readAddress(url: string, from: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isPlain = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === parsed.origin + parsed.pathname
  if (!isPlain)
    throw new Misuse(`${from}: must be an address such as ${standardUrl}, without user, query and fragment.`)
  return parsed.href.replace(/\/+$/, '')
}

const isHere = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(new URL(url).hostname)

function checkWay(url: string, insecure: boolean) {
  if (insecure || url.startsWith('https:') || isHere(url)) return
  throw new Misuse(
    `${url}: over plain http everybody on the way can read the key. Use https, or say --insecure where the network is your own.`,
  )
}

/** what is no facade key is sent to nobody: it may be another secret */
function readKey(file: string | undefined, env: Variables): string {
  const from = file === undefined ? 'VITRINE_KEY' : '--key-file'
  const text = file === undefined ? env['VITRINE_KEY'] : readFile(file)
  const key = text?.trim() ?? ''
  if (key === '')
    throw new Keyless(
      'There is no facade key: set VITRINE_KEY, or give --key-file FILE (- for standard input). Whoever runs the service makes one with: vitrine keys create',
    )
  if (readKeyId(key) === undefined)
    throw new Keyless(
      `${from}: that is no facade key, or not a whole one. It begins with vtr_ and is sent to nobody else.`,
    )
  return key
}

function readFile(keyFile: string): string {
  try {
    return readKeySource({ keyFile })
  } catch (error) {
    if (error instanceof Complaint) throw new Keyless(error.message, { cause: error })
    throw error
  }
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }
const longestMs = 600_000

function readTimeout(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  if (!(ms > 0 && ms <= longestMs)) throw new Misuse('--timeout must be a time such as 60s, 2m or 500ms, up to 10m.')
  return ms
}

export function readCaller(options: CallerOptions, env: Variables = process.env): Caller {
  const { url, keyFile, connection, timeout, insecure = false } = options
  const at =
    url === undefined ? readAddress(env['VITRINE_URL'] || standardUrl, 'VITRINE_URL') : readAddress(url, '--url')
  checkWay(at, insecure)
  return {
    ...{ url: at, insecure },
    timeoutMs: timeout === undefined ? undefined : readTimeout(timeout),
    connection: connection ?? (env['VITRINE_CONNECTION'] || undefined),
    key: readKey(keyFile, env),
  }
}

/** the only connection of a key, or a complaint that lists them */
export function onlyConnection(connections: readonly string[]): string {
  const [only, ...others] = connections
  if (only === undefined)
    throw new Keyless('This key may read no connection. Whoever made it can say why: vitrine keys show.')
  if (others.length === 0) return only
  throw new WrongArgument(
    'value_not_allowed',
    'connection',
    `This key may read several connections: choose one with --connection or VITRINE_CONNECTION. They are: ${printable(connections.join(', '))}.`,
  )
}

/** a hint where the name of a connection was mistyped */
export function nearConnection(connection: string, connections: readonly string[]): string {
  const list = connections.length > 0 ? connections.join(', ') : 'none'
  return `${didYouMean(nearestOf(connection, connections))} This key may read: ${list}.`.trimStart()
}
