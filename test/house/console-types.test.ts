import assert from 'node:assert/strict'
import test from 'node:test'
import { consoleTypesText, type Description } from '../../src/derive/console-types.ts'

const described = (schemas: object, operation: object = {}): Description =>
  ({ paths: { '/x': { post: { operationId: 'addThing', ...operation } } }, components: { schemas } }) as Description

const typesOf = (description: Description): string =>
  consoleTypesText(description)
    .split(/\n\n(?=export)/)
    .slice(1)
    .join('')

test('what the door answers becomes a type of the console that says the same', () => {
  const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const text = typesOf(
    described({
      Thing: object({
        id: { type: 'string', description: 'Its id.' },
        kind: { type: ['string', 'null'], enum: ['asked', null] },
        gone: { type: 'boolean', const: true },
        counts: { type: 'array', items: { type: ['number', 'null'] } },
        parts: { type: 'array', items: { anyOf: [object({ at: { type: 'string' } }), { type: 'null' }] } },
        details: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
        body: {},
      }),
      ThingPage: object({
        items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        nextCursor: { type: ['string', 'null'] },
      }),
      Things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    }),
  )
  assert.equal(
    text,
    `export interface Thing {
  /** Its id. */
  readonly id: string
  readonly kind: 'asked' | null
  readonly gone: true
  readonly counts: readonly (number | null)[]
  readonly parts: readonly ({
    readonly at: string
  } | null)[]
  readonly details: Readonly<Record<string, string | number>>
  readonly body: unknown
}export type ThingPage = Page<Thing>export type Things = readonly Thing[]
`,
  )
})

test('what the door takes becomes a type whose members may be undefined where they may be absent', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', description: 'Its id.' },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
    },
  }
  const parameters = [
    { name: 'id', in: 'path', description: 'Its id.', schema: { type: 'string' } },
    { name: 'limit', in: 'query', description: 'How many.', schema: { type: 'integer' } },
  ]
  const text = typesOf(described({}, { parameters, requestBody: { content: { 'application/json': { schema } } } }))
  assert.equal(
    text,
    `export interface AddThingQuery {
  /** How many. */
  readonly limit?: number | undefined
}export interface AddThingBody {
  /** Its id. */
  readonly id: string
  readonly tags?: readonly ('a' | 'b')[] | undefined
}
`,
  )
})

test('no type is guessed, and none is joined with another of its name', () => {
  const both = { allOf: [{ type: 'object' }, { type: 'object' }] }
  assert.throws(() => consoleTypesText(described({ Thing: both })), /a schema says allOf/)
  const requestBody = { content: { 'application/json': { schema: { type: 'object', properties: {} } } } }
  assert.throws(
    () => consoleTypesText(described({ AddThingBody: { type: 'object', properties: {} } }, { requestBody })),
    /AddThingBody is the name of two types/,
  )
})
