import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { version } from '../../src/version.ts'
import { page } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { wholeMinute } from '../../../base/test/whole-minute.ts'
import { account, startManager, startManagerOver } from './manager.ts'

const zeros = Array.from({ length: 60 }, () => 0)
const lastOf = (...last: number[]): number[] => [...zeros.slice(last.length), ...last]
const nothing = {
  perMinute: { calls: zeros, errors: zeros },
  hour: { calls: 0, errors: 0, requests: 0, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 },
}
const fine: Script = (_, res) => send(res, page.healthy, { 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:3500;' })

test('every connection has a card with its state and the calls of its last hour', async (t) => {
  const now = wholeMinute()
  const { ask, service } = await startManagerOver(t, fine, { now })
  const before = now()
  await service.ask(page.path)
  await service.ask(`${page.path}?limit=2`)
  const { status, json } = await ask('GET', '/overview')
  assert.equal(status, 200)
  assert.ok(Date.parse(json.at) >= Math.floor(before) && Date.parse(json.at) <= now())
  const { startedAt, uptimeSec, ...rest } = json.service
  assert.deepEqual(rest, {
    version,
    node: process.version,
    ready: true,
    replicas: 1,
    replicasCountedBy: 'rows',
    redis: null,
    connections: 3,
  })
  assert.ok(Date.parse(startedAt) <= before && uptimeSec >= 0)
  assert.equal(json.nextCursor, null)
  const [acme, other, solo] = json.items
  assert.deepEqual(acme, {
    id: 'acme',
    kind: 'managed',
    status: (await ask('GET', '/connections/acme/status')).json,
    perMinute: { calls: lastOf(2), errors: zeros },
    hour: { calls: 2, errors: 0, requests: 2, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 },
  })
  assert.equal(acme.status.quota.hour.remaining, 3_500)
  for (const [id, card] of Object.entries({ other, solo }))
    assert.deepEqual(card, {
      id,
      kind: 'managed',
      status: (await ask('GET', `/connections/${id}/status`)).json,
      ...nothing,
    })
})

test('failed calls are errors; a 404 of the platform and requests of operators are not', async (t) => {
  let fail = false
  const script: Script = ({ path }, res) => {
    if (path.includes('/gone/')) return refuse(res, 404, 'NOT_FOUND')
    return fail ? refuse(res, 401, 'NOT_AUTHORIZED') : send(res, page.healthy)
  }
  const { ask, service } = await startManagerOver(t, script, { now: wholeMinute() })
  assert.equal((await service.ask('/subscriptions/gone/offer-codes')).status, 404)
  fail = true
  assert.equal((await service.ask(page.path)).json.error.code, 'upstream_key_rejected')
  for (let i = 0; i < 3; i++) await ask('GET', '/connections/acme/status')
  const [{ perMinute, hour, status }] = (await ask('GET', '/overview')).json.items
  // a 401 is retried once within one call
  assert.deepEqual([hour.calls, hour.errors, hour.requests], [3, 2, 2])
  assert.deepEqual([perMinute.calls.at(-1), perMinute.errors.at(-1)], [3, 2])
  assert.deepEqual([status.keyRejected, status.lastFailure.code], [true, 'upstream_key_rejected'])
})

test('cache hits, shared calls and drift are counted in the hour of their connection', async (t) => {
  const waiting: (() => void)[] = []
  const [resource] = page.healthy['data']
  const novel = { ...page.healthy, data: [{ ...resource, attributes: { ...resource.attributes, novel: 1, odd: 2 } }] }
  let hold = false
  const script: Script = (_, res) => {
    const answer = () => send(res, novel)
    if (hold) waiting.push(answer)
    else answer()
  }
  const { ask, service } = await startManagerOver(t, script, { file: { cacheSeconds: 60 } })
  for (let i = 0; i < 3; i++) await service.ask(page.path)
  hold = true
  const both = [1, 2].map(() => service.ask(`${page.path}?limit=9`))
  const hourOf = async () => (await ask('GET', '/overview')).json.items[0].hour
  while ((await hourOf()).shared === 0);
  for (const answer of waiting) answer()
  await Promise.all(both)
  assert.deepEqual(await hourOf(), {
    calls: 2,
    errors: 0,
    requests: 5,
    shared: 1,
    cacheHits: 2,
    cacheMisses: 3,
    unreadable: 0,
    drift: 2,
  })
})

test('minutes go on while the wall clock is set forth and back, and none is lost or counted twice', async (t) => {
  let [steady, shift] = [0, 0]
  const now = wholeMinute()
  const { ask, service } = await startManagerOver(t, fine, {
    steady: () => performance.now() + steady,
    now: () => now() + steady + shift,
  })
  const callsOf = async () => (await ask('GET', '/overview')).json.items[0].perMinute.calls
  let count = 0
  const call = async () => assert.equal((await service.ask(`${page.path}?limit=${++count}`)).status, 200)
  await call()
  for (const leap of [-3_600_000, 7_200_000, -90_000, 86_400_000 * 400]) {
    shift += leap
    steady += 60_000
    await call()
  }
  assert.deepEqual(await callsOf(), lastOf(1, 1, 1, 1, 1))
  shift = -86_400_000
  assert.deepEqual(await callsOf(), lastOf(1, 1, 1, 1, 1))
  steady += 57 * 60_000
  assert.deepEqual((await callsOf()).slice(0, 4), [1, 1, 1, 0])
  steady += 3 * 60_000
  assert.deepEqual(await callsOf(), zeros)
})

test('a hosted connection has no state before it is opened, and no card when it is gone', async (t) => {
  const { ask, service } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const card = async () => (await ask('GET', '/overview')).json.items.find(({ id }: any) => id === 'studio')
  assert.deepEqual(await card(), { id: 'studio', kind: 'hosted', status: null, ...nothing })
  await service.ask('/v1/connections/studio/apps')
  const opened = await card()
  assert.equal(opened.status.connection, 'studio')
  assert.deepEqual([opened.hour.calls, opened.hour.requests], [1, 1])
  await ask('DELETE', '/connections/studio')
  assert.equal(await card(), undefined)
  assert.equal((await ask('GET', '/overview')).json.service.connections, 3)
})

test('requests refused because a credential cannot be decrypted are counted in the hour', async (t) => {
  const { ask, service } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const db = new DatabaseSync(`${service.folder}/v.db`)
  db.exec("UPDATE connections SET sealed = zeroblob(length(sealed)) WHERE id = 'studio'")
  db.close()
  for (let i = 0; i < 2; i++) assert.equal((await service.ask('/v1/connections/studio/apps')).status, 503)
  const { status, hour } = (await ask('GET', '/overview')).json.items.find(({ id }: any) => id === 'studio')
  assert.deepEqual([status, hour.unreadable, hour.requests, hour.calls], [null, 2, 0, 0])
})

test('five hundred connections come in pages, each once and in order', async (t) => {
  const one = { keyId: 'ACMEKEY001', issuerId: account.issuerId, privateKeyFile: 'key.p8' }
  const ids = Array.from({ length: 500 }, (_, i) => `c${i}`)
  const { ask } = await startManagerOver(t, fine, {
    file: { connections: Object.fromEntries(ids.map((id) => [id, one])) },
  })
  const found: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 20; pages++) {
    const { json } = await ask('GET', `/overview?limit=170${cursor && `&cursor=${cursor}`}`)
    assert.equal(json.service.connections, 500)
    found.push(...json.items.map(({ id }: any) => id))
    cursor = json.nextCursor
  }
  assert.deepEqual(found, ids.toSorted())
})

test('the overview is refused like any operation: no token, another method, an unknown parameter', async (t) => {
  const { ask } = await startManager(t)
  for (const path of ['/overview', '/health']) {
    assert.equal((await ask('GET', path, { token: null })).json.error.code, 'operator_token_missing')
    assert.equal((await ask('GET', `${path}?x=1`)).json.error.code, 'unknown_parameter')
    const other = await ask('POST', path)
    assert.deepEqual([other.status, other.headers['allow']], [405, 'GET, HEAD'])
    assert.deepEqual([(await ask('HEAD', path)).status, (await ask('HEAD', path)).text], [200, ''])
  }
  assert.equal((await ask('GET', '/overview?limit=201')).json.error.code, 'value_not_allowed')
  assert.equal((await ask('GET', '/overview?cursor=x')).json.error.code, 'cursor_invalid')
  const { nextCursor } = (await ask('GET', '/connections?limit=1')).json
  assert.equal((await ask('GET', `/overview?cursor=${nextCursor}`)).json.error.code, 'cursor_mismatch')
})

test('while the store is down the overview fails, instead of a shorter list', async (t) => {
  const { ask, service } = await startManager(t)
  const db = new DatabaseSync(`${service.folder}/v.db`)
  db.exec('ALTER TABLE connections RENAME TO hidden')
  try {
    const { status, json } = await ask('GET', '/overview')
    assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
  } finally {
    db.exec('ALTER TABLE hidden RENAME TO connections')
    db.close()
  }
  assert.equal((await ask('GET', '/overview')).json.items.length, 3)
})
