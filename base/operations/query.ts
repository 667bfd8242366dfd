// Reads a raw query string strictly: nothing is ignored, clamped or trimmed.
import { parameterProblem, readQueryString } from '../web/target.ts'
import { quote } from '../core/quote.ts'
import { findFault } from '../core/schema.ts'
import { Problem } from '../core/problem.ts'

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
  // plain digits only: Number() would also accept "1e2", " 5" and "0x10"
  const isDigits = schema.type === 'integer' && /^[1-9]\d{0,8}$/.test(value)
  const fault = findFault(schema, isDigits ? Number(value) : value)
  if (!fault) return
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    const message = `"${name}" is a whole number from ${minimum} to ${maximum}.`
    throw new Problem('value_not_allowed', { message, param: name, details: { minimum, maximum } })
  }
  if (fault.rule === 'enum')
    throw parameterProblem('value_not_allowed', name, `"${name}" does not allow ${quote(value)}.`, schema.enum, value)
  throw parameterProblem('value_not_allowed', name, `"${name}" is not usable. ${description}`)
}

export function readQuery(parameters: QueryParameters, raw: string): Query {
  const given = readQueryString(raw, Object.keys(parameters))
  for (const [name, value] of given) {
    const parameter = parameters[name]
    if (parameter) checkValue(name, parameter, value)
  }
  return Object.fromEntries(given)
}
