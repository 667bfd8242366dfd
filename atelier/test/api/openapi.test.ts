import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { describeApi } from '../../src/api/openapi.ts'
import { defineRoute } from '../../src/routes/service.ts'
import { answerSchemas } from '../../src/routes/answer-schemas.ts'
import { routes, tags } from '../../src/routes/index.ts'
import { problems } from '../../src/problems.ts'
import { openUsedRig } from '../service-rig.ts'

/** section 1 of the contract, typed by hand */
const contract = [
  'GET /containers key containers:read 200',
  'POST /containers key containers:write 201',
  'DELETE /containers key containers:write 200',
  'POST /containers/exec key exec 200 202',
  'GET /containers/files key files 200',
  'PUT /containers/files key files 200',
  'GET /images key images:read 200',
  'POST /images key images:write 202',
  'GET /images/{id} key images:read 200',
  'DELETE /images/{id} key images:write 204',
  'GET /images/{id}/logs key images:read 200',
  'POST /containers/ssh key ssh 201',
  'GET /api-keys session - 200',
  'POST /api-keys session - 201',
  'DELETE /api-keys session - 204',
  'GET /subscription/config either - 200',
  'GET /auth/login none - 200',
  'POST /auth/login none - 200 303',
  'POST /auth/logout session - 204',
  'GET /auth/session session - 200',
  'GET /auth/oidc none - 302',
  'GET /auth/oidc/callback none - 303',
  'GET /openapi.json none - 200',
  'GET /healthz none - 200',
  'GET /readyz none - 200 503',
]

test('the routes are those of the contract, with their credentials, scopes and successes', () => {
  const found = routes.map(({ method, path, credential, scope = '-', answers }) =>
    [method, path, credential, scope, ...Object.keys(answers)].join(' '),
  )
  for (const line of contract) assert.ok(found.includes(line), `${line} is not among\n${found.join('\n')}`)
  assert.ok(routes.length >= contract.length)
})

const nodesOf = (tree: unknown): Record<string, unknown>[] =>
  typeof tree === 'object' && tree !== null
    ? [tree as Record<string, unknown>, ...Object.values(tree).flatMap(nodesOf)]
    : []

async function description(t: TestContext) {
  const { call } = await openUsedRig(t, { settings: { publicUrl: 'https://atelier.example' } })
  const { body, headers } = await call('GET', '/openapi.json')
  assert.notEqual(headers['cache-control'], 'no-store')
  return body
}

test('the description names only schemas, parameters, headers and examples that it has', async (t) => {
  const document = await description(t)
  assert.match(document.openapi, /^3\.1\./)
  const refs = nodesOf(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  assert.ok(refs.length > 100)
  for (const place of refs) {
    const found = place.slice(2).split('/').reduce((node, name) => node?.[name], document) // prettier-ignore
    assert.ok(found, place)
  }
  for (const { answers } of routes)
    for (const answer of Object.values(answers).flat()) if ('json' in answer) assert.ok(answerSchemas[answer.json])
  assert.deepEqual(Object.keys(document.components.securitySchemes).toSorted(), [
    'apiKey',
    'csrf',
    'session',
    'sessionToken',
  ])
  assert.equal(document.components.securitySchemes.session.name, '__Host-atelier_session')
})

test('an object of the description names its members or is open, as generated clients read it', async (t) => {
  const objects = nodesOf(await description(t)).filter(({ type }) => [type].flat().includes('object'))
  assert.ok(objects.length > 50)
  for (const one of objects) assert.ok('properties' in one || 'additionalProperties' in one, JSON.stringify(one))
})

test('every operation has its own id, a tag that is described, and its refusals by status', async (t) => {
  const document = await description(t)
  const operations = Object.values<Record<string, any>>(document.paths).flatMap((path) => Object.values(path))
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const operation of operations) {
    assert.ok(operation.summary && operation.tags.every((tag: string) => tag in tags), operation.operationId)
    for (const [status, { content }] of Object.entries<any>(operation.responses))
      for (const code of Object.keys(content?.['application/json']?.examples ?? {}))
        assert.equal(problems[code]?.status, Number(status), code)
  }
  const create = document.paths['/containers'].post
  assert.deepEqual(create.security, [{ apiKey: ['containers:write'] }, { session: [], sessionToken: [] }])
  const { limits } = create.requestBody.content['application/json'].schema.properties
  assert.deepEqual([limits.properties.memoryMiB.minimum, limits.properties.memoryMiB.maximum], [32, 4_096])
})

test('a thirteenth route is one definition and its handler', () => {
  const added = defineRoute({
    method: 'GET',
    path: '/containers/{id}/label',
    operationId: 'readLabel',
    tag: 'containers',
    summary: 'Read one label',
    credential: 'key',
    scope: 'containers:read',
    query: { name: { description: 'Its name.', schema: { type: 'string', minLength: 1 }, required: true } },
    answers: { 200: { json: 'Health', description: 'It.' } },
    refusals: ['container_not_found'],
    run: async ({ query: { name } }) => ({ status: 200, body: { status: name } }),
  })
  const about = { title: 'A', version: '1', about: 'a', publicUrl: 'http://127.0.0.1:1', cookieName: 'c' }
  const document: any = describeApi({ ...about, tags, routes: [...routes, added], schemas: answerSchemas })
  const { get } = document.paths['/containers/{id}/label']
  assert.deepEqual(get.parameters.map(({ name }: { name: string }) => name), ['id', 'name']) // prettier-ignore
  assert.deepEqual(Object.keys(get.responses), ['200', '400', '401', '403', '404', '429', '500', '503'])
})
