// What is wrong with a form, before it is sent. The API checks again.
import { type RequestDraft, trimmed } from './request-draft.ts'
import { type Form, type IdForm, type ParameterForm, takesSeveral } from './operation-form.ts'

/** by name of the id or parameter */
export type RequestFaults = ReadonlyMap<string, string>

function fits(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // a pattern of a newer API: it decides
    return true
  }
}

const unfit = 'Control characters, and "." or ".." between slashes, are not allowed.'

function idFault({ pattern, from }: IdForm, text: string): string | undefined {
  if (text === '') return from === undefined ? 'Required.' : 'Required. Enter an ID or browse for one.'
  return fits(text, pattern) ? undefined : unfit
}

function integerFault({ minimum, maximum }: ParameterForm, text: string): string | undefined {
  const number = /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
  if (number >= (minimum ?? Number.NEGATIVE_INFINITY) && number <= (maximum ?? Number.POSITIVE_INFINITY))
    return undefined
  const bounds = [minimum === undefined ? '' : ` from ${minimum}`, maximum === undefined ? '' : ` to ${maximum}`].join(
    '',
  )
  return `Enter a whole number${bounds}.`
}

function memberFault({ values, open, pattern }: ParameterForm, member: string): string | undefined {
  if (member === '') return 'A value is missing next to a comma.'
  if (values && !open && !values.includes(member))
    return `${member} is not allowed. Allowed values: ${values.join(', ')}.`
  return fits(member, pattern) ? undefined : 'Control characters are not allowed.'
}

function textFault(parameter: ParameterForm, text: string): string | undefined {
  const members = takesSeveral(parameter) ? text.split(',') : [text]
  const { most, unique } = parameter
  const fault = members.map((member) => memberFault(parameter, member)).find((one) => one !== undefined)
  if (fault !== undefined) return fault
  const keys = new Set(members.map((member) => member.replace(/^-/, '')))
  if (unique && keys.size < members.length) return 'Each value can be given only once.'
  return most !== undefined && members.length > most ? `At most ${most} values.` : undefined
}

function parameterFault(parameter: ParameterForm, text: string): string | undefined {
  if (text === '') return parameter.required ? 'Required.' : undefined
  if (parameter.kind === 'cursor' && !fits(text, parameter.pattern)) return 'Enter a cursor exactly as it was returned.'
  return parameter.kind === 'integer' ? integerFault(parameter, text) : textFault(parameter, text)
}

export function faultsOf(form: Form, { ids, query }: RequestDraft): RequestFaults {
  const found = [
    ...form.ids.map((one) => [one.name, idFault(one, trimmed(ids[one.name]))] as const),
    ...form.parameters.map(
      (one) => [one.name, parameterFault(one, trimmed(query[one.name], takesSeveral(one)))] as const,
    ),
  ]
  return new Map(found.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault] as const])))
}
