// What a page of this origin may do with its session in place of a key: an addition to the contract.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { routes } from '../../src/routes/index.ts'
import { openUsedRig, type RigOptions } from '../service-rig.ts'

const credentials = { email: 'a@example.org', password: 'correct horse battery' }
const hashed = await hashPassword(credentials.password)

async function openSignedIn(t: TestContext, options: RigOptions = {}) {
  const rig = await openUsedRig(t, options)
  const account = await rig.rig.account(credentials.email, hashed)
  const signIn = async () => {
    const { headers, body } = await rig.call('POST', '/auth/login', { body: credentials })
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    const token: string = body.csrfToken
    return { cookie, token, proof: { cookie, authorization: `Session ${token}`, origin: rig.rig.service.url } }
  }
  return { ...rig, account, signIn }
}

test('a session with its token and the origin does what a key of all scopes does', async (t) => {
  const { call, signIn } = await openSignedIn(t)
  const { proof: headers } = await signIn()
  const made = await call('POST', '/containers', { headers, body: { image: 'base', name: 'job' } })
  assert.equal(made.status, 201, made.text)
  const { origin: _, ...withoutOrigin } = headers
  const listed = await call('GET', '/containers', { headers: withoutOrigin })
  assert.equal(listed.body.items[0].id, made.body.id)
  assert.equal((await call('GET', '/subscription/config', { headers })).body.current.usage.containers, 1)
  assert.equal((await call('DELETE', `/containers?id=${made.body.id}`, { headers })).status, 200)
})

test('on every route for keys, a cookie alone or with another field than Authorization is refused', async (t) => {
  const rate = { perSecond: 0, createsPerSecond: 0, failuresPerMinute: 0 }
  const { call, signIn } = await openSignedIn(t, { settings: { rate } })
  const { cookie, token, proof } = await signIn()
  const origin = proof.origin
  const forKeys = routes.filter(({ credential, isOnlyWithQuery }) => credential === 'key' && !isOnlyWithQuery)
  assert.ok(forKeys.length >= 12)
  for (const { method, path } of forKeys)
    for (const headers of [
      { cookie },
      { cookie, origin, 'x-csrf-token': token },
      { cookie, origin, authorization: `Bearer ${token}` },
      { cookie, origin, authorization: `Session` },
      { cookie, origin, authorization: `Session ${token} x` },
    ]) {
      const { status, body } = await call(method, path, { headers })
      assert.deepEqual(
        [status, body.error.type],
        [401, 'unauthorized'],
        `${method} ${path} ${Object.keys(headers).join()}`,
      )
    }
})

test('reads and changes need the token of the very session, changes also the origin', async (t) => {
  const { call, signIn } = await openSignedIn(t)
  const [mine, other] = [await signIn(), await signIn()]
  const typeOf = async (method: string, headers: Record<string, string>) =>
    (await call(method, '/containers', { headers, ...(method === 'POST' && { body: { image: 'base' } }) })).body.error
      ?.type
  const { cookie, authorization, origin } = mine.proof
  for (const method of ['GET', 'POST', 'DELETE']) {
    assert.equal(await typeOf(method, { authorization, origin }), 'session_required', method)
    assert.equal(await typeOf(method, { cookie: 'atelier_session=x', authorization, origin }), 'session_required')
    assert.equal(await typeOf(method, { cookie, authorization: other.proof.authorization, origin }), 'csrf_failed')
    assert.equal(await typeOf(method, { cookie, authorization: `${authorization}x`, origin }), 'csrf_failed', method)
  }
  for (const method of ['POST', 'DELETE']) {
    assert.equal(await typeOf(method, { cookie, authorization }), 'csrf_failed', method)
    for (const from of ['null', 'https://evil.example', `${origin}.evil.example`])
      assert.equal(await typeOf(method, { cookie, authorization, origin: from }), 'csrf_failed', from)
  }
  assert.equal(await typeOf('GET', { cookie, authorization }), undefined)
})

test('SSH sessions, which live as long as a key, are made with a key alone', async (t) => {
  const { call, signIn } = await openSignedIn(t)
  const { proof: headers } = await signIn()
  const { status, body } = await call('POST', '/containers/ssh', { headers, body: { containerId: 'ct_x' } })
  assert.deepEqual([status, body.error.type], [401, 'unauthorized'])
})

test('all sessions of an account have the rate of one key', async (t) => {
  const { call, signIn } = await openSignedIn(t, { settings: { rate: { perSecond: 0.001, burst: 4 } } })
  const [one, another] = [await signIn(), await signIn()]
  const statuses: number[] = []
  for (const { proof: headers } of [one, another, one, another, one])
    statuses.push((await call('GET', '/containers', { headers })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 429])
})

test('what a session has begun ends with it', { timeout: 60_000 }, async (t) => {
  const { call, signIn, rig } = await openSignedIn(t)
  const { proof } = await signIn()
  const made = await call('POST', '/containers', { headers: proof, body: { image: 'base' } })
  const body = JSON.stringify({ containerId: made.body.id, command: ['hang'] })
  let isOver = false
  const req = request(`${rig.service.url}/containers/exec`, {
    method: 'POST',
    agent: false,
    headers: { ...proof, 'content-type': 'application/json', accept: 'application/x-ndjson' },
  })
  req.on('response', (res) => res.resume().on('close', () => (isOver = true)))
  req.on('error', () => (isOver = true))
  req.end(body)
  await until(() => rig.engine.containers.get(made.body.id)?.commands.size === 1, 30_000)
  assert.equal(isOver, false)
  const out = { cookie: proof.cookie, origin: proof.origin, 'x-csrf-token': proof.authorization.slice(8) }
  assert.equal((await call('POST', '/auth/logout', { headers: out })).status, 204)
  await until(() => isOver, 30_000)
})

test('a session creates keys at the rate of creations, and a refused one makes none', async (t) => {
  const settings = { rate: { perSecond: 0, createsPerSecond: 0.001, createBurst: 2 } }
  const { call, signIn } = await openSignedIn(t, { settings })
  const { cookie, token, proof } = await signIn()
  const headers = { cookie, origin: proof.origin, 'x-csrf-token': token }
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) statuses.push((await call('POST', '/api-keys', { headers, body: { name: 'k' } })).status)
  assert.deepEqual(statuses, [201, 201, 429])
  assert.equal((await call('GET', '/api-keys', { headers })).body.items.length, 2)
})
