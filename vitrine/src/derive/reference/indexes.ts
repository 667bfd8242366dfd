// The pages that list the others: routes, errors, settings.
import type { Route } from '../../catalogue/define.ts'
import { beyondText } from '../../catalogue/descriptions.ts'
import { connectionPath } from '../../catalogue/parameters.ts'
import { type ProblemCode, problems } from '../../problems.ts'
import { shownDefault } from '../../../../base/core/settings-reader.ts'
import { otherVariables, settingNames, settingsTable, variableOf } from '../../settings.ts'
import { code, link, markdownPage, part, markdownTable } from './markdown.ts'

export function routesIndex(routes: readonly Route[]): string {
  const table = (listed: readonly Route[]): string =>
    markdownTable(
      ['#', 'Operation', 'Group', 'Path', 'Reviewed'],
      listed.map(({ number, operation, group, path, reviewed }) => [
        number,
        link(operation, `routes/${operation}.md`),
        code(group),
        code(path),
        `${reviewed.version}, ${reviewed.date}`,
      ]),
    )
  const beyond = routes.filter(({ isBeyond }) => isBeyond)
  return markdownPage(
    'Routes',
    `Every path follows ${code(connectionPath)}. The last column says against which release of the platform a route was reviewed, and when.`,
    table(routes.filter(({ isBeyond }) => !isBeyond)),
    ...(beyond.length > 0 ? [part('Beyond the contract', beyondText, table(beyond))] : []),
  )
}

const errorTable = (rows: readonly (readonly [string, (typeof problems)[ProblemCode]])[]): string =>
  markdownTable(
    ['Status', 'Code', 'Type', 'Retry', 'Meaning'],
    rows.map(([name, { type, status, summary, retryable }]) => [
      status,
      link(code(name), `errors/${name}.md`),
      code(type),
      retryable ? 'yes' : 'no',
      summary,
    ]),
  )

export function errorsIndex(): string {
  const [ofOperators, ofCallers] = [true, false].map((wanted) =>
    Object.entries(problems).filter(([, { operator = false }]) => operator === wanted),
  )
  return markdownPage(
    'Errors',
    'Every refusal has one form, and its code has a page here. `type` is a closed list; codes may be added.',
    errorTable(ofCallers ?? []),
    part('The operator endpoint and the command line', errorTable(ofOperators ?? [])),
  )
}

export function settingsIndex(): string {
  const rows = settingNames.map((name) => {
    const setting = settingsTable[name]
    const { about } = setting
    return [
      link(code(name), `settings/${name}.md`),
      code(variableOf(name)),
      code(shownDefault(setting)),
      firstSentence(about),
    ]
  })
  const variables = Object.entries(otherVariables).map(([name, about]) => [code(name), about])
  return markdownPage(
    'Settings',
    'A setting stands in the JSON settings file (`a.b` is `{"a": {"b": …}}`) or in the environment, which wins. An unknown or wrong one stops the start.',
    markdownTable(['Setting', 'Variable', 'Default', 'Meaning'], rows),
    part('Other variables', markdownTable(['Variable', 'Meaning'], variables)),
  )
}

const firstSentence = (about: string): string => /^.*?[.:](?= )/.exec(about)?.[0].replace(/:$/, '.') ?? about
