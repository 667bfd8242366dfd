// The words that the schemas of answers are written in.

export type Schema = Readonly<Record<string, unknown>>

export const text: Schema = { type: 'string' }
export const textOrNull: Schema = { type: ['string', 'null'] }
export const flag: Schema = { type: 'boolean' }
export const yes: Schema = { type: 'boolean', const: true }
/** not below 0 */
export const whole: Schema = { type: 'integer', minimum: 0 }
export const moment: Schema = { type: 'string', format: 'date-time' }
export const momentOrNull: Schema = { type: ['string', 'null'], format: 'date-time' }

export const about = (schema: Schema, description: string): Schema => ({ ...schema, description })
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const orNull = (schema: Schema, description: string): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description,
})

/** all members are always there */
export const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

export const pageOf = (name: string, more: Record<string, Schema> = {}): Schema =>
  object({
    items: listOf(ref(name)),
    nextCursor: about(textOrNull, 'Pass it back as `cursor` for the next page; null at the end.'),
    ...more,
  })
