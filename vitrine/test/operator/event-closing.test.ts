import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fine, listen, many, names, quickly, streamsOf } from './listener.ts'
import { startManagerOver, token } from './manager.ts'
import { signIn } from './signed-in.ts'

test('a service that stops says so to listeners and does not wait for them', async (t) => {
  const { service, port } = await startManagerOver(t, fine)
  const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(t, port)))
  for (const each of listeners) await each.until('all is told', () => names(each).includes('whole'))
  const [deaf] = listeners
  deaf?.pause()
  const begunAt = performance.now()
  await service.running.close()
  assert.ok(performance.now() - begunAt < 1_000, `${performance.now() - begunAt} ms`)
  for (const each of listeners.slice(1)) {
    await each.until('the end', () => each.hasEnded())
    assert.deepEqual(each.told.at(-1)?.data, { reason: 'stopping' })
  }
})

test('a service that is about to stop still streams, and says that it is not ready', async (t) => {
  const { service, port } = await startManagerOver(t, fine, { pace: quickly })
  const listener = await listen(t, port)
  await listener.until('all is told', () => names(listener).includes('whole'))
  const closed = service.running.close({ graceMs: 600 })
  await listener.until('the news', () => listener.told.some(({ name, data }) => name === 'service' && !data.ready))
  await listener.until('the end', () => listener.hasEnded())
  await closed
  assert.equal(listener.told.at(-1)?.data.reason, 'stopping')
})

test('at most twenty listen at once: the next is refused with too_many, and accepted when another leaves', async (t) => {
  const { service, port } = await startManagerOver(t, fine)
  const twenty = await Promise.all(Array.from({ length: 20 }, () => listen(t, port)))
  for (const each of twenty) await each.until('all is told', () => names(each).includes('whole'))
  const late = await listen(t, port)
  await late.until('the end', () => late.hasEnded())
  assert.deepEqual([late.status, names(late), late.told[0]?.data], [200, ['bye'], { reason: 'too_many' }])
  assert.ok(twenty.every((each) => !each.hasEnded()))
  twenty[7]?.leave()
  while (streamsOf(service.events).length < 2) await sleep(5)
  const next = await listen(t, port)
  await next.until('all is told', () => names(next).includes('whole'))
})

test('one session has at most four streams, so that its browser has connections left for other requests', async (t) => {
  const manager = await startManagerOver(t, fine)
  const { service, port } = manager
  const [mine, other] = [await signIn(manager), await signIn(manager)]
  const open = ({ cookie }: { cookie: string }) => listen(t, port, { token: null, headers: { cookie } })
  const four = await Promise.all(Array.from({ length: 4 }, () => open(mine)))
  for (const each of four) await each.until('all is told', () => names(each).includes('whole'))
  const fifth = await open(mine)
  await fifth.until('the end', () => fifth.hasEnded())
  assert.deepEqual([names(fifth), fifth.told[0]?.data], [['bye'], { reason: 'too_many' }])
  const theirs = await open(other)
  await theirs.until('all is told', () => names(theirs).includes('whole'))
  four[2]?.leave()
  while (streamsOf(service.events).length < 2) await sleep(5)
  const next = await open(mine)
  await next.until('all is told', () => names(next).includes('whole'))
})

test('removing a token ends the streams that it opened, and no others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  const other = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'
  writeFileSync(file, `${token}\n${other}`)
  const { port } = await startManagerOver(t, fine, {
    secrets: { operatorToken: undefined },
    file: { operatorTokenFile: file },
    pace: quickly,
  })
  const [mine, theirs] = [await listen(t, port), await listen(t, port, { token: other })]
  for (const each of [mine, theirs]) await each.until('all is told', () => names(each).includes('whole'))
  writeFileSync(file, token)
  await theirs.until('the end', () => theirs.hasEnded())
  assert.deepEqual(theirs.told.at(-1)?.data, { reason: 'session_ended' })
  assert.ok(!mine.hasEnded())
})

test('a listener who closes their half of the socket has left at once: their next page may need the place', async (t) => {
  const { service, port } = await startManagerOver(t, fine)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(`GET /operator/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'data')
  // no timer is involved: while a request waits for its answer, a half-closed socket has no effect for a while
  t.mock.timers.enable({ apis: ['setTimeout'] })
  socket.resume().end()
  await once(socket, 'end', { signal: AbortSignal.timeout(5_000) })
  t.mock.timers.reset()
  socket.destroy()
  while (streamsOf(service.events).length === 0) await sleep(5)
  assert.equal(streamsOf(service.events)[0].status, 200)
})

test('a listener who reads nothing is disconnected, and others get their updates meanwhile, with ten thousand connections', async (t) => {
  const { ask, service, port } = await startManagerOver(t, fine, {
    file: { connections: many(10_000) },
    pace: { tickMs: 100, beatMs: 100, patienceMs: 1_000 },
  })
  const deaf = await listen(t, port)
  deaf.pause()
  const other = await listen(t, port)
  await other.until('all is told', () => names(other).includes('whole'), 30_000)
  assert.equal(other.cards.size, 10_000)
  await service.ask('/v1/connections/c77/subscriptions/s1/offer-codes')
  await other.until('the call is told', () => other.cards.get('c77').hour.calls === 1, 30_000)
  while (streamsOf(service.events).length === 0) await sleep(10)
  assert.equal((await ask('GET', '/healthz')).status, 200)
  assert.ok(!other.hasEnded())
  assert.ok(!names(deaf).includes('whole'))
  assert.ok(other.beats.length > 0)
})

test('a session opens a stream with its cookie alone, and the stream ends with the session', async (t) => {
  const { ask, port } = await startManagerOver(t, fine, { pace: quickly })
  const signedIn = await ask('POST', '/session', { token: null, body: { token } })
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''
  const listener = await listen(t, port, { token: null, headers: { cookie } })
  await listener.until('all is told', () => names(listener).includes('whole'))
  await ask('DELETE', '/session', { token: null, headers: { cookie, 'x-vitrine-csrf': signedIn.json.csrf } })
  await listener.until('the end', () => listener.hasEnded())
  assert.deepEqual(listener.told.at(-1)?.data, { reason: 'session_ended' })
})
