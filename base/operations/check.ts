// Checks a JSON object against the schema of its operation. A refusal names the member, the expected form and the nearest
// known name, and quotes a value only if it is a name of a list.
import { didYouMean, nearestOf } from '../core/nearest.ts'
import { quote } from '../core/quote.ts'
import { Problem } from '../core/problem.ts'
import type { Body } from '../web/body.ts'
import { findFault, type JsonSchema, type SchemaFault } from '../core/schema.ts'

export interface MemberSchema extends JsonSchema {
  /** ends with the expected format, which the refusal quotes */
  readonly description: string
  readonly writeOnly?: true
  readonly default?: string | number | boolean
}

export interface BodySchema {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, MemberSchema>>
}

/** a body with these members, of which some are required */
export const bodySchema = <
  const Properties extends BodySchema['properties'],
  const Required extends keyof Properties & string,
>(
  required: readonly Required[],
  properties: Properties,
) => ({ type: 'object', additionalProperties: false, required, properties }) as const

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'array'; readonly items: infer Items }
    ? readonly ValueOf<Items>[]
    : Schema extends { readonly type: 'string' }
      ? string
      : Schema extends { readonly type: 'integer' }
        ? number
        : boolean

type PropertiesOf<Schema extends BodySchema> = {
  readonly [Name in keyof Schema['properties']]: ValueOf<Schema['properties'][Name]>
}

export type BodyOf<Schema extends BodySchema> = Pick<PropertiesOf<Schema>, Schema['required'][number]> &
  Partial<PropertiesOf<Schema>>

const mostKnown = 20

export function unknownName(param: string, name: string, known: readonly string[], what = ''): Problem {
  const nearest = nearestOf(name, known)
  const more = known.length > mostKnown ? `, … (${known.length} in all)` : ''
  const allowed = known.slice(0, mostKnown)
  return new Problem('member_invalid', {
    param,
    message: `there is no ${what}${quote(name)}.${didYouMean(nearest)} Known: ${allowed.join(', ') || 'none'}${more}.`,
    details: { allowed, ...(nearest !== undefined && { nearest }) },
  })
}

function problemOf({ properties }: BodySchema, { rule, param: place, given, allowed }: SchemaFault): Problem {
  const param = place.replace(/\[\d+\]$/, '')
  if (rule === 'unknown') return unknownName(quote(given).slice(1, -1), given, allowed, 'member ')
  if (rule === 'enum') return unknownName(param, given, allowed)
  const [member, says] = rule === 'missing' ? [given, 'missing'] : [param, 'not usable']
  const plain = properties[member]?.description.replaceAll('`', '')
  return new Problem('member_invalid', { param: member, message: `${says}. ${plain}` })
}

export function checkBody(schema: BodySchema, body: Body) {
  const fault = findFault(schema, body)
  if (fault) throw problemOf(schema, fault)
}
