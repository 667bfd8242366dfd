// The tools as an MCP server for one caller. The library speaks the protocol, in its old and its new revisions.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server'
import { isList, type Route } from '../catalogue/define.ts'
import { type Reader, readOrThrow } from './reader.ts'
import { instructions, type ToolName, tools } from './tools.ts'
import { quote } from '../../../base/core/quote.ts'
import { parameterProblem } from '../../../base/web/target.ts'
import { Problem } from '../problems.ts'
import { findFault, type JsonSchema } from '../../../base/core/schema.ts'
import { errorOutput, explainError } from './error-result.ts'
import { describeOperation, findOperations } from './operation-tools.ts'
import { readAll } from './read-all.ts'
import { renderOutput } from './rendering.ts'
import { bounds, type ReadCall, type ToolContext, type ToolOutput } from './tool-context.ts'
import { chooseConnection, findRoute, readParams } from './arguments.ts'
import { readFittingPage, readPageOf } from './pages.ts'
import { keepAll, startMark } from './since.ts'
import { untrustedMarks } from './untrusted-fields.ts'

async function readOnce(call: ReadCall, { reader, routes, signal }: ToolContext): Promise<ToolOutput> {
  const { operation } = call
  const route = findRoute(operation, routes)
  const params = readParams(route, call.params ?? {}, routes)
  const connection = await chooseConnection(call.connection, reader, signal)
  let requestId: string | undefined
  const ask = async ({ limit }: { limit: number | string | undefined }) => {
    const own = limit === undefined ? params : { ...params, limit }
    const answer = await readOrThrow(reader, { operation, connection, params: own }, signal)
    ;({ requestId } = answer)
    return readPageOf(route, answer)
  }
  const room = { rows: Number.POSITIVE_INFINITY, bytes: bounds.bytes, isEmpty: true }
  const { rows, at, full } = await readFittingPage({ cursor: undefined, limit: undefined }, ask, keepAll, room)
  return {
    operation,
    connection,
    complete: at === null,
    ...(full ? { why: 'bytes' } : at !== null && { why: 'page' }),
    ...(isList(route) && { nextCursor: at }),
    ...startMark(params),
    ...untrustedMarks(route, rows),
    ...(requestId !== undefined && { requestId }),
    rows,
  }
}

type RunTool = (args: never, context: ToolContext) => ToolOutput | Promise<ToolOutput>

const runs: Readonly<Record<ToolName, RunTool>> = {
  find_operations: findOperations,
  describe_operation: describeOperation,
  read: readOnce,
  read_all: readAll,
  explain_error: explainError,
}

const schemas = new Map<string, Tool['inputSchema']>(tools.map(({ name, inputSchema }) => [name, inputSchema]))

const isTool = (name: string): name is ToolName => schemas.has(name)

function check(name: ToolName, args: object): never {
  const schema = schemas.get(name) as Tool['inputSchema']
  const fault = findFault(schema as JsonSchema, args)
  if (fault) {
    const { rule, param, wanted, given, allowed } = fault
    if (rule === 'unknown' && param === '') {
      const hint = allowed.includes('params') ? ' What the operation takes stands in "params".' : ''
      throw parameterProblem(
        'unknown_parameter',
        given,
        `${quote(given)} is no argument of ${name}.${hint}`,
        allowed,
        given,
      )
    }
    throw new Problem('value_not_allowed', {
      message: `The arguments of ${name} are wrong: ${param || 'They'} ${wanted}.`,
      ...(param !== '' && { param }),
    })
  }
  return args as never
}

const resultOf = (output: ToolOutput): CallToolResult => ({
  content: [{ type: 'text', text: renderOutput(output) }],
  structuredContent: output,
  ...(output.error && { isError: true }),
})

async function callTool(name: ToolName, args: object, context: ToolContext): Promise<CallToolResult> {
  try {
    return resultOf(await runs[name](check(name, args), context))
  } catch (error) {
    context.signal.throwIfAborted()
    return resultOf({ error: errorOutput(error, context.reader) })
  }
}

export interface ServerOptions {
  readonly routes: readonly Route[]
  readonly version: string
}

export function createMcpServer(reader: Reader, { routes, version }: ServerOptions): Server {
  const server = new Server({ name: 'vitrine', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => ({ ...tool })) }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, { mcpReq: { signal } }) => {
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    return callTool(name, args, { reader, routes, signal, nowMs: () => performance.now() })
  })
  return server
}
