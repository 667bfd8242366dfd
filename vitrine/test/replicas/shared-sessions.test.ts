import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis, redisUrl } from '../../../base/test/redis.ts'
import type { ServiceOptions } from '../support/service.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { untilEqual, until } from '../../../base/test/until.ts'
import { fine, listen, names, quickly } from '../operator/listener.ts'
import { type Manager, startManagerOver, token } from '../operator/manager.ts'
import { codeOf, type SignedIn, signIn } from '../operator/signed-in.ts'

const skip = noPostgres || noRedis

interface Replica {
  readonly endpoint: Manager
  readonly proxy: Awaited<ReturnType<typeof startTcpProxy>>
}

/** operator endpoints over one store, each with its own proxy to one Redis */
async function startDoors(t: TestContext, port = Number(new URL(redisUrl).port || 6379)) {
  const database = await freshDatabase()
  t.after(() => database.drop())
  return async (options: ServiceOptions = {}): Promise<Replica> => {
    const proxy = await startTcpProxy({ port })
    const file = { store: database.url, redis: `redis://127.0.0.1:${proxy.port}`, ...options.file }
    const endpoint = await startManagerOver(t, fine, { ...options, file })
    t.after(() => proxy.close())
    return { endpoint, proxy }
  }
}

/** the same browser at another replica: behind a balancer the cookie would have one name */
const at = ({ endpoint }: Replica, { secret, csrf }: SignedIn, path = '/keys', method = 'GET') =>
  endpoint.ask(method, `/operator/v1${path}`, {
    token: null,
    headers: { cookie: `vitrine_session_${endpoint.port}=${secret}`, 'x-vitrine-csrf': csrf },
  })
const codeAt = async (...asked: Parameters<typeof at>) => codeOf(await at(...asked))
/** Redis may not be heard for a moment where this machine is busy */
const comes = (code: string, ...asked: Parameters<typeof at>) => untilEqual(() => codeAt(...asked), code)
const isCut = ({ endpoint }: Replica) => endpoint.service.events.some(({ kind }) => kind === 'redis_away')

test('signing in or out at one replica holds at all', { skip }, async (t) => {
  const start = await startDoors(t)
  const [a, b] = [await start(), await start()]
  const mine = await signIn(a.endpoint)
  const shown = (await at(b, mine, '/session')).json
  assert.deepEqual([shown.who, shown.csrf], [mine.answer.json.who, mine.csrf])
  assert.ok(Math.abs(Date.parse(shown.endsAt) - Date.parse(mine.answer.json.endsAt)) < 10_000)
  const made = await b.endpoint.ask('POST', '/operator/v1/keys', {
    token: null,
    body: { name: 'x', connections: ['*'] },
    headers: { cookie: `vitrine_session_${b.endpoint.port}=${mine.secret}`, 'x-vitrine-csrf': mine.csrf },
  })
  assert.equal(made.status, 201)
  await comes('403 csrf_missing', b, { ...mine, csrf: 'x' })
  const stream = await listen(t, a.endpoint.port, { token: null, headers: { cookie: mine.cookie } })
  await stream.until('all is told', () => names(stream).includes('whole'))

  const c = await start()
  await comes('200 ok', c, mine)
  await comes('200 ok', b, mine, '/session', 'DELETE')
  for (const one of [a, b, c]) await comes('401 session_ended', one, mine)
  await stream.until('the end', () => stream.hasEnded())
  await comes('401 session_ended', a, { ...mine, secret: 'A'.repeat(43) })
})

test('clocks that differ by hours, or are set, end no session', { skip }, async (t) => {
  const start = await startDoors(t)
  let shift = 0
  const [a, b] = [
    await start({ now: () => Date.now() + shift }),
    await start({ now: () => Date.now() + 3 * 3_600_000 }),
  ]
  const mine = await signIn(a.endpoint)
  for (const set of [0, 3_600_000, -3_600_000, -24 * 3_600_000]) {
    shift = set
    for (const one of [a, b, a]) await comes('200 ok', one, mine)
  }
})

