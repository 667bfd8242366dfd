// A platform with long lists that answers a share of all calls wrongly: in the status, the document or the bytes. The fault is
// drawn from a seed, the call and its number, so that it does not depend on the order of arrival.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createChance } from '../secrets/random.ts'
import { cursorAt, type Page, pageOf } from './long-lists.ts'

interface Sending {
  readonly res: ServerResponse
  readonly page: Page
}

type Fault = (sending: Sending) => void

const json = { 'content-type': 'application/json' }
const says = (res: ServerResponse, body: string | Buffer, status = 200, headers: Record<string, string> = json) =>
  void res.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }).end(body)

const refusal = JSON.stringify({ errors: [{ status: '5', code: 'UNEXPECTED_ERROR', title: 'PLATFORM WORDS' }] })
const html = '<!doctype html><title>PLATFORM WORDS</title>'
const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  ({ res }) =>
    says(res, refusal, code, { ...json, ...headers })
const document =
  (change: (page: Page) => unknown): Fault =>
  ({ res, page }) =>
    says(res, JSON.stringify(change(page)))
const text =
  (change: (body: string) => string | Buffer, headers: Record<string, string> = {}, code = 200): Fault =>
  ({ res, page }) =>
    says(res, change(JSON.stringify(page.document)), code, { ...json, ...headers })
/** bytes outside the server's own framing, then the end of the connection, or its reset */
const bytes =
  (make: (body: string) => string, then: 'end' | 'reset' | 'keep'): Fault =>
  ({ res, page }) => {
    const { socket } = res
    socket?.write(make(JSON.stringify(page.document)), () => {
      if (then === 'end') socket.end()
      // by then the client has read what was written
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 5)
    })
  }
const head = (length: number): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const half = (body: string): string => body.slice(0, body.length >> 1)

const linking = (change: (next: URL, page: Page) => string): Fault =>
  document((page) => {
    const next = new URL(page.asked)
    next.searchParams.set('cursor', cursorAt(page.offset + 7))
    return { ...page.document, links: { ...page.document.links, next: change(next, page) } }
  })

export const faults: Readonly<Record<string, Fault>> = {
  'closed before the headers': ({ res }) => res.socket?.end(),
  'reset before the headers': ({ res }) => res.socket?.resetAndDestroy(),
  'reset within the headers': bytes(() => 'HTTP/1.1 200 OK\r\ncontent-type: appl', 'reset'),
  'reset within the body': bytes((body) => head(body.length) + half(body), 'reset'),
  'a body cut short': bytes((body) => head(body.length) + half(body), 'end'),
  'no last chunk': bytes(
    (body) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
    'end',
  ),
  'another answer behind the right one': bytes((body) => {
    const forged = '{"data":[{"type":"apps","id":"forged"}],"links":{}}'
    return head(body.length) + body + head(forged.length) + forged
  }, 'keep'),
  'no answer': () => {},
  '500': status(500),
  '502 in HTML': ({ res }) => says(res, html, 502, { 'content-type': 'text/html' }),
  '503': status(503),
  '503 with Retry-After': status(503, { 'retry-after': '1' }),
  '504': status(504),
  '401': status(401),
  '409': status(409),
  '429': status(429),
  '429 with Retry-After': status(429, { 'retry-after': '1' }),
  'a redirect': status(302, { location: '/v1/users' }),
  '204': ({ res }) => void res.writeHead(204).end(),
  '206 with half of the list': ({ res, page: { document: whole } }) =>
    says(res, JSON.stringify({ ...whole, data: whole.data.slice(1), links: {} }), 206),
  'HTML with 200': ({ res }) => says(res, html, 200, { 'content-type': 'text/html' }),
  'HTML that calls itself JSON': text(() => html),
  'nothing with 200': text(() => ''),
  'JSON that breaks off': text(half),
  'gzip that breaks off': text((body) => gzipSync(body).subarray(0, -9), { 'content-encoding': 'gzip' }),
  'errors with 200': text(() => refusal),
  'half of the data, and errors': document(({ document: { data } }) => ({
    data: data.slice(0, data.length >> 1),
    links: {},
    errors: [{ code: 'UNEXPECTED_ERROR' }],
  })),
  'data that is null': document(() => ({ data: null, links: {} })),
  'no data': document(() => ({ links: {} })),
  'an empty object': document(() => ({})),
  'no links': document(({ document: { data } }) => ({ data })),
  'a member without an id': document(({ document: whole }) => ({ ...whole, data: [...whole.data.slice(1), {}] })),
  'another type': document(({ document: whole }) => ({
    ...whole,
    data: whole.data.map((one) => ({ ...one, type: 'users' })),
  })),
  'more than was asked for': document(({ document: whole }) => ({
    ...whole,
    data: [...whole.data, ...Array.from({ length: 201 }, (_, i) => ({ ...whole.data[0], id: `forged-${i}` }))],
  })),
  'a next link to another host': linking((next) => next.href.replace('127.0.0.1', 'elsewhere.example')),
  'a next link to another list': linking((next) => next.href.replace(/\/[\w-]+\?/, '/users?')),
  'a next link without a cursor': linking((_, { asked }) => asked.href.replace(/&cursor=[^&]*/, '')),
  'a next link in a circle': linking((_, { asked, offset }) => {
    const same = new URL(asked)
    if (offset === 0) same.searchParams.delete('cursor')
    return same.href
  }),
  'a next link that asks for something else': linking((next) => `${next.href}&filter%5Bid%5D=1`),
  'a next link that is a number': document(({ document: whole }) => ({ ...whole, links: { next: 5 } })),
}

export interface FaultyPlatform {
  readonly url: string
  /** how often each fault was injected */
  readonly met: Map<string, number>
  calls(): number
  close(): Promise<void>
}

const hash = (value: string): number => {
  let sum = 0x811c9dc5
  for (const char of value) sum = Math.imul(sum ^ char.charCodeAt(0), 0x01000193)
  return sum >>> 0
}

/** `share` of all calls fail; each list has `size` items */
export async function startFaultyPlatform(seed: number, share: number, size: number): Promise<FaultyPlatform> {
  const names = Object.keys(faults)
  const met = new Map(names.map((name) => [name, 0]))
  const times = new Map<string, number>()
  let calls = 0
  function draw(target: string): string | undefined {
    const time = (times.get(target) ?? 0) + 1
    times.set(target, time)
    const chance = createChance(seed ^ hash(`${target} ${time}`))
    return chance.below(1_000) < share * 1_000 ? chance.pick(names) : undefined
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    calls++
    const asked = new URL(req.url ?? '', `http://${req.headers.host}`)
    const page = pageOf(asked, size)
    if (!page) return says(res, refusal, 404)
    const name = draw(asked.href.replace(asked.origin, ''))
    if (name === undefined) return says(res, JSON.stringify(page.document))
    met.set(name, (met.get(name) ?? 0) + 1)
    return faults[name]?.({ res, page })
  })
  server.on('connection', (socket) => socket.on('error', () => {}))
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  return {
    met,
    calls: () => calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((ok) => {
        server.close(() => ok())
        server.closeAllConnections()
      }),
  }
}
