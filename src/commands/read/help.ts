// Help by example: the operations at a glance, and for one of them what it takes, what comes back, and lines to paste. All
// of it from the catalogue.
import { groups, groupWords, isList, type Route } from '../../catalogue/define.ts'
import { exampleParams } from '../../catalogue/examples.ts'
import { pageSize } from '../../catalogue/parameters.ts'
import { typeWords } from '../../catalogue/type-words.ts'
import { shellWord } from '../../samples.ts'
import { columnsFor } from './columns.ts'
import { exits } from './exits.ts'
import { entries, type Entry, type HelpLook, plainWords, section } from './help-layout.ts'
import { type OwnOption, ownOptions } from './options.ts'
import { parametersOf, type Taken } from './parameters.ts'

/** the catalogue's example as a line of the command line */
function exampleLine(route: Route, name: string): string {
  const options = Object.entries(exampleParams(route)).map(([name, value]) => `--${name} ${shellWord(String(value))}`)
  return [`${name} read ${route.operation}`, ...options].join(' ')
}

const withoutPaging = (line: string): string => line.replaceAll(/ --limit \d+/g, '')

function examplesOf(route: Route, { name }: HelpLook): string[] {
  const line = exampleLine(route, name)
  if (!isList(route)) return [line, `${line} --output json`]
  return [
    line,
    `${withoutPaging(line)} --all --output ndjson`,
    `${withoutPaging(line)} --all --output csv > ${route.operation}.csv`,
  ]
}

function parameterEntry({ name, kind, about, values }: Taken): Entry {
  const forms: Readonly<Record<Taken['kind'], string>> = {
    ...{ path: 'VALUE', filter: 'A,B,…', sort: 'KEY,…', fields: 'A,B,…', limit: 'N', cursor: 'CURSOR' },
  }
  const form = kind === 'filter' && values === undefined ? 'VALUE,…' : forms[kind]
  const listed = values && ` One or more of: ${values.join(', ')}.`
  const bounds =
    kind === 'limit'
      ? ` 1 to ${pageSize.most}; ${pageSize.standard} where it is not given, ${pageSize.most} with --all.`
      : ''
  return [`--${name} ${form}`, `${plainWords(about)}${listed ?? ''}${bounds}`]
}

const shapes = { one: 'one resource', page: 'a list of', ids: 'a list of ids', id: 'one id, or null' }

function answerEntries(route: Route): Entry[] {
  const { returns } = route
  return columnsFor(route, undefined).map((name) => {
    const field = returns?.attributes[name]
    const about = field?.about ?? returns?.links[name]?.about ?? (name === 'id' ? 'The id.' : 'As given in the path.')
    return [name, plainWords(field ? `${about} (${typeWords(field)})` : about)]
  })
}

const ownEntries = (names: readonly string[]): Entry[] =>
  Object.entries<OwnOption>(ownOptions)
    .filter(([name]) => names.includes(name))
    .map(([name, { about, value, values, short }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`,
      values ? `${about}: ${values.join(', ')}` : about,
    ])

export function operationHelp(route: Route, look: HelpLook): string {
  const { operation, summary, about, group, shape, returns } = route
  const taken = parametersOf(route)
  const required = taken.filter(({ kind }) => kind === 'path')
  const others = taken.filter(({ kind }) => kind !== 'path')
  const usage = [operation, ...required.map(({ name }) => `--${name} VALUE`), '[options]'].join(' ')
  const what = shape === 'page' ? `${shapes.page} ${returns?.name ?? 'resource'}` : shapes[shape]
  const own = ['output', 'connection', 'timeout', ...(isList(route) ? ['all'] : [])]
  const parts = [
    `${summary}.${about === undefined ? '' : ` ${plainWords(about)}`}`,
    section('Usage', `  ${look.name} read ${usage}`, look),
    section(
      'Examples',
      examplesOf(route, look)
        .map((line) => `  ${line}`)
        .join('\n'),
      look,
    ),
    ...(required.length > 0 ? [section('Needed', entries(required.map(parameterEntry), look.width), look)] : []),
    ...(others.length > 0 ? [section('Parameters', entries(others.map(parameterEntry), look.width), look)] : []),
    section('Options', `${entries(ownEntries(own), look.width)}\n  (all of them: ${look.name} read --help)`, look),
    section(`What comes back: ${what}`, entries(answerEntries(route), look.width), look),
    `The key needs the group ${group}: ${groupWords[group]}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** the operations by group, for people */
export function operationList(routes: readonly Route[], look: HelpLook): string {
  const wide = Math.max(0, ...routes.map(({ operation }) => operation.length))
  const sections = groups.flatMap((group) => {
    const rows = routes.filter((route) => route.group === group)
    if (rows.length === 0) return []
    const listed = rows.map(({ operation, summary }) => [operation.padEnd(wide), summary] as const)
    return [section(group, entries(listed, look.width), look)]
  })
  const [first] = routes
  const paste = first === undefined ? '' : `\n  ${look.name} read ${first.operation} --help`
  return `${sections.join('\n')}\n\nWhat one takes, and examples to paste:${paste}\n`
}

const environment: readonly Entry[] = [
  ['VITRINE_KEY', 'the facade key, which is never an argument'],
  ['VITRINE_URL', 'where the service is'],
  ['VITRINE_CONNECTION', 'which connection'],
  ['NO_COLOR', 'no colours; there are none behind a pipe either'],
]

/** some of everything: what there is, one page, a whole list, one resource */
function someExamples(routes: readonly Route[], name: string): string[] {
  const list = routes.find(isList)
  const one = routes.find(({ shape }) => shape === 'one')
  const all = list ? [exampleLine(list, name), `${name} read ${list.operation} --all --output csv > all.csv`] : []
  return [
    `${name} read    # what there is`,
    ...all,
    ...(one ? [exampleLine(one, name)] : []),
    `${name} whoami    # what the key may read`,
  ]
}

export function generalHelp(routes: readonly Route[], look: HelpLook): string {
  const { name, width } = look
  const codes = exits.map(({ code, about }): Entry => [String(code), plainWords(about)])
  const parts = [
    'Reads the store account through a Vitrine: one operation, as a table on a terminal and as JSON behind a pipe.',
    section('Usage', `  ${name} read <operation> [--parameter value] [--all] [--output table|json|ndjson|csv]`, look),
    section(
      'Examples',
      someExamples(routes, name)
        .map((line) => `  ${line}`)
        .join('\n'),
      look,
    ),
    section('Options', entries(ownEntries(Object.keys(ownOptions)), width), look),
    section('Environment', entries(environment, width), look),
    section('Exit codes', entries(codes, width), look),
  ]
  return `${parts.join('\n\n')}\n`
}
