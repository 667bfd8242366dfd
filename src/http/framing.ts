// What is refused before the bytes have one meaning: these checks come before the key, and close the connection.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'

const mostTargetBytes = 8192
const mostFields = 100
const mostFieldBytes = 16 * 1024

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count++
  return count
}

export const hasContent = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** `rawHeaders`, because the parsed ones keep the first of two Hosts and say nothing */
export function checkFraming(req: IncomingMessage, url: string) {
  const { rawHeaders, headers, httpVersion, method } = req
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new Problem('version_not_supported')
  const fieldBytes = rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
  if (rawHeaders.length > mostFields * 2 || fieldBytes > mostFieldBytes) throw new Problem('headers_too_large')
  const hosts = countOf(rawHeaders, 'host')
  if (hosts > 1 || countOf(rawHeaders, 'authorization') > 1) throw new Problem('ambiguous_header')
  if (hosts === 0 && httpVersion === '1.1') throw new Problem('malformed_request')
  if (/[^\w.~!$&'()*+,;=%:[\]-]/.test(headers.host ?? '')) throw new Problem('malformed_request')
  if (headers.expect !== undefined) throw new Problem('expectation_failed')
  if (url.length > mostTargetBytes) throw new Problem('uri_too_long')
  if (/[^\x21-\x7e]|#/.test(url)) throw new Problem('malformed_request')
  // a GET that announces content it never sends would make the next request on the socket its body
  if ((method === 'GET' || method === 'HEAD') && hasContent(req)) throw new Problem('content_not_allowed')
}
