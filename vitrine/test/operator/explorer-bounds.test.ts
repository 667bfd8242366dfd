import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '../../src/catalogue/index.ts'
import type { Connection } from '../../src/connections/connection.ts'
import { AbortGroup } from '../../../base/core/abort.ts'
import { createCursors } from '../../src/engine/cursor.ts'
import type { BoundGet } from '../../src/platform/port.ts'
import { createAnswers, createListingMemories, createLookupCaches } from '../../src/reads/caches.ts'
import { createSharedReads } from '../../src/reads/reads.ts'
import { createExplorer } from '../../src/management/explorer.ts'
import { createMatcher } from '../../src/engine/request.ts'
import { beginRecord } from '../../src/reads/access-record.ts'
import { Problem } from '../../src/problems.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'
import { pausedPlatform } from '../support/paced-platform.ts'
import { apart, startExplorer, withoutChance } from './explorer-reads.ts'
import { token } from './manager.ts'

test('at most four reads run at once; a fifth gets Retry-After and makes no call', async (t) => {
  const { waiting, script, release } = pausedPlatform()
  const { through, ask, platform } = await startExplorer(t, script)
  const four = [1, 2, 3, 4].map((limit) => through(`${page.path}?limit=${limit}`))
  await until(() => waiting.length === 4)
  const fifth = await through(`${page.path}?limit=5`)
  assert.deepEqual([fifth.status, fifth.json.error.code, fifth.headers['retry-after']], [503, 'too_busy', '1'])
  assert.equal(
    (await ask('POST', '/plan', { connection: 'acme', target: page.path })).status,
    200,
    'plans cost nothing',
  )
  release()
  for (const answer of await Promise.all(four)) assert.equal(apart(answer).told.status, 200)
  assert.equal(platform.calls.length, 4)
  const later = through(page.path)
  await until(() => waiting.length === 1)
  release()
  assert.equal((await later).status, 200)
})

/** asks, and may leave before the answer */
function begin(port: number, target: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const where = { port, host: '127.0.0.1', path: '/operator/v1/read', method: 'POST', headers, agent: false }
  const req = request(where)
  req.on('error', () => {})
  req.end(JSON.stringify({ connection: 'acme', target }))
  return req
}

test('a caller who leaves ends the platform call, frees the place, and is logged with the cost', async (t) => {
  let ended = 0
  const { port, service, platform, through } = await startExplorer(t, (_, res) => void res.once('close', () => ended++))
  const all = [1, 2, 3, 4].map((limit) => begin(port, `${page.path}?limit=${limit}`))
  await until(() => platform.calls.length === 4)
  for (const req of all) req.destroy()
  await until(() => ended === 4)
  const told = () => service.events.filter((event) => event.kind === 'answered')
  await until(() => told().length === 4)
  assert.deepEqual(
    told().map(({ status, operation, connection, platformCalls }) => [status, operation, connection, platformCalls]),
    all.map(() => [499, 'readThrough', 'acme', 1]),
  )
  platform.script = (_, res) => send(res, page.healthy)
  assert.equal(apart(await through(page.path)).told.status, 200, 'a caller who left holds no place')
})

test('a caller who leaves does not end the read of a key that waits for the same', async (t) => {
  const { waiting, script, release } = pausedPlatform()
  const { port, service } = await startExplorer(t, script)
  const req = begin(port, page.path)
  await until(() => waiting.length === 1)
  const there = service.ask(page.path)
  await until(() => service.events.some(({ kind }) => kind === 'shared'))
  req.destroy()
  await until(() => service.events.some((event) => event.kind === 'answered' && event.status === 499))
  release()
  assert.deepEqual([(await there).status, (await there).text], [200, JSON.stringify(page.answer)])
})

test('a read has the deadline of the public endpoint, and shows the call that was under way', async (t) => {
  const { through } = await startExplorer(t, () => {}, { file: { upstream: { timeoutMs: 300 } } })
  const { told, body } = apart(await through(page.path))
  assert.deepEqual([told.status, JSON.parse(body).error.code], [504, 'upstream_timeout'])
  assert.deepEqual([told.asked.length, told.asked[0].status, told.asked[0].code], [1, null, 'upstream_timeout'])
  assert.ok(told.asked[0].tookMs >= 250)
})

test('a service that stops lets a read under way finish', async (t) => {
  const { waiting, script, release } = pausedPlatform()
  const { through, service } = await startExplorer(t, script)
  const mine = through(page.path)
  await until(() => waiting.length === 1)
  const closed = service.running.close()
  await sleep(50)
  release()
  assert.equal(withoutChance(apart(await mine).body), JSON.stringify(page.answer))
  await closed
})

/** a reader alone, over a platform that never answers */
function startReader({ requireRoom = (_who: string) => {}, giveUp = new AbortGroup() }) {
  const asked: string[] = []
  const noted: unknown[] = []
  const get: BoundGet = (read, { signal }) => {
    asked.push(read.target)
    return new Promise((_, no) => signal.addEventListener('abort', () => no(new Problem('upstream_timeout'))))
  }
  const open = { id: 'acme', account: 'a', linkage: false, get } as unknown as Connection
  const cursors = createCursors(new Uint8Array(32), Date.now)
  const steady = () => performance.now()
  const reader = createExplorer({
    cursors,
    giveUp,
    steady,
    lookups: createLookupCaches(() => performance.now()),
    listings: createListingMemories(steady),
    origin: 'http://platform',
    timeoutMs: 60_000,
    answers: createAnswers({ cacheSeconds: 0, cursors, steady }),
    sharedReads: createSharedReads(steady, () => {}),
    connections: { find: async () => open },
    match: createMatcher(routes),
    requireRoom,
    observe: () => {},
    note: (who, { status, operation }) => noted.push([who, status, operation]),
  })
  const exchange = { id: 'req_1', from: 'here', record: beginRecord(), onLeave: () => {} }
  const read = () =>
    reader.read({ connection: 'acme', target: page.path }, { exchange, who: 'operator:1', personal: true })
  return { asked, noted, read: async () => JSON.parse(await read()) }
}

test('a service that has to stop ends a read', async () => {
  const giveUp = new AbortGroup()
  const { read, asked, noted } = startReader({ giveUp })
  const mine = read()
  await until(() => asked.length === 1)
  giveUp.abort(new DOMException('the service stops', 'AbortError'))
  const { status, asked: told } = await mine
  assert.deepEqual([status, told[0].code], [504, 'upstream_timeout'])
  assert.deepEqual(noted, [['operator:1', 504, 'listSubscriptionOfferCodes']])
})

test('F165: while the audit of reads takes no lines, the operator cannot read either', async () => {
  const refuse = (who: string) => {
    assert.equal(who, 'operator:1')
    throw new Problem('store_unavailable')
  }
  const { read, asked } = startReader({ requireRoom: refuse })
  const { status, body } = await read()
  assert.deepEqual([status, body.error.code, asked], [503, 'store_unavailable', []])
})
