// JSON Schema of what the catalogue's words say. Every field may be null, and a list of known values is an open one.
import type { Field, Resource, Route, Source } from '../catalogue/define.ts'

export type Schema = Record<string, unknown>

const type = (kind: string, nullable: boolean) => (nullable ? [kind, 'null'] : kind)

function typeOf({ kind, format, items, properties }: Field, nullable: boolean): Schema {
  return {
    type: type(kind, nullable),
    ...(format && { format }),
    ...(items && { items: schemaOf(items, false) }),
    ...(properties && { properties: mapValues(properties, (one) => schemaOf(one, true)) }),
  }
}

const mapValues = <T, U>(object: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value)]))

function schemaOf(field: Field, nullable: boolean): Schema {
  const { about, values, by } = field
  const description = { ...(about !== undefined && { description: about }), ...(by && { 'x-written-by': by }) }
  // known values beside any string: a reader can list them, a validator accepts the next one
  return values
    ? { ...description, anyOf: [{ type: 'string', enum: values }, typeOf(field, nullable)] }
    : { ...description, ...typeOf(field, nullable) }
}

export const idWords = 'Id at the platform, to be kept unchanged.'
export const pathIdWords = 'As given in the path: the platform gives this document no id.'
export const pathWords = 'As given in the path.'
export const linkWords = 'Present only where the platform supplies the link; null where there is none.'

const id = { type: 'string', description: idWords }
const pathId = { type: 'string', description: pathIdWords }

function resourceSchema({ name, attributes, links, fromPath }: Resource, { bare }: Source): Schema {
  return {
    title: name,
    type: 'object',
    required: ['id'],
    properties: {
      id: bare ? pathId : id,
      ...mapValues(attributes, (field) => schemaOf(field, true)),
      ...Object.fromEntries(fromPath.map((param) => [param, { type: 'string', description: pathWords }])),
      ...mapValues(links, ({ about }) => ({
        type: ['string', 'null'],
        description: `${about} ${linkWords}`,
      })),
    },
  }
}

export const cursorWords = 'Pass it back as `cursor` for the next page; null at the end of the list.'
const nextCursor = {
  type: ['string', 'null'],
  description: cursorWords,
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const pageOf = (items: Schema): Schema => ({
  type: 'object',
  required: ['items', 'nextCursor'],
  properties: { items: { type: 'array', items }, nextCursor },
})

/** the name of the body of a 200 among the components */
function answerName({ shape, returns }: Route): string {
  if (shape === 'ids') return 'IdPage'
  if (shape === 'id' || !returns) return 'SingleId'
  return shape === 'page' ? `${returns.name}Page` : returns.name
}

export const answerRef = (route: Route): Schema => ref(answerName(route))

/** every component that the routes answer with: resources, their pages, ids */
export function answerSchemas(routes: readonly Route[]): Schema {
  const schemas: Schema = {
    IdPage: pageOf({ type: 'string' }),
    SingleId: { type: 'object', required: ['id'], properties: { id: { ...id, type: ['string', 'null'] } } },
  }
  for (const route of routes) {
    const { returns, shape } = route
    if (!returns) continue
    schemas[returns.name] = resourceSchema(returns, route.from)
    if (shape === 'page') schemas[answerName(route)] = pageOf(ref(returns.name))
  }
  return schemas
}
