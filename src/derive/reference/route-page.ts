// The page of one route: what it is, what it takes, what it answers, how it refuses, and its example as the sandbox
// answers it. Nothing is said here that the catalogue knows.
import { groupWords, isList, type Route } from '../../catalogue/define.ts'
import { exampleIds } from '../../catalogue/examples.ts'
import { type IdSource, sourcesOf } from '../../catalogue/id-sources.ts'
import {
  connectionPath,
  pageSize,
  type Parameter,
  pathParameterWords,
  queryParameters,
} from '../../catalogue/parameters.ts'
import { problems } from '../../problem.ts'
import { refusalCodes } from '../problem-responses.ts'
import { reviewedWords } from '../reviewed.ts'
import { cursorWords } from '../schema.ts'
import { code, fence, json, link, list, page, part, table } from './markdown.ts'
import { fieldRules, fieldTable } from './route-fields.ts'
import { agentSample, clientSample, commandSample, curlSample } from './samples.ts'

const routeLink = (operation: string): string => link(operation, `${operation}.md`)
const errorLink = (name: string): string => link(code(name), `../errors/${name}.md`)

function stampOf(route: Route): string {
  const { hash } = route.reviewed
  return `${reviewedWords(route)}${hash === undefined ? '' : ` Hash of what was reviewed: ${code(hash)}.`}`
}

function costWords(route: Route): string {
  const { resolve, guard } = route.from
  const of = isList(route) ? ' of each page' : ''
  if (!resolve && !guard) return `1 call of the platform${isList(route) ? ' for each page' : ''}.`
  const lookup = resolve
    ? 'the localization with exactly this locale is looked up'
    : `it is looked up that ${code(guard?.child ?? '')} belongs to its parent`
  return `2 calls of the platform: first ${lookup}, in as many calls as its listing has pages, then comes the read${of}. What was looked up is remembered for a minute after its last use, so repeats and further pages cost 1.`
}

function remembering({ group, neverRemembered: held }: Route): string {
  if (held !== undefined) return `never: it holds ${held}.`
  return `where the operator lets group ${code(group)} be remembered (${link(code('cacheSeconds'), '../settings/cacheSeconds.md')}); by default not.`
}

function summary(route: Route): string {
  const { group } = route
  return list([
    `Group ${code(group)}: ${groupWords[group]} A key has it where its operator granted it: ${code(`vitrine keys create --groups ${group}`)}. Else ${errorLink('group_not_granted')}.`,
    `Cost: ${costWords(route)}`,
    `Remembered: ${remembering(route)}`,
    stampOf(route),
  ])
}

const sourceWords = ({ operation, field }: IdSource): string =>
  field === undefined ? routeLink(operation) : `${code(field)} of ${routeLink(operation)}`

function idOrigin(name: string, route: Route, routes: readonly Route[]): string {
  if (name === 'locale') return ''
  const sources = sourcesOf(name, route, routes)
  return sources.length === 0 ? 'No route lists it.' : `From ${sources.map(sourceWords).join(', ')}.`
}

function pathTable(route: Route, routes: readonly Route[]): string {
  const ids = Object.entries(exampleIds(route)).map(([name, example]) => [
    code(name),
    [pathParameterWords(name), idOrigin(name, route, routes)].filter(Boolean).join(' '),
    code(example),
  ])
  return table(
    ['In the path', 'Meaning', 'Example'],
    [[code('connectionId'), pathParameterWords('connectionId'), code('demo')], ...ids],
  )
}

function valueWords({ kind, values }: Parameter): string {
  if (kind === 'limit') return `1 to ${pageSize.most}, ${pageSize.standard} without it.`
  return values ? `${kind === 'filter' ? 'Of' : 'Any of'}: ${values.map(code).join(', ')}.` : ''
}

function queryTable(route: Route): string {
  const rows = queryParameters(route).map((parameter) => [
    code(parameter.name),
    [parameter.about, valueWords(parameter)].filter(Boolean).join(' '),
  ])
  return table(['In the query', 'Meaning'], rows)
}

const noQuery = `There are no query parameters: any is ${errorLink('unknown_parameter')}.`
const queryRules = `Several values of a filter, of ${code('sort')} and of ${code('fields')} are separated by commas. Each parameter stands once, and one that is not listed here is ${errorLink('unknown_parameter')}.`

const shapes = {
  one: () => 'One resource.',
  page: () => `A page of resources: ${code('items')}, and ${code('nextCursor')}. ${cursorWords}`,
  ids: () => `A page of ids: ${code('items')} holds strings, beside ${code('nextCursor')}. ${cursorWords}`,
  id: () => `${code('{"id": …}')}: one id, or null where the relation is empty.`,
}

function refusals(route: Route): string {
  const byStatus = Map.groupBy(refusalCodes(route), (name) => problems[name].status)
  const rows = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, names]) => [status, names.map(errorLink).join(', ')])
  return table(['Status', 'Codes'], rows)
}

function example(route: Route, answer: unknown): string {
  return part(
    'Example',
    'With curl:',
    fence('sh', curlSample(route)),
    'At the command line:',
    fence('sh', commandSample(route)),
    'With the TypeScript client:',
    fence('ts', clientSample(route)),
    'As an agent calls the tool:',
    json(agentSample(route)),
    ...(answer === undefined ? ['The sandbox has no answer to it yet.'] : ['The sandbox answers:', json(answer)]),
  )
}

/** `answer`: what the sandbox really answers to the route's example */
export function routePage(route: Route, routes: readonly Route[], answer: unknown): string {
  const { operation, summary: title, about = '', path, shape } = route
  const hasQuery = queryParameters(route).length > 0
  return page(
    operation,
    `${title}.${about && ` ${about}`}`,
    fence('http', `GET ${connectionPath}${path}`),
    summary(route),
    part('Parameters', pathTable(route, routes), hasQuery ? queryTable(route) : noQuery, hasQuery ? queryRules : ''),
    part('Answer', shapes[shape](), fieldTable(route), fieldRules(route)),
    part(
      'Refusals',
      refusals(route),
      `Broken requests and other methods are refused before: ${link('all errors', '../errors.md')}.`,
    ),
    example(route, answer),
    link('All routes', '../routes.md'),
  )
}
