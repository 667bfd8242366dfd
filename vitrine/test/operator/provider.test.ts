import assert from 'node:assert/strict'
import test from 'node:test'
import { signToken } from '../../../base/test/oidc.ts'
import { openProvider } from '../../src/management/provider-settings.ts'
import { readSettings } from '../../src/settings.ts'
import { fingerprint, startManager, token } from './manager.ts'
import { ada, ann, clientSecret, kim, navigation, openProviderScene, operatorUrl, setCookies, way } from './provider-scene.ts' // prettier-ignore
import { codeOf, signIn } from './signed-in.ts'

test('an operator signs in through the provider, and is in the audit log by name', async (t) => {
  const scene = await openProviderScene(t)
  const { manager } = scene
  const { answer: sent, url } = await scene.begin()
  assert.equal(url.searchParams.get('redirect_uri'), `${operatorUrl}${way}/callback`)
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  const [attempt = ''] = sent.headers['set-cookie'] ?? []
  assert.match(attempt, new RegExp(`^vitrine_sign_in_${manager.port}=[\\w-]+; Path=/operator/v1; HttpOnly; SameSite=Lax; Max-Age=600$`)) // prettier-ignore
  const mine = await scene.signIn(kim)
  assert.match(mine.answer.headers['set-cookie']?.[1] ?? '', /^vitrine_session_\d+=[\w-]{43}; Path=\/operator\/v1; HttpOnly; SameSite=Strict$/) // prettier-ignore
  assert.equal(setCookies(mine.answer).get(`vitrine_sign_in_${manager.port}`), '')
  const { who, role, operations } = mine.session
  assert.deepEqual([who, role], ['oidc:kim@example.org', 'keyManager'])
  assert.ok(operations.includes('createKey') && !operations.includes('createConnection'))
  const made = await mine.ask('POST', '/keys', { body: { name: 'x', connections: ['*'] } })
  assert.equal(made.status, 201, made.text)
  assert.equal((await mine.ask('DELETE', '/session')).status, 200)
  assert.equal(codeOf(await mine.ask('GET', '/keys')), '401 session_ended')
  const lines = (await manager.audit()).toReversed().slice(1, 4)
  assert.deepEqual(
    lines.map(({ act, outcome, who: name }) => [act, outcome, name]),
    ['session.begin', 'keys.create', 'session.end'].map((act) => [act, 'done', 'oidc:kim@example.org']),
  )
  assert.deepEqual(lines[0]?.details, { role: 'keyManager', issuer: scene.provider.issuer, subject: '2' })
})

test('the strongest role of the claim counts, and without one nobody comes in', async (t) => {
  const scene = await openProviderScene(t)
  for (const [groups, role] of [
    [['staff'], 'viewer'],
    [['staff', 'admins', 'key-people'], 'administrator'],
    ['key-people', 'keyManager'],
  ] as const)
    assert.equal((await scene.signIn({ ...ann, groups })).session.role, role)
  for (const groups of [undefined, [], ['other'], 'Staff', { staff: true }, [['staff']], null, 7]) {
    const answer = await scene.tryIn({ ...ann, groups })
    assert.equal(codeOf(answer), '403 role_missing', JSON.stringify(groups))
    assert.equal(setCookies(answer).get(`vitrine_session_${scene.manager.port}`), undefined)
  }
  const [line] = await scene.manager.audit()
  assert.deepEqual([line?.act, line?.outcome, line?.who], ['session.return', 'denied', 'oidc:ann@example.org'])
})

test('the claims of name and role are those of the settings, also by a path', async (t) => {
  const oidc = { nameClaim: 'name', roleClaim: 'realm_access.roles', roles: { administrator: ['boss'] } }
  const scene = await openProviderScene(t, {}, oidc)
  const { provider } = scene
  async function signInAs(claims: object) {
    const { url, cookie } = await scene.begin()
    const at = Math.floor(Date.now() / 1_000)
    const nonce = url.searchParams.get('nonce')
    const own = { iss: provider.issuer, aud: 'service', sub: 's 1', nonce, iat: at, exp: at + 60, ...claims }
    provider.lies.set('/token', () => ({ body: { access_token: 'a', token_type: 'Bearer', id_token: signToken(provider.key, own) } })) // prettier-ignore
    provider.lies.set('/me', () => ({ body: { sub: 's 1' } }))
    const state = url.searchParams.get('state') ?? ''
    return scene.comeBack(new URLSearchParams({ code: 'c', state, iss: provider.issuer }), cookie)
  }
  const lastName = async () => (await scene.manager.audit())[0]?.who
  assert.equal((await signInAs({ name: 'Ann', realm_access: { roles: ['boss'] } })).status, 303)
  assert.equal(await lastName(), 'oidc:Ann')
  assert.equal((await signInAs({ 'realm_access.roles': 'boss' })).status, 303)
  assert.equal(await lastName(), 'oidc:s_1')
  for (const name of ['operator:1a2b3c4d', 'a b', 'a\u202eb', '', 7, 'x'.repeat(151)]) {
    assert.equal((await signInAs({ name, realm_access: { roles: ['boss'] } })).status, 303)
    assert.match((await lastName()) ?? '', /^oidc:(s_1|operator:1a2b3c4d)$/)
  }
  assert.equal(codeOf(await signInAs({ name: 'Ann', __proto__: null, realm_access: 'roles' })), '403 role_missing')
})

