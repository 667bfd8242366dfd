// `vitrine read <operation>`: the typed client on the command line; without an operation, the list of operations.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { usualOrigin } from '../samples.ts'
import { programName } from './program-name.ts'
import { printJson } from '../../../base/cli/output.ts'
import { generalHelp, type HelpLook, operationHelp, operationList } from './read/help.ts'
import { parseReadArguments } from './read/arguments.ts'
import { ArgumentError } from './read/exits.ts'
import { failureOf } from './read/failure.ts'
import { columnsOf, paintFor } from '../../../base/cli/terminal.ts'

const look = (): HelpLook => ({
  name: programName(),
  width: columnsOf(process.stdout),
  paint: paintFor(process.stdout),
})

/** `words`: the arguments after `read` */
export async function read(words: readonly string[], routes: readonly Route[] = ours) {
  try {
    await readAsked(words, routes)
  } catch (error) {
    if (!printAsJson(error, words)) throw error
    process.exitCode = error.exitCode
  }
}

async function readAsked(words: readonly string[], routes: readonly Route[]) {
  const question = parseReadArguments(words, routes)
  const { route, own } = question
  if (own.help !== undefined)
    return void process.stdout.write(route ? operationHelp(route, look()) : generalHelp(routes, look()))
  if (route) return (await import('./read/run.ts')).runRead({ ...question, route })
  if (process.stdout.isTTY || own.output === 'table') return void process.stdout.write(operationList(routes, look()))
  return printJson(routes.map(({ operation, group, summary }) => ({ operation, group, summary })))
}

/** the value of an option in arguments that may be wrong otherwise */
function optionValue(words: readonly string[], names: readonly string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word))
  const joined = words.find((word) => names.some((name) => word.startsWith(`${name}=`)))
  return at < 0 ? joined?.slice(joined.indexOf('=') + 1) : words[at + 1]
}

/** prints the error body of the service if the arguments ask for JSON; false if the error is for a person */
function printAsJson(error: unknown, words: readonly string[]): error is ArgumentError {
  const format = optionValue(words, ['--output', '-o'])
  if (!(error instanceof ArgumentError) || process.stderr.isTTY || !format?.endsWith('json')) return false
  const url = optionValue(words, ['--url']) ?? (process.env['VITRINE_URL'] || usualOrigin)
  // a wrong address may contain a password
  const base = /^https?:\/\/[^@?#]+$/.test(url) ? url.replace(/\/+$/, '') : ''
  const body = { ...failureOf(error), message: error.said, docUrl: `${base}/errors/${error.code}` }
  process.stderr.write(`${JSON.stringify({ error: body })}\n`)
  return true
}
