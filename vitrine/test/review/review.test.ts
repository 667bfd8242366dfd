import assert from 'node:assert/strict'
import test from 'node:test'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { probes } from '../../src/catalogue/probes.ts'
import { readDocument } from '../../src/review/document.ts'
import { classes, fails } from '../../src/review/finding.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { bytesOf, type Doc, vendorDocument } from '../support/vendor-document.ts'
import { rows } from '../catalogue/contract-rows.ts'
import { mutations } from './mutations.ts'

const judge = (doc: Doc, of: readonly Route[] = routes) => reviewRoutes(of, readDocument(bytesOf(doc)), probes)
const ofRoutes = (found: ReturnType<typeof judge>) => found.routes.flatMap(({ findings }) => findings)
/** findings of probes have a group in place of the number of a route */
const findingsOf = (found: ReturnType<typeof judge>) => [
  ...ofRoutes(found),
  ...found.probes.map(({ group, ...one }) => ({ ...one, number: group, operation: group, path: group })),
]

/** the routes as if reviewed against the vendor's document of the tests in this version */
function stampedFor(doc: Doc, version = '4.5.1'): Route[] {
  const found = judge(doc)
  return routes.map((route, i): Route => {
    const hash = found.routes[i]?.hash
    return { ...route, reviewed: { version, date: '2026-11-21', ...(hash !== undefined && { hash }) } }
  })
}

const stamped = stampedFor(vendorDocument())
const counts = (found: ReturnType<typeof judge>) => Object.groupBy(found.routes, ({ state: standing }) => standing)

test('a document that agrees with the contract has no findings', () => {
  const found = judge(vendorDocument(), stamped)
  assert.deepEqual(findingsOf(found), [])
  assert.equal(counts(found).unchanged?.length, rows.length)
  assert.deepEqual(found.document, {
    version: '4.5.1',
    openapi: '3.0.1',
    paths: Object.keys(vendorDocument()['paths']).length,
  })
})

for (const { name, change, finds, exit, isOfContract } of mutations)
  test(`${name}: the review finds exactly that, with its routes`, () => {
    const doc = vendorDocument()
    change(doc)
    const findings = findingsOf(judge(doc, isOfContract ? stamped.slice(0, 29) : stamped))
    assert.deepEqual(
      findings.map((one) => [one.class, one.severity, one.number, one.at, one.ours, one.theirs]),
      finds.map(([name, severity, route, at, ours, theirs]) => [name, severity, route, at, ours, theirs]),
    )
    assert.deepEqual([fails(findings, 'change') ? 1 : 0, fails(findings, 'addition') ? 1 : 0], exit)
    assert.equal(
      fails(findings, 'break'),
      findings.some(({ severity }) => severity === 'break'),
    )
    for (const { number, operation, path, about, cure } of findings) {
      if (typeof number === 'number') {
        assert.equal(routes[number - 1]?.operation, operation)
        assert.equal(routes[number - 1]?.path, path)
      }
      assert.ok(about && cure)
    }
  })

test('every class of finding has its mutation', () => {
  const found = new Set(mutations.flatMap(({ finds }) => finds.map(([name]) => name)))
  assert.deepEqual([...found].sort(), Object.keys(classes).sort())
})

test('a removed endpoint is absent in a document older than its review, and a break in a newer one', () => {
  const standing = (version: string) => {
    const doc = vendorDocument(version)
    delete doc['paths']['/v1/customerReviewResponses/{id}']
    const [one] = findingsOf(judge(doc, stamped))
    const route = judge(doc, stamped).routes[27]
    return [one?.class, one?.severity, route?.state]
  }
  assert.deepEqual(standing('4.5'), ['endpoint-absent', 'absent', 'absent'])
  assert.deepEqual(standing('4.4.10'), ['endpoint-absent', 'absent', 'absent'])
  assert.deepEqual(standing('4.5.1'), ['endpoint-absent', 'break', 'drifted'])
  assert.deepEqual(standing('4.10'), ['endpoint-absent', 'break', 'drifted'])
})

