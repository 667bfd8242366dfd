// `vitrine status`: asks the running service, at the operator's door, how it and its connections stand.
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { counted } from '../counted.ts'
import type { ShownState } from '../http/shown-state.ts'
import { readTokenFile } from '../keys/operator-token.ts'
import { within } from '../office.ts'
import type { Settings } from '../settings.ts'
import { Complaint, orComplain } from './complaint.ts'
import { printable, printRows, say } from './output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

interface StatusOptions extends ConfigOption {
  readonly url?: string
}

interface ShownService {
  readonly version: string
  readonly node: string
  readonly uptimeSec: number
  readonly ready: boolean
  /** absent from a service of an older version */
  readonly replicas?: number
  readonly replicasCountedBy?: string
  readonly redis?: {
    readonly place: string
    readonly up: boolean
    readonly since: string
    readonly reason?: string | null
  } | null
  readonly connections: readonly ShownState[]
}

const patienceMs = 10_000
const mostBytes = 64 * 1024 * 1024

/** where a listener on all addresses is reached from this machine */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function ownDoor({ operatorListen }: Settings): URL {
  if (operatorListen === 'off')
    throw new Complaint("operatorListen is off: this service has no operator's door. Give --url for another one.")
  const { host, port } = operatorListen
  if (port === 0) throw new Complaint('operatorListen has port 0, which is another one at each start: give --url.')
  const at = everywhere[host] ?? host
  return new URL(`http://${at.includes(':') ? `[${at}]` : at}:${port}`)
}

function readOrigin(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isOrigin = parsed && `${parsed.origin}/` === parsed.href && /^https?:$/.test(parsed.protocol)
  if (!isOrigin) throw new Complaint('--url: must be an origin such as http://127.0.0.1:8081.')
  return parsed
}

async function tokenOf({ secrets, settings, folder }: Loaded): Promise<string> {
  const { operatorTokenFile: file } = settings
  if (secrets.operatorToken !== undefined) return secrets.operatorToken
  const [token] = file === undefined ? [] : await orComplain(() => readTokenFile(within(folder, file)))
  if (token === undefined)
    throw new Complaint("There is no token of the operator's door: set VITRINE_OPERATOR_TOKEN or operatorTokenFile.")
  return token
}

interface Heard {
  readonly status: number
  readonly body: unknown
}

function hear(asked: ClientRequest): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>()
  asked.once('error', reject)
  asked.once('response', (answer) => {
    const parts: Buffer[] = []
    let length = 0
    answer.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length > mostBytes) answer.destroy(new Error('it does not end'))
    })
    answer.once('error', reject)
    answer.once('end', () => {
      try {
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) as unknown })
      } catch {
        resolve({ status: 0, body: undefined })
      }
    })
  })
  return promise
}

async function ask(door: URL, path: string, token: string): Promise<Heard> {
  const send = door.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const signal = AbortSignal.timeout(patienceMs)
  const { hostname, port } = door
  const host = hostname.replaceAll(/[[\]]/g, '')
  try {
    // the path as it is written here: a parsed URL would walk up with an id of two dots
    return await hear(send({ host, port, path, headers, signal, agent: false }).end())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (signal.aborted) throw new Complaint(`No answer from ${door.origin} within ${patienceMs / 1_000} seconds.`)
    if (code === 'ECONNREFUSED')
      throw new Complaint(`Nothing listens at ${door.origin}: does the service run, and is this its operatorListen?`)
    throw new Complaint(`${door.origin} cannot be asked: ${code ?? message}.`)
  }
}

const noDoor = (door: URL, { status }: Pick<Heard, 'status'>): Complaint =>
  new Complaint(`What answers at ${door.origin} is no operator's door${status > 0 ? ` (${status})` : ''}.`)

function refusalOf(door: URL, { status, body }: Heard): Complaint {
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (code === 'operator_token_missing' || code === 'operator_token_invalid')
    return new Complaint(`The token is refused at ${door.origin}: it is none of those that the service has now.`)
  const isOurs = typeof code === 'string' && typeof message === 'string' && /^[\w]+$/.test(code)
  if (!isOurs || code === 'route_not_found' || code === 'key_missing' || code === 'key_invalid')
    return noDoor(door, { status })
  return new Complaint(printable(message))
}

const windowOf = (window: ShownState['quota']['hour']): string | null =>
  window && `${window.remaining} of ${window.limit}`

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isState = (value: unknown): value is ShownState =>
  isObject(value) && typeof value['connection'] === 'string' && isObject(value['quota']) && isObject(value['calls'])

const isService = (value: unknown): value is ShownService =>
  isObject(value) && Array.isArray(value['connections']) && value['connections'].every(isState)

function tellService({ version, node, uptimeSec, ready, replicas = 1, replicasCountedBy, redis }: ShownService) {
  say(`Vitrine ${version}, Node.js ${node}, up ${uptimeSec} s, ${ready ? 'ready' : 'not ready'}`)
  if (replicas > 1 || redis) say(`${counted(replicas, 'replica')} alive, this one among them`)
  if (replicasCountedBy === 'assumed') say(`The database does not tell how many: ${replicas} are assumed`)
  const why = redis?.reason ? ` (${printable(redis.reason)})` : ''
  if (redis)
    say(`Redis ${printable(redis.place)} ${redis.up ? 'answers' : 'cannot be used'} since ${redis.since}${why}`)
}

/** a line of the table */
export const rowOf = ({ connection, breaker, retryAfterSec, quota, calls, ...rest }: ShownState) => ({
  connection,
  platform: breaker === 'closed' ? 'asked' : `${breaker}, again in ${retryAfterSec} s`,
  key: rest.keyRejected ? 'rejected' : quota.pausedSec > 0 ? `rests ${quota.pausedSec} s` : 'good',
  hour: windowOf(quota.hour),
  minute: windowOf(quota.minute),
  running: calls.running,
  waiting: calls.waiting,
  'last answer': rest.lastAnswerAt,
  'last failure': rest.lastFailure && `${rest.lastFailure.at} ${rest.lastFailure.code}`,
})

export async function status(id: string | undefined, options: StatusOptions) {
  const loaded = loadSettings(options)
  const door = options.url === undefined ? ownDoor(loaded.settings) : readOrigin(options.url)
  const token = await tokenOf(loaded)
  const path = id === undefined ? '/operator/v1/status' : `/operator/v1/connections/${encodeURIComponent(id)}/status`
  const heard = await ask(door, path, token)
  if (heard.status !== 200) throw refusalOf(door, heard)
  const { body } = heard
  if (id !== undefined && isState(body)) return printRows([rowOf(body)], body, '')
  if (id !== undefined || !isService(body)) throw noDoor(door, heard)
  if (process.stdout.isTTY) tellService(body)
  return printRows(body.connections.map(rowOf), body, 'No connection was opened yet.')
}
