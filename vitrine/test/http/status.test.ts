import assert from 'node:assert/strict'
import test from 'node:test'
import { page } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { startScripted, tester } from '../support/service.ts'

const status = (id: string) => `/v1/connections/${id}/status`
const hour = (limit: number, remaining: number) => ({
  'x-rate-limit': `user-hour-lim:${limit};user-hour-rem:${remaining};`,
})
const empty = { data: [], links: { self: 'x' } }
const quotaOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => [
  headers['x-upstream-ratelimit-limit'],
  headers['x-upstream-ratelimit-remaining'],
]

async function start(t: test.TestContext, script: Script) {
  const scene = await startScripted(script)
  t.after(scene.close)
  return scene
}

test('before the first read, the status of a connection is unknown, and asking for it makes no platform call', async (t) => {
  const { service, platform } = await start(t, (_, res) => send(res, empty))
  const answer = await service.ask(status('acme'))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json, {
    connection: 'acme',
    breaker: 'closed',
    retryAfterSec: null,
    quota: { hour: null, minute: null, pausedSec: 0 },
    calls: { running: 0, waiting: 0 },
    keyRejected: false,
    lastAnswerAt: null,
    lastFailure: null,
    platformCalls: null,
  })
  assert.deepEqual(quotaOf(answer), [undefined, undefined])
  assert.equal(platform.calls.length, 0)
})

test('after reads the status has quota, last answer and last failure of its connection, without a platform call', async (t) => {
  let fails = false
  const { service, platform } = await start(t, (_, res) =>
    fails ? refuse(res, 409, 'STATE', undefined, hour(3_600, 3_399)) : send(res, empty, hour(3_600, 3_400)),
  )
  const before = Date.now()
  await service.ask('/apps')
  fails = true
  assert.equal((await service.ask('/apps?limit=2')).status, 502)
  const calls = platform.calls.length
  const { json } = await service.ask(status('acme'))
  assert.deepEqual(json.quota, { hour: { limit: 3_600, remaining: 3_399 }, minute: null, pausedSec: 0 })
  assert.equal(json.lastFailure.code, 'upstream_failed')
  for (const at of [json.lastAnswerAt, json.lastFailure.at])
    assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now(), at)
  assert.equal((await service.ask(status('other'))).json.lastAnswerAt, null)
  assert.equal(platform.calls.length, calls)
})

test('while the platform is down the status says so at once, with the time of the next attempt', async (t) => {
  const { service, platform } = await start(t, (_, res) => refuse(res, 503, 'DOWN'))
  for (let i = 0; i < 6; i++) await service.ask(`/apps?limit=${i + 1}`)
  const calls = platform.calls.length
  const { status: code, json } = await service.ask(status('acme'))
  assert.equal(code, 200)
  assert.notEqual(json.breaker, 'closed')
  assert.ok(Number.isInteger(json.retryAfterSec) && json.retryAfterSec >= 1 && json.retryAfterSec <= 5)
  assert.equal(json.lastFailure.code, 'upstream_unavailable')
  assert.equal(platform.calls.length, calls)
})

