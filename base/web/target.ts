// Splits the raw request target before it is decoded. Each segment is decoded once: `%2F` belongs to an id. Then
// reads the query strictly.
import { Problem, type ProblemCode } from '../core/problem.ts'
import { allowedOf, didYouMean, nearestOf } from '../core/nearest.ts'
import { quote } from '../core/quote.ts'

export interface Target {
  readonly path: string
  readonly query: string
}

export function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** a segment of a path such as `/v1/apps/{appId}`: text, or an id with its name */
interface PatternPart {
  readonly text: string
  readonly name: string | undefined
}

export type PathPattern = readonly PatternPart[]

export const patternOf = (path: string): PathPattern =>
  path.split('/').map((text) => ({ text, name: text.startsWith('{') ? text.slice(1, -1) : undefined }))

export function idsOf(pattern: PathPattern, segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  let at = 0
  for (const { text, name } of pattern) {
    const segment = segments[at++] ?? ''
    if (name === undefined) {
      if (text !== segment) return undefined
      continue
    }
    const id = decodeSegment(segment)
    if (id === undefined) return undefined
    ids[name] = id
  }
  return ids
}

export interface PathMatch<Row> {
  readonly rows: readonly Row[]
  readonly ids: Readonly<Record<string, string>>
}

export function createPathMap<Row extends { readonly path: string }>(
  rows: readonly Row[],
): (path: string) => PathMatch<Row> | undefined {
  const patterns = [...Map.groupBy(rows, ({ path }) => path)].map(([path, same]) => [patternOf(path), same] as const)
  return (path) => {
    const segments = path.split('/')
    for (const [pattern, same] of patterns) {
      const ids = idsOf(pattern, segments)
      if (ids) return { rows: same, ids }
    }
    return undefined
  }
}

interface NamedRow {
  readonly name: string
  readonly path?: string | RegExp
}

export function createPageMap<Row extends NamedRow>(rows: readonly Row[]): (path: string) => Row | undefined {
  const fixed = new Map<string, Row>()
  const patterns: [RegExp, Row][] = []
  for (const row of rows) {
    const { name, path = name } = row
    if (typeof path === 'string') fixed.set(path, row)
    else patterns.push([path, row])
  }
  return (path) => fixed.get(path) ?? patterns.find(([pattern]) => pattern.test(path))?.[1]
}

interface WithMethod {
  readonly method: string
}

export const methodsOf = (rows: readonly WithMethod[]): string[] =>
  rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

export const rowFor = <Row extends WithMethod>(rows: readonly Row[], method: string): Row | undefined =>
  rows.find((row) => row.method === (method === 'HEAD' ? 'GET' : method))

export const shownName = (param: string): string => (/^[\w.-]{1,64}$/.test(param) ? param : quote(param).slice(1, -1))

export function parameterProblem(
  code: ProblemCode,
  param: string,
  said: string,
  allowed?: readonly string[],
  word = '',
): Problem {
  const nearest = allowed && nearestOf(word, allowed)
  const list = allowed === undefined ? '' : ` Allowed: ${allowed.length > 0 ? allowed.join(', ') : 'none'}.`
  return new Problem(code, {
    message: `${said}${didYouMean(nearest)}${list}`,
    param: shownName(param),
    ...(allowed && { details: allowedOf(allowed, word) }),
  })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw new Problem('malformed_query')
  }
}

export function readQueryString(raw: string, names: readonly string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (const pair of raw === '' ? [] : raw.split('&')) {
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    if (!names.includes(name))
      throw parameterProblem('unknown_parameter', name, `${quote(name)} is not a parameter of this route.`, names, name)
    if (given.has(name)) throw parameterProblem('repeated_parameter', name, `${quote(name)} is given more than once.`)
    if (value === '') throw parameterProblem('empty_parameter', name, `${quote(name)} has no value.`)
    given.set(name, value)
  }
  return given
}
