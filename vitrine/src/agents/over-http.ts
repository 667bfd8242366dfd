// MCP over one HTTP exchange: no session, no stream, one JSON answer. Old clients accept JSON as well as events, so no
// connection has to stay open.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { parseExactly } from '../../../base/core/exact-numbers.ts'
import { readTargetOf } from './arguments.ts'
import type { Reader, ReadRequest } from './reader.ts'
import { createMcpServer, type ServerOptions } from './server.ts'

export interface AgentRequest {
  /** the protocol's own header fields; never the key */
  readonly headers: Readonly<Record<string, string>>
  readonly message: unknown
  /** aborted when the caller is gone */
  readonly signal: AbortSignal
}

export type Agents = ReturnType<typeof createAgents>

async function replyOf(response: Response) {
  const type = response.headers.get('content-type')
  // anything else would be a stream without an end
  if (type !== null && !type.startsWith('application/json')) {
    await response.body?.cancel()
    throw new Error('the protocol answers with a stream')
  }
  return { status: response.status, body: await response.text() }
}

/** Revisions before 2026 need a server of their own for each request. */
async function answerLegacy(request: Request, message: unknown, reader: Reader, options: ServerOptions) {
  request.signal.throwIfAborted()
  const server = createMcpServer(reader, options)
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

export function createAgents(options: ServerOptions) {
  const readers = new WeakMap<Request, Reader>()
  const { fetch: answerCurrent } = createMcpHandler(
    ({ requestInfo }) => {
      const reader = requestInfo && readers.get(requestInfo)
      if (!reader) throw new Error('a request without a caller')
      return createMcpServer(reader, options)
    },
    // the tools never change, so there is nothing to subscribe to
    { legacy: 'reject', maxSubscriptions: 0 },
  )
  return {
    /** parses the body of a read */
    parse: parseExactly,
    /** the GET for which a read stands */
    targetOf: (request: ReadRequest) => readTargetOf(request, options.routes),
    async answer({ headers, message, signal }: AgentRequest, reader: Reader) {
      const request = new Request('http://vitrine.invalid/mcp', { method: 'POST', headers, signal })
      readers.set(request, reader)
      const isLegacy = await isLegacyRequest(request, message)
      return replyOf(
        await (isLegacy
          ? answerLegacy(request, message, reader, options)
          : answerCurrent(request, { parsedBody: message })),
      )
    },
  }
}
