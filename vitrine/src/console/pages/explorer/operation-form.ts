// The form of an operation, as the API describes it.
import type { Form, Forms } from '../../answers.ts'

export type { Form, Forms }
export type IdForm = Form['ids'][number]
export type ParameterForm = Form['parameters'][number]
export type FieldForm = Form['fields'][number]

export interface ParameterFieldProps {
  readonly form: Form
  readonly parameter: ParameterForm
  /** as it is sent: several values separated by commas */
  readonly value: string
  readonly fault: string | undefined
  readonly onInput: (text: string) => void
}

export const chosenIn = (value: string): readonly string[] => (value === '' ? [] : value.split(','))

export const fieldsOf = ({ parameters }: Form): ParameterForm | undefined =>
  parameters.find(({ kind }) => kind === 'fields')

export const cursorOf = ({ parameters }: Form): ParameterForm | undefined =>
  parameters.find(({ kind }) => kind === 'cursor')

export const takesSeveral = ({ kind }: ParameterForm): boolean =>
  kind === 'choices' || kind === 'texts' || kind === 'fields'

/** the keys of a sort order, each also with a `-` before it; undefined: the parameter is none */
export function sortKeysOf({ kind, unique, values = [] }: ParameterForm): readonly string[] | undefined {
  if (kind !== 'choices' || !unique) return undefined
  const keys = values.filter((value) => !value.startsWith('-'))
  const both = keys.flatMap((key) => [key, `-${key}`])
  return both.length === values.length && both.every((one) => values.includes(one)) ? keys : undefined
}
