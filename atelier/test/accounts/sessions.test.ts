import assert from 'node:assert/strict'
import test from 'node:test'
import { hashPassword, isPassword } from '../../src/accounts/passwords.ts'
import { type Called, openRig, type Rig } from '../service-rig.ts'

const password = 'correct horse battery'
const hashed = await hashPassword(password)

const cookieOf = ({ headers }: Called): string => String(headers['set-cookie']).split(';')[0] ?? ''

const signIn = (rig: Rig, email: string, given = password, headers = {}) =>
  rig.call('POST', '/auth/login', { body: { email, password: given }, headers })

test('a password is a salted scrypt hash of the cost of the contract', async () => {
  assert.match(hashed, /^scrypt\$[\w-]{22}\$[\w-]{43}$/)
  assert.notEqual(await hashPassword(password), hashed)
  assert.deepEqual([await isPassword(password, hashed), await isPassword(`${password} `, hashed)], [true, false])
  assert.equal(await isPassword(password, undefined), false)
})

test('a session begins at a sign-in, survives a restart, and ends with the sign-out', async (t) => {
  const rig = await openRig(t)
  const id = await rig.account('a@example.org', hashed)
  const began = await signIn(rig, 'A@Example.org')
  assert.deepEqual([began.status, began.body.user], [200, { id, email: 'a@example.org' }])
  const [cookie] = began.headers['set-cookie'] as string[]
  assert.match(cookie ?? '', /^atelier_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const headers = { cookie: cookieOf(began) }
  await rig.restart()
  const read = await rig.call('GET', '/auth/session', { headers })
  assert.deepEqual([read.status, read.body], [200, began.body])
  const next = await signIn(rig, 'a@example.org', password, headers)
  assert.equal((await rig.call('GET', '/auth/session', { headers })).status, 401)
  const proof = { cookie: cookieOf(next), origin: rig.service.url, 'x-csrf-token': next.body.csrfToken }
  assert.equal((await rig.call('POST', '/auth/logout', { headers: { ...proof, origin: 'null' } })).body.error.type, 'csrf_failed') // prettier-ignore
  const out = await rig.call('POST', '/auth/logout', { headers: proof })
  assert.match(String(out.headers['set-cookie']), /^atelier_session=; .*Max-Age=0$/)
  const after = await rig.call('GET', '/auth/session', { headers: proof })
  assert.deepEqual([out.status, after.body.error.type], [204, 'session_required'])
})

test('a session ends an hour after its last use, and after twelve in all', async (t) => {
  let now = Date.now()
  const rig = await openRig(t, { now: () => now })
  await rig.account('a@example.org', hashed)
  const headers = { cookie: cookieOf(await signIn(rig, 'a@example.org')) }
  const read = async () => (await rig.call('GET', '/auth/session', { headers })).status
  for (let minutes = 0; minutes < 11 * 60; minutes += 55) {
    now += 55 * 60_000
    assert.equal(await read(), 200)
  }
  now += 61 * 60_000
  assert.equal(await read(), 401)
})

test('session routes take the session alone, and changes need the token and the origin', async (t) => {
  const rig = await openRig(t)
  const account = await rig.account('a@example.org', hashed)
  const { text: key } = await rig.key(account)
  const began = await signIn(rig, 'a@example.org')
  const { url } = rig.service
  const full = { cookie: cookieOf(began), origin: url, 'x-csrf-token': String(began.body.csrfToken) }
  const make = (headers: Record<string, string>) =>
    rig.call('POST', '/api-keys', { key, headers, body: { name: 'ci' } })
  const { cookie, origin, 'x-csrf-token': token } = full
  for (const [headers, status, type] of [
    [{}, 401, 'session_required'],
    [{ cookie, origin }, 403, 'csrf_failed'],
    [{ cookie, 'x-csrf-token': token }, 403, 'csrf_failed'],
    [{ cookie, origin: 'http://evil.example', 'x-csrf-token': token }, 403, 'csrf_failed'],
    [{ cookie, origin, 'x-csrf-token': `${token}x` }, 403, 'csrf_failed'],
  ] as const) {
    const answer = await make(headers)
    assert.deepEqual([answer.status, answer.body.error.type], [status, type], JSON.stringify(headers))
  }
  const made = await make({ ...full, 'idempotency-key': 'one' })
  assert.deepEqual([made.status, made.body.createdBy], [201, account])
  const again = await make({ ...full, 'idempotency-key': 'one' })
  assert.deepEqual([again.body.id, again.body.key], [made.body.id, null])
  const use = async () => (await rig.call('GET', '/containers', { key: made.body.key })).status
  assert.equal(await use(), 200)
  for (let n = 0; n < 2; n++)
    assert.equal((await rig.call('DELETE', `/api-keys?id=${made.body.id}`, { headers: full })).status, 204)
  assert.equal(await use(), 401)
  const { body } = await rig.call('GET', '/api-keys', { headers: { cookie } })
  assert.ok(body.items.every((one: object) => !('key' in one) && !('digest' in one)))
  assert.ok(body.items.find(({ id }: { id: string }) => id === made.body.id).revokedAt)
})

test('ten failures lock an e-mail, known or not, also for the right password; both say the same', async (t) => {
  const rig = await openRig(t)
  await rig.account('a@example.org', hashed)
  for (const email of ['a@example.org', 'nobody@example.org']) {
    for (let n = 0; n < 10; n++) {
      const { status, body } = await signIn(rig, email, 'wrong password')
      assert.deepEqual([status, body.error.type], [401, 'invalid_credentials'])
    }
    const locked = await signIn(rig, email)
    assert.deepEqual([locked.status, locked.body.error.type], [429, 'rate_limited'])
  }
})

test('the form works without scripts, and goes only to a path of this origin', async (t) => {
  const rig = await openRig(t)
  await rig.account('a@example.org', hashed)
  const page = await rig.call('GET', '/auth/login?next=%2Fx%22%3E%3Cb')
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
  assert.doesNotMatch(page.text, /<script|"><b/)
  for (const next of ['//evil', 'https://evil', '/\\evil', 'x', '/%0d%0aX: y', ''])
    assert.equal((await rig.call('GET', `/auth/login?next=${encodeURIComponent(next)}`)).status, 400, next)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = (fields: Record<string, string>, more = {}) =>
    rig.call('POST', '/auth/login', { body: new URLSearchParams(fields).toString(), headers: { ...headers, ...more } })
  const good = await form({ email: 'a@example.org', password, next: '/containers?x=1' })
  assert.deepEqual([good.status, good.headers['location']], [303, '/containers?x=1'])
  const bad = await form({ email: '"><b>', password: 'wrong password' })
  assert.deepEqual([bad.status, bad.text.includes('"><b>')], [401, false])
  assert.equal((await form({ email: 'a', password, next: '//evil' })).status, 400)
  assert.equal((await form({ email: 'a@example.org', password }, { origin: 'http://evil.example' })).body.error.type, 'csrf_failed') // prettier-ignore
})
