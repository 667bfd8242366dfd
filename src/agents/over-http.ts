// The protocol over one HTTP exchange whose body is read already: no session, no stream, one JSON answer. Old clients take
// JSON as well as events, so that nobody needs a connection that stays open.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { parseExactly } from '../exact-numbers.ts'
import type { Asked, Glass } from './port.ts'
import { type Target, targetOf } from './question.ts'
import { createServer, type Shop } from './server.ts'

export interface Said {
  /** fields of the protocol's own; never the key */
  readonly headers: Readonly<Record<string, string>>
  readonly message: unknown
  /** nobody waits for the answer any more */
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly body: string
}

export interface Agents {
  answer(said: Said, glass: Glass): Promise<Reply>
  /** of a read's answer */
  parse(text: string): unknown
  /** of the GET that a read stands for */
  targetOf(asked: Asked): Target
}

/** of the library's answers: one that is no JSON would be a stream without an end */
async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type')
  if (type !== null && !type.startsWith('application/json')) {
    await response.body?.cancel()
    throw new Error('the protocol answers with a stream')
  }
  return { status: response.status, body: await response.text() }
}

/** revisions before 2026: a server of its own for each request */
async function answerOld(request: Request, message: unknown, glass: Glass, shop: Shop): Promise<Response> {
  request.signal.throwIfAborted()
  const server = createServer(glass, shop)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const { promise: gone, reject } = Promise.withResolvers<never>()
  gone.catch(() => {})
  const leave = () => reject(request.signal.reason)
  request.signal.addEventListener('abort', leave)
  try {
    await server.connect(transport)
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), gone])
  } finally {
    request.signal.removeEventListener('abort', leave)
    await server.close()
  }
}

export function createAgents(shop: Shop): Agents {
  const glasses = new WeakMap<Request, Glass>()
  const { fetch: answerNew } = createMcpHandler(
    ({ requestInfo }) => {
      const glass = requestInfo && glasses.get(requestInfo)
      if (!glass) throw new Error('a request without a caller')
      return createServer(glass, shop)
    },
    // nothing here ever changes: there is nothing to listen for
    { legacy: 'reject', maxSubscriptions: 0 },
  )
  return {
    parse: parseExactly,
    targetOf: (asked) => targetOf(asked, shop.routes),
    async answer({ headers, message, signal }, glass) {
      const request = new Request('http://vitrine.invalid/mcp', { method: 'POST', headers, signal })
      glasses.set(request, glass)
      const isOld = await isLegacyRequest(request, message)
      return replyOf(
        isOld ? await answerOld(request, message, glass, shop) : await answerNew(request, { parsedBody: message }),
      )
    },
  }
}
