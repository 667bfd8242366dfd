// What is refused before the bytes have one meaning: these checks come before the key, and close the connection.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'

const mostTargetBytes = 8192
const mostFields = 100
const mostFieldBytes = 16 * 1024

export const hasContent = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** by length first: nearly every name is told apart by it alone */
const isNamed = (field: string, name: string): boolean =>
  field.length === name.length && (field === name || field.toLowerCase() === name)

/** `rawHeaders`, because the parsed ones keep the first of two Hosts and say nothing; names and values in turn */
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

/** of a target as it came, before it is taken apart */
export function checkTarget(url: string) {
  if (url.length > mostTargetBytes) throw new Problem('uri_too_long')
  if (/[^\x21-\x7e]|#/.test(url)) throw new Problem('malformed_request')
}

export function checkFraming(req: IncomingMessage, url: string) {
  const { rawHeaders, headers, httpVersion, method } = req
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new Problem('version_not_supported')
  const { bytes, hosts, keys } = countFields(rawHeaders)
  if (rawHeaders.length > mostFields * 2 || bytes > mostFieldBytes) throw new Problem('headers_too_large')
  if (hosts > 1 || keys > 1) throw new Problem('ambiguous_header')
  if (hosts === 0 && httpVersion === '1.1') throw new Problem('malformed_request')
  if (/[^\w.~!$&'()*+,;=%:[\]-]/.test(headers.host ?? '')) throw new Problem('malformed_request')
  if (headers.expect !== undefined) throw new Problem('expectation_failed')
  checkTarget(url)
  // a GET that announces content it never sends would make the next request on the socket its body
  if ((method === 'GET' || method === 'HEAD') && hasContent(req)) throw new Problem('content_not_allowed')
}
