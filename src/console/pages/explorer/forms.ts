// The form of an operation as the door tells it, and what is told one by one in it.
import type { Form, Forms } from '../../answers.ts'

export type { Form, Forms }
export type IdForm = Form['ids'][number]
export type ParameterForm = Form['parameters'][number]
export type FieldForm = Form['fields'][number]

/** the parameter that chooses what comes back; undefined: it always is everything */
export const fieldsOf = ({ parameters }: Form): ParameterForm | undefined =>
  parameters.find(({ kind }) => kind === 'fields')

export const cursorOf = ({ parameters }: Form): ParameterForm | undefined =>
  parameters.find(({ kind }) => kind === 'cursor')

const severals = new Set<ParameterForm['kind']>(['choices', 'texts', 'fields'])
/** several values, with commas between them */
export const takesSeveral = ({ kind }: ParameterForm): boolean => severals.has(kind)

/** the keys of an ordering: each may be given as it is, or with a `-` before it; undefined: it is none */
export function keysOf({ kind, unique, values = [] }: ParameterForm): readonly string[] | undefined {
  if (kind !== 'choices' || !unique) return undefined
  const keys = values.filter((value) => !value.startsWith('-'))
  const both = keys.flatMap((key) => [key, `-${key}`])
  return both.length === values.length && both.every((one) => values.includes(one)) ? keys : undefined
}