test('an attribute that an older document lacks is absent, not drift', () => {
  const doc = vendorDocument('4.4.1')
  delete doc['components'].schemas.getFeaturingNomination.properties.attributes.properties.notes
  const found = judge(doc, stamped)
  assert.deepEqual(
    findingsOf(found).map(({ class: name, severity }) => [name, severity]),
    [['attribute-gone', 'absent']],
  )
  assert.equal(fails(findingsOf(found), 'addition'), false)
})

test('descriptions and the order of lists do not change the hash', () => {
  const doc = vendorDocument()
  const reworded = JSON.parse(JSON.stringify(doc).replaceAll('"Words."', '"Other words."')) as Doc
  reworded['components'].schemas.getEvent.description = 'New words.'
  reworded['components'].schemas.getEvent.title = 'New words.'
  for (const { get } of Object.values<Doc>(reworded['paths'])) {
    get.summary = 'New words.'
    get.operationId = 'renamed'
    get.tags = ['Other']
    get['x-vendor'] = 1
    get.parameters.reverse()
    for (const { schema } of get.parameters) schema.items?.enum?.reverse()
  }
  reworded['components'].schemas = Object.fromEntries(Object.entries(reworded['components'].schemas).toReversed())
  assert.equal(counts(judge(reworded, stamped)).unchanged?.length, rows.length)
})

test('an attribute named description is part of the hash', () => {
  const doc = vendorDocument()
  const { properties } = doc['components'].schemas.getFeaturingNomination.properties.attributes
  assert.equal(properties.description.type, 'string')
  properties.description.minLength = 1
  assert.deepEqual(
    findingsOf(judge(doc, stamped)).map(({ class: name, number }) => [name, number]),
    [['operation-changed', 16]],
  )
})

test('an indirectly referenced schema is part of the hash of every route that reaches it', () => {
  const doc = vendorDocument()
  doc['components'].schemas.Refusal.properties.more = { type: 'string' }
  assert.deepEqual(
    findingsOf(judge(doc, stamped)).map(({ class: name }) => name),
    Array.from({ length: rows.length }, () => 'operation-changed'),
  )
})

/** the same document, written as OpenAPI 3.1 and in the style of other generators */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewritten(one)]))
  if (typeof inner['$ref'] === 'string') return { allOf: [{ $ref: inner['$ref'] }, { description: 'A wrapper.' }] }
  if (Array.isArray(inner['enum']) && inner['enum'].length === 1) {
    const { enum: values, ...rest } = inner
    return { ...rest, const: (values as unknown[])[0] }
  }
  if (inner['type'] === 'string') return { ...inner, type: ['string', 'null'] }
  if (inner['type'] === 'boolean') return { oneOf: [{ type: 'null' }, inner] }
  if (inner['type'] === 'integer') return { anyOf: [inner, { type: 'null' }] }
  return inner
}

test('equivalent notations of a schema are read alike', () => {
  const doc = rewritten(vendorDocument()) as Doc
  doc['openapi'] = '3.1.0'
  const found = findingsOf(judge(doc, stamped))
  assert.deepEqual(
    found.filter(({ severity }) => severity !== 'note'),
    [],
  )
  const { properties } = doc['components'].schemas.getFeaturingNomination.properties.attributes
  properties.state = {
    oneOf: [
      { type: 'string', enum: ['DRAFT', 'SUBMITTED'] },
      { const: 'ARCHIVED', type: 'string' },
    ],
  }
  assert.deepEqual(
    findingsOf(judge(doc, stamped)).filter(({ severity }) => severity !== 'note'),
    [],
  )
  properties.state = { oneOf: [{ type: 'string' }, { type: 'integer' }] }
  assert.deepEqual(
    findingsOf(judge(doc, stamped))
      .filter(({ severity }) => severity !== 'note')
      .map((one) => [one.class, one.at, one.theirs]),
    [['type-changed', 'state', 'string or integer']],
  )
})

test('parameters may be declared at the path and by reference', () => {
  const doc = vendorDocument()
  const item = doc['paths']['/v1/apps']
  doc['components'].parameters = { Sort: item.get.parameters.find(({ name }: Doc) => name === 'sort') }
  item.parameters = [{ $ref: '#/components/parameters/Sort' }]
  item.get.parameters = item.get.parameters.filter(({ name }: Doc) => name !== 'sort')
  assert.deepEqual(
    findingsOf(judge(doc, stamped)).filter(({ severity }) => severity !== 'note'),
    [],
  )
})
