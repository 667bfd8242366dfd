import assert from 'node:assert/strict'
import test from 'node:test'
import type { Field } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { personalFields, withoutPersonal } from '../../src/catalogue/personal.ts'
import { fields } from './contract-fields.ts'
import { links, types, unasked } from './contract-links.ts'
import { filters, lookups } from './contract-lookups.ts'
import { parseFields } from './contract-notation.ts'
import { rows } from './contract-rows.ts'

/** the lines of a hand-typed table: left side, and the words right of the arrow */
const arrows = (text = ''): [left: string, right: string][] =>
  [...text.matchAll(/^ *(\S+) +(?:<-|->) +(.+)$/gm)].map((m) => [m[1] ?? '', (m[2] ?? '').replace(/ +/g, ' ')])

/** a field without its description and mark; a field whose own name is `about` is an object and stays */
const withoutAbout = (field: unknown): unknown =>
  JSON.parse(
    JSON.stringify(field, (key, value) =>
      (key === 'about' && typeof value === 'string') || (key === 'personal' && value === true) ? undefined : value,
    ),
  )

test('the notation of the contract has every type, and refuses unknown notation', () => {
  assert.deepEqual(parseFields('a: [{ b: A_1 | B, c: int64 }]\n d: date-time'), {
    a: {
      kind: 'array',
      items: {
        kind: 'object',
        properties: { b: { kind: 'string', values: ['A_1', 'B'] }, c: { kind: 'integer', format: 'int64' } },
      },
    },
    d: { kind: 'string', format: 'date-time' },
  })
  for (const wrong of [
    'a: strng',
    'a',
    'a:',
    'a: [string',
    'a: { b: string',
    'a: A |',
    'a: string a: string',
    'a: A; B',
  ])
    assert.throws(() => parseFields(wrong), Error, wrong)
})

test('every line of the hand-typed tables is read, and is about a route of the contract', () => {
  const operations = new Set(rows.map(({ operation }) => operation))
  for (const table of [fields, links, types, lookups, filters])
    for (const operation of Object.keys(table)) assert.ok(operations.has(operation), operation)
  for (const text of [links, filters].flatMap((table) => Object.values(table)))
    assert.equal(arrows(text).length, text.trim().split('\n').length, text)
})

for (const { operation } of rows) {
  const route = routes.find((route) => route.operation === operation)

  test(`${operation} returns the contract's fields, each with its type, known values and inner fields`, () => {
    assert.deepEqual(withoutAbout(route?.returns?.attributes ?? {}), parseFields(fields[operation] ?? ''))
  })

  test(`${operation} takes its linkages from the platform relations in the contract`, () => {
    const { links: ours = {}, fromPath = [], type } = route?.returns ?? {}
    assert.deepEqual(
      Object.fromEntries([
        ...Object.entries(ours).map(([field, { relation, type }]) => [field, `${relation} ${type}`]),
        ...fromPath.map((field) => [field, 'path']),
      ]),
      Object.fromEntries(arrows(links[operation])),
    )
    assert.equal(route?.type, types[operation])
    if (route?.returns) assert.equal(type, types[operation])
  })

  test(`${operation} has the lookups of the contract, and sends its filters under the platform's names`, () => {
    const { read: _, ...lookup } = route?.from ?? {}
    assert.deepEqual(lookup, lookups[operation] ?? {})
    assert.deepEqual(
      Object.fromEntries(Object.entries(route?.filters ?? {}).map(([name, { as }]) => [name, as])),
      Object.fromEntries(arrows(filters[operation])),
    )
  })
}

/** what concerns a person, by name: a field of this kind must be marked */
const ofPersons = /e-?mail|phone|nickname|(first|last)name|actor|tester|reviewer|comment|timezone|screenshots$|^user/i

/** everything that only keys with the grant `personal` are shown, typed by hand */
const personal: Readonly<Record<string, string>> = {
  listBetaFeedbackSubmissions: 'comment email timeZone screenshots testerId',
  listPurchaseCustomCodes: 'createdByActorId deactivatedByActorId',
  getFeaturingNomination: 'createdByActorId lastModifiedByActorId submittedByActorId',
  listFeaturingNominations: 'createdByActorId lastModifiedByActorId submittedByActorId',
  listCustomerReviews: 'reviewerNickname',
  listReviewSubmissions: 'submittedByActorId lastUpdatedByActorId',
}

test('what concerns a person is marked as personal, at the top level, and leaves something else to ask for', () => {
  const nested = (field: Field): Field[] => [
    ...(field.items ? [field.items, ...nested(field.items)] : []),
    ...Object.values(field.properties ?? {}).flatMap((one) => [one, ...nested(one)]),
  ]
  for (const route of routes) {
    const { operation, returns, filters, from } = route
    const { attributes = {}, links: linkages = {} } = returns ?? {}
    const marked = personalFields(route)
    assert.deepEqual(marked, personal[operation]?.split(' ') ?? [], operation)
    for (const name of Object.keys({ ...attributes, ...linkages }))
      assert.ok(marked.includes(name) || !ofPersons.test(name), `${operation}: ${name} concerns a person`)
    for (const [name, filter] of Object.entries(filters))
      assert.equal(filter.personal === true, ofPersons.test(name), `${operation}: filter ${name}`)
    for (const field of Object.values(attributes).flatMap(nested)) assert.equal(field.personal, undefined, operation)
    for (const name of Object.keys(from.parent ?? {})) assert.ok(!marked.includes(name), operation)
    if (marked.length === 0) continue
    const { returns: left } = withoutPersonal(route)
    assert.ok(Object.keys(left?.attributes ?? {}).length > 0, `${operation} would ask for everything`)
  }
})

test('no linkage requests a field that is personal, secret or long', () => {
  for (const { operation, returns } of routes)
    for (const [field, { cheapest }] of Object.entries(returns?.links ?? {}))
      for (const word of unasked)
        assert.ok(!cheapest.toLowerCase().includes(word.toLowerCase()), `${operation}: ${field} asks for ${cheapest}`)
})
