// The vendor's document 4.4.1 as an oracle for the routes beyond the contract: it declares every parameter that the platform
// is sent, and every field of every answer. Reads the document by itself, without the code that is tested.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { startOverSandbox } from '../support/service.ts'

type Doc = Record<string, any>

const file = process.env['VENDOR_OPENAPI']
const skip = (file === undefined || file === '') && 'VENDOR_OPENAPI names no file'
const document = (): Doc => JSON.parse(readFileSync(file ?? '', 'utf8'))

const resolve = (doc: Doc, schema: Doc): Doc =>
  '$ref' in schema
    ? resolve(
        doc,
        String(schema['$ref'])
          .split('/')
          .slice(1)
          .reduce((at, name) => at[name], doc),
      )
    : schema

const operationAt = (doc: Doc, path: string): Doc => {
  const template = `/${path
    .split('/')
    .slice(1)
    .map((part, at) => (at === 2 ? '{id}' : part))
    .join('/')}`
  assert.ok(doc['paths'][template]?.get, template)
  return doc['paths'][template].get
}

/** the parameters of one request against the declared ones */
function checkRequest(doc: Doc, target: string) {
  const { pathname, searchParams } = new URL(target, 'http://platform')
  const declared = operationAt(doc, pathname)['parameters'] as Doc[]
  for (const [name, value] of searchParams) {
    if (name === 'cursor') continue
    const schema = declared.find((one) => one['name'] === name)?.['schema']
    assert.ok(schema, `${name} of ${pathname}`)
    const values = schema.items?.enum ?? schema.enum
    for (const one of value.split(',')) assert.ok(!values || values.includes(one), `${name}=${one} of ${pathname}`)
  }
  for (const one of declared) assert.ok(!one['required'] || searchParams.has(one['name']) || one['in'] === 'path')
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  array: Array.isArray,
}
const ours: Readonly<Record<string, string>> = { APPLE_TV: 'VENDOR_TV', APPLE_WATCH: 'VENDOR_WATCH' }

function checkValue(doc: Doc, written: Doc, value: unknown, at: string) {
  const schema = resolve(doc, written)
  if (value === null) return
  assert.ok(kinds[schema['type']]?.(value), `${at} is ${JSON.stringify(value)}, not ${schema['type']}`)
  const values = schema['enum']?.map((one: string) => ours[one] ?? one)
  if (values) assert.ok(values.includes(value), `${at} is ${JSON.stringify(value)}`)
  for (const [i, one] of Array.isArray(value) ? value.entries() : [])
    checkValue(doc, schema['items'], one, `${at}[${i}]`)
  if (schema['type'] !== 'object') return
  for (const [name, one] of Object.entries(value as object)) {
    assert.ok(schema['properties'][name], `${at}.${name}`)
    checkValue(doc, schema['properties'][name], one, `${at}.${name}`)
  }
}

const lowerFirst = (word: string): string => word.slice(0, 1).toLowerCase() + word.slice(1)

/** One flat item against the attributes and to-one relationships of the vendor's resource, and of the included one. */
function checkItem(
  doc: Doc,
  { resource, included }: { resource: Doc; included: Doc | undefined },
  item: Doc,
  at: string,
) {
  const related = included ? (resolve(doc, included['properties'].attributes ?? {})['properties'] ?? {}) : {}
  // such as eventCreatedDate and eventType, which is so called there, too
  const relatedName = (name: string) => (related[name] ? name : lowerFirst(name.replace(/^event/, '')))
  const attributes = resolve(doc, resource['properties'].attributes ?? {})['properties'] ?? {}
  const relationships = resource['properties'].relationships?.properties ?? {}
  // the one linkage whose name is the contract's and not <relation>Id
  const relationOf = (name: string) => (name === 'versionId' ? 'appStoreVersion' : name.slice(0, -2))
  for (const [name, value] of Object.entries(item)) {
    if (name === 'id') assert.equal(typeof value, 'string')
    else if (attributes[name]) checkValue(doc, attributes[name], value, `${at}.${name}`)
    else if (name.startsWith('event') && related[relatedName(name)])
      checkValue(doc, related[relatedName(name)], value, `${at}.${name}`)
    // a parent that was listed
    else if (name === 'webhookId') assert.equal(typeof value, 'string')
    else {
      assert.ok(name.endsWith('Id') && relationships[relationOf(name)], `${at}.${name} is in no schema`)
      assert.ok(value === null || typeof value === 'string')
    }
  }
}

for (const linkage of ['supplied', 'asked'] as const)
  test(
    `the vendor's document declares what the routes beyond the contract send and answer, linkage ${linkage}`,
    {
      skip,
    },
    async (t) => {
      const doc = document()
      const { service, sandbox, close } = await startOverSandbox({
        ...(linkage === 'asked' && { connection: { linkage } }),
      })
      t.after(close)
      for (const { operation, example, isBeyond, shape } of routes) {
        if (!isBeyond) continue
        const [path = ''] = example.split('?')
        for (const asked of [example, path]) {
          const { status, json } = await service.ask(asked)
          assert.equal(status, 200, asked)
          const { url } = sandbox.asked.at(-1) ?? assert.fail()
          const answer = operationAt(doc, new URL(url, 'http://platform').pathname)['responses'][200]
          const { data, included } = resolve(doc, answer.content['application/json'].schema)['properties']
          if (shape === 'ids') continue
          const resource = resolve(doc, resolve(doc, data)['items'] ?? data)
          const items: Doc[] = shape === 'page' ? json.items : [json]
          assert.ok(items.length > 0, asked)
          const come = included && resolve(doc, resolve(doc, included)['items'])
          for (const item of items) checkItem(doc, { resource, included: come?.properties && come }, item, operation)
        }
      }
      for (const { url } of sandbox.asked) checkRequest(doc, url)
    },
  )
