import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { routes } from '../../src/catalogue/index.ts'
import { readDocument, UnreadableDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { bytesOf, type Doc, vendorDocument } from '../support/vendor-document.ts'

const text = (words: string): Uint8Array => Buffer.from(words)
const refuses = (bytes: Uint8Array, words: RegExp) =>
  assert.throws(
    () => reviewRoutes(routes, readDocument(bytes)),
    (error: Error) => error instanceof UnreadableDocument && words.test(error.message) && error.message.length < 400,
    String(words),
  )

const withChange = (change: (doc: Doc) => void): Uint8Array => {
  const doc = vendorDocument()
  change(doc)
  return bytesOf(doc)
}

test('a file that is not an OpenAPI document in JSON is refused with the fix', () => {
  refuses(text(''), /empty.*download/)
  refuses(gzipSync('{}'), /gzip; unpack it first/)
  refuses(text('PK\u0003\u0004rest'), /zip archive; unpack it first, and name the JSON file/)
  refuses(text('openapi: 3.0.1\ninfo:\n  title: x\n'), /YAML; convert it to JSON/)
  refuses(text('# words\nswagger: "2.0"\n'), /YAML; convert it to JSON/)
  refuses(text('<!doctype html><html>'), /not JSON, or was cut off/)
  refuses(bytesOf(vendorDocument()).subarray(0, 5000), /not JSON, or was cut off/)
  refuses(Buffer.from([0xff, 0xfe, 0x7b, 0]), /not UTF-8/)
  refuses(text('[]'), /no OpenAPI document/)
  refuses(text('null'), /no OpenAPI document/)
  refuses(text('{"swagger":"2.0"}'), /Swagger 2; convert/)
  refuses(text('{"openapi":"4.0.0"}'), /OpenAPI 3\.0 or 3\.1/)
  refuses(text('{"openapi":"3.0.1","info":{}}'), /no version such as 4\.4\.1 in "info\.version"/)
  refuses(text('{"openapi":"3.0.1","info":{"version":"latest"}}'), /no version such as/)
  refuses(text('{"openapi":"3.0.1","info":{"version":"4.4.1"},"paths":{}}'), /no "paths"/)
  refuses(text('{"openapi":"3.0.1","info":{"version":"4.4.1"},"paths":[]}'), /no "paths"/)
})

test('a byte order mark is accepted', () => {
  const found = reviewRoutes(
    routes,
    readDocument(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(vendorDocument())])),
  )
  assert.equal(found.totals.break, 0)
})

const getEvent = (doc: Doc): Doc => doc['components'].schemas.getEvent

test('a reference to another file is refused and never followed', () => {
  for (const $ref of ['https://vendor.example/schema.json', 'other.json#/a', '/etc/passwd', 'file:///etc/passwd', '#'])
    refuses(
      withChange((doc) => {
        getEvent(doc)['properties'].attributes = { $ref }
      }),
      /points out of the file; bundle the document/,
    )
})

test('a reference to a missing or an inherited member is refused', () => {
  for (const $ref of ['#/components/schemas/Nobody', '#/__proto__/polluted', '#/constructor', '#/components/toString'])
    refuses(
      withChange((doc) => {
        getEvent(doc)['properties'].attributes = { $ref }
      }),
      /points to nothing/,
    )
})

test('circular references end', () => {
  refuses(
    withChange((doc) => {
      doc['components'].schemas.A = { $ref: '#/components/schemas/B' }
      doc['components'].schemas.B = { $ref: '#/components/schemas/A' }
      getEvent(doc)['properties'].attributes = { $ref: '#/components/schemas/A' }
    }),
    /refers to itself/,
  )
  refuses(
    withChange((doc) => {
      doc['paths']['/v1/apps'] = { $ref: '#/paths/~1v1~1apps' }
    }),
    /refers to itself/,
  )
})

test('a resource that contains itself is reviewed', () => {
  const found = reviewRoutes(
    routes,
    readDocument(
      withChange((doc) => {
        getEvent(doc)['properties'].attributes.properties.self = { $ref: '#/components/schemas/getEvent' }
      }),
    ),
  )
  assert.deepEqual(
    found.routes.flatMap(({ findings }) => findings.filter(({ severity }) => severity !== 'note').map(({ at }) => at)),
    ['self'],
  )
})

test('schemas that double at every step are refused quickly', () => {
  refuses(
    withChange((doc) => {
      const next = (i: number) => ({ $ref: `#/components/schemas/L${i}` })
      for (let i = 0; i < 40; i++) doc['components'].schemas[`L${i}`] = { allOf: [next(i + 1), next(i + 1)] }
      doc['components'].schemas.L40 = { type: 'object' }
      getEvent(doc)['properties'].attributes = next(0)
    }),
    /too entangled|combined too deep/,
  )
})

test('endless alternatives are refused quickly', () => {
  for (const one of [
    (i: number) => ({ type: 'string', enum: [`v${i}`] }),
    (i: number) => ({ type: 'object', properties: { [`p${i}`]: {} } }),
  ])
    refuses(
      withChange((doc) => {
        getEvent(doc)['properties'].attributes.properties.badge = {
          oneOf: Array.from({ length: 50_000 }, (_, i) => one(i)),
        }
      }),
      /too entangled/,
    )
})

test('a document nested 100,000 levels deep is refused with a message', () => {
  const deep = `${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`
  refuses(
    text(bytesOf(vendorDocument()).toString().replace('"deepLink":{"type":"string"}', `"deepLink":${deep}`)),
    /nested too deep/,
  )
  refuses(text(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), /no OpenAPI document/)
})

test('names such as constructor and __proto__ are ordinary names', () => {
  const source = bytesOf(vendorDocument())
    .toString()
    .replace('"deepLink":', '"__proto__":{"type":"string"},"constructor":{"type":"string"},"deepLink":')
  const found = reviewRoutes(routes, readDocument(text(source)))
  assert.deepEqual(
    found.routes.flatMap(({ findings }) =>
      findings.filter(({ severity }) => severity !== 'note').map((one) => [one.class, one.at]),
    ),
    [
      ['attribute-new', '__proto__'],
      ['attribute-new', 'constructor'],
    ],
  )
})
