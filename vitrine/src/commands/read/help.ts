// Help from the catalogue: all operations, or one with its parameters, answer and examples. Names stand on the left, texts on
// the right, within the terminal's width.
import { groups, groupTexts, isList, type Route } from '../../catalogue/define.ts'
import { routes } from '../../catalogue/index.ts'
import { wayTo } from '../../catalogue/ways.ts'
import { exampleParams } from '../../catalogue/examples.ts'
import { pageSize } from '../../catalogue/parameters.ts'
import { beyondSentence, beyondTag, pathText, typeName } from '../../catalogue/descriptions.ts'
import { shellOption } from '../../../../base/core/source-text.ts'
import { columnsFor } from './columns.ts'
import { exits } from './exits.ts'
import type { Paint } from '../../../../base/cli/terminal.ts'
import { type CommonOption, commonOptions, parametersOf, type CommandParameter } from './options.ts'

export interface HelpLook {
  readonly name: string
  readonly width: number
  readonly paint: Paint
}

const plainWords = (text: string): string => text.replaceAll('`', '')

function wrap(text: string, indent: number, width: number): string {
  const room = Math.max(30, Math.min(width, 110) - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

type HelpEntry = readonly [name: string, words: string]

function layoutEntries(rows: readonly HelpEntry[], width: number): string {
  const wide = Math.min(36, Math.max(...rows.map(([name]) => name.length)))
  const line = ([name, words]: HelpEntry) => {
    const head = `  ${name.padEnd(wide)}  `
    return head.length > wide + 4 && words !== ''
      ? `  ${name}\n${' '.repeat(wide + 4)}${wrap(words, wide + 4, width)}`
      : `${head}${wrap(words, wide + 4, width)}`.trimEnd()
  }
  return rows.map(line).join('\n')
}

const section = (title: string, body: string, { paint }: HelpLook): string => `${paint('bold', title)}\n${body}`

function exampleLine(route: Route, name: string): string {
  const options = Object.entries(exampleParams(route)).map(([name, value]) => shellOption(name, String(value)))
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

function parameterEntry({ name, kind, about, values }: CommandParameter): HelpEntry {
  const forms: Readonly<Record<CommandParameter['kind'], string>> = {
    path: 'VALUE',
    filter: 'A,B,…',
    sort: 'KEY,…',
    fields: 'A,B,…',
    limit: 'N',
    cursor: 'CURSOR',
  }
  const form = kind === 'filter' && values === undefined ? 'VALUE,…' : forms[kind]
  const listed = values && ` One or more of: ${values.join(', ')}.`
  const bounds =
    kind === 'limit' ? ` 1 to ${pageSize.most}; ${pageSize.standard} if not given, ${pageSize.most} with --all.` : ''
  return [`--${name} ${form}`, `${plainWords(about)}${listed ?? ''}${bounds}`]
}

const shapes = { one: 'one resource', page: 'a list of', ids: 'a list of ids', id: 'one id, or null' }

function answerEntries(route: Route): HelpEntry[] {
  const { returns } = route
  return columnsFor(route, undefined).map((name) => {
    const field = returns?.attributes[name]
    const about =
      field?.about ?? returns?.links[name]?.about ?? (name === 'id' ? 'The id.' : pathText(name, route.from))
    return [name, plainWords(field ? `${about} (${typeName(field)})` : about)]
  })
}

const ownEntries = (names: readonly string[]): HelpEntry[] =>
  Object.entries<CommonOption>(commonOptions)
    .filter(([name]) => names.includes(name))
    .map(([name, { about, value, values, short }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`,
      values ? `${about}: ${values.join(', ')}` : about,
    ])

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')

export function operationHelp(route: Route, look: HelpLook): string {
  const { operation, summary, about, group, shape, returns, isBeyond = false } = route
  const taken = parametersOf(route)
  const required = taken.filter(({ kind }) => kind === 'path')
  const others = taken.filter(({ kind }) => kind !== 'path')
  const usage = [operation, ...required.map(({ name }) => `--${name} VALUE`), '[options]'].join(' ')
  const what = shape === 'page' ? `${shapes.page} ${returns?.name ?? 'resource'}` : shapes[shape]
  const finds = wayTo(route, routes)?.length ? ['find', 'each'] : []
  const own = [...finds, 'output', 'connection', 'timeout', ...(isList(route) ? ['all'] : [])]
  const parts = [
    `${summary}.${about === undefined ? '' : ` ${plainWords(about)}`}`,
    section('Usage', `  ${look.name} read ${usage}`, look),
    section('Examples', indented(examplesOf(route, look)), look),
    ...(required.length > 0 ? [section('Needed', layoutEntries(required.map(parameterEntry), look.width), look)] : []),
    ...(others.length > 0 ? [section('Parameters', layoutEntries(others.map(parameterEntry), look.width), look)] : []),
    section(
      'Options',
      `${layoutEntries(ownEntries(own), look.width)}\n  (all of them: ${look.name} read --help)`,
      look,
    ),
    section(`What comes back: ${what}`, layoutEntries(answerEntries(route), look.width), look),
    `The key needs the group ${group}: ${groupTexts[group]}${isBeyond ? `\n${beyondSentence}` : ''}`,
  ]
  return `${parts.join('\n\n')}\n`
}

export function operationList(routes: readonly Route[], look: HelpLook): string {
  const wide = Math.max(0, ...routes.map(({ operation }) => operation.length))
  const listed = (title: string, rows: readonly Route[]): string[] => {
    const entries = rows.map(({ operation, summary }) => [operation.padEnd(wide), summary] as const)
    return rows.length === 0 ? [] : [section(title, layoutEntries(entries, look.width), look)]
  }
  const ofContract = routes.filter(({ isBeyond }) => !isBeyond)
  const sections = [
    ...groups.flatMap((group) =>
      listed(
        group,
        ofContract.filter((route) => route.group === group),
      ),
    ),
    ...listed(
      `${beyondTag}: lists of the ids that the others need`,
      routes.filter(({ isBeyond }) => isBeyond),
    ),
  ]
  const [first] = routes
  const paste = first === undefined ? '' : `\n  ${look.name} read ${first.operation} --help`
  return `${sections.join('\n')}\n\nParameters of an operation, and examples to paste:${paste}\n`
}

const environment: readonly HelpEntry[] = [
  ['VITRINE_KEY', 'the facade key; it is never an argument'],
  ['VITRINE_URL', 'where the service is'],
  ['VITRINE_CONNECTION', 'which connection'],
  ['NO_COLOR', 'no colours, as in a pipe'],
]

/** one example of each kind */
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
  const codes = exits.map(({ code, about }): HelpEntry => [String(code), plainWords(about)])
  const parts = [
    'Reads the store account through a Vitrine: one operation, as a table on a terminal, otherwise as JSON.',
    section('Usage', `  ${name} read <operation> [--parameter value] [--all] [--output table|json|ndjson|csv]`, look),
    section('Examples', indented(someExamples(routes, name)), look),
    section('Options', layoutEntries(ownEntries(Object.keys(commonOptions)), width), look),
    section('Environment', layoutEntries(environment, width), look),
    section('Exit codes', layoutEntries(codes, width), look),
  ]
  return `${parts.join('\n\n')}\n`
}
