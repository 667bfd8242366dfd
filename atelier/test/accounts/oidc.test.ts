import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig } from '../service-rig.ts'
import { callback, clientSecret, cookiesOf, openOidcRig, publicUrl } from './oidc-rig.ts'

const verified = { sub: 'one', email: 'A@Example.org', email_verified: true }

test('the browser goes to the provider with PKCE, state and nonce, and comes back into a session', async (t) => {
  const oidc = await openOidcRig(t)
  const id = await oidc.rig.account('a@example.org')
  oidc.provider.person = verified
  const { query, answer, back, cookie } = await oidc.visitProvider('/containers?limit=1')
  assert.equal(query.get('redirect_uri'), `${publicUrl}${callback}`)
  assert.deepEqual([query.get('response_type'), query.get('code_challenge_method')], ['code', 'S256'])
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(query.get(name) ?? '', /^[\w-]{43}$/, name)
  const [line] = answer.headers['set-cookie'] as string[]
  assert.match(line ?? '', /^atelier_oidc=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  const came = await oidc.comeBack(back, cookie)
  assert.deepEqual([came.status, came.headers['location']], [303, '/containers?limit=1'], came.text)
  assert.equal(cookiesOf(came)['atelier_oidc'], '')
  const { body } = await oidc.session(came)
  assert.deepEqual(body.user, { id, email: 'a@example.org' })
  const again = await oidc.signIn()
  assert.deepEqual([again.status, again.headers['location']], [303, '/api-keys'])
  assert.equal((await oidc.session(again)).body.user.id, id)
})

test('the signatures ES256 and RS256 are accepted, and claims that only the user info endpoint gives are used', async (t) => {
  for (const alg of ['ES256', 'RS256'] as const) {
    const oidc = await openOidcRig(t, { provider: { alg } })
    await oidc.rig.account('a@example.org')
    oidc.provider.person = verified
    assert.equal((await oidc.signIn()).status, 303, alg)
    // this provider keeps to OpenID Connect Core 5.4: the e-mail is not in the id token
    assert.ok(oidc.provider.asked.includes('/me'))
  }
})

test('an identity without an account is refused, unless accounts may be made', async (t) => {
  const closed = await openOidcRig(t)
  closed.provider.person = verified
  const refused = await closed.signIn()
  assert.deepEqual([refused.status, refused.body.error.type], [403, 'forbidden'])
  assert.equal(cookiesOf(refused)['atelier_session'], undefined)
  const open = await openOidcRig(t, { oidc: { createAccounts: true } })
  open.provider.person = verified
  const first = (await open.session(await open.signIn())).body.user
  assert.equal(first.email, 'a@example.org')
  assert.deepEqual((await open.session(await open.signIn())).body.user, first)
})

test('only a verified e-mail joins an account, and only one identity does', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const id = await oidc.rig.account('a@example.org', await hashPassword('correct horse battery'))
  const userOf = async (person: { sub: string }) => {
    oidc.provider.person = person
    return (await oidc.session(await oidc.signIn())).body.user as { id: string; email: string }
  }
  for (const [sub, isVerified] of [
    ['u1', false],
    ['u2', 'true'],
    ['u3', undefined],
  ] as const) {
    // prettier-ignore
    const user = await userOf({ ...verified, sub, email_verified: isVerified } as never)
    assert.deepEqual([user.id === id, user.email], [false, `${user.id}@unverified.invalid`], sub)
  }
  assert.equal((await userOf(verified)).id, id)
  const second = await userOf({ ...verified, sub: 'two' })
  assert.deepEqual([second.id === id, second.email], [false, `${second.id}@unverified.invalid`])
  // the subject is who it is: a new e-mail changes nothing
  assert.equal((await userOf({ ...verified, email: 'b@example.org' } as never)).id, id)
  assert.equal((await userOf({ sub: 'two' })).id, second.id)
})