test('an answer counts once, in the browser that began, and no log or audit line has what it holds', async (t) => {
  const scene = await openProviderScene(t)
  const { back, cookie } = await scene.visitProvider(ada)
  const other = await scene.begin()
  for (const [query, brought] of [
    [back, ''],
    [back, other.cookie],
    ['', cookie],
    [new URLSearchParams({ code: 'c', state: 'other' }), cookie],
  ] as const)
    assert.equal(codeOf(await scene.comeBack(query, brought)), '400 sign_in_unknown')
  assert.equal((await scene.comeBack(back, cookie)).status, 303)
  assert.equal(codeOf(await scene.comeBack(back, cookie)), '400 sign_in_unknown')
  const denied = await scene.visitProvider(ada)
  denied.back.set('error', 'access_denied')
  assert.equal(codeOf(await scene.comeBack(denied.back, denied.cookie)), '401 sign_in_refused')
  const mixed = await scene.visitProvider(ada)
  mixed.back.set('iss', 'https://evil.example')
  assert.equal(codeOf(await scene.comeBack(mixed.back, mixed.cookie)), '401 sign_in_refused')
  const log = JSON.stringify([scene.manager.service.events, await scene.manager.audit()])
  assert.match(log, /access_denied/)
  for (const one of [back.get('code') ?? '', back.get('state') ?? '', cookie.slice(-60), clientSecret])
    assert.ok(one.length > 10 && !log.includes(one), one)
})

test('a person is led back to the console with the reason, a program gets the error', async (t) => {
  const scene = await openProviderScene(t)
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await scene.comeBack('code=a&state=b', '', html)
  assert.deepEqual([page.status, page.headers['location'], page.text], [303, '/?refused=sign_in_unknown', ''])
  assert.equal((await scene.manager.audit())[0]?.outcome, 'denied')
  scene.provider.lies.set('/.well-known/openid-configuration', () => ({ status: 500, body: {} }))
  const begin = (headers: Record<string, string>) => scene.manager.ask('GET', way, { token: null, headers })
  assert.equal((await begin(html)).headers['location'], '/?refused=provider_unavailable')
  assert.equal(codeOf(await begin(navigation)), '503 provider_unavailable')
})

test('tokens keep working beside the provider, also while it is away', async (t) => {
  const scene = await openProviderScene(t)
  scene.provider.close()
  assert.equal(
    codeOf(await scene.manager.ask('GET', way, { token: null, headers: navigation })),
    '503 provider_unavailable',
  )
  const mine = await signIn(scene.manager)
  const { who, role } = mine.answer.json
  assert.deepEqual([who, role], [fingerprint, 'administrator'])
  assert.equal((await scene.manager.ask('GET', '/keys', { token })).status, 200)
  const ways = await scene.manager.ask('GET', '/session/ways', { token: null })
  assert.deepEqual(ways.json, { provider: new URL(scene.provider.issuer).host })
})

test('without a provider its routes are absent, and the console learns that a token is the only way', async (t) => {
  const { ask } = await startManager(t)
  assert.deepEqual((await ask('GET', '/session/ways', { token: null })).json, { provider: null })
  for (const path of [way, `${way}/callback?code=a&state=b`])
    assert.equal(codeOf(await ask('GET', path, { token: null })), '404 route_not_found')
})

test('a provider that is set up by half stops the start, by the name of what is missing', async () => {
  const issuer = 'https://id.example'
  const oidc = { issuer, clientId: 'a', roles: { viewer: ['a'] } }
  const set = { oidcClientSecret: 'secret' }
  const cases: [Record<string, unknown>, object, RegExp][] = [
    [{ oidc }, set, /operatorUrl/],
    [{ oidc, operatorUrl: 'http://console.example' }, set, /operatorUrl/],
    [{ oidc, operatorUrl }, {}, /oidc\.clientSecretFile/],
    [{ oidc: { issuer, roles: oidc.roles }, operatorUrl }, set, /oidc\.clientId/],
    [{ oidc: { issuer, clientId: 'a' }, operatorUrl }, set, /oidc\.roles/],
    [{ oidc: { clientId: 'a' }, operatorUrl }, set, /oidc\.issuer/],
    [{ operatorUrl }, set, /oidc\.issuer/],
    [{ oidc: { ...oidc, clientSecretFile: 'f' }, operatorUrl }, set, /both given/],
    [{ oidc: { ...oidc, clientSecretFile: 'no-such-file' }, operatorUrl }, {}, /clientSecretFile .*ENOENT/],
    [{ oidc: { ...oidc, roles: { boss: ['a'] } }, operatorUrl }, {}, /oidc\.roles/],
    [{ oidc: { ...oidc, roles: {} }, operatorUrl }, {}, /oidc\.roles/],
    [{ oidc: { ...oidc, scope: 'email' }, operatorUrl }, {}, /oidc\.scope/],
    [{ oidc: { ...oidc, issuer: 'http://id.example' }, operatorUrl }, {}, /oidc\.issuer/],
  ]
  const options = { folder: '/nowhere', now: Date.now, attemptKey: async () => Buffer.alloc(32) }
  for (const [file, secrets, named] of cases)
    await assert.rejects(
      async () => openProvider(readSettings(file, {}), { ...options, secrets }),
      named,
      JSON.stringify(file),
    )
  assert.equal(await openProvider(readSettings({}, {}), { ...options, secrets: {} }), undefined)
  const whole = await openProvider(readSettings({ oidc, operatorUrl }, {}), { ...options, secrets: set })
  assert.equal(whole?.title, 'id.example')
})
