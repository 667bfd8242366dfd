// What every field of a parameter is given, and how several values stand in one text.
import type { Form, ParameterForm } from './forms.ts'

export interface ParameterFieldProps {
  readonly form: Form
  readonly parameter: ParameterForm
  /** as it is sent */
  readonly value: string
  readonly fault: string | undefined
  readonly onInput: (text: string) => void
}

export const chosenIn = (value: string): readonly string[] => (value === '' ? [] : value.split(','))
