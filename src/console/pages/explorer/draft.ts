// What somebody has typed into a form, and the path and query that it adds up to.
import type { Values } from '../../../samples.ts'
import { cursorOf, type Form, keysOf, type ParameterForm, takesSeveral } from './forms.ts'

type Texts = Readonly<Record<string, string>>

/** as it stands in the fields; several values with commas, as they are sent */
export interface Draft {
  readonly ids: Texts
  readonly query: Texts
}

export const emptyDraft: Draft = { ids: {}, query: {} }
export const exampleDraft = ({ example }: Form): Draft => example

const parts = (text: string): string[] => text.split(',').map((one) => one.trim())

/** blanks at the ends come from pasting, and belong to no value */
export const trimmed = (text: string | undefined, several = false): string =>
  several ? parts(text ?? '').join(',') : (text ?? '').trim()

const isGiven = (pair: readonly [string, string]): boolean => pair[1] !== ''

/** what has a value, as it is sent */
export const givenIds = (form: Form, { ids }: Draft): (readonly [string, string])[] =>
  form.ids.map(({ name }) => [name, trimmed(ids[name])] as const).filter(isGiven)
const givenQuery = (form: Form, { query }: Draft): (readonly [string, string])[] =>
  form.parameters.map((one) => [one.name, trimmed(query[one.name], takesSeveral(one))] as const).filter(isGiven)

const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
const pair = ([name, value]: readonly [string, string]): string =>
  `${encode(name)}=${encode(value).replaceAll('%2C', ',')}`

/** below the connection; an id that is missing stays a name in braces */
export function targetOf(form: Form, draft: Draft): string {
  const ids = new Map(givenIds(form, draft))
  const path = form.path.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const id = ids.get(name)
    return id === undefined ? hole : encode(id)
  })
  const query = givenQuery(form, draft).map(pair)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** by name, as a program gives them */
export function valuesOf(form: Form, draft: Draft): Values {
  const ids = new Map(givenIds(form, draft))
  const query = givenQuery(form, draft).map(([name, text]) => {
    const parameter = form.parameters.find((one) => one.name === name)
    if (parameter && takesSeveral(parameter)) return [name, text.split(',')] as const
    return [name, parameter?.kind === 'integer' && /^\d+$/.test(text) ? Number(text) : text] as const
  })
  return {
    ...Object.fromEntries(form.ids.map(({ name }) => [name, ids.get(name) ?? `{${name}}`])),
    ...Object.fromEntries(query),
  }
}

/** the same question, from there on */
export function draftFrom(form: Form, draft: Draft, cursor: string): Draft {
  const name = cursorOf(form)?.name
  return name === undefined ? draft : { ...draft, query: { ...draft.query, [name]: cursor } }
}

const shapes = new Set<ParameterForm['kind']>(['integer', 'cursor', 'fields'])

/** what narrows the answer, in words: not how much of it comes at once, which part, or in which order */
export function filtersOf(form: Form, draft: Draft): string[] {
  const isFilter = (name: string) =>
    form.parameters.some((one) => one.name === name && !shapes.has(one.kind) && !keysOf(one))
  return givenQuery(form, draft).flatMap(([name, text]) => (isFilter(name) ? [`${name} = ${text}`] : []))
}
