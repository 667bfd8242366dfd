// Two servers over one PostgreSQL database: each sees the other's changes. Long: one scene covers all that one server does to
// the other.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { schema } from '../../src/store/migrations.ts'
import { openService } from '../../src/service.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { ask, full, makePair, masterKeys, median, operatorToken } from './program.ts'

const rounds = full ? 25 : 8
const promisedMs = 1_000

const [first, second] = [makePair(), makePair()]
const account = { keyId: 'FIRST', issuerId: 'issuer', privateKey: first.pem }
const replacement = { keyId: 'SECOND', issuerId: 'issuer', privateKey: second.pem }

type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(t: TestContext, store: string, baseUrl: string, secret: string) {
  const file = {
    listen: '127.0.0.1:0',
    operatorListen: '127.0.0.1:0',
    store,
    rateLimit: { perMinute: 0 },
    upstream: { baseUrl, timeoutMs: 5_000 },
  }
  const secrets = { operatorToken, masterKeys: secret }
  const running = await openService(readSettings(file, {}), { folder: '/', observe: () => {}, secrets })
  let closed = false
  const close = async () => {
    if (!closed) await running.close()
    closed = true
  }
  t.after(close)
  const { url, operatorUrl = '' } = await running.listen()
  return {
    close,
    read: (path: string, key: string) => ask(url, path, key),
    act: (method: string, path: string, body?: object) =>
      ask(operatorUrl, `/operator/v1${path}`, operatorToken, { method, ...(body && { body }) }),
  }
}

async function startTwo(t: TestContext) {
  const accounts = [
    { keyId: 'FIRST', issuerId: 'issuer', publicKey: first.publicKey },
    { keyId: 'SECOND', issuerId: 'issuer', publicKey: second.publicKey },
  ]
  const sandbox = await startSandbox({ accounts })
  // a proxy of the sandbox that records which key signed each read
  const signedBy: string[] = []
  const front = await startScriptedPlatform(async ({ url, headers: { authorization = '' } }, res) => {
    const [head = ''] = authorization.replace('Bearer ', '').split('.')
    signedBy.push(JSON.parse(Buffer.from(head, 'base64url').toString()).kid)
    const answer = await fetch(new URL(url, sandbox.url), { headers: { authorization } })
    send(res, (await answer.text()).replaceAll(sandbox.url, front.url), {}, answer.status)
  })
  const database = await freshDatabase()
  const secret = masterKeys('k1')
  const start = () => startServer(t, database.url, front.url, secret)
  const servers = [await start(), await start()] as const
  t.after(async () => {
    for (const server of servers) await server.close()
    await front.close()
    await sandbox.close()
    await database.drop()
  })
  return { a: servers[0], b: servers[1], database, signedBy }
}

const walk = (id: string): string => `/v1/connections/${id}/apps?limit=2&fields=name`

async function issue(server: Server, connections: readonly string[] = ['*']): Promise<{ id: string; key: string }> {
  return (await server.act('POST', '/keys', { name: 'k', connections })).json
}

/** how long after the acknowledgement the other server still answers the caller */
async function untilRefused(read: () => Promise<number>, status: number): Promise<number> {
  const begun = performance.now()
  for (let got = 200; got === 200; await sleep(20)) {
    got = await read()
    assert.ok(got === 200 || got === status, `answered ${got}`)
    assert.ok(performance.now() - begun < 5 * promisedMs, 'still let in')
  }
  return performance.now() - begun
}

test('what one replica creates, the other knows at once', { skip: noPostgres }, async (t) => {
  const { a, b } = await startTwo(t)
  const { key } = await issue(b)
  for (let n = 0; n < rounds; n++) {
    const id = `c${n}`
    assert.equal((await b.read(walk(id), key)).status, 404)
    assert.equal((await a.act('POST', '/connections', { id, ...account })).status, 201)
    assert.equal((await b.read(walk(id), key)).status, 200)
    const made = await issue(a, [id])
    assert.equal((await b.read(walk(id), made.key)).status, 200)
  }
})