test('status is rejected in the order of reads: key, rate, path, method, connection, group, query', async (t) => {
  const { service, platform } = await start(t, (_, res) => send(res, empty))
  const keys = {
    bad: 'vtr_test_x',
    spent: await service.issue({ perMinute: 1 }),
    foreign: await service.issue({ connections: ['other'], groups: ['apps'] }),
    without: await service.issue({ groups: ['apps', 'legacy'] }),
    only: await service.issue({ groups: ['status'] }),
    all: service.key,
  }
  await service.ask(status('acme'), { key: keys.spent })
  const rows: [key: keyof typeof keys, path: string, method: string, status: number, code: string][] = [
    ['bad', `${status('none')}/x?y=1`, 'POST', 401, 'key_invalid'],
    ['spent', `${status('none')}/x?y=1`, 'POST', 429, 'key_rate_limited'],
    ['foreign', `${status('acme')}/x?y=1`, 'POST', 404, 'route_not_found'],
    ['foreign', `${status('acme')}?y=1`, 'POST', 405, 'method_not_allowed'],
    ['foreign', `${status('acme')}?y=1`, 'GET', 404, 'connection_not_found'],
    ['all', `${status('none')}?y=1`, 'GET', 404, 'connection_not_found'],
    ['without', `${status('acme')}?y=1`, 'GET', 403, 'group_not_granted'],
    ['only', `${status('acme')}?y=1`, 'GET', 400, 'unknown_parameter'],
  ]
  for (const [key, path, method, expected, code] of rows) {
    const answer = await service.ask(path, { key: keys[key], method })
    assert.deepEqual([answer.status, answer.json.error.code], [expected, code], `${key} ${method} ${path}`)
  }
  assert.deepEqual((await service.ask(status('acme'), { key: keys.without })).json.error.details, { group: 'status' })
  assert.equal((await service.ask(status('acme'), { key: keys.only })).status, 200)
  assert.equal((await service.ask('/apps', { key: keys.only })).status, 403)
  const head = await service.ask(status('acme'), { method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const path of ['/v1/connections/acme/status/', '/v1/connections/acme/STATUS', '/v1/connections//acme/status'])
    assert.equal((await service.ask(path)).status, 404, path)
  assert.equal(platform.calls.length, 0)
})

test('absent, foreign and impossible connection ids get the same answer as they do for reads', async (t) => {
  const { service } = await start(t, (_, res) => send(res, empty))
  const key = await service.issue({ connections: ['acme'] })
  const bare = (text: string) => text.replace(/req_[\w-]{16}/, '')
  const paths = [...['other', 'none', '..', '%00', '__proto__', ''].map(status), `/v1/connections/other${page.path}`]
  const answers = await Promise.all(paths.map((path) => service.ask(path, { key })))
  const seen = answers.map(({ status: code, text, headers }) =>
    JSON.stringify([code, bare(text), Object.keys(headers).filter((name) => name !== 'date')]),
  )
  assert.equal(new Set(seen).size, 1, seen.join('\n'))
})

test('a key has the status group by default, and a successor has the groups of its predecessor', async (t) => {
  const { service } = await start(t, (_, res) => send(res, empty))
  assert.ok((await service.ask('/v1/whoami')).json.groups.includes('status'))
  const older = await service.issue({ groups: ['apps'] })
  const { key } = await service.running.keys.reroll(older.split('_')[2] ?? '', 1_000, tester)
  assert.equal((await service.ask(status('acme'), { key })).status, 403)
})

test('every answer for a known connection states the quota left after its platform call', async (t) => {
  let next: Script = (_, res) => send(res, empty, hour(3_600, 3_500))
  const { service } = await start(t, (call, res) => next(call, res))
  const without = await service.issue({ groups: ['status'] })
  assert.deepEqual(quotaOf(await service.ask('/apps?limt=1')), [undefined, undefined], 'the platform has not said')
  assert.deepEqual(quotaOf(await service.ask('/apps')), ['3600', '3500'])
  assert.deepEqual(quotaOf(await service.ask(status('acme'))), ['3600', '3500'])
  assert.deepEqual(quotaOf(await service.ask('/apps?limt=1')), ['3600', '3500'])
  assert.deepEqual(quotaOf(await service.ask('/apps', { key: without })), ['3600', '3500'])
  const refusals: [number, number][] = [
    [403, 403],
    [404, 404],
    [409, 502],
    [504, 504],
  ]
  let remaining = 3_000
  for (const [from, to] of refusals) {
    next = (_, res) => refuse(res, from, 'X', undefined, hour(3_600, --remaining))
    const answer = await service.ask(`/apps/x${from}/app-infos/y/territory-age-ratings`)
    assert.equal(answer.status, to)
    assert.deepEqual(quotaOf(answer), ['3600', String(remaining)], String(from))
  }
  next = (_, res) => refuse(res, 429, 'X', undefined, { ...hour(3_600, 0), 'retry-after': '30' })
  for (const limit of [1, 2]) {
    const answer = await service.ask(`/apps?limit=${limit}`)
    assert.equal(answer.status, 429)
    assert.deepEqual(quotaOf(answer), ['3600', '0'])
  }
  assert.deepEqual(quotaOf(await service.ask('/v1/whoami')), [undefined, undefined])
  assert.deepEqual(quotaOf(await service.ask('/v1/connections/none/apps')), [undefined, undefined])
  assert.deepEqual(quotaOf(await service.ask('/v1/connections/other/apps?x=1')), [undefined, undefined], 'not its own')
})
