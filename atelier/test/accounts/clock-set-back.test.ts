// A clock that was far ahead and is right again: nothing that began then lasts longer for it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig } from '../service-rig.ts'
import { openOidcRig } from './oidc-rig.ts'

const password = 'correct horse battery'
const email = 'a@example.org'
const aheadMs = 400 * 24 * 60 * 60_000

test('a lock-out of an e-mail and of an address ends when the clock is right again', async (t) => {
  let now = Date.now() + aheadMs
  const rig = await openRig(t, { now: () => now, settings: { rate: { failuresPerMinute: 3 } } })
  await rig.account(email, await hashPassword(password))
  const signIn = async (given: string) => (await rig.call('POST', '/auth/login', { body: { email, password: given } })).status // prettier-ignore
  const useKey = async () => (await rig.call('GET', '/containers', { key: 'no' })).status
  for (let n = 0; n < 10; n++) assert.equal(await signIn('wrong password'), 401)
  for (let n = 0; n < 3; n++) assert.equal(await useKey(), 401)
  assert.deepEqual([await signIn(password), await useKey()], [429, 429])
  now -= aheadMs
  assert.deepEqual([await signIn(password), await useKey()], [200, 401])
})

test('a session that began at a clock ahead ends, and small corrections end none', async (t) => {
  let now = Date.now() + aheadMs
  const rig = await openRig(t, { now: () => now })
  await rig.account(email, await hashPassword(password))
  const { headers } = await rig.call('POST', '/auth/login', { body: { email, password } })
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const read = async () => (await rig.call('GET', '/auth/session', { headers: { cookie } })).status
  now -= 60_000
  assert.equal(await read(), 200)
  now -= aheadMs
  assert.equal(await read(), 401)
})

test('an attempt to sign in with a provider does not outlive its ten minutes', async (t) => {
  let now = Date.now() + aheadMs
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true }, now: () => now })
  const { cookie, query } = await oidc.begin()
  now -= aheadMs
  const { status, body } = await oidc.comeBack(`state=${query.get('state')}&code=c`, cookie)
  assert.deepEqual([status, body.error.details.field], [400, 'state'])
})
