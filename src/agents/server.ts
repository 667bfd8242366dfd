// The tools as a server of the Model Context Protocol, for one caller. The library speaks the protocol, in its old and its
// new revisions; here is only what it is about.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Route } from '../catalogue/define.ts'
import { callTool, isTool } from './calls.ts'
import type { Glass } from './port.ts'
import { instructions, tools } from './tools.ts'

export interface Shop {
  readonly routes: readonly Route[]
  readonly version: string
}

export function createServer(glass: Glass, { routes, version }: Shop): Server {
  const server = new Server({ name: 'vitrine', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => ({ ...tool })) }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, { mcpReq: { signal } }) => {
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    return callTool(name, args, { glass, routes, signal, steady: () => performance.now() })
  })
  return server
}
