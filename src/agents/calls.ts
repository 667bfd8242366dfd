// One call of a tool, from its arguments to its result: checked, run, and told in both forms. A failure is a result that
// says so, with the service's own error body; protocol errors are for what is no call of a tool at all.
import { type CallToolResult, fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server'
import { refuse } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import { Problem } from '../problem.ts'
import type { Desk, ReadCall, Told } from './desk.ts'
import { explainError } from './error-explanation.ts'
import { tellError } from './error-result.ts'
import { readOnce } from './one-answer.ts'
import { describeOperation } from './operation-description.ts'
import { type FindCall, findOperations } from './operation-search.ts'
import { renderTold } from './rendering.ts'
import { tools, type ToolName } from './tools.ts'
import { readAll, type WalkCall } from './walk.ts'

const runs: Readonly<Record<ToolName, (args: never, desk: Desk) => Told | Promise<Told>>> = {
  find_operations: (args: FindCall, desk) => findOperations(args, desk),
  describe_operation: (args: { operation: string }, desk) => describeOperation(args, desk),
  read: (args: ReadCall, desk) => readOnce(args, desk),
  read_all: (args: WalkCall, desk) => readAll(args, desk),
  explain_error: (args: { code: string }, desk) => explainError(args, desk),
}

const checks = new Map<string, ReturnType<typeof fromJsonSchema>>(
  tools.map(({ name, inputSchema }) => [name, fromJsonSchema(inputSchema as JsonSchemaType)]),
)

export const isTool = (name: string): name is ToolName => checks.has(name)

/** the checker does not say which name it is that it does not know */
function checkNames(name: ToolName, args: object) {
  const known = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
  const other = Object.keys(args).find((given) => !known.includes(given))
  if (other === undefined) return
  const hint = known.includes('params') ? ' What the operation takes stands in "params".' : ''
  throw refuse('unknown_parameter', other, `${quote(other)} is no argument of ${name}.${hint}`, known, other)
}

async function check(name: ToolName, args: object): Promise<never> {
  checkNames(name, args)
  const checked = await checks.get(name)?.['~standard'].validate(args)
  const issue = checked?.issues?.[0]
  if (issue) {
    // the checker's words name the place and what is wanted there, and repeat no value
    const [, param = '', said] = /^data(?:\/(\S+))? ([^]*)$/.exec(issue.message) ?? [undefined, '', issue.message]
    const place = param === '' ? 'They' : param.replaceAll('/', '.')
    throw new Problem('value_not_allowed', {
      message: `The arguments of ${name} are wrong: ${place} ${said}.`,
      ...(param !== '' && { param: param.replaceAll('/', '.') }),
    })
  }
  return args as never
}

const resultOf = (told: Told): CallToolResult => ({
  content: [{ type: 'text', text: renderTold(told) }],
  structuredContent: told,
  ...(told.error && { isError: true }),
})

export async function callTool(name: ToolName, args: object, desk: Desk): Promise<CallToolResult> {
  try {
    return resultOf(await runs[name](await check(name, args), desk))
  } catch (error) {
    // whoever has cancelled is told nothing more
    desk.signal.throwIfAborted()
    return resultOf({ error: tellError(error, desk.glass) })
  }
}
