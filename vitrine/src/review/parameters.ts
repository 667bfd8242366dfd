// Compares the parameters that the service sends with those that the document declares.
import { vocabulary } from '../catalogue/vocabulary.ts'
import type { ReviewedRequest, SentParameter } from './planned-requests.ts'
import { type JsonObject } from '../../../base/core/json.ts'
import { member, type VendorOperation } from './document.ts'
import type { Difference } from './finding.ts'
import type { SchemaView, ViewSchema } from './schema.ts'

/** Parameters of the engine, not of callers. No document declares `cursor`. */
const isOurAffair = (name: string): boolean => /^(?:fields|limit)\[|^(?:include|limit|cursor)$/.test(name)

/** The values of a list are those of its items. */
function schemaOf(parameter: JsonObject, view: ViewSchema): SchemaView {
  const whole = view(member(parameter, 'schema'))
  const items = whole.items === undefined ? undefined : view(whole.items)
  return { ...whole, ...(items?.values && { values: items.values }) }
}

const ourWords = new Map(Object.entries(vocabulary).map(([ours, theirs]) => [theirs, ours]))

/** One side is open: one difference instead of one for each value. */
function listDifferences(at: string, sent: readonly string[] | undefined, declared: readonly string[] | undefined) {
  if (!sent && declared) return [{ class: 'value-gone', at, ours: 'any', theirs: declared.join(', ') } as const]
  return sent && !declared && !isOurAffair(at) ? [{ class: 'value-new', at, theirs: 'any' } as const] : []
}

function valueDifferences(
  { name: at, values: sent }: SentParameter,
  declared: readonly string[] | undefined,
): Difference[] {
  if (!sent || !declared) return listDifferences(at, sent, declared)
  const gone = sent.filter((value) => !declared.includes(value))
  // new values of `include` and `fields` are reported as attributes and relationships
  const added = isOurAffair(at) ? [] : declared.filter((value) => !sent.includes(value))
  return [
    ...gone.map((value): Difference => ({ class: 'value-gone', at, ours: ourWords.get(value) ?? value })),
    ...added.map((theirs): Difference => ({ class: 'value-new', at, theirs })),
  ]
}

const plain: Readonly<Record<string, (value: string) => boolean>> = {
  string: () => true,
  boolean: (value) => value === 'true' || value === 'false',
  integer: (value) => /^\d+$/.test(value),
  number: (value) => /^\d+$/.test(value),
}

/** The form that the document wants, if it differs from ours: values joined by commas. */
function otherForm(
  { values, isSingle = false }: SentParameter,
  declared: JsonObject,
  view: ViewSchema,
): string | undefined {
  const whole = view(member(declared, 'schema'))
  const isList = whole.types.includes('array')
  const types = isList ? view(whole.items).types : whole.types
  const takes = (value: string): boolean => types.length === 0 || types.some((type) => plain[type]?.(value))
  if (!(values ?? ['any']).every(takes)) return `${isList ? 'list of ' : ''}${types.join(' or ')}`
  if (values?.length === 1 || isSingle || whole.types.length === 0) return undefined
  if (!isList) return `one ${types.join(' or ')}`
  const style = member(declared, 'style') ?? 'form'
  if (style !== 'form') return `list in the style ${JSON.stringify(style)}`
  // the default of the specification is true
  return member(declared, 'explode') === false ? undefined : 'list with a parameter for each value'
}

function sentDifferences(
  sent: SentParameter,
  declared: JsonObject | undefined,
  view: ViewSchema,
  isAnswer: boolean,
): Difference[] {
  const { name: at, isAlways } = sent
  if (!declared) return [{ class: 'parameter-absent', at }]
  const { values, maximum, isDeprecated, types } = schemaOf(declared, view)
  const deprecated = isDeprecated || member(declared, 'deprecated') === true
  const [ours] = sent.values ?? []
  const lowered = at === 'limit' && maximum !== undefined && maximum < Number(ours)
  const theirs = otherForm(sent, declared, view)
  const isFlag = sent.isSingle === true && types.includes('boolean')
  const found = at === 'limit' || isFlag || theirs !== undefined ? [] : valueDifferences(sent, values)
  return [
    ...(deprecated ? [{ class: 'part-deprecated', at } as const] : []),
    ...(!isAlways && member(declared, 'required') === true ? [{ class: 'parameter-required', at } as const] : []),
    ...(theirs === undefined ? [] : [{ class: 'parameter-changed', at, theirs } as const]),
    ...(lowered ? [{ class: 'limit-lowered', at, ours: String(ours), theirs: String(maximum) } as const] : []),
    ...found.filter((one) => isAnswer || one.class !== 'value-new'),
  ]
}

const unsentDifferences = (declared: readonly (readonly [string, JsonObject])[], isAnswer: boolean): Difference[] =>
  declared.flatMap(([at, parameter]): Difference[] => {
    if (member(parameter, 'required') === true) return [{ class: 'parameter-required', at }]
    const isOffer = isAnswer && !isOurAffair(at) && member(parameter, 'deprecated') !== true
    return isOffer ? [{ class: 'parameter-new', at }] : []
  })

/** The operation's own parameters come first, and override those of its path. */
function declaredIn({ parameters }: VendorOperation, places: readonly unknown[]): Map<string, JsonObject> {
  const declared = new Map<string, JsonObject>()
  for (const parameter of parameters) {
    const name = member(parameter, 'name')
    if (places.includes(member(parameter, 'in')) && typeof name === 'string' && !declared.has(name))
      declared.set(name, parameter)
  }
  return declared
}

export function parameterDifferences(
  { sent }: ReviewedRequest,
  operation: VendorOperation,
  view: ViewSchema,
  isAnswer: boolean,
): Difference[] {
  const declared = declaredIn(operation, ['query'])
  const names = new Set(sent.map(({ name }) => name))
  // the service sends no other header and no cookie
  const others = [...declaredIn(operation, ['header', 'cookie'])].filter(
    ([name, one]) => member(one, 'required') === true && !/^(?:accept|content-type|authorization)$/i.test(name),
  )
  return [
    ...sent.flatMap((one) => sentDifferences(one, declared.get(one.name), view, isAnswer)),
    ...others.map(([at]): Difference => ({ class: 'parameter-required', at })),
    ...unsentDifferences(
      [...declared].filter(([name]) => !names.has(name)),
      isAnswer,
    ),
  ]
}
