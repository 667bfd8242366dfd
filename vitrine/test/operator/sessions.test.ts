import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSessions } from '../../../base/auth/sessions.ts'
import { fingerprint, startManager, token } from './manager.ts'
import { clock, codeOf, cookieOf, session, signIn, trySignIn, wrong } from './signed-in.ts'

const minute = 60_000

test('sign-in sets a cookie that no script and no other site can use, and that works like the token', async (t) => {
  const manager = await startManager(t)
  const { port, audit, service } = manager
  const mine = await signIn(manager)
  assert.match(mine.secret, /^[\w-]{43}$/)
  assert.deepEqual(mine.answer.headers['set-cookie'], [
    `vitrine_session_${port}=${mine.secret}; Path=/operator/v1; HttpOnly; SameSite=Strict`,
  ])
  const { startedAt, endsAt, csrf, operations, ...shown } = mine.answer.json
  assert.ok(operations.includes('createConnection'))
  assert.deepEqual(shown, {
    who: fingerprint,
    role: 'administrator',
    idleSec: 1_800,
    service: { version: '0.1.0', publicUrl: service.url },
  })
  assert.equal(Date.parse(endsAt) - Date.parse(startedAt), 12 * 60 * minute)
  assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < minute)
  assert.notEqual(csrf, mine.secret)

  assert.deepEqual((await mine.ask('GET', '/session')).json, mine.answer.json)
  assert.equal((await mine.ask('GET', '/keys')).json.items.length, 1)
  const made = await mine.ask('POST', '/keys', { body: { name: 'x', connections: ['*'] } })
  assert.equal(made.status, 201)

  const out = await mine.ask('DELETE', '/session')
  assert.deepEqual([out.status, out.json], [200, { ended: true }])
  assert.deepEqual(out.headers['set-cookie'], [
    `vitrine_session_${port}=; Path=/operator/v1; HttpOnly; SameSite=Strict; Max-Age=0`,
  ])
  for (const path of ['/session', '/keys']) assert.equal(codeOf(await mine.ask('GET', path)), '401 session_ended')

  const lines = (await audit()).toReversed().slice(1, 4)
  assert.deepEqual(
    lines.map(({ act, outcome, who, from, target, details }) => ({ act, outcome, who, from, target, details })),
    ['session.begin', 'keys.create', 'session.end'].map((act, i) => ({
      act,
      outcome: 'done',
      who: fingerprint,
      from: '127.0.0.1',
      ...(act === 'keys.create' ? { target: made.json.id, details: lines[i]?.details } : { target: null, details: {} }),
    })),
  )
  assert.equal(lines[0]?.requestId, mine.answer.headers['x-request-id'])
  const kept = [JSON.stringify(service.events), JSON.stringify(await audit())]
  for (const file of ['v.db', 'v.db-wal']) kept.push(readFileSync(join(service.folder, file), 'latin1'))
  for (const secret of [mine.secret, csrf, token]) assert.ok(kept.every((text) => !text.includes(secret)))
})

test('a session that is idle for 30 minutes ends, and watching does not keep it awake', async (t) => {
  const { now, later } = clock()
  const manager = await startManager(t, { now })
  const [idle, busy] = [await signIn(manager), await signIn(manager)]
  for (let i = 0; i < 2; i++) {
    later(14 * minute)
    assert.equal((await idle.ask('GET', '/session')).status, 200)
    assert.equal((await busy.ask('GET', '/keys')).status, 200)
  }
  later(2 * minute)
  assert.equal(codeOf(await idle.ask('GET', '/session')), '401 session_ended')
  assert.equal((await busy.ask('GET', '/session')).status, 200)
  later(-20 * minute)
  assert.equal(codeOf(await idle.ask('GET', '/session')), '401 session_ended', 'what has ended does not come back')
})

test('refused requests do not prolong a session', async (t) => {
  const { now, later } = clock()
  const manager = await startManager(t, { now })
  const mine = await signIn(manager)
  for (let i = 0; i < 2; i++) {
    later(14 * minute)
    assert.equal(codeOf(await mine.ask('GET', '/keys', { headers: { 'x-vitrine-csrf': 'x' } })), '403 csrf_missing')
    assert.equal(codeOf(await mine.ask('GET', '/nowhere')), '404 route_not_found')
  }
  later(2 * minute)
  assert.equal(codeOf(await mine.ask('GET', '/keys')), '401 session_ended')
})

test('a session ends after 12 hours, however busy it is', async (t) => {
  const { now, later } = clock()
  const manager = await startManager(t, { now })
  const mine = await signIn(manager)
  for (let i = 0; i < 35; i++) {
    later(20 * minute)
    assert.equal((await mine.ask('GET', '/keys')).status, 200, `${i}`)
  }
  later(20 * minute)
  assert.equal(codeOf(await mine.ask('GET', '/keys')), '401 session_ended')
})