test(
  'what one replica revokes, the other rejects within a second, even during paging',
  { skip: noPostgres },
  async (t) => {
    const { a, b } = await startTwo(t)
    const { key: standing } = await issue(a)
    const [keyTimes, connectionTimes]: [number[], number[]] = [[], []]
    for (let n = 0; n < rounds; n++) {
      const id = `c${n}`
      await a.act('POST', '/connections', { id, ...account })
      const { id: keyId, key } = await issue(a)
      const page = (await b.read(walk(id), key)).json
      const next = `${walk(id)}&cursor=${page.nextCursor}`
      assert.equal((await b.read(next, key)).status, 200)
      assert.equal((await a.act('DELETE', `/keys/${keyId}`)).status, 200)
      assert.equal((await a.read(next, key)).status, 401, 'at once where it was done')
      keyTimes.push(await untilRefused(async () => (await b.read(next, key)).status, 401))

      assert.equal((await b.read(next, standing)).status, 200)
      assert.equal((await a.act('DELETE', `/connections/${id}`)).status, 200)
      assert.equal((await a.read(next, standing)).status, 404, 'at once where it was done')
      connectionTimes.push(await untilRefused(async () => (await b.read(next, standing)).status, 404))
    }
    for (const ms of [...keyTimes, ...connectionTimes]) assert.ok(ms < promisedMs, `${ms} ms`)
    const latest = (times: number[]) =>
      `${median(times).toFixed(0)} ms (median), ${Math.max(...times).toFixed(0)} ms (longest)`
    t.diagnostic(
      `${rounds} rounds: key refused elsewhere after ${latest(keyTimes)}, connection after ${latest(connectionTimes)}`,
    )
  },
)

test(
  'a key is replaced under load: no read fails, and the old one stops working within a second',
  { skip: noPostgres },
  async (t) => {
    const { a, b, signedBy } = await startTwo(t)
    const { key } = await issue(a)
    await a.act('POST', '/connections', { id: 'c', ...account })
    const statuses: number[] = []
    const done = new AbortController()
    const readers = [a, b, a, b].map(async (server) => {
      while (!done.signal.aborted) statuses.push((await server.read(walk('c'), key)).status)
    })
    await sleep(300)
    assert.equal((await a.act('POST', '/connections/c/credentials', replacement)).status, 200)
    await sleep(promisedMs)
    signedBy.length = 0
    await sleep(500)
    done.abort()
    await Promise.all(readers)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.ok(signedBy.length > 10)
    assert.deepEqual(new Set(signedBy), new Set(['SECOND']))
  },
)

test(
  'a reused connection name reads the new account on both replicas, and rejects old cursors',
  { skip: noPostgres },
  async (t) => {
    const { a, b, signedBy } = await startTwo(t)
    const { key } = await issue(a)
    await a.act('POST', '/connections', { id: 'c', ...account })
    const { nextCursor } = (await b.read(walk('c'), key)).json
    await a.act('DELETE', '/connections/c')
    await a.act('POST', '/connections', { id: 'c', ...replacement })
    await sleep(promisedMs)
    signedBy.length = 0
    for (const server of [a, b]) {
      assert.equal((await server.read(`${walk('c')}&cursor=${nextCursor}`, key)).json.error.code, 'cursor_mismatch')
      assert.equal((await server.read(walk('c'), key)).status, 200)
    }
    assert.deepEqual(new Set(signedBy), new Set(['SECOND']))
  },
)

test(
  'a database that drops every connection is unavailable for two seconds at most',
  { skip: noPostgres },
  async (t) => {
    const { a, b, database } = await startTwo(t)
    const { key } = await issue(a)
    await a.act('POST', '/connections', { id: 'c', ...account })
    assert.equal((await b.read(walk('c'), key)).status, 200)
    await askPostgres(
      database.url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const begun = performance.now()
    for (const server of [a, b])
      for (let status = 0; status !== 200;) {
        const answer = await server.read(walk('c'), key)
        status = answer.status
        assert.ok(status === 200 || status === 503, `answered ${status}`)
        assert.ok(answer.ms < 2_000 && performance.now() - begun < 4_000)
      }
    assert.equal((await b.act('POST', '/connections', { id: 'd', ...account })).status, 201)
  },
)

test('a writer that times out while waiting affects no other', { skip: noPostgres }, async (t) => {
  const { a, b, database } = await startTwo(t)
  const { key } = await issue(a)
  await a.act('POST', '/connections', { id: 'c', ...account })
  const other = new Client(database.url)
  await other.connect()
  // if the test fails, the database is dropped while it is in use
  other.on('error', () => {})
  await other.query(`SELECT pg_advisory_lock(${schema.writersLock})`)
  const acts = Promise.all(
    Array.from({ length: 20 }, (_, n) => a.act('POST', '/keys', { name: `k${n}`, connections: ['c'] })),
  )
  await sleep(200)
  // an absent key is read from the database each time
  for (let n = 0; n < 20; n++) assert.equal((await a.read(walk('nowhere'), key)).status, 404)
  const refused = await acts
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([503]))
  await other.query(`SELECT pg_advisory_unlock(${schema.writersLock})`)
  for (let n = 0; n < 30; n++) assert.equal((await a.read(walk('c'), (await issue(b)).key)).status, 200)
  assert.equal((await a.read('/readyz', key)).status, 200)
  const { rows } = await other.query(
    "SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()",
  )
  assert.deepEqual(rows, [])
  await other.end()
})
