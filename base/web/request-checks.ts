// What is checked before the key: refuses requests whose bytes can be read in two ways, and closes the connection; on loopback,
// accepts only its own host names, against DNS rebinding.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../core/problem.ts'
import { isIPv4 } from 'node:net'

const mostTargetBytes = 8192
const mostFields = 100
const mostFieldBytes = 16 * 1024

export const hasContent = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const isNamed = (field: string, name: string): boolean =>
  field.length === name.length && (field === name || field.toLowerCase() === name)

/** of two Hosts, Node's parsed headers silently keep the first */
function countFields(rawHeaders: readonly string[]) {
  let [bytes, hosts, keys] = [0, 0, 0]
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    bytes += name.length + value.length + 4
    if (isNamed(name, 'host')) hosts++
    else if (isNamed(name, 'authorization')) keys++
  }
  return { bytes, hosts, keys }
}

export function checkTarget(url: string) {
  if (url.length > mostTargetBytes) throw new Problem('uri_too_long')
  if (/[^\x21-\x7e]|#/.test(url)) throw new Problem('malformed_request')
}

/** `continues`: the service answers `Expect: 100-continue` itself */
export function checkFraming(req: IncomingMessage, url: string, continues = false) {
  const { rawHeaders, headers, httpVersion, method } = req
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new Problem('version_not_supported')
  const { bytes, hosts, keys } = countFields(rawHeaders)
  if (rawHeaders.length > mostFields * 2 || bytes > mostFieldBytes) throw new Problem('headers_too_large')
  if (hosts > 1 || keys > 1) throw new Problem('ambiguous_header')
  if (hosts === 0 && httpVersion === '1.1') throw new Problem('malformed_request')
  if (/[^\w.~!$&'()*+,;=%:[\]-]/.test(headers.host ?? '')) throw new Problem('malformed_request')
  if (headers.expect !== undefined && !(continues && headers.expect.toLowerCase() === '100-continue'))
    throw new Problem('expectation_failed')
  checkTarget(url)
  // content that a GET announces and never sends would swallow the next request
  if ((method === 'GET' || method === 'HEAD') && hasContent(req)) throw new Problem('content_not_allowed')
}

export interface Hosts {
  check(req: IncomingMessage, target: string): void
}

function nameOf(host: string): string | undefined {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d*)?$/i.exec(host) ?? []
  return name?.toLowerCase().replace(/\.$/, '')
}

function isOfThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true
  const v4 = name.replace(/^\[::ffff:([\d.]+)\]$/, '$1')
  return isIPv4(v4) && v4.startsWith('127.')
}

/** a target in absolute form takes precedence over the Host field */
const authorityOf = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]

export function createHosts(ownUrl: string | undefined): Hosts {
  const own = ownUrl === undefined ? undefined : nameOf(new URL(ownUrl).host)
  const isOurs = (host: string): boolean => {
    const name = nameOf(host)
    return name !== undefined && (isOfThisMachine(name) || name === own)
  }
  let last: string | undefined
  return {
    check({ headers: { host } }, target) {
      if (host === last && target.startsWith('/')) return
      const asked = [host, authorityOf(target)].filter((one) => one !== undefined)
      // no browser omits it
      if (!asked.every(isOurs)) throw new Problem('host_not_allowed')
      last = host
    },
  }
}

interface Unchecked {
  readonly req: IncomingMessage
  readonly target: string
  closes: boolean
}

export function checkRequest(exchange: Unchecked, hosts: Hosts | undefined) {
  const { req, target } = exchange
  // what follows content on the socket may not be a request
  exchange.closes = hasContent(req)
  checkFraming(req, target)
  hosts?.check(req, target)
}
