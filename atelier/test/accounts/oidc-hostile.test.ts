import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { clientId, type Lie, makeProviderKey, type ProviderKey, publicJwk, signToken } from '../../../base/test/oidc.ts'
import type { Called } from '../service-rig.ts'
import { callback, clientSecret, cookiesOf, openOidcRig, type OidcRig, publicUrl } from './oidc-rig.ts'

const open = { oidc: { createAccounts: true } }

function assertRefused(answer: Called, status: number, type: string, message: string) {
  assert.deepEqual([answer.status, answer.body?.error?.type], [status, type], `${message}: ${answer.text}`)
  assert.equal(cookiesOf(answer)['atelier_session'], undefined, message)
}

test('an answer counts only in the browser that began, within ten minutes, with its own state', async (t) => {
  let now = Date.now()
  const oidc = await openOidcRig(t, { ...open, now: () => now })
  const { back, cookie } = await oidc.visitProvider()
  const other = await oidc.begin()
  const changed = (name: string, value?: string) => {
    const query = new URLSearchParams(back)
    if (value === undefined) query.delete(name)
    else query.set(name, value)
    return query
  }
  const asked = oidc.provider.asked.length
  const cases: [string, URLSearchParams | string, string][] = [
    ['no cookie', back, 'none=1'],
    ['the cookie of another attempt', back, other.cookie],
    ['a forged cookie', back, `atelier_oidc=${'A'.repeat(300)}`],
    ['an empty cookie', back, 'atelier_oidc='],
    ['a changed state', changed('state', 'x'.repeat(43)), cookie],
    ['no state', changed('state'), cookie],
    ['nothing', '', cookie],
  ]
  for (const [title, query, brought] of cases)
    assertRefused(await oidc.comeBack(query, brought), 400, 'invalid_request', title)
  now += 10 * 60_000
  assertRefused(await oidc.comeBack(back, cookie), 400, 'invalid_request', 'late')
  assert.equal(oidc.provider.asked.length, asked)
})

test('an answer counts once, also when it comes twice at the same time', async (t) => {
  const oidc = await openOidcRig(t, open)
  const { back, cookie } = await oidc.visitProvider()
  const both = await Promise.all([oidc.comeBack(back, cookie), oidc.comeBack(back, cookie)])
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 400],
  )
  assertRefused(await oidc.comeBack(back, cookie), 400, 'invalid_request', 'later')
  // the code in another attempt: its verifier is another
  const { query, cookie: mine } = await oidc.begin()
  const stolen = (await oidc.visitProvider()).back
  stolen.set('state', query.get('state') ?? '')
  assertRefused(await oidc.comeBack(stolen, mine), 401, 'invalid_credentials', 'a stolen code')
})

test('an answer of another issuer, without issuer, with an error or with a parameter twice is refused', async (t) => {
  const oidc = await openOidcRig(t, open)
  const cases: [string, (query: URLSearchParams) => void][] = [
    ['another issuer', (query) => query.set('iss', 'https://evil.example')],
    ['no issuer, though the provider sends it', (query) => query.delete('iss')],
    ['two codes', (query) => query.append('code', 'x')],
    ['no code', (query) => query.delete('code')],
    ['a token beside the code', (query) => query.set('id_token', 'x')],
    ['a refusal', (query) => query.set('error', 'access_denied')],
    ['a hostile refusal', (query) => query.set('error', '<script>hostile</script>')],
  ]
  for (const [title, change] of cases) {
    const { back, cookie } = await oidc.visitProvider()
    change(back)
    assertRefused(await oidc.comeBack(back, cookie), 401, 'invalid_credentials', title)
  }
  const { back, cookie } = await oidc.visitProvider()
  back.set('error', '<script>hostile</script>')
  const page = await oidc.comeBack(back, cookie, { accept: 'text/html' })
  assert.deepEqual([page.status, page.headers['content-type']], [401, 'text/html; charset=utf-8'])
  assert.doesNotMatch(`${page.text}${JSON.stringify(oidc.events())}`, /hostile/)
  const { back: good, cookie: own } = await oidc.visitProvider()
  good.set('session_state', 'what providers add')
  assert.equal((await oidc.comeBack(good, own)).status, 303)
})

interface Told {
  readonly claims?: Record<string, unknown>
  readonly header?: object
  readonly key?: ProviderKey
  readonly token?: (token: string) => string
}

