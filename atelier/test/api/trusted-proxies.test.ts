// Behind a trusted proxy the caller's address is the one that the proxy reports, in lock-outs, connection limits and the log.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { connectFrom, manyAddresses, openMany, requestFrom, until } from '../../../base/test/callers.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { call, openRig } from '../service-rig.ts'

const [proxy, stranger] = ['127.0.5.1', '127.0.6.1']
const password = 'correct horse battery'

async function open(t: TestContext, trustedProxies: readonly string[], more: object = {}) {
  const rig = await openRig(t, { settings: { trustedProxies, ...more } })
  const port = Number(new URL(rig.service.url).port)
  return {
    rig,
    port,
    /** a failing key */
    try: async (from: string, reported: string) =>
      (await requestFrom(port, from, { path: '/containers', key: 'no', headers: { 'x-forwarded-for': reported } }))
        .status,
    froms: () => new Set(rig.service.events.flatMap((event) => (event.kind === 'served' ? [event.from] : []))),
  }
}

test('thirty wrong passwords of one caller behind the proxy lock out that caller alone', async (t) => {
  const { rig, froms } = await open(t, ['127.0.0.1'])
  await rig.account('a@example.org', await hashPassword(password))
  const signIn = async (reported: string, email: string, given: string) =>
    (await rig.call('POST', '/auth/login', { body: { email, password: given }, headers: { 'x-forwarded-for': reported } })).status // prettier-ignore
  for (let n = 0; n < 30; n++) assert.equal(await signIn('203.0.113.5', `b${n}@example.org`, 'wrong password'), 401)
  assert.equal(await signIn('203.0.113.5', 'a@example.org', password), 429)
  assert.equal(await signIn('198.51.100.9', 'a@example.org', password), 200)
  assert.deepEqual(froms(), new Set(['203.0.113.5', '198.51.100.9']))
})

const few = { rate: { failuresPerMinute: 5 } }

test(
  'wrong keys are limited by the address that a trusted proxy reports, and by no other',
  manyAddresses,
  async (t) => {
    const one = await open(t, [proxy], few)
    for (let n = 0; n < 5; n++) assert.equal(await one.try(proxy, '203.0.113.5'), 401)
    assert.equal(await one.try(proxy, '203.0.113.5'), 429)
    assert.equal(await one.try(proxy, '203.0.113.5, 198.51.100.1'), 401)
    for (let n = 0; n < 5; n++) assert.equal(await one.try(stranger, `198.51.${n}.7`), 401)
    assert.equal(await one.try(stranger, '198.51.99.7'), 429)
    assert.deepEqual(one.froms(), new Set(['203.0.113.5', '198.51.100.1', stranger]))
    const none = await open(t, [], few)
    for (let n = 0; n < 5; n++) assert.equal(await none.try(proxy, `203.0.${n}.5`), 401)
    assert.equal(await none.try(proxy, '198.51.100.1'), 429)
  },
)

test('connections of a trusted proxy are not limited by its address', manyAddresses, async (t) => {
  const { rig, port } = await open(t, [proxy])
  const crowded = () => rig.service.events.flatMap((event) => (event.kind === 'crowded' ? [event.from] : []))
  const sockets = await openMany(1_005, () => connectFrom(port, proxy))
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  assert.equal((await rig.call('GET', '/healthz')).status, 200)
  assert.deepEqual(crowded(), [])
  const others = await openMany(1_001, () => connectFrom(port, stranger))
  t.after(() => others.forEach((socket) => socket.destroy()))
  await until('one of the others is closed', () => crowded().length > 0)
  assert.deepEqual(new Set(crowded()), new Set([stranger]))
})

test('the operator endpoint locks out the address that a trusted proxy reports', async (t) => {
  const operatorToken = '0d7c3b9e5a1f48268bd0ce94f7a6152e'
  const rig = await openRig(t, { operatorToken, settings: { trustedProxies: ['127.0.0.1'] } })
  const read = async (reported: string) =>
    (await call(rig.service.operatorUrl, 'GET', '/metrics', { key: 'no', headers: { 'x-forwarded-for': reported } })).status // prettier-ignore
  for (let n = 0; n < 10; n++) assert.equal(await read('203.0.113.5'), 401)
  assert.deepEqual([await read('203.0.113.5'), await read('198.51.100.1')], [429, 401])
})

test('the start warns where callers come over TLS and no proxy is trusted', async (t) => {
  for (const [publicUrl, trustedProxies, isWarned] of [
    ['https://atelier.example', [], true],
    ['https://atelier.example', ['127.0.0.1'], false],
    ['http://localhost:8090', [], false],
  ] as const) {
    const { rig } = await open(t, trustedProxies, { publicUrl })
    const warned = rig.service.events.filter(({ kind }) => kind === 'proxies_unknown')
    assert.deepEqual(warned, isWarned ? [{ kind: 'proxies_unknown', publicUrl }] : [])
  }
})
