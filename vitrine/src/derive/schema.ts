// JSON Schema of the catalogue's resources. Every field may be null, and lists of known values are open.
import { about, object, ref, text, textOrNull } from '../../../base/operations/schema.ts'
import type { Field, Link, Resource, Route, Source } from '../catalogue/define.ts'
import { pathText, personalText } from '../catalogue/descriptions.ts'

export type Schema = Record<string, unknown>

const typeOf = ({ kind, format, items, properties }: Field, nullable: boolean): Schema => ({
  type: nullable ? [kind, 'null'] : kind,
  ...(format && { format }),
  ...(items && { items: schemaOf(items, false) }),
  ...(properties && { properties: mapValues(properties, (one) => schemaOf(one, true)) }),
})

const mapValues = <T, U>(object: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value)]))

function schemaOf(field: Field, nullable: boolean): Schema {
  const { about, values, by, personal } = field
  const description = personal ? [about, personalText].filter(Boolean).join(' ') : about
  const said = {
    ...(description !== undefined && { description }),
    ...(by && { 'x-written-by': by }),
    ...(personal && { 'x-personal': true }),
  }
  // an open list: validators accept other strings, too
  return values
    ? { ...said, anyOf: [{ type: 'string', enum: values }, typeOf(field, nullable)] }
    : { ...said, ...typeOf(field, nullable) }
}

export const idText = 'Id at the platform; keep it unchanged.'
export const pathIdText = 'As given in the path: the platform has no id for this document.'
export const linkText = 'Present only if the platform supplies the link; null if there is none.'

const linkSchema = ({ about: said, personal }: Link): Schema =>
  personal
    ? { ...about(textOrNull, `${said} ${linkText} ${personalText}`), 'x-personal': true }
    : about(textOrNull, `${said} ${linkText}`)

const resourceSchema = ({ name, attributes, links, fromPath }: Resource, from: Source): Schema => ({
  title: name,
  type: 'object',
  required: ['id'],
  properties: {
    id: about(text, from.bare ? pathIdText : idText),
    ...mapValues(attributes, (field) => schemaOf(field, true)),
    ...Object.fromEntries(fromPath.map((param) => [param, about(text, pathText(param, from))])),
    ...mapValues(links, linkSchema),
  },
})

export const cursorText = 'Pass it back as `cursor` for the next page; null at the end of the list.'
export const pathParameter = (name: string, description: string, example?: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1 },
  ...(example !== undefined && { example }),
})

/** the response 200 of an operation: the name of its schema in the components */
export const answerOf = (name: string, headers: Schema, example: unknown): Schema => ({
  description: 'The answer.',
  headers,
  content: { 'application/json': { schema: ref(name), ...(example !== undefined && { example }) } },
})

const pageOf = (items: Schema): Schema =>
  object({ items: { type: 'array', items }, nextCursor: about(textOrNull, cursorText) })

/** the component name of the 200 body */
export function answerName({ shape, returns }: Route): string {
  if (shape === 'ids') return 'IdPage'
  if (shape === 'id' || !returns) return 'SingleId'
  return shape === 'page' ? `${returns.name}Page` : returns.name
}

export function routeSchemas(routes: readonly Route[]): Schema {
  const schemas: Schema = {
    IdPage: pageOf(text),
    SingleId: object({ id: about(textOrNull, idText) }),
  }
  for (const route of routes) {
    const { returns, shape } = route
    if (!returns) continue
    schemas[returns.name] = resourceSchema(returns, route.from)
    if (shape === 'page') schemas[answerName(route)] = pageOf(ref(returns.name))
  }
  return schemas
}