const renamed = (claims: string): string =>
  Buffer.from(Buffer.from(claims, 'base64url').toString().replace('"sub":"one"', '"sub":"two"')).toString('base64url')

/** the provider sends this id token for whatever code */
async function tell(oidc: OidcRig, { claims = {}, header, key = oidc.provider.key, token = (one) => one }: Told) {
  const { query, cookie } = await oidc.begin()
  const at = Math.floor(Date.now() / 1_000)
  const own = { iss: oidc.provider.issuer, aud: clientId, sub: 'one', nonce: query.get('nonce'), iat: at, exp: at + 60 }
  const text = token(signToken(key, { ...own, email: 'a@example.org', email_verified: true, ...claims }, header))
  const body = { access_token: 'a', token_type: 'Bearer', id_token: text }
  oidc.provider.lies.set('/token', () => ({ body }))
  const state = query.get('state') ?? ''
  return oidc.comeBack(new URLSearchParams({ code: 'c', state, iss: oidc.provider.issuer }), cookie)
}

test('an id token is believed only with signature, issuer, audience, nonce and times', async (t) => {
  const oidc = await openOidcRig(t, open)
  const { issuer, key } = oidc.provider
  const at = Math.floor(Date.now() / 1_000)
  const unsigned = (token: string) => token.replace(/[^.]*$/, '')
  const publicPem = key.pair.publicKey.export({ type: 'spki', format: 'pem' })
  const hmac = (secret: string | Buffer) => (token: string) =>
    `${unsigned(token)}${createHmac('sha256', secret).update(unsigned(token).slice(0, -1)).digest('base64url')}`
  const cases: Record<string, Told> = {
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'the issuer with a slash': { claims: { iss: `${issuer}/` } },
    'another audience': { claims: { aud: 'other' } },
    'a further audience': { claims: { aud: [clientId, 'other'] } },
    'another party': { claims: { aud: [clientId, 'other'], azp: 'other' } },
    'another nonce': { claims: { nonce: 'other' } },
    'no nonce': { claims: { nonce: undefined } },
    'an end that is past': { claims: { exp: at - 120 } },
    'no end': { claims: { exp: undefined } },
    'a beginning to come': { claims: { nbf: at + 300 } },
    'an issue to come': { claims: { iat: at + 300 } },
    'no issue': { claims: { iat: undefined } },
    'no subject': { claims: { sub: undefined } },
    'a number as subject': { claims: { sub: 1 } },
    'an empty subject': { claims: { sub: '' } },
    'a long subject': { claims: { sub: 'x'.repeat(256) } },
    'a subject with NUL': { claims: { sub: 'a\0' } },
    'no signature': { header: { alg: 'none' }, token: unsigned },
    'an empty signature': { token: unsigned },
    'the secret as key': { header: { alg: 'HS256' }, token: hmac(clientSecret) },
    'the public key as secret': { header: { alg: 'HS256' }, token: hmac(publicPem) },
    'another key of that name': { key: makeProviderKey(key.kid) },
    'an unknown key': { key: makeProviderKey('other') },
    'a key in its header': { key: makeProviderKey('other'), header: { jwk: publicJwk(makeProviderKey('other')) } },
    'a critical header': { header: { crit: ['x'], x: 1 } },
    'changed claims': { token: (token) => token.replace(/\.(.*)\./, (_, claims: string) => `.${renamed(claims)}.`) },
    'no token': { token: () => 'x' },
    'an encrypted token': { token: (token) => `${token}.a.b` },
  }
  for (const [title, told] of Object.entries(cases))
    assertRefused(await tell(oidc, told), 401, 'invalid_credentials', title)
  // clocks differ
  for (const claims of [{}, { exp: at - 30 }, { iat: at + 30 }, { nbf: at + 30 }, { aud: [clientId] }])
    assert.equal((await tell(oidc, { claims })).status, 303, JSON.stringify(claims))
  assert.doesNotMatch(JSON.stringify(oidc.events()), /eyJ|a@example\.org/)
})

test('a new key of the provider is found at its first token, and unknown keys do not have the keys read again and again', async (t) => {
  const oidc = await openOidcRig(t, open)
  assert.equal((await tell(oidc, {})).status, 303)
  const next = makeProviderKey('next', 'ES256')
  oidc.provider.lies.set('/jwks', () => ({ body: { keys: [publicJwk(oidc.provider.key), publicJwk(next)] } }))
  for (const key of [next, oidc.provider.key]) assert.equal((await tell(oidc, { key })).status, 303, key.kid)
  const reads = () => oidc.provider.asked.filter((path) => path === '/jwks').length
  assert.equal(reads(), 2)
  for (let n = 0; n < 5; n++) assert.equal((await tell(oidc, { key: makeProviderKey(`other${n}`) })).status, 401)
  assert.equal(reads(), 2)
})

