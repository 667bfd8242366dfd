// Which e-mail is whose: the flag counts only beside its e-mail, and only letters of ASCII have a case.
import assert from 'node:assert/strict'
import test from 'node:test'
import { clientId, signToken } from '../../../base/test/oidc.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig } from '../service-rig.ts'
import { openOidcRig, type OidcRig } from './oidc-rig.ts'

const password = 'correct horse battery'
const kelvin = '\u212A'

/** signs in by an id token and user information of these claims; returns the e-mail of the account */
async function emailBy(oidc: OidcRig, sub: string, inToken: object, atEndpoint: object): Promise<string> {
  const { query, cookie } = await oidc.begin()
  const { issuer, key, lies } = oidc.provider
  const at = Math.floor(Date.now() / 1_000)
  const own = { iss: issuer, aud: clientId, sub, nonce: query.get('nonce'), iat: at, exp: at + 60 }
  const body = { access_token: 'a', token_type: 'Bearer', id_token: signToken(key, { ...own, ...inToken }) }
  lies.set('/token', () => ({ body }))
  lies.set('/me', () => ({ body: { sub, ...atEndpoint } }))
  const came = await oidc.comeBack(
    new URLSearchParams({ code: 'c', state: query.get('state') ?? '', iss: issuer }),
    cookie,
  )
  return (await oidc.session(came)).body.user.email
}

test('an e-mail and its flag are believed from one source alone', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const [victim, mine] = ['victim@example.org', 'mine@example.org']
  await oidc.rig.account(victim)
  const [isVerified, isNot] = [{ email_verified: true }, { email_verified: false }]
  const cases: readonly [title: string, inToken: object, atEndpoint: object, email: RegExp][] = [
    ['the flag of another e-mail', { email: victim }, { email: mine, ...isVerified }, /^mine@/],
    ['a flag alone at the endpoint', { email: victim }, isVerified, /@unverified\.invalid$/],
    ['a flag alone in the token', isVerified, { email: victim }, /@unverified\.invalid$/],
    ['the token contradicts', { email: victim, ...isNot }, { email: victim, ...isVerified }, /@unverified\.invalid$/],
    ['both at the endpoint', {}, { email: victim, ...isVerified }, /^victim@/],
  ]
  for (const [n, [title, inToken, atEndpoint, email]] of cases.entries())
    assert.match(await emailBy(oidc, `sub${n}`, inToken, atEndpoint), email, title)
})

test('the Kelvin sign is no k: an e-mail with it belongs to another person', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const id = await oidc.rig.account('karl@example.org')
  const verified = { email: `${kelvin}arl@example.org`, email_verified: true }
  assert.equal(await emailBy(oidc, 'other', verified, {}), verified.email)
  assert.equal(await emailBy(oidc, 'karl', { ...verified, email: 'KARL@Example.ORG' }, {}), 'karl@example.org')
  assert.equal((await oidc.rig.service.core.store.accounts.findByEmail('Karl@example.org'))?.id, id)
})

test('wrong passwords for an e-mail do not lock one that differs in a Kelvin sign', async (t) => {
  const rig = await openRig(t)
  await rig.account('karl@example.org', await hashPassword(password))
  const signIn = async (email: string, given: string) =>
    (await rig.call('POST', '/auth/login', { body: { email, password: given } })).status
  for (let n = 0; n < 10; n++) assert.equal(await signIn(`${kelvin}arl@example.org`, 'wrong password'), 401)
  assert.deepEqual(
    [await signIn(`${kelvin}arl@example.org`, password), await signIn('KARL@example.org', password)],
    [429, 200],
  )
})
