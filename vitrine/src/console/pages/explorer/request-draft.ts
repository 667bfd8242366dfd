// What is typed into a form, and the path and query that it becomes.
import type { Values } from '../../../samples.ts'
import { cursorOf, type Form, sortKeysOf, type ParameterForm, takesSeveral } from './operation-form.ts'

type Texts = Readonly<Record<string, string>>

/** as in the fields; several values separated by commas, as they are sent */
export interface RequestDraft {
  readonly ids: Texts
  readonly query: Texts
}

export const emptyDraft: RequestDraft = { ids: {}, query: {} }
export const exampleDraft = ({ example }: Form): RequestDraft => example

const parts = (text: string): string[] => text.split(',').map((one) => one.trim())

/** blanks at the ends come from pasting */
export const trimmed = (text: string | undefined, several = false): string =>
  several ? parts(text ?? '').join(',') : (text ?? '').trim()

const isGiven = (pair: readonly [string, string]): boolean => pair[1] !== ''

export const givenIds = (form: Form, { ids }: RequestDraft): (readonly [string, string])[] =>
  form.ids.map(({ name }) => [name, trimmed(ids[name])] as const).filter(isGiven)
export const givenQuery = (form: Form, { query }: RequestDraft): (readonly [string, string])[] =>
  form.parameters.map((one) => [one.name, trimmed(query[one.name], takesSeveral(one))] as const).filter(isGiven)

const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
const pair = ([name, value]: readonly [string, string]): string =>
  `${encode(name)}=${encode(value).replaceAll('%2C', ',').replaceAll('%3A', ':')}`

/** below the connection; a missing id stays a name in braces */
export function targetOf(form: Form, draft: RequestDraft): string {
  const ids = new Map(givenIds(form, draft))
  const path = form.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const id = ids.get(name)
    return id === undefined ? placeholder : encode(id)
  })
  const query = givenQuery(form, draft).map(pair)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** by name, as a program passes them */
export function valuesOf(form: Form, draft: RequestDraft): Values {
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

export function draftFrom(form: Form, draft: RequestDraft, cursor: string): RequestDraft {
  const name = cursorOf(form)?.name
  return name === undefined ? draft : { ...draft, query: { ...draft.query, [name]: cursor } }
}

/** these do not narrow the result */
const shapes = new Set<ParameterForm['kind']>(['integer', 'cursor', 'fields'])

export function filtersOf(form: Form, draft: RequestDraft): string[] {
  const isFilter = (name: string) =>
    form.parameters.some((one) => one.name === name && !shapes.has(one.kind) && !sortKeysOf(one))
  return givenQuery(form, draft).flatMap(([name, text]) => (isFilter(name) ? [`${name} = ${text}`] : []))
}
