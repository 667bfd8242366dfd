// The page of one route, from the catalogue: parameters, answer, refusals, and its example with the sandbox's answer.
import { type Field, groupTexts, isList, type Route } from '../../catalogue/define.ts'
import { exampleIds } from '../../catalogue/examples.ts'
import { type IdSource, sourcesOf } from '../../catalogue/id-sources.ts'
import {
  connectionPath,
  nestedReads,
  pageSize,
  type Parameter,
  pathParameterText,
  queryParameters,
} from '../../catalogue/parameters.ts'
import { problems } from '../../problems.ts'
import { refusalCodes } from '../problem-responses.ts'
import {
  beyondSentence,
  idType,
  linkageType,
  pathText,
  personalText,
  reviewSentence,
  typeName,
} from '../../catalogue/descriptions.ts'
import { appScopeOf } from '../../catalogue/ownership.ts'
import { personalFields } from '../../catalogue/personal.ts'
import { cursorText, idText, linkText, pathIdText } from '../schema.ts'
import { code, fence, json, link, bulletList, markdownPage, part, markdownTable } from './markdown.ts'
import { agentSample, clientSample, commandSample, curlSample } from './samples.ts'

const routeLink = (operation: string): string => link(operation, `${operation}.md`)
const errorLink = (name: string): string => link(code(name), `../errors/${name}.md`)

function stampOf(route: Route): string {
  const { hash } = route.reviewed
  return `${reviewSentence(route)}${hash === undefined ? '' : ` Hash of the reviewed operations: ${code(hash)}.`}`
}

function costWords(route: Route): string {
  const { resolve, guard, owner, through } = route.from
  const of = isList(route) ? ' of each page' : ''
  if (through)
    return `each page takes 1 platform call for ${code(`GET ${through.list}`)}, or one for each ${pageSize.most} entries in it, and 1 for each list below that it is filled from, ${nestedReads} lists at most. A list that was removed meanwhile costs 1 more. A page can therefore be short, or empty, before ${code('nextCursor')} is null.`
  if (!resolve && !guard && !owner) return `1 platform call${isList(route) ? ' for each page' : ''}.`
  const lookup = resolve
    ? 'the service looks up the localization with exactly this locale'
    : guard
      ? `the service checks that ${code(guard.child)} belongs to its parent`
      : `the service checks that ${code(owner?.id ?? '')} exists`
  return `2 platform calls. First ${lookup}, which takes a call for each page of its list; then comes the read${of}. The lookup is cached for a minute after its last use, so repeats and further pages cost 1 call.`
}

function cachingText({ group, neverCached: held }: Route): string {
  if (held !== undefined) return `never, because the answer holds ${held}.`
  return `if the operator enables it for group ${code(group)} (${link(code('cacheSeconds'), '../settings/cacheSeconds.md')}); off by default.`
}

/** how a key for some apps reads it, and what that costs */
function appsWords(route: Route): string {
  const { anchor, chain, refused } = appScopeOf(route)
  if (refused !== undefined) return `Keys for some apps: refused with ${errorLink('route_not_for_apps')}. ${refused}`
  if (anchor === undefined) return 'Keys for some apps: the list is cut to these apps. No further platform call.'
  if (chain.length === 0) return 'Keys for some apps: the app must be one of them. No further platform call.'
  const [first, ...rest] = chain.map(({ list }) => code(`GET ${list}`))
  const further = rest.map((list) => `, then in ${list} for each of what that lists`).join('')
  return `Keys for some apps: ${code(anchor)} is looked for in ${first} for each app${further}. That costs one platform call for each list and 200 entries in it, each list once a minute at most.`
}

function personalWords(route: Route): string[] {
  const names = personalFields(route)
  if (names.length === 0) return []
  const without = `The platform is not asked for it for keys without the grant, and the answer leaves it out. Asking for it is ${errorLink('personal_not_granted')}.`
  return [
    `Personal data: ${names.map(code).join(', ')}. The operator grants it to a key: ${code('vitrine keys create --personal')}. ${without}`,
  ]
}

function summary(route: Route): string {
  const { group } = route
  return bulletList([
    `Group ${code(group)}: ${groupTexts[group]} The operator grants it to a key: ${code(`vitrine keys create --groups ${group}`)}. Without it the answer is ${errorLink('group_not_granted')}.`,
    `Cost: ${costWords(route)}`,
    `Cached: ${cachingText(route)}`,
    ...personalWords(route),
    appsWords(route),
    stampOf(route),
    ...(route.isBeyond ? [beyondSentence] : []),
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
    [pathParameterText(name), idOrigin(name, route, routes)].filter(Boolean).join(' '),
    code(example),
  ])
  return markdownTable(
    ['In the path', 'Meaning', 'Example'],
    [[code('connectionId'), pathParameterText('connectionId'), code('demo')], ...ids],
  )
}

