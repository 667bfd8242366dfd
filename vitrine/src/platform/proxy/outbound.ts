// How this process reaches other hosts: directly or through a proxy, and which authorities it trusts. Settings may change
// while the service runs; each new socket follows the current ones.
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { parseProxy } from '../../connection-settings.ts'
import type { Settings } from '../../settings.ts'
import { readAuthorities } from './authorities.ts'
import { type IsDirect, readDirectHost, splitHosts } from './direct-hosts.ts'
import type { Proxy } from './tunnel.ts'

export interface Way {
  readonly proxy: Proxy | undefined
  /** undefined: the standard authorities */
  readonly secureContext: SecureContext | undefined
}

type Env = Readonly<Record<string, string | undefined>>

export interface OutboundFacts {
  readonly to: (url: URL) => Way
  /** host and port of the proxy, without credentials; undefined: there is none */
  readonly proxyHost: string | undefined
  readonly authorities: number
}

export interface OutboundOptions {
  /** base of relative paths */
  readonly folder: string
  readonly env?: Env | undefined
}

export type Outbound = ReturnType<typeof createOutbound>

/** the lower-case name counts first, as for curl */
function variable(env: Env, name: string) {
  const found = [name.toLowerCase(), name].find((one) => env[one])
  return found === undefined ? undefined : { name: found, text: env[found] ?? '' }
}

const fault = (where: string, what: string): Error => new Error(`${where}: ${what}`)

function proxyOf(where: string, text: string): Proxy {
  const url = parseProxy(text)
  if (!url) throw fault(where, 'must be http://HOST:PORT or https://HOST:PORT, with a user before the host if needed')
  const secure = url.protocol === 'https:'
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

function readProxy(settings: Settings, env: Env): Proxy | undefined {
  const given = settings['upstream.proxy']
  if (given === undefined) return undefined
  if (given !== 'environment') return proxyOf('upstream.proxy', given)
  const found = variable(env, 'HTTPS_PROXY')
  return found && proxyOf(found.name, found.text.includes('://') ? found.text : `http://${found.text}`)
}

function readDirect(settings: Settings, env: Env): readonly IsDirect[] {
  const ofEnvironment = settings['upstream.proxy'] === 'environment' ? variable(env, 'NO_PROXY') : undefined
  // other programs read the variable too: what only they know is left out
  const theirs = splitHosts(ofEnvironment?.text ?? '').flatMap((one) => readDirectHost(one) ?? [])
  const ours = settings['upstream.noProxy'].map((one) => {
    const isDirect = readDirectHost(one)
    if (!isDirect) throw fault('upstream.noProxy', 'must be hosts, domains, addresses or networks, such as .internal')
    return isDirect
  })
  return [...ours, ...theirs]
}

function readCa(file: string | undefined, folder: string) {
  if (file === undefined) return undefined
  try {
    return readAuthorities(resolve(folder, file))
  } catch (error) {
    throw fault('upstream.caFile', `${file}: ${(error as Error).message}`)
  }
}

/** throws an Error that names the setting and what is wrong with it */
export function readOutbound(settings: Settings, { folder, env = process.env }: OutboundOptions): OutboundFacts {
  const proxy = readProxy(settings, env)
  const direct = readDirect(settings, env)
  const ca = readCa(settings['upstream.caFile'], folder)
  const secureContext = ca?.secureContext
  const straight: Way = { proxy: undefined, secureContext }
  const through: Way = { proxy, secureContext }
  return {
    // plain http is for this machine alone
    to: (url) => (url.protocol === 'http:' || direct.some((isDirect) => isDirect(url)) ? straight : through),
    proxyHost: proxy && `${proxy.host}:${proxy.port}`,
    authorities: ca?.count ?? 0,
  }
}

export function createOutbound(settings: Settings, options: OutboundOptions) {
  let current = readOutbound(settings, options)
  return {
    to: (url: URL): Way => current.to(url),
    /** the returned function makes these settings count */
    prepare(fresh: Settings) {
      const next = readOutbound(fresh, options)
      return () => void (current = next)
    },
  }
}