test('a session ends with its token, and others go on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  const next = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'
  writeFileSync(file, `${token}\n${next}`)
  const manager = await startManager(t, {
    secrets: { operatorToken: undefined },
    file: { operatorTokenFile: file },
  })
  const [old, fresh] = [await signIn(manager), await signIn(manager, {}, next)]
  assert.notEqual(old.answer.json.who, fresh.answer.json.who)
  writeFileSync(file, next)
  await sleep(1_100)
  assert.equal(codeOf(await old.ask('GET', '/session')), '401 session_ended')
  assert.equal((await fresh.ask('GET', '/keys')).status, 200)
  writeFileSync(file, `${token}\n${next}`)
  await sleep(1_100)
  assert.equal(codeOf(await old.ask('GET', '/session')), '401 session_ended', 'it does not come back with its token')
})

test('sign-in always gives a new secret, and ends the earlier session of the browser', async (t) => {
  const manager = await startManager(t)
  const mine = await signIn(manager)
  const name = mine.cookie.split('=', 1)[0] ?? ''
  const planted = `${name}=${'A'.repeat(43)}`
  const victim = await trySignIn(manager, token, { cookie: planted })
  assert.ok(cookieOf(victim) !== planted && cookieOf(victim) !== mine.cookie)
  assert.equal(codeOf(await mine.ask('GET', '/session', { headers: { cookie: planted } })), '401 session_ended')
  assert.equal((await mine.ask('GET', '/session')).status, 200)

  const again = await signIn(manager, { cookie: mine.cookie })
  assert.equal(codeOf(await mine.ask('GET', '/session')), '401 session_ended')
  assert.equal(codeOf(await mine.ask('GET', '/keys', { headers: { cookie: again.cookie } })), '403 csrf_missing')
  assert.equal(codeOf(await trySignIn(manager, wrong, { cookie: again.cookie })), '401 operator_token_invalid')
  const { cookie } = again
  assert.equal((await again.ask('GET', '/session', { headers: { cookie } })).status, 200, 'a wrong token ends none')
  const ends = await manager.audit({ act: 'session.end' })
  assert.deepEqual(
    ends.map(({ who, outcome, details }) => [who, outcome, details]),
    [[fingerprint, 'done', { reason: 'replaced' }]],
  )
})

test('HEAD works where GET does, and another method gets the allowed ones', async (t) => {
  const manager = await startManager(t)
  const mine = await signIn(manager)
  const head = await mine.ask('HEAD', '/session')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await mine.ask('HEAD', '/keys', { headers: { 'x-vitrine-csrf': '' } })).status, 403)
  const put = await mine.ask('PUT', '/session')
  assert.deepEqual([codeOf(put), put.headers['allow']], ['405 operation_not_allowed', 'POST, GET, HEAD, DELETE'])
  assert.equal(
    codeOf(await manager.ask('PUT', session, { token: null, body: { token } })),
    '401 operator_token_missing',
  )
})

test('a session ends with the process', async (t) => {
  const [before, after] = [await startManager(t), await startManager(t)]
  const mine = await signIn(before)
  const cookie = mine.cookie.replace(`_${before.port}=`, `_${after.port}=`)
  const headers = { cookie, 'x-vitrine-csrf': mine.csrf }
  assert.equal(codeOf(await after.ask('GET', '/session', { token: null, headers })), '401 session_ended')
})

test('the number of sessions is limited, and the longest idle one makes room', () => {
  let at = 1_000_000
  const live = new Set(['a', 'b'])
  const tokens = { isValid: (digest: Buffer) => live.has(digest.toString()) }
  const sessions = createSessions({ tokens, now: () => at, most: 3, idleMs: 100, longestMs: 1_000 })
  const begin = (name: string) => sessions.begin({ who: name, digest: Buffer.from(name) })
  const alive = (all: readonly { secret: string }[]) => all.map(({ secret }) => sessions.find(secret) !== undefined)
  const [one, two, three] = [begin('a'), begin('b'), begin('a')]
  at += 10
  sessions.touch(one.session)
  const four = begin('a')
  assert.deepEqual(alive([one, two, three, four]), [true, false, true, true])
  assert.equal(sessions.isLive(two.session), false)
  sessions.touch(two.session)
  assert.equal(sessions.find(two.secret), undefined, 'what has ended is not stirred to life')
  at += 95
  const five = begin('b')
  assert.deepEqual(alive([one, three, four, five]), [true, false, true, true], 'those that ended make room first')
  live.delete('a')
  assert.deepEqual(alive([one, four, five]), [false, false, true])
  at = 999_999
  assert.deepEqual(alive([five]), [false], 'a clock that is set back prolongs no session')

  live.add('a')
  at = 2_000_000
  const [idle, set] = [begin('a'), begin('a')]
  at += 90
  for (const each of [idle, set]) sessions.touch(each.session)
  at += 90
  sessions.touch(set.session)
  at -= 90
  assert.deepEqual(alive([idle, set]), [true, true], 'a clock that is put right ends none')
  at += 90
  sessions.touch(set.session)
  at += 90
  sessions.touch(set.session)
  at -= 180
  assert.deepEqual(alive([set]), [false], 'set back by the idle limit, its age is unknown')
})