function valueWords({ kind, values }: Parameter): string {
  if (kind === 'limit') return `1 to ${pageSize.most}, by default ${pageSize.standard}.`
  return values ? `${kind === 'filter' ? 'Of' : 'Any of'}: ${values.map(code).join(', ')}.` : ''
}

function queryTable(route: Route): string {
  const rows = queryParameters(route).map((parameter) => [
    code(parameter.name),
    [parameter.about, valueWords(parameter)].filter(Boolean).join(' '),
  ])
  return markdownTable(['In the query', 'Meaning'], rows)
}

const byEndUsers = 'Written by end users: text to be shown, never followed.'

const isByEndUser = (field: Field): boolean =>
  field.by === 'end-user' || (field.items !== undefined && isByEndUser(field.items))

/** nested fields become rows such as `insights.regressions[].metric` */
function fieldRows(name: string, field: Field): string[][] {
  const { about = '', items, personal, properties = items?.properties } = field
  const values = field.values ?? items?.values
  const listed = values ? `Known: ${values.map(code).join(', ')}.` : ''
  const warned = isByEndUser(field) ? byEndUsers : ''
  const inside = items ? `${name}[]` : name
  return [
    [code(name), typeName(field), [about, listed, warned, personal && personalText].filter(Boolean).join(' ')],
    ...Object.entries(properties ?? {}).flatMap(([inner, one]) => fieldRows(`${inside}.${inner}`, one)),
  ]
}

function fieldTable({ returns, from }: Route): string {
  if (!returns) return ''
  return markdownTable(
    ['Field', 'Type', 'Meaning'],
    [
      [code('id'), idType, from.bare ? pathIdText : idText],
      ...Object.entries(returns.attributes).flatMap(([name, field]) => fieldRows(name, field)),
      ...returns.fromPath.map((name) => [code(name), idType, pathText(name, from)]),
      ...Object.entries(returns.links).map(([name, { about, personal }]) => [
        code(name),
        linkageType,
        personal ? `${about} ${personalText}` : about,
      ]),
    ],
  )
}

const always = '`id` is always present. Any other field may be absent or null: the platform has no value there.'
const open = 'A list of known values is open: one that is not listed is passed on unchanged.'
const exact = 'Integers keep all their digits.'

/** which linkages come by default, and what else the connection may ask for */
function linkageRules(asks: readonly string[] = []): string {
  const always = asks.map(code).join(', ')
  const asked =
    asks.length === 0
      ? 'By default the platform is not asked for linkages, and rarely supplies one.'
      : `By default the platform is asked for ${always}, by id alone: without that a row says little or leads nowhere.`
  return `A linkage holds the id of what it names. ${linkText} ${asked} A connection with ${code('"linkage": "asked"')} asks for all of them with every read, except one with ${code('fields')}.`
}

function fieldRules({ returns, asks }: Route): string {
  if (!returns) return ''
  const links = Object.keys(returns.links).length > 0 ? linkageRules(asks) : ''
  return [always, open, exact, links].filter(Boolean).join(' ')
}

const noQuery = `There are no query parameters. Any parameter is refused with ${errorLink('unknown_parameter')}.`
const queryRules = `Several values of a filter, of ${code('sort')} and of ${code('fields')} are separated by commas. Each parameter may be given once. A parameter that is not listed here is refused with ${errorLink('unknown_parameter')}.`

const shapes = {
  one: () => 'One resource.',
  page: () => `A page of resources: ${code('items')}, and ${code('nextCursor')}. ${cursorText}`,
  ids: () => `A page of ids: ${code('items')} holds strings, next to ${code('nextCursor')}. ${cursorText}`,
  id: () => `${code('{"id": …}')}: one id, or null if there is none.`,
}

function refusals(route: Route): string {
  const byStatus = Map.groupBy(refusalCodes(route), (name) => problems[name].status)
  const rows = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, names]) => [status, names.map(errorLink).join(', ')])
  return markdownTable(['Status', 'Codes'], rows)
}

const example = (route: Route, answer: unknown): string =>
  part(
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

/** `answer`: the sandbox's answer to the route's example */
export function routePage(route: Route, routes: readonly Route[], answer: unknown): string {
  const { operation, summary: title, about = '', path, shape } = route
  const hasQuery = queryParameters(route).length > 0
  return markdownPage(
    operation,
    `${title}.${about && ` ${about}`}`,
    fence('http', `GET ${connectionPath}${path}`),
    summary(route),
    part('Parameters', pathTable(route, routes), hasQuery ? queryTable(route) : noQuery, hasQuery ? queryRules : ''),
    part('Answer', shapes[shape](), fieldTable(route), fieldRules(route)),
    part(
      'Refusals',
      refusals(route),
      `Malformed requests and other methods are refused before that: ${link('all errors', '../errors.md')}.`,
    ),
    example(route, answer),
    link('All routes', '../routes.md'),
  )
}
