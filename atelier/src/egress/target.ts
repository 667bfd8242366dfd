// What a request to the proxy is for: a host of the list, and a port that is open.
import type { IncomingMessage } from 'node:http'
import type { Destination } from './destination.ts'
import { matchesAny, readHostName } from './host-names.ts'
import { EgressRefusal } from './refusal.ts'

export interface Permit {
  /** patterns of the container, and of the operator: both must allow a host */
  readonly hosts: readonly string[]
  readonly operatorHosts: readonly string[]
  readonly ports: readonly number[]
}

const authorityForm = /^([^:@/?#\\[\]\s]+)(?::(\d{1,5}))?$/
const urlForm = /^http:\/\/([^/?#]+)(\/[^#]*|\?[^#]*)?$/i

function readAuthority(text: string, standardPort: number | undefined): Destination {
  const [, host, port] = authorityForm.exec(text) ?? []
  if (host === undefined || (port === undefined && standardPort === undefined)) throw new EgressRefusal('bad_request')
  return { host: host.toLowerCase(), port: port === undefined ? (standardPort ?? 0) : Number(port) }
}

/** an address is no name of a host, in whatever form */
export function checkDestination({ host, port }: Destination, { hosts, operatorHosts, ports }: Permit): Destination {
  const name = readHostName(host)
  if (name === undefined || !matchesAny(hosts, name) || !matchesAny(operatorHosts, name))
    throw new EgressRefusal('host_refused')
  if (!ports.includes(port)) throw new EgressRefusal('port_refused')
  return { host: name, port }
}

/** of CONNECT */
export const connectTarget = ({ url = '' }: IncomingMessage): Destination => readAuthority(url, undefined)

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): string[] =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)

/** the one Host of a request says the same as where it goes; of two credentials hosts may read either */
export function checkHost(request: IncomingMessage, { host, port }: Destination, standardPort: number) {
  const [given, ...more] = valuesOf(request, 'host')
  if (given === undefined || more.length > 0 || valuesOf(request, 'authorization').length > 1)
    throw new EgressRefusal('bad_request')
  const named = readAuthority(given, standardPort)
  if (named.host !== host || named.port !== port) throw new EgressRefusal('host_differs')
}

export interface PlainTarget {
  readonly to: Destination
  readonly path: string
}

/** of a request with a whole URL */
export function plainTarget(request: IncomingMessage): PlainTarget {
  const [, authority, rest = '/'] = urlForm.exec(request.url ?? '') ?? []
  if (authority === undefined) throw new EgressRefusal('bad_request')
  const to = readAuthority(authority, 80)
  checkHost(request, to, 80)
  return { to, path: rest.startsWith('/') ? rest : `/${rest}` }
}