const html: Lie = { headers: { 'content-type': 'text/html' }, body: '<html>' }
const broken: Record<string, Lie> = {
  'a page': html,
  'no JSON': { body: '{' },
  'a list': { body: [] },
  'a failure': { status: 500, body: {} },
  'a redirect': { status: 302, headers: { location: 'https://evil.example/' }, body: {} },
  'a flood': { body: { issuer: 'x'.repeat(300_000) } },
}

test('a provider whose description cannot be used is a clear error, and is asked again', async (t) => {
  const oidc = await openOidcRig(t, open)
  const { issuer, lies } = oidc.provider
  const known = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  }
  const described: Record<string, Lie> = {
    ...broken,
    'another issuer': { body: { ...known, issuer: 'https://evil.example' } },
    'an endpoint without TLS': { body: { ...known, token_endpoint: 'http://evil.example/token' } },
    'keys without TLS': { body: { ...known, jwks_uri: 'http://evil.example/jwks' } },
    'no place for sign-ins': { body: { ...known, authorization_endpoint: undefined } },
    'a script as place for sign-ins': { body: { ...known, authorization_endpoint: 'javascript:alert(1)' } },
  }
  for (const [title, lie] of Object.entries(described)) {
    lies.set('/.well-known/openid-configuration', () => lie)
    assertRefused(await oidc.rig.call('GET', '/auth/oidc'), 503, 'no_capacity', title)
  }
  lies.clear()
  assert.equal((await oidc.signIn()).status, 303)
})

test('an endpoint that answers with anything else ends the sign-in, and a refused client is told apart in the log', async (t) => {
  const oidc = await openOidcRig(t, open)
  const refusedClient: Lie = { status: 401, body: { error: 'invalid_client' } }
  for (const path of ['/token', '/jwks', '/me'])
    for (const [title, lie] of Object.entries({ ...broken, ...(path === '/token' && { refusedClient }) })) {
      const { back, cookie } = await oidc.visitProvider()
      oidc.provider.lies.set(path, () => lie)
      const answer = await oidc.comeBack(back, cookie)
      assert.ok([401, 503].includes(answer.status), `${path}, ${title}: ${answer.status}`)
      assert.equal(cookiesOf(answer)['atelier_session'], undefined)
      oidc.provider.lies.clear()
    }
  assert.match(JSON.stringify(oidc.events()), /the token endpoint answers invalid_client/)
  oidc.provider.lies.set('/me', () => ({ body: { sub: 'two', email: 'b@example.org', email_verified: true } }))
  assertRefused(await oidc.signIn(), 401, 'invalid_credentials', 'the claims of another subject')
  oidc.provider.lies.clear()
  assert.equal((await oidc.signIn()).status, 303)
})

test('the secret is read from its file at each sign-in, and the one before counts while it is being replaced', async (t) => {
  const oidc = await openOidcRig(t, open)
  rmSync(oidc.clientSecretFile)
  assert.equal((await oidc.signIn()).status, 303)
  writeFileSync(oidc.clientSecretFile, 'another secret')
  assertRefused(await oidc.signIn(), 503, 'no_capacity', 'a wrong secret')
  writeFileSync(oidc.clientSecretFile, clientSecret)
  assert.equal((await oidc.signIn()).status, 303)
})

test('over https the cookie of an attempt is one that no other host can plant, and the callback is that of publicUrl', async (t) => {
  const { rig } = await openOidcRig(t, { settings: { publicUrl: 'https://atelier.example' } })
  const { status, headers } = await rig.call('GET', '/auth/oidc', { headers: { host: 'evil.example' } })
  assert.equal(status, 302)
  assert.match(String(headers['set-cookie']), /^__Host-atelier_oidc=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/) // prettier-ignore
  const url = new URL(String(headers['location']))
  assert.equal(url.searchParams.get('redirect_uri'), `https://atelier.example${callback}`)
  assert.notEqual(url.searchParams.get('redirect_uri'), `${publicUrl}${callback}`)
})
