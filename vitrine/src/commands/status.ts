// `vitrine status`: asks the operator endpoint of a running service for its state and that of its connections.
import { isJsonObject } from '../../../base/core/json.ts'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { counted } from '../../../base/core/plural.ts'
import type { Answers } from '../management/answer-schemas.ts'
import type { ShownState } from '../management/connection-state.ts'
import { readTokenFile } from '../../../base/auth/operator-token.ts'
import { within } from '../core/located.ts'
import type { Settings } from '../settings.ts'
import { UserError, asUserError } from '../../../base/cli/user-error.ts'
import { printable, printRows, say } from '../../../base/cli/output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

/** older versions leave out the replicas */
type Later = 'replicas' | 'replicasCountedBy' | 'redis'
type ShownService = Omit<Answers['Status'], Later> & Partial<Pick<Answers['Status'], Later>>

const timeoutMs = 10_000
const mostBytes = 64 * 1024 * 1024

/** how this machine reaches a service that listens on all addresses */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function ownOperatorUrl({ operatorListen }: Settings): URL {
  if (operatorListen === 'off')
    throw new UserError('operatorListen is off: this service has no operator endpoint. Give --url for another service.')
  const { host, port } = operatorListen
  if (port === 0) throw new UserError('operatorListen has port 0, which changes at each start: give --url.')
  const at = everywhere[host] ?? host
  return new URL(`http://${at.includes(':') ? `[${at}]` : at}:${port}`)
}

function readOrigin(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isOrigin = parsed && `${parsed.origin}/` === parsed.href && /^https?:$/.test(parsed.protocol)
  if (!isOrigin) throw new UserError('--url: must be an origin such as http://127.0.0.1:8081.')
  return parsed
}

async function tokenOf({ secrets, settings, folder }: Loaded): Promise<string> {
  const { operatorTokenFile: file } = settings
  if (secrets.operatorToken !== undefined) return secrets.operatorToken
  const [token] = file === undefined ? [] : await asUserError(() => readTokenFile(within(folder, file)))
  if (token === undefined)
    throw new UserError('There is no operator token: set VITRINE_OPERATOR_TOKEN or operatorTokenFile.')
  return token
}

interface StatusAnswer {
  readonly status: number
  readonly body: unknown
}

async function readAnswer(asked: ClientRequest): Promise<StatusAnswer> {
  // what ends it after the first event is reported by the answer
  asked.on('error', () => {})
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length > mostBytes) throw new Error('the response is too large')
  }
  try {
    return { status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) as unknown }
  } catch {
    return { status: 0, body: undefined }
  }
}

async function ask(endpoint: URL, path: string, token: string): Promise<StatusAnswer> {
  const send = endpoint.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const signal = AbortSignal.timeout(timeoutMs)
  const { hostname, port } = endpoint
  const host = hostname.replaceAll(/[[\]]/g, '')
  try {
    // sent as written: a URL parser would resolve an id of two dots
    return await readAnswer(send({ host, port, path, headers, signal, agent: false }).end())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (signal.aborted) throw new UserError(`No answer from ${endpoint.origin} within ${timeoutMs / 1_000} seconds.`)
    if (code === 'ECONNREFUSED')
      throw new UserError(
        `Nothing listens at ${endpoint.origin}: is the service running, and is this its operatorListen?`,
      )
    throw new UserError(`${endpoint.origin} cannot be reached: ${code ?? message}.`)
  }
}

const notAnOperatorEndpoint = (endpoint: URL, { status }: Pick<StatusAnswer, 'status'>): UserError =>
  new UserError(`${endpoint.origin} is not an operator endpoint${status > 0 ? ` (${status})` : ''}.`)

function refusalOf(endpoint: URL, { status, body }: StatusAnswer): UserError {
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (code === 'operator_token_missing' || code === 'operator_token_invalid')
    return new UserError(`${endpoint.origin} refuses the token: it is not an operator token of the service.`)
  const isOurs = typeof code === 'string' && typeof message === 'string' && /^[\w]+$/.test(code)
  if (!isOurs || code === 'route_not_found' || code === 'key_missing' || code === 'key_invalid')
    return notAnOperatorEndpoint(endpoint, { status })
  return new UserError(printable(message))
}

const windowOf = (window: ShownState['quota']['hour']): string | null =>
  window && `${window.remaining} of ${window.limit}`

const isState = (value: unknown): value is ShownState =>
  isJsonObject(value) &&
  typeof value['connection'] === 'string' &&
  isJsonObject(value['quota']) &&
  isJsonObject(value['calls'])

const isService = (value: unknown): value is ShownService =>
  isJsonObject(value) && Array.isArray(value['connections']) && value['connections'].every(isState)

function printService({ version, node, uptimeSec, ready, replicas = 1, replicasCountedBy, redis }: ShownService) {
  say(`Vitrine ${version}, Node.js ${node}, up ${uptimeSec} s, ${ready ? 'ready' : 'not ready'}`)
  if (replicas > 1 || redis) say(`${counted(replicas, 'replica')} alive, including this one`)
  if (replicasCountedBy === 'assumed') say(`The number of replicas is unknown: ${replicas} assumed`)
  const why = redis?.reason ? ` (${printable(redis.reason)})` : ''
  if (redis) say(`Redis ${printable(redis.place)} ${redis.up ? 'is up' : 'is down'} since ${redis.since}${why}`)
}

export const rowOf = ({ connection, breaker, retryAfterSec, quota, calls, ...rest }: ShownState) => ({
  connection,
  platform: breaker === 'closed' ? 'up' : `${breaker}, again in ${retryAfterSec} s`,
  key: rest.keyRejected ? 'rejected' : quota.pausedSec > 0 ? `rests ${quota.pausedSec} s` : 'good',
  hour: windowOf(quota.hour),
  minute: windowOf(quota.minute),
  running: calls.running,
  waiting: calls.waiting,
  'last answer': rest.lastAnswerAt,
  'last failure': rest.lastFailure && `${rest.lastFailure.at} ${rest.lastFailure.code}`,
})

export async function status(id: string | undefined, options: ConfigOption & { url?: string }) {
  const loaded = loadSettings(options)
  const endpoint = options.url === undefined ? ownOperatorUrl(loaded.settings) : readOrigin(options.url)
  const token = await tokenOf(loaded)
  const path = id === undefined ? '/operator/v1/status' : `/operator/v1/connections/${encodeURIComponent(id)}/status`
  const answer = await ask(endpoint, path, token)
  if (answer.status !== 200) throw refusalOf(endpoint, answer)
  const { body } = answer
  if (id !== undefined && isState(body)) return printRows([rowOf(body)], body, '')
  if (id !== undefined || !isService(body)) throw notAnOperatorEndpoint(endpoint, answer)
  if (process.stdout.isTTY) printService(body)
  return printRows(body.connections.map(rowOf), body, 'No connection was opened yet.')
}
