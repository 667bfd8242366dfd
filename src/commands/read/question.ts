// From the words of the command line to a question. As strict as the service, and before anything is sent: nothing is
// ignored, guessed or taken twice, and every refusal names the nearest right word.
import { isList, type Route } from '../../catalogue/define.ts'
import { didYouMean, nearestOf } from '../../engine/nearest.ts'
import { quote } from '../../engine/quote.ts'
import { readQuery } from '../../engine/query.ts'
import { Problem } from '../../problem.ts'
import { Misuse, WrongArgument } from './exits.ts'
import { formats, ownOption, ownOptions, type OwnName } from './options.ts'
import { kebabOf } from '../kebab.ts'
import { parametersOf } from './parameters.ts'

export type Own = { readonly [K in OwnName]?: string }

export interface Question {
  /** undefined: the list of operations is asked for */
  readonly route: Route | undefined
  /** the parameters of the path and the query, by the catalogue's names */
  readonly given: Readonly<Record<string, string>>
  readonly own: Own
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
  Object.keys(ownOptions).flatMap((name) => {
    const short = ownOption(name)?.short
    return short === undefined ? [] : [[`-${short}`, name] as const]
  }),
)

/** splits `--name=value`; a short option has no such form */
function readOption(word: string): Word {
  const long = shorts.get(word)
  if (long !== undefined) return { name: long, value: undefined }
  if (!word.startsWith('--')) throw new Misuse(`${quote(word)} is no option: parameters are written --name value.`)
  const at = word.indexOf('=')
  return at < 0 ? { name: word.slice(2), value: undefined } : { name: word.slice(2, at), value: word.slice(at + 1) }
}

/** the next word is the value, unless it is an option itself */
function takeValue(name: string, value: string | undefined, rest: string[]): string {
  const param = ownOption(name) ? name : name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const taken = value ?? (rest[0]?.startsWith('--') ? undefined : rest.shift())
  if (taken === undefined)
    throw new WrongArgument(
      'empty_parameter',
      param,
      `--${name} needs a value. One that begins with -- is written --${name}=--….`,
    )
  if (taken === '')
    throw new WrongArgument('empty_parameter', param, `--${name} has no value. Give it one, or leave it out.`)
  return taken
}

interface Split {
  readonly operands: readonly string[]
  readonly options: readonly Word[]
}

/** words that stand alone, and options with what follows them */
function splitWords(words: readonly string[]): Split {
  const rest = [...words]
  const operands: string[] = []
  const options: Word[] = []
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      operands.push(...rest.splice(0))
    } else if (word.startsWith('-') && word !== '-') {
      const { name, value } = readOption(word)
      const own = ownOption(name)
      if (own !== undefined && own.value === undefined) {
        if (value !== undefined) throw new Misuse(`--${name} takes no value.`)
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
  throw new WrongArgument('route_not_found', 'operation', said)
}

function readOwn(name: string, value: string): string {
  const values = ownOption(name)?.values
  if (!values || values.includes(value)) return value
  const said = `--${name} does not know ${quote(value)}.${hint(value, values)} Allowed: ${formats.join(', ')}.`
  throw new WrongArgument('value_not_allowed', name, said)
}

/** as an error body names what a caller has made up */
const paramOf = (word: string): string => (/^[\w.-]{1,64}$/.test(word) ? word : quote(word).slice(1, -1))

/** the catalogue's name of what was written, in either spelling */
function readName(word: string, names: readonly string[]): string {
  const found = names.find((name) => name === word || kebabOf(name) === word)
  if (found !== undefined) return found
  const all = [...names, ...Object.keys(ownOptions)]
  const allowed = names.length > 0 ? ` It takes: ${names.map((name) => `--${name}`).join(', ')}.` : ''
  const said = `There is no parameter ${quote(`--${word}`)} here.${hint(word, all, '--')}${allowed}`
  throw new WrongArgument('unknown_parameter', paramOf(word), said)
}

/** what the service would say of the values, said before it is asked */
function checkValues(route: Route, given: Readonly<Record<string, string>>) {
  const raw = parametersOf(route)
    .filter(({ name, kind }) => kind !== 'path' && given[name] !== undefined)
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(given[name] ?? '')}`)
  try {
    readQuery(route, raw.join('&'))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new WrongArgument(error.code, error.extras.param ?? '', error.message, { cause: error })
  }
}

function checkWhole(route: Route, { given, own }: Pick<Question, 'given' | 'own'>) {
  const missing = parametersOf(route).filter(({ name, kind }) => kind === 'path' && given[name] === undefined)
  if (missing.length > 0) {
    const wanted = missing.map(({ name, about }) => `--${name} (${about.replaceAll('`', '').replace(/\.$/, '')})`)
    throw new WrongArgument(
      'value_not_allowed',
      missing[0]?.name ?? '',
      `${route.operation} needs ${wanted.join(' and ')}. vitrine read ${route.operation} --help shows it.`,
    )
  }
  if (own.all !== undefined && !isList(route))
    throw new Misuse(`${route.operation} answers one resource: there is nothing to walk. Leave --all out.`)
}

const severalWords = ' Several values are separated by commas.'

export function readQuestion(words: readonly string[], routes: readonly Route[]): Question {
  const { operands, options } = splitWords(words)
  const [operation, extra] = operands
  const route = operation === undefined ? undefined : findRoute(routes, operation)
  const taken = route ? parametersOf(route) : []
  const names = taken.map(({ name }) => name)
  const isMany = (name: string) => taken.some((one) => one.name === name && /filter|sort|fields/.test(one.kind))
  const own: Record<string, string> = {}
  const given: Record<string, string> = {}
  for (const { name: word, value = '' } of options) {
    const isOwn = ownOption(word) !== undefined
    const name = isOwn ? word : readName(word, names)
    const to = isOwn ? own : given
    if (Object.hasOwn(to, name))
      throw new WrongArgument(
        'repeated_parameter',
        name,
        `--${name} is given more than once.${isMany(name) ? severalWords : ''}`,
      )
    to[name] = isOwn ? readOwn(name, value) : value
  }
  if (own['help'] !== undefined) return { route, given, own }
  if (extra !== undefined) throw new Misuse(`${quote(extra)} stands alone: parameters are written --name value.`)
  if (route) {
    checkWhole(route, { given, own })
    checkValues(route, given)
  }
  return { route, given, own }
}