test('the session that a browser brings along ends when it signs in', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const first = await oidc.signIn()
  const planted = `atelier_session=${cookiesOf(first)['atelier_session']}`
  const second = await oidc.signIn(undefined, `; ${planted}`)
  assert.notEqual(cookiesOf(second)['atelier_session'], cookiesOf(first)['atelier_session'])
  assert.deepEqual([(await oidc.session(first)).status, (await oidc.session(second)).status], [401, 200])
  const { body } = await oidc.session(second)
  const cookie = `atelier_session=${cookiesOf(second)['atelier_session']}`
  const proof = { cookie, origin: publicUrl, 'x-csrf-token': body.csrfToken }
  assert.equal((await oidc.rig.call('POST', '/auth/logout', { headers: proof })).status, 204)
  assert.equal((await oidc.session(second)).status, 401)
})

test('the sign-in page links to the provider where there is one, and keeps where to go', async (t) => {
  const { rig, provider } = await openOidcRig(t)
  const page = await rig.call('GET', '/auth/login?next=%2Fx%3Fa%3D1')
  assert.match(page.text, /href="\/auth\/oidc\?next=%2Fx%3Fa%3D1"/)
  assert.ok(page.text.includes(`Sign in with ${new URL(provider.issuer).host}`))
  for (const next of ['//evil', 'https://evil', '/\\evil', 'x', '/%0d%0aX: y'])
    assert.equal((await rig.call('GET', `/auth/oidc?next=${encodeURIComponent(next)}`)).status, 400, next)
  const plain = await openRig(t)
  assert.doesNotMatch((await plain.call('GET', '/auth/login')).text, /oidc/)
  for (const path of ['/auth/oidc', `${callback}?code=a&state=b`]) {
    const { status, body } = await plain.call('GET', path)
    assert.deepEqual([status, body.error.type], [404, 'not_found'])
  }
})

test('a provider that is away is a clear error, passwords still work, and its return is noticed', async (t) => {
  const oidc = await openOidcRig(t)
  await oidc.rig.account('a@example.org', await hashPassword('correct horse battery'))
  oidc.provider.person = verified
  oidc.provider.lies.set('/.well-known/openid-configuration', (_, res) => void res.destroy())
  const away = await oidc.rig.call('GET', '/auth/oidc')
  assert.deepEqual(
    [away.status, away.body.error.type, away.body.error.code],
    [503, 'no_capacity', 'provider_unavailable'],
  )
  assert.ok(Number(away.headers['retry-after']) > 0)
  const page = await oidc.rig.call('GET', '/auth/oidc', { headers: { accept: 'text/html,*/*;q=0.8' } })
  assert.match(page.text, /role="alert"[\s\S]*name="password"/)
  assert.deepEqual([page.status, page.headers['content-type']], [503, 'text/html; charset=utf-8'])
  const body = { email: 'a@example.org', password: 'correct horse battery' }
  assert.equal((await oidc.rig.call('POST', '/auth/login', { body })).status, 200)
  oidc.provider.lies.clear()
  assert.equal((await oidc.signIn()).status, 303)
})

test('what a browser brings back outlives a restart of the service', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const { back, cookie } = await oidc.visitProvider()
  await oidc.rig.restart()
  assert.equal((await oidc.comeBack(back, cookie)).status, 303)
})

test('no event carries a code, a token, a cookie or the secret', async (t) => {
  const oidc = await openOidcRig(t, { oidc: { createAccounts: true } })
  const tokens: string[] = []
  const { back, cookie } = await oidc.visitProvider()
  const came = await oidc.comeBack(back, cookie)
  tokens.push(back.get('code') ?? '', back.get('state') ?? '', cookie.slice(-80), clientSecret)
  tokens.push(cookiesOf(came)['atelier_session'] ?? '')
  const second = await oidc.visitProvider()
  second.back.set('code', randomBytes(32).toString('base64url'))
  assert.equal((await oidc.comeBack(second.back, second.cookie)).status, 401)
  tokens.push(second.back.get('code') ?? '', second.query.get('nonce') ?? '')
  const log = JSON.stringify(oidc.events())
  assert.match(log, /"operation":"finishOidc"[^}]*"accountId":"acc_/)
  assert.match(log, /invalid_grant/)
  for (const one of tokens) assert.ok(one.length > 10 && !log.includes(one), one)
})
