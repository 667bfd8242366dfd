// What is wrong with a form, said at the field before anything is sent, in words of what is allowed. The door checks again.
import { type Draft, trimmed } from './draft.ts'
import { type Form, type IdForm, type ParameterForm, takesSeveral } from './forms.ts'

/** by name of the id or the parameter */
export type Faults = ReadonlyMap<string, string>

function fits(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // a form of a later door, perhaps: it has the last word
    return true
  }
}

const unfit = 'Not allowed here: control characters, and dots alone between slashes.'

function idFault({ pattern, from }: IdForm, text: string): string | undefined {
  if (text === '') return from === undefined ? 'Needed. Type it here.' : 'Needed. Type it here, or pick one.'
  return fits(text, pattern) ? undefined : unfit
}

function integerFault({ minimum, maximum }: ParameterForm, text: string): string | undefined {
  const number = /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
  if (number >= (minimum ?? Number.NEGATIVE_INFINITY) && number <= (maximum ?? Number.POSITIVE_INFINITY))
    return undefined
  const bounds = [minimum === undefined ? '' : ` from ${minimum}`, maximum === undefined ? '' : ` to ${maximum}`].join(
    '',
  )
  return `A whole number${bounds}.`
}

function memberFault({ values, open, pattern }: ParameterForm, member: string): string | undefined {
  if (member === '') return 'A value is missing beside a comma.'
  if (values && !open && !values.includes(member)) return `Not ${member}. Allowed: ${values.join(', ')}.`
  return fits(member, pattern) ? undefined : 'Not allowed here: control characters.'
}

function textFault(parameter: ParameterForm, text: string): string | undefined {
  const members = takesSeveral(parameter) ? text.split(',') : [text]
  const { most, unique } = parameter
  const fault = members.map((member) => memberFault(parameter, member)).find((one) => one !== undefined)
  if (fault !== undefined) return fault
  const keys = new Set(members.map((member) => member.replace(/^-/, '')))
  if (unique && keys.size < members.length) return 'Each may be named once.'
  return most !== undefined && members.length > most ? `At most ${most} values.` : undefined
}

function parameterFault(parameter: ParameterForm, text: string): string | undefined {
  if (text === '') return parameter.required ? 'Needed.' : undefined
  if (parameter.kind === 'cursor' && !fits(text, parameter.pattern)) return 'A cursor, exactly as it was received.'
  return parameter.kind === 'integer' ? integerFault(parameter, text) : textFault(parameter, text)
}

export function faultsOf(form: Form, { ids, query }: Draft): Faults {
  const found = [
    ...form.ids.map((one) => [one.name, idFault(one, trimmed(ids[one.name]))] as const),
    ...form.parameters.map(
      (one) => [one.name, parameterFault(one, trimmed(query[one.name], takesSeveral(one)))] as const,
    ),
  ]
  return new Map(found.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault] as const])))
}
