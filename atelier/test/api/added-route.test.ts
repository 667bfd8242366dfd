import assert from 'node:assert/strict'
import test from 'node:test'
import { LightAbort } from '../../../base/core/abort.ts'
import { createProxies } from '../../../base/web/address.ts'
import { createRate } from '../../src/api/rates.ts'
import { routeDefiner } from '../../src/api/route.ts'
import { createHeldBytes } from '../../src/api/held-bytes.ts'
import { createApiServer } from '../../src/api/server.ts'
import { Problem } from '../../src/problems.ts'
import { call } from '../service-rig.ts'

interface OwnService {
  readonly greeting: string
}

test('a route that is defined is checked and served without any other change', async () => {
  const greet = routeDefiner<OwnService>()({
    method: 'GET',
    path: '/things/{id}/greeting',
    operationId: 'greet',
    tag: 'things',
    summary: 'Greet',
    credential: 'key',
    scope: 'files',
    query: { times: { description: 'Times.', schema: { type: 'integer', minimum: 1, maximum: 3, default: 1 } } },
    answers: { 200: { description: 'It.' } },
    refusals: [],
    run: async ({ query: { times }, pathId, caller }, { greeting }) => ({
      status: 200,
      body: { said: `${greeting.repeat(times)} ${pathId}`, account: caller.account },
    }),
  })
  const nobody = new Problem('unauthorized')
  const server = createApiServer<OwnService>({
    routes: [greet],
    service: { greeting: 'hi' },
    authenticate: {
      caller: async ({ req }) =>
        req.headers.authorization === 'Bearer k'
          ? { account: 'acc', keyId: 'key', session: undefined, scopes: ['files'] }
          : Promise.reject(nobody),
      checkScope: (_, scope) => assert.equal(scope, 'files'),
      checkCsrf: () => {},
    },
    idempotency: async (_, { make }) => ({ answer: await make(), isReplayed: false }),
    keyHolders: { hold: () => () => {}, check: async () => {}, close: () => {} },
    unsent: createHeldBytes({ ofAccount: 1_000, ofAll: 1_000 }),
    rate: createRate({ perSecond: 1, burst: 4, steady: () => 0 }),
    creationRate: () => {},
    proxies: createProxies([]),
    observe: () => {},
    isStopping: () => false,
    stopping: new LightAbort() as unknown as AbortSignal,
  })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  const get = (path: string, key?: string) => call(`http://127.0.0.1:${port}`, 'GET', path, key === undefined ? {} : { key }) // prettier-ignore
  const { status, body } = await get('/things/t1/greeting?times=2', 'k')
  assert.deepEqual([status, body], [200, { said: 'hihi t1', account: 'acc' }])
  assert.equal((await get('/things/t1/greeting')).status, 401)
  assert.equal((await get('/things/t1/greeting?times=4', 'k')).body.error.details.field, 'times')
  assert.equal((await get('/things/t1/greeting?x=1', 'k')).body.error.details.field, 'x')
  assert.equal((await get('/things/t1/other', 'k')).status, 404)
  assert.equal((await get('/things/t1/greeting', 'k')).status, 200)
  const limited = await get('/things/t1/greeting', 'k')
  assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '1'])
  await server.drain({ mostMs: 100, idleMs: 0 })
})
