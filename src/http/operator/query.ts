// From the raw query string to checked values, as strictly as on the public door: nothing is ignored, clamped or trimmed.
import { readGiven, refuse } from '../../engine/given.ts'
import { quote } from '../../engine/quote.ts'
import { Problem } from '../../problem.ts'

export interface QueryParameter {
  readonly description: string
  readonly schema:
    | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
    | {
        readonly type: 'string'
        readonly minLength: number
        readonly maxLength: number
        readonly enum?: readonly string[]
        readonly pattern?: string
      }
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>
export type Query = Readonly<Record<string, string>>

function checkValue(name: string, { schema, description }: QueryParameter, value: string) {
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    // plain digits only: what Number() would also take ("1e2", " 5", "0x10") is somebody's mistake
    if (/^[1-9]\d{0,8}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return
    const message = `"${name}" is a whole number from ${minimum} to ${maximum}.`
    throw new Problem('value_not_allowed', { message, param: name, details: { minimum, maximum } })
  }
  if (schema.enum && !schema.enum.includes(value))
    throw refuse('value_not_allowed', name, `"${name}" does not allow ${quote(value)}.`, schema.enum, value)
  if (value.length > schema.maxLength || (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)))
    throw refuse('value_not_allowed', name, `"${name}" is not usable. ${description}`)
}

export function readQuery(parameters: QueryParameters, raw: string): Query {
  const given = readGiven(raw, Object.keys(parameters))
  for (const [name, value] of given) {
    const parameter = parameters[name]
    if (parameter) checkValue(name, parameter, value)
  }
  return Object.fromEntries(given)
}
