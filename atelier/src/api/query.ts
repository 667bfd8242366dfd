// Reads a query strictly: nothing is ignored, clamped or trimmed.
import { findFault, type JsonSchema } from '../../../base/core/schema.ts'
import { decodeSegment, readQueryString } from '../../../base/web/target.ts'
import { invalid } from '../problems.ts'

export interface QueryParameter {
  readonly description: string
  readonly schema: JsonSchema & { readonly type: 'string' | 'integer' | 'boolean'; readonly default?: unknown }
  readonly required?: true
  /** values are separated by commas */
  readonly isList?: true
  /** may be given several times */
  readonly isRepeated?: true
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>

type One<P extends QueryParameter> = P['schema'] extends { readonly type: 'integer' }
  ? number
  : P['schema'] extends { readonly type: 'boolean' }
    ? boolean
    : P['schema'] extends { readonly enum: readonly (infer Word)[] }
      ? Word
      : string

type ValueOf<P extends QueryParameter> = P extends { readonly isList: true } | { readonly isRepeated: true }
  ? readonly One<P>[]
  : One<P>

type IsAlways<P extends QueryParameter> = P extends { readonly required: true } | { readonly isRepeated: true }
  ? true
  : P['schema'] extends { readonly default: unknown }
    ? true
    : false

export type QueryOf<Q extends QueryParameters> = {
  readonly [Name in keyof Q]: ValueOf<Q[Name]> | (IsAlways<Q[Name]> extends true ? never : undefined)
}

function readOne(name: string, { schema, description, isRepeated }: QueryParameter, text: string): unknown {
  const { type } = schema
  // no store takes it as text
  if (!isRepeated && text.includes('\0')) throw invalid(name, 'must not hold NUL')
  const isNumber = type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(text)
  const isFlag = type === 'boolean' && (text === 'true' || text === 'false')
  const value = isNumber ? Number(text) : isFlag ? text === 'true' : text
  const fault = findFault(schema, value)
  if (!fault) return value
  const words = fault.rule === 'enum' ? `must be one of ${fault.allowed.join(', ')}` : fault.wanted
  throw invalid(name, `${words}: ${description.replaceAll('`', '')}`)
}

/** the pairs of one repeated parameter, apart from all others */
function splitRepeated(raw: string, name: string): [string[], string] {
  const pairs = raw === '' ? [] : raw.split('&')
  const isMine = (pair: string) => decodeSegment(pair.split('=', 1)[0]?.replaceAll('+', ' ') ?? '') === name
  const values = pairs.filter(isMine).map((pair) => readQueryString(pair, [name]).get(name) ?? '')
  return [values, pairs.filter((pair) => !isMine(pair)).join('&')]
}

export function readQuery<Q extends QueryParameters>(parameters: Q, raw: string): QueryOf<Q> {
  const read: Record<string, unknown> = {}
  let rest = raw
  for (const [name, parameter] of Object.entries(parameters)) {
    read[name] = parameter.schema.default
    if (!parameter.isRepeated) continue
    const [values, others] = splitRepeated(rest, name)
    read[name] = values.map((text) => readOne(name, parameter, text))
    rest = others
  }
  for (const [name, text] of readQueryString(rest, Object.keys(parameters))) {
    const parameter = parameters[name] as QueryParameter
    read[name] = parameter.isList
      ? text.split(',').map((part) => readOne(name, parameter, part))
      : readOne(name, parameter, text)
  }
  for (const [name, { required }] of Object.entries(parameters))
    if (required && read[name] === undefined) throw invalid(name, 'is required')
  return read as QueryOf<Q>
}
