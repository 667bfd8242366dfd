// What is sent to an endpoint, held against the parameters that the document declares for it.
import { vocabulary } from '../catalogue/vocabulary.ts'
import type { Request, Sent } from './asked.ts'
import { type Json, member, type Operation } from './document.ts'
import type { Difference } from './finding.ts'
import type { View, Views } from './schema.ts'

/** what the engine sends for itself, where it wants it. A cursor is declared nowhere, and answered everywhere. */
const isOurAffair = (name: string): boolean => /^(?:fields|limit)\[|^(?:include|limit|cursor)$/.test(name)

/** a list is described by its items */
function schemaOf(parameter: Json, view: Views): View {
  const whole = view(member(parameter, 'schema'))
  const items = whole.items === undefined ? undefined : view(whole.items)
  return { ...whole, ...(items?.values && { values: items.values }) }
}

const ourWords = new Map(Object.entries(vocabulary).map(([ours, theirs]) => [theirs, ours]))

/** what callers send as they please, and what they may only choose, is not listed on one side: then it is all or nothing */
function listDifferences(at: string, sent: readonly string[] | undefined, declared: readonly string[] | undefined) {
  if (!sent && declared) return [{ class: 'value-gone', at, ours: 'any', theirs: declared.join(', ') } as const]
  return sent && !declared && !isOurAffair(at) ? [{ class: 'value-new', at, theirs: 'any' } as const] : []
}

function valueDifferences({ name: at, values: sent }: Sent, declared: readonly string[] | undefined): Difference[] {
  if (!sent || !declared) return listDifferences(at, sent, declared)
  const gone = sent.filter((value) => !declared.includes(value))
  // of `include` and `fields` whatever is new is told as an attribute or a relationship
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

/** what the document takes in place of what is sent: several values go as one text, with a comma between them */
function otherForm({ values }: Sent, declared: Json, view: Views): string | undefined {
  const whole = view(member(declared, 'schema'))
  const isList = whole.types.includes('array')
  const types = isList ? view(whole.items).types : whole.types
  const takes = (value: string): boolean => types.length === 0 || types.some((type) => plain[type]?.(value))
  if (!(values ?? ['any']).every(takes)) return `${isList ? 'list of ' : ''}${types.join(' or ')}`
  if (values?.length === 1 || whole.types.length === 0) return undefined
  if (!isList) return `one ${types.join(' or ')}`
  const style = member(declared, 'style') ?? 'form'
  if (style !== 'form') return `list in the style ${JSON.stringify(style)}`
  // that is what the specification has it mean where nothing is said
  return member(declared, 'explode') === false ? undefined : 'list with a parameter for each value'
}

function sentDifferences(sent: Sent, declared: Json | undefined, view: Views, isAnswer: boolean): Difference[] {
  const { name: at, isAlways } = sent
  if (!declared) return [{ class: 'parameter-absent', at }]
  const { values, maximum, isDeprecated } = schemaOf(declared, view)
  const deprecated = isDeprecated || member(declared, 'deprecated') === true
  const [ours] = sent.values ?? []
  const lowered = at === 'limit' && maximum !== undefined && maximum < Number(ours)
  const theirs = otherForm(sent, declared, view)
  const found = at === 'limit' || theirs !== undefined ? [] : valueDifferences(sent, values)
  return [
    ...(deprecated ? [{ class: 'part-deprecated', at } as const] : []),
    ...(!isAlways && member(declared, 'required') === true ? [{ class: 'parameter-required', at } as const] : []),
    ...(theirs === undefined ? [] : [{ class: 'parameter-changed', at, theirs } as const]),
    ...(lowered ? [{ class: 'limit-lowered', at, ours: String(ours), theirs: String(maximum) } as const] : []),
    ...found.filter((one) => isAnswer || one.class !== 'value-new'),
  ]
}

function unsentDifferences(declared: readonly (readonly [string, Json])[], isAnswer: boolean): Difference[] {
  return declared.flatMap(([at, parameter]): Difference[] => {
    if (member(parameter, 'required') === true) return [{ class: 'parameter-required', at }]
    // what is deprecated already is nothing to take up
    const isOffer = isAnswer && !isOurAffair(at) && member(parameter, 'deprecated') !== true
    return isOffer ? [{ class: 'parameter-new', at }] : []
  })
}

/** the first of a name counts: the operation's own come before those of its path */
function declaredIn({ parameters }: Operation, places: readonly unknown[]): Map<string, Json> {
  const declared = new Map<string, Json>()
  for (const parameter of parameters) {
    const name = member(parameter, 'name')
    if (places.includes(member(parameter, 'in')) && typeof name === 'string' && !declared.has(name))
      declared.set(name, parameter)
  }
  return declared
}

/** `isAnswer`: whether callers could be offered more of this endpoint, which they cannot of a lookup */
export function parameterDifferences(
  { sent }: Request,
  operation: Operation,
  view: Views,
  isAnswer: boolean,
): Difference[] {
  const declared = declaredIn(operation, ['query'])
  const names = new Set(sent.map(({ name }) => name))
  // of these none is ever sent, but those that the specification leaves to others
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
