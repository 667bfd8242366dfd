// The reference pages, as Markdown: routes, errors and settings, each from the table that it is about.
import type { Field, Route } from '../catalogue/define.ts'
import { connectionPath, type Parameter, queryParameters } from '../catalogue/parameters.ts'
import { problems } from '../problem.ts'

const derived = '<!-- Derived: npm run derive writes this page. -->\n'

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.map((c) => String(c).replaceAll('|', '\\|')).join(' | ')} |`

const table = (heads: readonly string[], rows: readonly string[]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n')

const code = (text: string): string => `\`${text}\``

const shapes = { one: 'one resource', page: 'a page of resources', ids: 'a page of ids', id: 'one id, or null' }

function parameterRow({ name, about, values }: Parameter): string {
  const listed = values ? ` One of: ${values.map(code).join(', ')}.` : ''
  return row(code(name), `${about}${listed}`)
}

function typeWords({ kind, format, items }: Field): string {
  if (kind === 'array' && items) return `list of ${typeWords(items)}`
  return format ? `${kind}, ${format}` : kind
}

/** a field and what is nested in it, as `insights.regressions[].metric` */
function fieldRows(name: string, field: Field): string[] {
  const { about = '', items, properties = items?.properties } = field
  const values = field.values ?? items?.values
  const listed = values ? `Known: ${values.map(code).join(', ')}.` : ''
  const inside = items ? `${name}[]` : name
  return [
    row(code(name), typeWords(field), [about, listed].filter(Boolean).join(' ')),
    ...Object.entries(properties ?? {}).flatMap(([inner, one]) => fieldRows(`${inside}.${inner}`, one)),
  ]
}

function answerRows({ returns }: Route): string[] {
  if (!returns) return []
  return [
    ...Object.entries(returns.attributes).flatMap(([name, field]) => fieldRows(name, field)),
    ...returns.fromPath.map((name) => row(code(name), 'string', 'As given in the path.')),
    ...Object.entries(returns.links).map(([name, { about }]) => row(code(name), 'string, linkage', about)),
  ]
}

function routeSection(route: Route): string {
  const { number, operation, summary, about, path, group, shape, reviewed, from, example } = route
  const parameters = queryParameters(route)
  const fields = answerRows(route)
  return [
    `## ${number}. ${operation}`,
    `${summary}.${about === undefined ? '' : ` ${about}`}`,
    `\`GET ${connectionPath}${path}\` answers ${shapes[shape]}; group \`${group}\`.`,
    `Reviewed against platform ${reviewed.version}, \`GET ${from.read}\`, on ${reviewed.date}.`,
    ...(parameters.length > 0 ? [table(['Parameter', 'Meaning'], parameters.map(parameterRow))] : []),
    ...(fields.length > 0 ? [table(['Field', 'Type', 'Meaning'], fields)] : []),
    `Example: \`${example}\``,
  ].join('\n\n')
}

export function routesPage(routes: readonly Route[]): string {
  const list = routes.map(({ number, operation, group, path, reviewed }) =>
    row(number, `[${operation}](#${number}-${operation.toLowerCase()})`, group, code(path), reviewed.version),
  )
  const intro = `Every path follows \`${connectionPath}\`. Every resource has \`id\` (string); every other field may be absent or null.`
  return [
    `${derived}# Routes`,
    intro,
    table(['#', 'Operation', 'Group', 'Path', 'Reviewed'], list),
    ...routes.map(routeSection),
    '',
  ].join('\n\n')
}

export function errorsPage(): string {
  const rows = Object.entries(problems).map(([name, { type, status, summary, cure, retryable }]) =>
    row(status, code(name), code(type), retryable ? 'yes' : 'no', `${summary} ${cure}`),
  )
  const intro = 'Each code has a page at `/errors/{code}`. `type` is a closed list; codes may be added.'
  return [`${derived}# Errors`, intro, table(['Status', 'Code', 'Type', 'Retry', 'Meaning and cure'], rows), ''].join(
    '\n\n',
  )
}

type SettingWords = Readonly<Record<string, { readonly shown: string; readonly about: string }>>

export function settingsPage(
  settings: SettingWords,
  variableOf: (name: string) => string,
  others: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(settings).map(([name, { shown, about }]) =>
    row(code(name), code(variableOf(name)), code(shown), about),
  )
  const variables = Object.entries(others).map(([name, about]) => row(code(name), about))
  return [
    `${derived}# Settings`,
    'A setting stands in the JSON settings file (`a.b` is `{"a": {"b": …}}`) or in the environment, which wins. An unknown or wrong one stops the start.',
    table(['Setting', 'Variable', 'Default', 'Meaning'], rows),
    table(['Variable', 'Meaning'], variables),
    '',
  ].join('\n\n')
}
