// Our OpenAPI documents against the published ones. Long because it holds a change for each class of break.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type BreakClass, classes, findBreaks } from '../../scripts/breaking-changes.ts'
import { type Json, promisedBy } from '../../scripts/promised.ts'

/** the documents published with this version; CONTRIBUTING.md says when to replace them */
const baseline = (name: string): string => `test/golden/${name}-0.1.0.json`
const names = ['openapi', 'operator-openapi'] as const
const described = (name: string): Json => JSON.parse(readFileSync(`docs/reference/${name}.json`, 'utf8'))
/** one line for each operation and schema, for readable diffs */
const written = (description: Json): string => {
  const parts = Object.entries(promisedBy(description)).map(([part, of]) => {
    const lines = Object.entries(of).map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`)
    return `${JSON.stringify(part)}: {\n${lines.join(',\n')}\n}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

if (process.env['UPDATE_BASELINE']) for (const name of names) writeFileSync(baseline(name), written(described(name)))

for (const name of names)
  test(`${name} has no breaking change since the baseline`, () => {
    const breaks = findBreaks(JSON.parse(readFileSync(baseline(name), 'utf8')), promisedBy(described(name)))
    assert.deepEqual(breaks, [], 'callers of the last description would break; CONTRIBUTING.md says what to do')
  })

const apps = '/v1/connections/{connectionId}/apps'
const at = (doc: Json): Json => doc['paths'][apps].get
const parameter = (doc: Json, name: string): Json => at(doc)['parameters'].find((one: Json) => one['name'] === name)
const schema = (doc: Json, name: string): Json => doc['components'].schemas[name]
const key = (doc: Json): Json => doc['paths']['/operator/v1/keys'].post
const body = (doc: Json): Json => key(doc)['requestBody'].content['application/json'].schema

type Seed = readonly [name: string, change: (doc: Json) => unknown, finds: readonly (readonly [BreakClass, string])[]]

const seeds: readonly Seed[] = [
  ['a path goes', (doc) => delete doc['paths'][apps], [['operation-removed', `GET ${apps}`]]],
  ['an operation is renamed', (doc) => (at(doc)['operationId'] = 'getApps'), [['operation-renamed', `GET ${apps}`]]],
  ['an operation is open to all', (doc) => (at(doc)['security'] = []), [['security-changed', `GET ${apps}`]]],
  [
    'one operation of all wants another key',
    (doc) => {
      doc['security'] = [{ other: [] }]
      for (const path of Object.keys(doc['paths']))
        if (path !== apps) doc['paths'][path].get.security = [{ facadeKey: [] }]
      for (const path of ['/livez', '/healthz', '/readyz']) doc['paths'][path].get.security = []
    },
    [['security-changed', `GET ${apps}`]],
  ],
  [
    'a parameter goes',
    (doc) => (at(doc)['parameters'] = at(doc)['parameters'].filter(({ name }: Json) => name !== 'sku')),
    [['parameter-removed', `GET ${apps} query sku`]],
  ],
  [
    'a parameter must be given',
    (doc) => (parameter(doc, 'sku')['required'] = true),
    [['input-required', `GET ${apps} query sku`]],
  ],
  [
    'a parameter comes that must be given',
    (doc) => at(doc)['parameters'].push({ name: 'team', in: 'query', required: true, schema: { type: 'string' } }),
    [['input-required', `GET ${apps} query team`]],
  ],
  [
    'a listed value of a parameter goes',
    (doc) => parameter(doc, 'sort')['schema'].items.enum.pop(),
    [['input-value-removed', `GET ${apps} query sort[]`]],
  ],
  [
    'an open parameter gets a list',
    (doc) => (parameter(doc, 'sku')['schema'].items.enum = ['A']),
    [['input-narrowed', `GET ${apps} query sku[]`]],
  ],
  [
    'pages become smaller',
    (doc) => (parameter(doc, 'limit')['schema'].maximum = 100),
    [['input-narrowed', `GET ${apps} query limit`]],
  ],
  [
    'a parameter changes its type',
    (doc) => (parameter(doc, 'limit')['schema'].type = 'string'),
    [['type-changed', `GET ${apps} query limit`]],
  ],
  ['a status goes', (doc) => delete at(doc)['responses'][304], [['status-removed', `GET ${apps} 304`]]],
  [
    'an answer is of another media type',
    (doc) => (at(doc)['responses'][200].content = { 'text/csv': {} }),
    [['media-type-removed', `GET ${apps} 200 application/json`]],
  ],
  [
    'a header goes',
    (doc) => delete at(doc)['responses'][200].headers['X-Request-Id'],
    [['header-removed', `GET ${apps} 200 X-Request-Id`]],
  ],
  ['a property goes', (doc) => delete schema(doc, 'App')['properties'].sku, [['property-removed', 'App.sku']]],
  [
    'a property that was always there may be missing',
    (doc) => (schema(doc, 'App')['required'] = []),
    [['requirement-dropped', 'App.id']],
  ],
  [
    'a property changes its type',
    (doc) => (schema(doc, 'App')['properties'].isOrEverWasMadeForKids = { type: 'string' }),
    [['type-changed', 'App.isOrEverWasMadeForKids']],
  ],
  [
    'a date is no date any more',
    (doc) => delete schema(doc, 'AppEvent')['properties'].territorySchedules.items.properties.eventEnd.format,
    [['type-changed', 'AppEvent.territorySchedules[].eventEnd']],
  ],
  [
    'the items of a list may be anything',
    (doc) => delete schema(doc, 'AppEvent')['properties'].territorySchedules.items,
    [['type-changed', 'AppEvent.territorySchedules[]']],
  ],
  [
    'a list is given as a parameter for each value',
    (doc) => (parameter(doc, 'sku')['explode'] = true),
    [['type-changed', `GET ${apps} query sku`]],
  ],
  [
    'a list is given with bars',
    (doc) => (parameter(doc, 'sort')['style'] = 'pipeDelimited'),
    [['type-changed', `GET ${apps} query sort`]],
  ],
  [
    'a closed type gets a value',
    (doc) => schema(doc, 'Problem')['properties'].error.properties.type.enum.push('teapot'),
    [['output-value-added', 'Problem.error.type']],
  ],
  [
    'a closed type becomes open',
    (doc) => delete schema(doc, 'Problem')['properties'].error.properties.type.enum,
    [['output-value-added', 'Problem.error.type']],
  ],
]

const operatorSeeds: readonly Seed[] = [
  [
    'a body wants one more thing',
    (doc) => body(doc)['required'].push('note'),
    [['input-required', 'POST /operator/v1/keys body.note']],
  ],
  [
    'a body does not take something any more',
    (doc) => delete body(doc)['properties'].note,
    [['input-property-removed', 'POST /operator/v1/keys body.note']],
  ],
  [
    'a body takes shorter text alone',
    (doc) => (body(doc)['properties'].name.maxLength = 10),
    [['input-narrowed', 'POST /operator/v1/keys body.name']],
  ],
  [
    'a body must be sent',
    (doc) => (doc['paths']['/operator/v1/keys/{id}/reroll'].post.requestBody.required = true),
    [['input-required', 'POST /operator/v1/keys/{id}/reroll body']],
  ],
]

for (const [of, table] of [
  ['openapi', seeds],
  ['operator-openapi', operatorSeeds],
] as const)
  for (const [name, change, finds] of table)
    test(`${of}: ${name} is found as a breaking change`, () => {
      const [before, after] = [described(of), described(of)]
      change(after)
      const breaks = findBreaks(promisedBy(before), promisedBy(after))
      assert.deepEqual(
        breaks.map((one) => [one.class, one.at]),
        finds,
      )
    })

test('another way to send the key is a breaking change of every operation with a key', () => {
  const [before, after] = [described('openapi'), described('openapi')]
  after['components'].securitySchemes.facadeKey = { type: 'apiKey', in: 'header', name: 'X-Key' }
  const breaks = findBreaks(promisedBy(before), promisedBy(after))
  assert.deepEqual([...new Set(breaks.map((one) => one.class))], ['security-changed'])
  assert.ok(breaks.length >= 31)
  assert.ok(breaks.every(({ at }) => !/ \/(?:livez|healthz|readyz)$/.test(at)))
})

test('every class of break has a seeded change', () => {
  const seeded = new Set([...seeds, ...operatorSeeds].flatMap(([, , finds]) => finds.map(([name]) => name)))
  assert.deepEqual([...seeded].sort(), [...classes].sort())
})

test('additions are no breaking changes', () => {
  const after = described('openapi')
  after['paths']['/v1/more'] = { get: { operationId: 'getMore', responses: { 200: { description: '.' } } } }
  at(after)['parameters'].push({ name: 'more', in: 'query', required: false, schema: { type: 'string' } })
  parameter(after, 'sort')['schema'].items.enum.push('price')
  parameter(after, 'limit')['schema'].maximum = 500
  at(after)['responses'][410] = { description: 'Gone.' }
  schema(after, 'App')['properties'].more = { type: 'string' }
  const [open] = schema(after, 'Problem')['properties'].error.properties.code.anyOf
  open.enum.push('another_code')
  schema(after, 'App')['properties'].sku.description = 'Other words.'
  after['components'].securitySchemes.session = { type: 'apiKey', in: 'cookie', name: 'session' }
  after['security'].push({ session: [] })
  assert.deepEqual(findBreaks(promisedBy(described('openapi')), promisedBy(after)), [])
})

for (const name of names)
  test(`an independent validator accepts ${name}, and rejects a faulty copy`, async () => {
    assert.equal((await new Validator().validate(described(name))).valid, true)
    for (const fault of [
      (doc: Json) => (Object.values<any>(Object.values<any>(doc['paths'])[0])[0].responses = { nonsense: {} }),
      (doc: Json) => (Object.values<any>(Object.values<any>(doc['paths'])[0])[0].parameters = [{ name: 'x' }]),
      (doc: Json) => delete doc['info'].version,
    ]) {
      const doc = described(name)
      fault(doc)
      assert.equal((await new Validator().validate(doc)).valid, false)
    }
  })
