// Passes one request on over a connection that is there, and its answer back, without what belongs to one connection alone.
import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Duplex } from 'node:stream'
import { answerOf, codeOf, EgressRefusal, type RefusalCode } from './refusal.ts'
import type { SecretCover } from './secret-cover.ts'

const ofConnection = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]

/** names and values in turns, as Node gives them */
export function passedHeaders(raw: readonly string[], more: readonly string[] = []): string[] {
  const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []))
  const named = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? value.split(',') : []))
  const left = new Set([...ofConnection, ...more, ...named.map((one) => one.trim().toLowerCase())])
  return pairs.flatMap(([name, value]) => (left.has(name.toLowerCase()) ? [] : [name, value]))
}

export function refuseRequest(answer: ServerResponse, code: RefusalCode) {
  const { status, headers, body } = answerOf(code)
  if (answer.headersSent) answer.destroy()
  else answer.writeHead(status, headers).end(body)
}

export interface Passage {
  readonly from: IncomingMessage
  readonly answer: ServerResponse
  readonly path: string
  readonly host: string
  /** the connection, or what holds it for several requests */
  readonly over: { readonly socket: Duplex } | { readonly agent: Agent }
  /** of the request; without it, as they came */
  readonly headers?: readonly string[]
  /** of the answer */
  readonly cover?: SecretCover
}

/** how long the body is, as it was read: no name in `Connection` takes that out */
function framingOf({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  const length = headers['content-length']
  return length === undefined ? [] : ['Content-Length', length]
}

/** a value cannot be found in compressed bytes, or in ranges that a program cuts through it */
const partial = ['accept-encoding', 'range', 'if-range']

function openRequest({ from, path, host, over, headers = from.rawHeaders, cover }: Passage) {
  const own = ['host', 'content-length', ...(cover ? partial : [])]
  const passed = [
    'Host',
    host,
    ...passedHeaders(headers, own),
    ...(cover ? ['Accept-Encoding', 'identity'] : []),
    ...framingOf(from),
  ]
  const way = 'agent' in over ? { agent: over.agent } : { createConnection: () => over.socket }
  return request({ ...way, method: from.method ?? '', path, headers: passed, setHost: false })
}

async function passAnswer(response: IncomingMessage, answer: ServerResponse, cover: SecretCover | undefined) {
  const status = response.statusCode ?? 502
  if (!cover) {
    answer.writeHead(status, passedHeaders(response.rawHeaders))
    return pipeline(response, answer)
  }
  const headers = passedHeaders(response.rawHeaders, ['accept-ranges'])
  answer.writeHead(
    status,
    headers.map((text) => cover.text(text)),
  )
  // the headers are sent at once, although the first bytes of the body wait in the cover
  answer.flushHeaders()
  return pipeline(response, cover.stream(), answer)
}

export async function passRequest(passage: Passage) {
  const { from, answer } = passage
  const outgoing = openRequest(passage)
  const leave = () => void outgoing.destroy()
  answer.once('close', leave)
  try {
    const came = new Promise<IncomingMessage>((ok, no) => {
      outgoing.once('response', ok)
      outgoing.on('error', no)
      // without an error, too: after 101, which nothing asked for
      outgoing.once('close', () => no(new EgressRefusal('broken')))
    })
    // a host may answer before it has read everything
    void pipeline(from, outgoing).catch(() => outgoing.destroy())
    const response = await came
    await passAnswer(response, answer, passage.cover)
  } catch (error) {
    refuseRequest(answer, error instanceof EgressRefusal ? codeOf(error) : 'broken')
  } finally {
    answer.off('close', leave)
  }
}