test('a session ends everywhere when its operator token is replaced', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const operatorTokenFile = join(folder, 'token')
  const next = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'
  writeFileSync(operatorTokenFile, `${token}\n${next}`)
  const start = await startDoors(t)
  const options = { secrets: { operatorToken: undefined }, file: { operatorTokenFile } }
  const [a, b] = [await start(options), await start(options)]
  const [old, fresh] = [await signIn(a.endpoint), await signIn(a.endpoint, {}, next)]
  await comes('200 ok', b, old)
  writeFileSync(operatorTokenFile, next)
  await sleep(1_100)
  for (const one of [b, a]) await comes('401 session_ended', one, old)
  await comes('200 ok', b, fresh)
  writeFileSync(operatorTokenFile, `${token}\n${next}`)
  await sleep(1_100)
  for (const one of [a, b]) await comes('401 session_ended', one, old)
})

test(
  'without Redis each replica goes on with the sessions that it knows, and reports others as unknown',
  { skip },
  async (t) => {
    const start = await startDoors(t)
    const [a, b] = [await start({ pace: quickly }), await start()]
    const [known, strange] = [await signIn(a.endpoint), await signIn(b.endpoint)]
    await comes('200 ok', b, known)
    const stream = await listen(t, a.endpoint.port, { token: null, headers: { cookie: known.cookie } })
    await stream.until('all is told', () => names(stream).includes('whole'))
    for (const { proxy } of [a, b]) proxy.setState('cut')
    for (const one of [a, b]) await comes('200 ok', one, known)
    await comes('401 session_unknown', a, strange)
    await comes('401 session_unknown', a, strange, '/session')
    const meanwhile = await signIn(a.endpoint, { cookie: `vitrine_session_${a.endpoint.port}=${strange.secret}` })
    assert.deepEqual([await codeAt(a, meanwhile), await codeAt(b, meanwhile)], ['200 ok', '401 session_unknown'])
    await comes('200 ok', a, known, '/session', 'DELETE')
    await comes('401 session_ended', a, known)
    await stream.until('the end', () => stream.hasEnded())

    for (const { proxy } of [a, b]) proxy.setState('whole')
    await comes('200 ok', b, meanwhile)
    await comes('401 session_ended', b, known)
    for (const one of [a, b]) await comes('200 ok', one, strange)
    await comes('401 session_ended', a, known)
  },
)

test('a session that ended elsewhere does not return when Redis goes down', { skip }, async (t) => {
  const start = await startDoors(t)
  const [a, b] = [await start(), await start()]
  const mine = await signIn(a.endpoint)
  await comes('200 ok', b, mine)
  await comes('200 ok', b, mine, '/session', 'DELETE')
  // no request is sent there meanwhile
  await sleep(1_300)
  a.proxy.setState('cut')
  await until(() => isCut(a))
  await comes('401 session_unknown', a, mine)
})

test('a Redis that comes back empty neither ends nor restores a session', { skip, timeout: 30_000 }, async (t) => {
  const server = await ownRedis()
  t.after(() => server.kill())
  const start = await startDoors(t, server.port)
  const [a, b] = [await start(), await start()]
  const [mine, gone] = [await signIn(a.endpoint), await signIn(a.endpoint)]
  for (const one of [mine, gone]) await comes('200 ok', b, one)
  await comes('200 ok', b, gone, '/session', 'DELETE')
  await sleep(1_300)
  await server.kill()
  await until(() => isCut(a) && isCut(b))
  await server.start()
  await until(() => [a, b].every(({ endpoint }) => endpoint.service.events.some(({ kind }) => kind === 'redis_back')))
  for (const one of [a, b]) {
    await comes('200 ok', one, mine)
    assert.match(await codeAt(one, gone), /^401 session_(?:ended|unknown)$/)
  }
  const c = await start()
  await comes('200 ok', c, mine)
})

test('a sign-out holds even if Redis loses it before all replicas know it', { skip, timeout: 30_000 }, async (t) => {
  const server = await ownRedis()
  t.after(() => server.kill())
  const start = await startDoors(t, server.port)
  const [a, b] = [await start(), await start()]
  const mine = await signIn(a.endpoint)
  await comes('200 ok', b, mine)
  b.proxy.setState('cut')
  await until(() => isCut(b))
  await comes('200 ok', a, mine, '/session', 'DELETE')
  await server.kill()
  await server.start()
  b.proxy.setState('whole')
  await until(() => b.endpoint.service.events.some(({ kind }) => kind === 'redis_back'))
  await sleep(1_300)
  for (const one of [b, a, b]) await comes('401 session_ended', one, mine)
})
