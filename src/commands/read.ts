// `vitrine read <operation>`: the typed client at the command line. Without an operation: what can be read.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { programName } from './program-name.ts'
import { printJson } from './output.ts'
import { generalHelp, operationHelp, operationList } from './read/help.ts'
import type { HelpLook } from './read/help-layout.ts'
import { readQuestion } from './read/question.ts'
import { toldAsJson } from './read/wrong-words.ts'
import { columnsOf, paintFor } from './terminal.ts'

const look = (): HelpLook => ({
  name: programName(),
  width: columnsOf(process.stdout),
  paint: paintFor(process.stdout),
})

/** `words` as they stand behind `read` */
export async function read(words: readonly string[], routes: readonly Route[] = ours) {
  try {
    await readAsked(words, routes)
  } catch (error) {
    if (!toldAsJson(error, words)) throw error
    process.exitCode = error.exitCode
  }
}

async function readAsked(words: readonly string[], routes: readonly Route[]) {
  const question = readQuestion(words, routes)
  const { route, own } = question
  if (own.help !== undefined)
    return void process.stdout.write(route ? operationHelp(route, look()) : generalHelp(routes, look()))
  if (route) return (await import('./read/run.ts')).runQuestion({ ...question, route })
  if (process.stdout.isTTY || own.output === 'table') return void process.stdout.write(operationList(routes, look()))
  return printJson(routes.map(({ operation, group, summary }) => ({ operation, group, summary })))
}
