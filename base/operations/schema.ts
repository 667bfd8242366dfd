// Shorthand for the schemas of answers. Each also has the type of what it describes, so that no answer is typed a second time.

declare const type: unique symbol

/** `T`: what it describes */
export type AnswerSchema<T = unknown> = Readonly<Record<string, unknown>> & {
  readonly [type]?: { readonly type: T }
}

type Members = Readonly<Record<string, AnswerSchema>>

export type AnswerOf<Schema extends AnswerSchema> = NonNullable<Schema[typeof type]>['type']
type ObjectOf<Schemas extends Members> = { readonly [Name in keyof Schemas]: AnswerOf<Schemas[Name]> }

export const text: AnswerSchema<string> = { type: 'string' }
export const textOrNull: AnswerSchema<string | null> = { type: ['string', 'null'] }
export const flag: AnswerSchema<boolean> = { type: 'boolean' }
export const yes: AnswerSchema<true> = { type: 'boolean', const: true }
export const integer: AnswerSchema<number> = { type: 'integer' }
export const integerOrNull: AnswerSchema<number | null> = { type: ['integer', 'null'] }
/** not below 0 */
export const whole: AnswerSchema<number> = { type: 'integer', minimum: 0 }
export const moment: AnswerSchema<string> = { type: 'string', format: 'date-time' }
export const momentOrNull: AnswerSchema<string | null> = { type: ['string', 'null'], format: 'date-time' }

export const oneOf = <const Value extends string>(values: readonly Value[]): AnswerSchema<Value> => ({
  type: 'string',
  enum: values,
})
export const oneOfOrNull = <const Value extends string>(values: readonly Value[]): AnswerSchema<Value | null> => ({
  type: ['string', 'null'],
  enum: [...values, null],
})

export const about = <T>(schema: AnswerSchema<T>, description: string): AnswerSchema<T> => ({ ...schema, description })
export const listOf = <T>(items: AnswerSchema<T>, more: object = {}): AnswerSchema<readonly T[]> => ({
  type: 'array',
  items,
  ...more,
})
export const mapOf = <T>(values: AnswerSchema<T>): AnswerSchema<Readonly<Record<string, T>>> => ({
  type: 'object',
  additionalProperties: values,
})
/** an open object: without `additionalProperties` some generators of clients make it one without members */
export const anyObject: AnswerSchema<Readonly<Record<string, unknown>>> = { type: 'object', additionalProperties: true }
export const ref = <T>(name: string): AnswerSchema<T> => ({ $ref: `#/components/schemas/${name}` })
export const orNull = <T>(schema: AnswerSchema<T>, description: string): AnswerSchema<T | null> => ({
  anyOf: [schema, { type: 'null' }],
  description,
})

export const object = <Schemas extends Members>(properties: Schemas): AnswerSchema<ObjectOf<Schemas>> => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** the members that the schema of an object names, and no other */
export function described<T extends object>(schema: AnswerSchema<T>, value: T): T {
  const names = Object.keys(schema['properties'] as object) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, value[name]])) as T
}

/** `sometimes`: members that may be absent */
export const partly = <Always extends Members, Sometimes extends Members>(
  always: Always,
  sometimes: Sometimes,
): AnswerSchema<ObjectOf<Always> & Partial<ObjectOf<Sometimes>>> => ({
  type: 'object',
  required: Object.keys(always),
  properties: { ...always, ...sometimes },
})

/** the members of a page */
export const pageOf = <T>(name: string) => ({
  items: listOf(ref<T>(name)),
  nextCursor: about(textOrNull, 'Pass it back as `cursor` for the next page; null at the end.'),
})
