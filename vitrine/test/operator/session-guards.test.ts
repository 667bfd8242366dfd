import assert from 'node:assert/strict'
import test from 'node:test'
import { startManager, token } from './manager.ts'
import { base, codeOf, session, signIn, trySignIn, wrong } from './signed-in.ts'

test('the cookie alone is not enough: each request needs the CSRF token of the page', async (t) => {
  const manager = await startManager(t)
  const [mine, other] = [await signIn(manager), await signIn(manager)]
  assert.notEqual(mine.csrf, other.csrf)
  const { cookie } = mine
  const body = { name: 'x', connections: ['*'] }
  const fields: Record<string, string>[] = [
    { cookie },
    { cookie, 'x-vitrine-csrf': '' },
    { cookie, 'x-vitrine-csrf': other.csrf },
    { cookie, 'x-vitrine-csrf': `${mine.csrf}, ${mine.csrf}` },
    { cookie, 'x-vitrine-csrf': mine.csrf.slice(1) },
    { cookie, 'x-vitrine-csrf': mine.secret },
  ]
  for (const headers of fields) {
    for (const [method, path, sent] of [
      ['GET', '/keys'],
      ['GET', '/nowhere'],
      ['POST', '/keys', body],
      ['DELETE', '/session'],
    ] as const)
      assert.equal(
        codeOf(await manager.ask(method, base + path, { token: null, headers, body: sent })),
        '403 csrf_missing',
      )
    assert.equal((await manager.ask('GET', session, { token: null, headers })).status, 200)
  }
  assert.equal((await mine.ask('GET', '/keys')).json.items.length, 1, 'none of them made a key')
})

test('a page of another origin is refused, whatever cookie the browser sends, and causes no lock-out', async (t) => {
  const manager = await startManager(t, { file: { operatorUrl: 'https://vitrine.example' } })
  const { port } = manager
  const mine = await signIn(manager)
  const elsewhere: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: 'http://127.0.0.1' },
    { origin: `http://localhost:${port}` },
    { origin: 'null' },
    { origin: '' },
    { origin: `http://127.0.0.1:${port}/` },
    { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of elsewhere) {
    for (const path of ['/keys', '/session'])
      assert.equal(codeOf(await mine.ask('GET', path, { headers })), '403 origin_not_allowed', JSON.stringify(headers))
    for (const given of [wrong, token])
      assert.equal(codeOf(await trySignIn(manager, given, headers)), '403 origin_not_allowed', JSON.stringify(headers))
  }
  const own: Record<string, string>[] = [
    { origin: `http://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://[::1]:8081', host: '[::1]:8081', cookie: `vitrine_session_8081=${mine.secret}` },
    { origin: 'https://vitrine.example', host: 'Vitrine.example:443', cookie: `vitrine_session_443=${mine.secret}` },
  ]
  for (const headers of own) assert.equal((await mine.ask('GET', '/keys', { headers })).status, 200)
  const programs = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await manager.ask('GET', '/keys', { headers: programs })).status, 200, 'a token needs no origin')
})

test('two session cookies are refused, and other cookies are ignored', async (t) => {
  const manager = await startManager(t)
  const mine = await signIn(manager)
  const name = mine.cookie.split('=', 1)[0] ?? ''
  const ask = (cookie: string) => mine.ask('GET', '/session', { headers: { cookie } })
  for (const second of [mine.cookie, `${name}=`, `${name}=planted`]) {
    for (const both of [`${mine.cookie}; ${second}`, `${second};${mine.cookie}`])
      assert.equal(codeOf(await ask(both)), '400 ambiguous_header')
    const refused = await trySignIn(manager, token, { cookie: `${mine.cookie}; ${second}` })
    assert.match(refused.json.error.message, /^The cookie of the session is there twice: delete both\.$/)
  }
  for (const beside of [
    `theme=dark; ${mine.cookie}`,
    `${mine.cookie}; vitrine_session=x; ${name}0=y; __Secure-${name}=z`,
  ])
    assert.equal((await ask(beside)).status, 200)
  for (const none of [
    '',
    'theme=dark',
    `vitrine_session=${mine.secret}`,
    `VITRINE_SESSION=x`,
    `__Secure-${mine.cookie}`,
  ])
    assert.equal(codeOf(await ask(none)), '401 session_missing', none)
})

test('with a token the cookie is ignored', async (t) => {
  const manager = await startManager(t)
  const { cookie, csrf } = await signIn(manager)
  const headers = { cookie, 'x-vitrine-csrf': csrf }
  for (const given of [wrong, ''])
    assert.equal(codeOf(await manager.ask('GET', '/keys', { token: given, headers })), '401 operator_token_invalid')
  assert.equal((await manager.ask('GET', '/keys', { headers: { cookie: `${cookie}; ${cookie}` } })).status, 200)
  for (const method of ['GET', 'DELETE']) {
    assert.equal(codeOf(await manager.ask(method, session, { headers })), '401 session_missing')
    assert.equal(codeOf(await manager.ask(method, session, { token: wrong, headers })), '401 operator_token_invalid')
    assert.equal(codeOf(await manager.ask(method, session, { token: null })), '401 session_missing')
  }
  const both = await manager.ask('POST', session, { token: wrong, body: { token } })
  assert.equal(codeOf(both), '401 operator_token_invalid')
  assert.equal((await manager.ask('POST', session, { body: { token } })).status, 201)
})

test('behind a trusted proxy with https the cookie is Secure', async (t) => {
  const manager = await startManager(t, {
    file: { trustedProxies: ['127.0.0.1'], operatorUrl: 'https://vitrine.example' },
  })
  const fields = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7', host: 'vitrine.example' }
  const mine = await signIn(manager, { ...fields, origin: 'https://vitrine.example' })
  assert.deepEqual(mine.answer.headers['set-cookie'], [
    `__Secure-vitrine_session=${mine.secret}; Path=/operator/v1; HttpOnly; SameSite=Strict; Secure`,
  ])
  assert.equal((await mine.ask('GET', '/keys')).status, 200)
  assert.equal((await manager.audit({ act: 'session' }))[0]?.from, '198.51.100.7')
  assert.equal(
    codeOf(await mine.ask('GET', '/keys', { headers: { origin: 'http://vitrine.example' } })),
    '403 origin_not_allowed',
  )
  const plain = { cookie: mine.cookie.replace('__Secure-', '') }
  assert.equal(codeOf(await mine.ask('GET', '/session', { headers: plain })), '401 session_missing')

  const rewritten = { ...fields, host: '127.0.0.1:8081', 'x-forwarded-host': 'vitrine.example:8443, inner' }
  const far = await signIn(manager, { ...rewritten, origin: 'https://vitrine.example:8443' })
  assert.match(far.cookie, /^__Secure-vitrine_session_8443=/)
  assert.equal((await far.ask('GET', '/keys')).status, 200)
})

test('forwarded fields of untrusted addresses are ignored', async (t) => {
  const manager = await startManager(t)
  const told = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'elsewhere.example' }
  const mine = await signIn(manager, told)
  assert.match(mine.cookie, new RegExp(`^vitrine_session_${manager.port}=`))
  assert.doesNotMatch(String(mine.answer.headers['set-cookie']), /Secure/)
  const origin = 'https://elsewhere.example'
  assert.equal(codeOf(await mine.ask('GET', '/keys', { headers: { ...told, origin } })), '403 origin_not_allowed')
})
