import assert from 'node:assert/strict'
import test from 'node:test'
import { version } from '../../src/version.ts'
import { account, startManager } from './manager.ts'

const nothing = {
  breaker: 'closed',
  retryAfterSec: null,
  quota: { hour: null, minute: null, pausedSec: 0 },
  calls: { running: 0, waiting: 0 },
  keyRejected: false,
  lastAnswerAt: null,
  lastFailure: null,
}

test('the status has version, Node.js, start, readiness, and each open connection by id', async (t) => {
  const before = Date.now()
  const { ask, service } = await startManager(t)
  await service.ask('/v1/connections/solo/apps')
  const { status, json } = await ask('GET', '/status')
  assert.equal(status, 200)
  const { startedAt, uptimeSec, connections, ...rest } = json
  assert.deepEqual(rest, {
    version,
    node: process.version,
    ready: true,
    replicas: 1,
    replicasCountedBy: 'rows',
    redis: null,
  })
  assert.ok(Date.parse(startedAt) >= before && Date.parse(startedAt) <= Date.now())
  assert.ok(Number.isInteger(uptimeSec) && uptimeSec >= 0 && uptimeSec <= (Date.now() - before) / 1_000)
  assert.deepEqual(
    connections.map(({ connection }: any) => connection),
    ['acme', 'other', 'solo'],
  )
  assert.deepEqual(connections[0], { connection: 'acme', ...nothing })
  assert.ok(connections[2].lastAnswerAt)
  assert.ok(connections[2].quota.hour.remaining < connections[2].quota.hour.limit)
})

test('both endpoints show the same state of a connection, and callers what is left of their budget besides', async (t) => {
  const { ask, service } = await startManager(t)
  await service.ask('/apps')
  const [theirs, ours] = [await ask('GET', '/connections/acme/status'), await service.ask('/status')]
  assert.equal(theirs.status, 200)
  assert.deepEqual(ours.json, { ...theirs.json, platformCalls: null })
  assert.equal(theirs.json.connection, 'acme')
})

test('a hosted connection that was never read has a state, and is open from then on', async (t) => {
  const { ask, audit } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const opened = async () => (await ask('GET', '/status')).json.connections.map(({ connection }: any) => connection)
  assert.deepEqual(await opened(), ['acme', 'other', 'solo'])
  const { status, json } = await ask('GET', '/connections/studio/status')
  assert.deepEqual([status, json], [200, { connection: 'studio', ...nothing }])
  assert.deepEqual(await opened(), ['acme', 'other', 'solo', 'studio'])
  await ask('DELETE', '/connections/studio')
  assert.deepEqual(await opened(), ['acme', 'other', 'solo'])
  assert.deepEqual(
    (await audit({ act: 'connections' })).map(({ act }) => act),
    ['connections.remove', 'connections.create'],
    'to look is no deed',
  )
})

test('the status of an unknown connection is refused like the connection itself', async (t) => {
  const { ask } = await startManager(t)
  for (const id of ['nobody', '..', '%00', 'a'.repeat(65), "'--", '']) {
    const { status, json } = await ask('GET', `/connections/${id}/status`)
    assert.deepEqual([status, json.error.code], [404, 'connection_unknown'], id)
  }
  for (const path of ['/status', '/connections/acme/status', '/metrics']) {
    assert.equal((await ask('GET', path, { token: null })).json.error.code, 'operator_token_missing', path)
    assert.equal((await ask('GET', `${path}?x=1`)).json.error.code, 'unknown_parameter', path)
    const other = await ask('POST', path)
    assert.deepEqual([other.status, other.headers['allow']], [405, 'GET, HEAD'], path)
    const head = await ask('HEAD', path)
    assert.deepEqual([head.status, head.text], [200, ''], path)
  }
})

test('the status of a connection whose credential cannot be decrypted says so', async (t) => {
  const { ask, service } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const { openStore } = await import('../../src/store/open.ts')
  const store = await openStore(`sqlite:${service.folder}/v.db`)
  const row = await store.connections.find('studio')
  assert.ok(row)
  const sealed = Uint8Array.from(row.sealed)
  sealed[0] = (sealed[0] ?? 0) ^ 1
  await store.close()
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(`${service.folder}/v.db`)
  db.prepare('UPDATE connections SET sealed = ? WHERE id = ?').run(sealed, 'studio')
  db.close()
  const { status, json } = await ask('GET', '/connections/studio/status')
  assert.deepEqual([status, json.error.code], [503, 'connection_unreadable'])
})

test('a service that is about to stop says that it is not ready', async (t) => {
  const { ask, service } = await startManager(t)
  assert.equal((await ask('GET', '/status')).json.ready, true)
  const closing = service.running.close({ graceMs: 300 })
  assert.equal((await ask('GET', '/status')).json.ready, false)
  await closing
})
