import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { startManager, token } from './manager.ts'
import { clock, codeOf, session, signIn, trySignIn, wrong } from './signed-in.ts'

test('sign-in needs its audit line, and sign-out works without one', async (t) => {
  const manager = await startManager(t)
  const mine = await signIn(manager)
  const db = new DatabaseSync(`${manager.service.folder}/v.db`)
  db.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END")
  try {
    for (const given of [token, wrong]) {
      const refused = await trySignIn(manager, given)
      assert.deepEqual([codeOf(refused), refused.headers['set-cookie']], ['503 store_unavailable', undefined])
    }
    assert.equal(codeOf(await mine.ask('DELETE', '/session')), '503 store_unavailable')
    assert.equal(codeOf(await mine.ask('GET', '/session')), '401 session_ended')
  } finally {
    db.exec('DROP TRIGGER full')
    db.close()
  }
})

test('a wrong secret is no session, and guessing neither locks out nor fills the audit log', async (t) => {
  const manager = await startManager(t)
  const mine = await signIn(manager)
  const [name = ''] = mine.cookie.split('=', 1)
  const last = mine.secret.at(-1) === 'A' ? 'B' : 'A'
  const tries = [
    '',
    mine.secret.slice(0, -1),
    `${mine.secret.slice(0, -1)}${last}`,
    `${mine.secret}A`,
    mine.csrf,
    `"${mine.secret}"`,
    `${mine.secret} `.replace(' ', '%20'),
    mine.secret.toLowerCase(),
    '__proto__',
    'constructor',
    ...Array.from({ length: 20 }, (_, i) => `${i}`.padStart(43, 'x')),
  ]
  for (const secret of tries) {
    const headers = { cookie: `${name}=${secret}` }
    assert.equal(codeOf(await mine.ask('GET', '/session', { headers })), '401 session_ended', secret)
    assert.equal(codeOf(await mine.ask('DELETE', '/session', { headers })), '401 session_ended', secret)
  }
  assert.equal((await manager.ask('GET', '/vault')).status, 200)
  assert.equal((await manager.audit({ outcome: 'denied' })).length, 10, 'the first ten of a minute')
})

test('wrong tokens lock out in the field and in the body alike, and stop no session and no right token', async (t) => {
  const { now, later } = clock()
  const manager = await startManager(t, { now })
  const mine = await signIn(manager)
  for (let i = 0; i < 5; i++) {
    assert.equal(codeOf(await manager.ask('GET', '/vault', { token: wrong })), '401 operator_token_invalid')
    assert.equal(codeOf(await trySignIn(manager, wrong)), '401 operator_token_invalid')
  }
  const refused = await trySignIn(manager, wrong)
  assert.equal(codeOf(refused), '429 operator_locked_out')
  assert.ok(Number(refused.headers['retry-after']) > 50)
  assert.equal(refused.headers['set-cookie'], undefined)
  assert.equal(codeOf(await manager.ask('GET', '/vault', { token: wrong })), '429 operator_locked_out')
  assert.equal((await manager.ask('GET', '/vault')).status, 200)
  assert.equal((await mine.ask('GET', '/keys')).status, 200)
  // the first requests of the console: it must show the token field and accept the token
  assert.equal((await manager.ask('GET', session, { token: null })).status, 401)
  assert.equal((await trySignIn(manager)).status, 201)
  const ended = { cookie: mine.cookie.replace(/=.*/, `=${'x'.repeat(43)}`) }
  assert.equal(codeOf(await mine.ask('GET', '/keys', { headers: ended })), '401 session_ended')
  const denied = (await manager.audit({ outcome: 'denied' })).toReversed()
  assert.deepEqual(
    denied.map(({ act, who, details }) => [act, who, details['code']]),
    [
      ...Array.from({ length: 5 }, () => [
        ['vault.status', 'unknown', 'operator_token_invalid'],
        ['session.begin', 'unknown', 'operator_token_invalid'],
      ]).flat(),
      ['session.begin', 'unknown', 'operator_locked_out'],
      ['keys.list', 'unknown', 'session_ended'],
    ],
  )
  later(61_000)
  assert.equal((await trySignIn(manager)).status, 201)
})

test('wrong tokens in parallel bodies are locked out too', async (t) => {
  const manager = await startManager(t)
  const answers = await Promise.all(Array.from({ length: 60 }, () => trySignIn(manager, wrong)))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  assert.deepEqual([count(401), count(429)], [10, 50])
})

test('a sign-in body is limited, never repeated, and does not fill the audit log', async (t) => {
  const manager = await startManager(t)
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    manager.ask('POST', session, { token: null, body, headers })
  const secretive = 'a-secret-of-somebody'
  const rows: [body: unknown, code: string, headers?: Record<string, string>][] = [
    [undefined, '400 malformed_body'],
    ['{', '400 malformed_body'],
    [[secretive], '400 malformed_body'],
    [{ token }, '400 malformed_body', { 'content-type': 'text/plain' }],
    [{}, '400 member_invalid'],
    [{ token: [secretive] }, '400 member_invalid'],
    [{ token: '' }, '400 member_invalid'],
    [{ token: secretive.repeat(40) }, '400 member_invalid'],
    [{ token, more: secretive }, '400 member_invalid'],
    [{ token: 'x'.repeat(4_096) }, '413 payload_too_large'],
  ]
  for (let i = 0; i < 2; i++)
    for (const [body, code, headers] of rows) {
      const answer = await post(body, headers)
      assert.equal(codeOf(answer), code, JSON.stringify(body))
      assert.ok(!answer.text.includes(secretive))
    }
  const denied = await manager.audit({ outcome: 'denied' })
  assert.deepEqual([denied.length, denied[0]?.act, denied[0]?.who], [10, 'session.begin', 'unknown'])
  const escaped = token.replaceAll(/./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  assert.equal((await post(`{"token": "${escaped}"}`)).status, 201)
})
