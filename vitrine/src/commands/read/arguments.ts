// Parses the arguments of `vitrine read`, as strictly as the service and before anything is sent.
// Every refusal names the nearest valid word.
import { isList, type Route } from '../../catalogue/define.ts'
import { allowedOf, didYouMean, nearestOf } from '../../../../base/core/nearest.ts'
import { quote } from '../../../../base/core/quote.ts'
import { shownName } from '../../../../base/web/target.ts'
import { readRouteQuery } from '../../engine/request.ts'
import { Problem } from '../../problems.ts'
import { UsageError, ArgumentError } from './exits.ts'
import { formats, commonOption, commonOptions, type CommonOptionName, parametersOf } from './options.ts'
import { findableNames } from './find.ts'
import { kebabOf } from '../../../../base/cli/kebab.ts'

export type CommonOptions = { readonly [K in CommonOptionName]?: string }

export interface ReadArguments {
  /** undefined: list the operations */
  readonly route: Route | undefined
  /** path and query parameters, by the catalogue's names */
  readonly given: Readonly<Record<string, string>>
  readonly own: CommonOptions
}

interface Word {
  readonly name: string
  readonly value: string | undefined
}

function hint(word: string, names: readonly string[], lead = ''): string {
  const nearest = nearestOf(word, names)
  return didYouMean(nearest === undefined ? undefined : `${lead}${nearest}`)
}

const shorts = new Map<string, string>(
  Object.keys(commonOptions).flatMap((name) => {
    const short = commonOption(name)?.short
    return short === undefined ? [] : [[`-${short}`, name] as const]
  }),
)

/** `--name=value` is split; short options have no such form */
function readOption(word: string): Word {
  const long = shorts.get(word)
  if (long !== undefined) return { name: long, value: undefined }
  if (!word.startsWith('--'))
    throw new UsageError(`${quote(word)} is not an option: parameters are written --name value.`)
  const at = word.indexOf('=')
  return at < 0 ? { name: word.slice(2), value: undefined } : { name: word.slice(2, at), value: word.slice(at + 1) }
}

/** the next argument is the value, unless it is an option */
function takeValue(name: string, value: string | undefined, rest: string[]): string {
  const param = commonOption(name) ? name : name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const taken = value ?? (rest[0]?.startsWith('--') ? undefined : rest.shift())
  if (taken === undefined)
    throw new ArgumentError(
      'empty_parameter',
      param,
      `--${name} needs a value. One that begins with -- is written --${name}=--….`,
    )
  if (taken === '')
    throw new ArgumentError('empty_parameter', param, `--${name} has no value. Give it one, or leave it out.`)
  return taken
}

function splitWords(words: readonly string[]) {
  const rest = [...words]
  const operands: string[] = []
  const options: Word[] = []
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      operands.push(...rest.splice(0))
    } else if (word.startsWith('-') && word !== '-') {
      const { name, value } = readOption(word)
      const own = commonOption(name)
      if (own !== undefined && own.value === undefined) {
        if (value !== undefined) throw new UsageError(`--${name} takes no value.`)
        options.push({ name, value: '' })
      } else options.push({ name, value: takeValue(name, value, rest) })
    } else operands.push(word)
  }
  return { operands, options }
}

function findRoute(routes: readonly Route[], name: string): Route {
  const names = routes.map(({ operation }) => operation)
  const found = routes.find(({ operation }) => operation === name || kebabOf(operation) === name)
  if (found) return found
  const said = `There is no operation ${quote(name)}.${hint(name, names)} vitrine read lists them.`
  throw new ArgumentError('route_not_found', 'operation', said, { details: allowedOf(names, name) })
}

function readOwn(name: string, value: string): string {
  const values = commonOption(name)?.values
  if (!values || values.includes(value)) return value
  const said = `--${name} does not know ${quote(value)}.${hint(value, values)} Allowed: ${formats.join(', ')}.`
  throw new ArgumentError('value_not_allowed', name, said, { details: allowedOf(values, value) })
}

/** accepts both spellings */
function readName(word: string, names: readonly string[]): string {
  const found = names.find((name) => name === word || kebabOf(name) === word)
  if (found !== undefined) return found
  const all = [...names, ...Object.keys(commonOptions)]
  const allowed = names.length > 0 ? ` It takes: ${names.map((name) => `--${name}`).join(', ')}.` : ''
  const said = `There is no parameter ${quote(`--${word}`)} here.${hint(word, all, '--')}${allowed}`
  throw new ArgumentError('unknown_parameter', shownName(word), said, { details: allowedOf(all, word) })
}

/** checks values as the service would */
function checkValues(route: Route, given: Readonly<Record<string, string>>) {
  const raw = parametersOf(route)
    .filter(({ name, kind }) => kind !== 'path' && given[name] !== undefined)
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(given[name] ?? '')}`)
  try {
    readRouteQuery(route, raw.join('&'))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { param = '', details } = error.extras
    throw new ArgumentError(error.code, param, error.message, { details, cause: error })
  }
}

function checkWhole(route: Route, { given, own }: Pick<ReadArguments, 'given' | 'own'>) {
  const missing = parametersOf(route).filter(({ name, kind }) => kind === 'path' && given[name] === undefined)
  if (missing.length > 0 && own.find === undefined && own.each === undefined) {
    const wanted = missing.map(({ name, about }) => `--${name} (${about.replaceAll('`', '').replace(/\.$/, '')})`)
    throw new ArgumentError(
      'value_not_allowed',
      missing[0]?.name ?? '',
      `${route.operation} needs ${wanted.join(' and ')}. vitrine read ${route.operation} --help shows it.`,
    )
  }
  if (own.each !== undefined && (own.find !== undefined || given['cursor'] !== undefined))
    throw new UsageError(
      `--each reads every row from the start: leave out ${own.find === undefined ? '--cursor' : '--find'}.`,
    )
  if (own.all !== undefined && !isList(route))
    throw new UsageError(`${route.operation} answers one resource: --all is only for lists.`)
}

const severalWords = ' Several values are separated by commas.'

export function parseReadArguments(words: readonly string[], routes: readonly Route[]): ReadArguments {
  const { operands, options } = splitWords(words)
  const [operation, extra] = operands
  const route = operation === undefined ? undefined : findRoute(routes, operation)
  const taken = route ? parametersOf(route) : []
  const findsIds = options.some(({ name }) => name === 'find' || name === 'each')
  const names = [...new Set([...taken.map(({ name }) => name), ...(route && findsIds ? findableNames(route) : [])])]
  const isMany = (name: string) => taken.some((one) => one.name === name && /filter|sort|fields/.test(one.kind))
  const own: Record<string, string> = {}
  const given: Record<string, string> = {}
  for (const { name: asked, value = '' } of options) {
    const word = findsIds && asked === 'app' ? 'appId' : asked
    const isOwn = commonOption(word) !== undefined
    const name = isOwn ? word : readName(word, names)
    const to = isOwn ? own : given
    if (Object.hasOwn(to, name))
      throw new ArgumentError(
        'repeated_parameter',
        name,
        `--${name} is given more than once.${isMany(name) ? severalWords : ''}`,
      )
    to[name] = isOwn ? readOwn(name, value) : value
  }
  if (own['help'] !== undefined) return { route, given, own }
  if (extra !== undefined) throw new UsageError(`${quote(extra)} is unexpected: parameters are written --name value.`)
  if (route) {
    checkWhole(route, { given, own })
    checkValues(route, given)
  }
  return { route, given, own }
}
