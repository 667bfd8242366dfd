// Which requests a token's `scope` permits, compared with the platform's documentation. No code of the service is used here.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'

import { signToken, withSandbox } from './sandbox-client.ts'

interface Told {
  status: number
  code: string | undefined
}

/** sends the target unchanged; fetch would normalize it */
function tell(origin: string, scope: unknown, target: string, method = 'GET'): Promise<Told> {
  const { hostname: host, port } = new URL(origin)
  const authorization = `Bearer ${signToken({ claims: { scope } })}`
  return new Promise((resolve, reject) => {
    const asking = request({ host, port, path: target, method, headers: { authorization }, agent: false }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: reply.statusCode ?? 0, code: text === '' ? undefined : JSON.parse(text).errors?.[0]?.code })
      })
    })
    asking.on('error', reject)
    asking.end()
  })
}

const forbidden: Told = { status: 403, code: 'FORBIDDEN_ERROR' }
const documented = 'GET /v1/apps?filter[name]=Fjordwalk'

/** entry -> targets that it permits */
const admitted: readonly [string, readonly string[]][] = [
  ['GET /v1/apps', ['/v1/apps', '/v1/apps?', '/v1/apps?limit=3', '/v1/apps?sort=-name&limit=1']],
  ['GET /v1/apps?limit=1&sort=sku&cursor=x', ['/v1/apps', '/v1/apps?limit=3']],
  [documented, ['/v1/apps?filter%5Bname%5D=Fjordwalk', '/v1/apps?limit=3&filter[name]=Fjordwalk&sort=name']],
  ['GET /v1/apps?filter%5Bname%5D=Fjordwalk', ['/v1/apps?filter[name]=Fjordwalk']],
  [
    'GET /v1/apps?filter[sku]=a&filter[name]=b,c',
    ['/v1/apps?filter%5Bname%5D=b%2Cc&filter%5Bsku%5D=a', '/v1/apps?filter[sku]=a&limit=9&filter[name]=b,c'],
  ],
  ['GET /v1/apps?filter[name]=a%20b', ['/v1/apps?filter[name]=a+b', '/v1/apps?filter[name]=a%20b']],
  ['GET /v1/apps?filter[name]=what?', ['/v1/apps?filter[name]=what%3F', '/v1/apps?filter[name]=what?']],
  ['GET /v1/apps?filter[name]=Ü', ['/v1/apps?filter[name]=%C3%9C']],
  ['GET /v1/apps?filter[name]=a=b', ['/v1/apps?filter[name]=a%3Db']],
]

test('a scope entry allows its own request in every order and spelling of the query, on every page', async () => {
  await withSandbox(async ({ sandbox }) => {
    for (const [entry, targets] of admitted)
      for (const target of targets)
        assert.deepEqual(await tell(sandbox.url, [entry], target), { status: 200, code: undefined }, entry + target)
  })
})

/** entry -> targets that it does not permit */
const refused: readonly [unknown, readonly string[]][] = [
  [[documented], ['/v1/apps', '/v1/apps?filter[name]=fjordwalk', '/v1/apps?filter[name]=', '/v1/apps?filter[name]']],
  [[documented], ['/v1/apps?filter[name]=Fjordwalk,Other', '/v1/apps?filter[sku]=Fjordwalk']],
  [[documented], ['/v1/apps?filter[name]=Fjordwalk&include=builds', '/v1/apps?filter[name]=Fjordwalk&limit[builds]=1']],
  [[documented], ['/v1/apps?filter[name]=Fjordwalk&filter[name]=Fjordwalk', '/v1/apps/?filter[name]=Fjordwalk']],
  [
    ['GET /v1/apps'],
    ['/v1/apps?filter[name]=a', '/v1/apps/6446998001', '/v1/app', '/v2/apps', '/v1/Apps', '/v1/apps/'],
  ],
  [['GET /v1/apps/1'], ['/v1/apps/2', '/v1/apps/%31', '/v1/apps/1/builds', '/v1/apps/1%2Fbuilds']],
  [['GET /v1/apps/a%2Fb'], ['/v1/apps/a/b', '/v1/apps/a%2fb']],
  [['GET /v1/apps?filter[name]=what?a'], ['/v1/apps?filter[name]=what', '/v1/apps?filter[name]=what?b']],
  [['GET /v1/apps?filter[name]=a&b=c'], ['/v1/apps?filter[name]=a%26b%3Dc', '/v1/apps?filter[name]=a']],
  [['GET /v1/apps?filter[name]=a%26limit=1'], ['/v1/apps?filter[name]=a&limit=1', '/v1/apps?filter[name]=a']],
  [['GET /v1/apps?filter[name]=%FF'], ['/v1/apps?filter[name]=%FE']],
  [['GET /v1/apps*', 'GET /v1/*', 'GET *', 'GET', '/v1/apps', 'get /v1/apps', ' GET /v1/apps'], ['/v1/apps']],
  [['POST /v1/apps', 'HEAD /v1/apps'], ['/v1/apps']],
  [[], ['/v1/apps']],
  ['GET /v1/apps', ['/v1/apps']],
  [[['GET /v1/apps'], { 0: 'GET /v1/apps' }, null, 1], ['/v1/apps']],
  [null, ['/v1/apps']],
]

test('a path, value or parameter that no scope entry names is forbidden, and so is everything without a usable entry', async () => {
  await withSandbox(async ({ sandbox }) => {
    for (const [scope, targets] of refused)
      for (const target of targets)
        assert.deepEqual(await tell(sandbox.url, scope, target), forbidden, `${JSON.stringify(scope)} ${target}`)
  })
})

test('any one of several entries is enough', async () => {
  await withSandbox(async ({ sandbox }) => {
    const scope = ['GET /v1/winBackOffers/6742001014/prices', '%', 7, documented]
    assert.equal((await tell(sandbox.url, scope, '/v1/apps?filter[name]=Fjordwalk')).status, 200)
    assert.equal((await tell(sandbox.url, scope, '/v1/winBackOffers/6742001014/prices?limit=1')).status, 200)
    assert.deepEqual(await tell(sandbox.url, scope, '/v1/apps'), forbidden)
  })
})

test('a token scoped to a GET is forbidden to write, before the operation is checked', async () => {
  await withSandbox(async ({ sandbox }) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      assert.deepEqual(await tell(sandbox.url, ['GET /v1/apps'], '/v1/apps', method), forbidden)
      const unscoped = await tell(sandbox.url, undefined, '/v1/apps', method)
      assert.deepEqual(unscoped, { status: 405, code: 'METHOD_NOT_ALLOWED' })
    }
  })
})
