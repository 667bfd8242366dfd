// What in a description would break a caller who relied on an earlier one. Additions are welcome: an operation, an optional
// parameter, a property of an answer, a status, a value that may be given, a value of an open list.
import type { Answer, Json, Operation, Promised } from './promised.ts'
import { nameOf, type Shape, shapeOf } from './schema-shapes.ts'

export const classes = [
  ...(['operation-removed', 'operation-renamed', 'security-changed'] as const),
  ...([
    'parameter-removed',
    'input-required',
    'input-value-removed',
    'input-property-removed',
    'input-narrowed',
  ] as const),
  ...(['status-removed', 'media-type-removed', 'header-removed', 'property-removed', 'requirement-dropped'] as const),
  ...(['output-value-added', 'type-changed'] as const),
]
export type BreakClass = (typeof classes)[number]

export interface Break {
  readonly class: BreakClass
  readonly at: string
}

/** the two sides, and where a break is put down */
interface Comparison {
  readonly before: Promised
  readonly after: Promised
  readonly found: (name: BreakClass, at: string) => void
}

const missing = (from: readonly string[], to: readonly string[]): string[] => from.filter((one) => !to.includes(one))

const least = ['minimum', 'minLength', 'minItems', 'minProperties']
const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties']

/** stricter than before: a value that was accepted is now refused */
const isNarrower = (before: Json, after: Json): boolean =>
  least.some((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)) ||
  most.some((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)) ||
  (after['pattern'] !== undefined && after['pattern'] !== before['pattern']) ||
  (after['uniqueItems'] === true && before['uniqueItems'] !== true)

function compareOutputs(was: Shape, is: Shape, at: string, { found }: Comparison) {
  if (was.types.length > 0 && (is.types.length === 0 || missing(is.types, was.types).length > 0))
    found('type-changed', at)
  if (was.values && (!is.values || missing(is.values, was.values).length > 0)) found('output-value-added', at)
  for (const name of missing(Object.keys(was.properties), Object.keys(is.properties)))
    found('property-removed', `${at}.${name}`)
  for (const name of missing(was.required, is.required))
    if (name in is.properties) found('requirement-dropped', `${at}.${name}`)
}

function compareInputs(was: Shape, is: Shape, at: string, { found }: Comparison) {
  if (is.types.length > 0 && (was.types.length === 0 || missing(was.types, is.types).length > 0))
    found('type-changed', at)
  if (!was.values && is.values) found('input-narrowed', at)
  else if (was.values && is.values && missing(was.values, is.values).length > 0) found('input-value-removed', at)
  if (isNarrower(was.bounds, is.bounds)) found('input-narrowed', at)
  if (is.isClosed)
    for (const name of missing(Object.keys(was.properties), Object.keys(is.properties)))
      found('input-property-removed', `${at}.${name}`)
  for (const name of missing(is.required, was.required)) found('input-required', `${at}.${name}`)
}

interface Place {
  readonly at: string
  readonly way: 'in' | 'out'
  readonly depth?: number
}

function compareSchemas(earlier: Json, later: Json, { at, way, depth = 0 }: Place, comparison: Comparison) {
  // answers of one name are compared once, by that name; what holds itself comes to an end
  const name = nameOf(earlier)
  if (depth > 16 || (way === 'out' && name !== undefined && name === nameOf(later))) return
  const { before, after, found } = comparison
  const [was, is] = [shapeOf(earlier, before.schemas), shapeOf(later, after.schemas)]
  if (was.formats !== is.formats && was.types.join() === is.types.join()) found('type-changed', at)
  ;(way === 'in' ? compareInputs : compareOutputs)(was, is, at, comparison)
  const inside = (part: string): Place => ({ at: `${at}${part}`, way, depth: depth + 1 })
  for (const [name, one] of Object.entries<Json>(was.properties))
    if (is.properties[name]) compareSchemas(one, is.properties[name], inside(`.${name}`), comparison)
  if (was.items && is.items) compareSchemas(was.items, is.items, inside('[]'), comparison)
  else if (was.items && way === 'out' && is.types.includes('array')) found('type-changed', `${at}[]`)
}

function compareAnswers(was: Answer, is: Answer | undefined, at: string, comparison: Comparison) {
  const { found } = comparison
  if (!is) {
    found('status-removed', at)
    return
  }
  for (const name of missing(was.headers, is.headers)) found('header-removed', `${at} ${name}`)
  for (const [type, schema] of Object.entries(was.content))
    if (!is.content[type]) found('media-type-removed', `${at} ${type}`)
    else compareSchemas(schema, is.content[type], { at, way: 'out' }, comparison)
}

function compareParameters(
  was: Operation['parameters'],
  is: Operation['parameters'],
  at: string,
  comparison: Comparison,
) {
  const { found } = comparison
  for (const [name, { required, schema, form }] of Object.entries(was)) {
    const one = is[name]
    if (!one) found('parameter-removed', `${at} ${name}`)
    else {
      if (one.required && !required) found('input-required', `${at} ${name}`)
      if (one.form !== form) found('type-changed', `${at} ${name}`)
      compareSchemas(schema, one.schema, { at: `${at} ${name}`, way: 'in' }, comparison)
    }
  }
  for (const [name, { required }] of Object.entries(is))
    if (required && !was[name]) found('input-required', `${at} ${name}`)
}

function compareBodies(was: Operation['body'], is: Operation['body'], at: string, comparison: Comparison) {
  const { found } = comparison
  if (is?.required && !was?.required) found('input-required', at)
  for (const [type, schema] of Object.entries(was?.content ?? {})) {
    const one = is?.content[type]
    if (one) compareSchemas(schema, one, { at, way: 'in' }, comparison)
    else found('media-type-removed', `${at} ${type}`)
  }
}

/** each way to be let in, with the kind of every scheme that is another than a bearer token; none: everybody is */
function waysOf(security: string): string[] {
  const [, ways = '[]', kinds = ''] = /^(\[.*\])(.*)$/.exec(security) ?? []
  return (JSON.parse(ways) as Json[]).map((way) => {
    const named = Object.keys(way).map((name) => new RegExp(` ${name}: \\S+ \\S+`).exec(kinds)?.[0])
    return JSON.stringify([way, named])
  })
}

/** another way beside them is welcome, a door that stands open is not */
function isShut(was: string, is: string): boolean {
  const [before, after] = [waysOf(was), waysOf(is)]
  return missing(before, after).length > 0 || (before.length === 0 && after.length > 0)
}

function compareOperations(was: Operation, is: Operation, at: string, comparison: Comparison) {
  const { found } = comparison
  if (was.operationId !== is.operationId) found('operation-renamed', at)
  if (isShut(was.security, is.security)) found('security-changed', at)
  compareParameters(was.parameters, is.parameters, at, comparison)
  compareBodies(was.body, is.body, `${at} body`, comparison)
  for (const [status, answer] of Object.entries(was.answers))
    compareAnswers(answer, is.answers[status], `${at} ${status}`, comparison)
}

export function findBreaks(before: Promised, after: Promised): Break[] {
  const breaks: Break[] = []
  const comparison: Comparison = { before, after, found: (name, at) => void breaks.push({ class: name, at }) }
  for (const [name, was] of Object.entries(before.operations)) {
    const is = after.operations[name]
    if (is) compareOperations(was, is, name, comparison)
    else comparison.found('operation-removed', name)
  }
  for (const [name, schema] of Object.entries(before.schemas)) {
    const is = after.schemas[name]
    if (is) compareSchemas(schema, is, { at: name, way: 'out' }, comparison)
  }
  return breaks
}
