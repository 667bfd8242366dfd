// The tools as an MCP server for one agent. The library speaks the protocol, in its old and its new revisions.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server'
import { quote } from '../../../base/core/quote.ts'
import { findFault, type JsonSchema } from '../../../base/core/schema.ts'
import { product } from '../product.ts'
import { version } from '../version.ts'
import { toolErrorOf, type ToolError, ToolFailure } from './failures.ts'
import * as runs from './run-tools.ts'
import type { ToolAnswer, ToolContext } from './run-tools.ts'
import type { AgentSession } from './session.ts'
import { instructions, type ToolName, tools } from './tools.ts'

type RunTool = (args: never, context: ToolContext) => Promise<ToolAnswer>

const handlers: Readonly<Record<ToolName, RunTool>> = {
  create_container: runs.createContainer,
  run_command: runs.runCommand,
  read_file: runs.readFile,
  write_file: runs.writeFile,
  delete_container: runs.deleteContainer,
}

const schemas = new Map<string, Tool['inputSchema']>(tools.map(({ name, inputSchema }) => [name, inputSchema]))
const isTool = (name: string): name is ToolName => schemas.has(name)

function check(name: ToolName, args: object): never {
  const fault = findFault(schemas.get(name) as JsonSchema, args)
  if (!fault) return args as never
  const { rule, param, wanted, given, allowed } = fault
  if (rule === 'unknown' || rule === 'missing') {
    const said = rule === 'unknown' ? `${quote(given)} is no argument of ${name}.` : `${name} needs ${quote(given)}.`
    throw new ToolFailure('invalid_request', said, `Its arguments are: ${allowed.join(', ')}.`)
  }
  throw new ToolFailure('invalid_request', `The arguments of ${name} are wrong.`, `Change "${param}": ${wanted}.`)
}

const failed = (error: ToolError): CallToolResult => ({
  content: [{ type: 'text', text: `Failed (${error.type}): ${error.message}\nNext: ${error.next}` }],
  structuredContent: { error },
  isError: true,
})

export interface ServerOptions {
  /** told of a defect */
  readonly note: (error: unknown) => void
}

const defect: ToolError = {
  type: 'internal_error',
  message: 'The tool failed.',
  next: 'This is a defect of the server: tell the user, who finds more in its log.',
}

export function createAgentServer(session: AgentSession, { note }: ServerOptions): Server {
  const server = new Server({ name: product.name, version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => ({ ...tool })) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, { mcpReq: { signal } }) => {
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    try {
      const { text, members } = await handlers[name](check(name, args), { session, signal })
      return { content: [{ type: 'text', text }], structuredContent: members } satisfies CallToolResult
    } catch (error) {
      signal.throwIfAborted()
      const known = toolErrorOf(error)
      if (!known) note(error)
      return failed(known ?? defect)
    }
  })
  return server
}
