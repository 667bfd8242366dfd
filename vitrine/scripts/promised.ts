// An OpenAPI description of ours, reduced to what callers may rely on: no words, no examples. This is what a baseline holds.

export type Json = Record<string, any>

export interface Answer {
  readonly headers: readonly string[]
  /** media type -> schema */
  readonly content: Readonly<Record<string, Json>>
}

export interface Operation {
  readonly operationId: string
  readonly security: string
  /** `query sort` -> whether it must be given, its schema, and how a list is written, where that is not with commas */
  readonly parameters: Readonly<
    Record<string, { readonly required: boolean; readonly schema: Json; readonly form?: string }>
  >
  readonly body?: { readonly required: boolean; readonly content: Readonly<Record<string, Json>> }
  readonly answers: Readonly<Record<string, Answer>>
}

export interface Promised {
  readonly operations: Readonly<Record<string, Operation>>
  readonly schemas: Readonly<Record<string, Json>>
}

const words = new Set([
  'description',
  'title',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'default',
  'deprecated',
])

/** `areNames`: what is below is called by names of ours, which may read `description` */
function withoutWords(schema: unknown, areNames = false): any {
  if (Array.isArray(schema)) return schema.map((one) => withoutWords(one))
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([name]) => areNames || (!words.has(name) && !name.startsWith('x-')))
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutWords(one, !areNames && name === 'properties')]))
}

const mapValues = <T, U>(of: Readonly<Record<string, T>> | undefined, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [name, change(value)]))

const schemasOf = (content: Json | undefined): Record<string, Json> =>
  mapValues(content, ({ schema }: Json) => withoutWords(schema ?? {}))

const formOf = ({ schema, style = 'form', explode = style === 'form' }: Json): { form?: string } =>
  schema?.type !== 'array' || (style === 'form' && !explode) ? {} : { form: `${style}${explode ? ', exploded' : ''}` }

const resolve = (value: Json, description: Json): Json =>
  typeof value['$ref'] === 'string'
    ? value['$ref']
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name.replaceAll('~1', '/')], description)
    : value

/** with the kind of each scheme, where it is another than a bearer token */
function securityOf(ways: Json[], description: Json): string {
  const schemes = description['components'].securitySchemes ?? {}
  const kinds = ways.flatMap(Object.keys).flatMap((name) => {
    const { type, scheme } = schemes[name] ?? {}
    return type === 'http' && scheme === 'bearer' ? [] : [`${name}: ${type} ${scheme}`]
  })
  return [JSON.stringify(ways), ...kinds].join(' ')
}

function operationOf(operation: Json, description: Json): Operation {
  const { operationId, security, parameters = [], requestBody: body, responses } = operation
  return {
    operationId,
    security: securityOf(security ?? description['security'] ?? [], description),
    parameters: Object.fromEntries(
      (parameters as Json[])
        .map((one) => resolve(one, description))
        .map((one) => [
          `${one['in']} ${one['name']}`,
          { required: one['required'] === true, schema: withoutWords(one['schema']), ...formOf(one) },
        ]),
    ),
    ...(body && { body: { required: body.required === true, content: schemasOf(body.content) } }),
    answers: mapValues(responses as Record<string, Json>, (answer) => {
      const { headers, content } = resolve(answer, description)
      return { headers: Object.keys(headers ?? {}), content: schemasOf(content) }
    }),
  }
}

export const promisedBy = (description: Json): Promised => ({
  operations: Object.fromEntries(
    Object.entries<Json>(description['paths']).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, one]) => [
        `${method.toUpperCase()} ${path}`,
        operationOf(one, description),
      ]),
    ),
  ),
  schemas: withoutWords(description['components'].schemas, true),
})
