// Completion of `vitrine read`: operations, parameters and their values.
import {
  type Candidates,
  candidatesAmong,
  type CompletedOption,
  joinBroken,
  readPrevious,
} from '../../../../base/cli/candidates.ts'
import { kebabOf } from '../../../../base/cli/kebab.ts'
import { isList, type Route } from '../../catalogue/define.ts'
import { type CommonOption, commonOptions, parametersOf } from './options.ts'

function optionsOf(route: Route | undefined): CompletedOption[] {
  const own = Object.entries<CommonOption>(commonOptions).filter(([name]) => name !== 'all' || !route || isList(route))
  const taken = (route ? parametersOf(route) : []).map(({ kind, ...parameter }) => ({
    ...parameter,
    isMany: parameter.values !== undefined && kind !== 'path',
  }))
  return [...taken, ...own.map(([name, option]) => ({ ...option, name, isSwitch: option.value === undefined }))]
}

/** `words`: the arguments after `read` */
export function candidatesFor(words: readonly string[], routes: readonly Route[]): Candidates {
  const { operand } = readPrevious(joinBroken(words).slice(0, -1), optionsOf(undefined))
  const route = routes.find(({ operation }) => operation === operand || kebabOf(operation) === operand)
  const operations = routes.map(({ operation: word, summary: about }) => ({ word, about }))
  return candidatesAmong(optionsOf(route), words, operations)
}
