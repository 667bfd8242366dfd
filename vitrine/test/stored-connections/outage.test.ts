// Two servers over one PostgreSQL database during failures: the database, a server, an expired key, or a connection that the
// other server removed.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openCore } from '../../src/core/core.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { tester } from '../support/service.ts'
import { account, makeScene, makeKey, secret, type Server, settingsOf, listPath } from './services.ts'
import { type Answer, full } from './program.ts'
import { startDatabaseProxy } from './database-proxy.ts'

const promisedMs = 2_000
/** how long a record is cached */
const cachedMs = 500
/** tolerance for the clock and a busy machine */
const slackMs = 150

const rounds = full ? 5 : 1

/** more concurrent requests than the pool has connections */
async function askMany(server: Server, key: string, until: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const one = async () => {
    while (performance.now() < until) {
      answers.push(await server.read(listPath('c'), key))
      await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: 12 }, one))
  return answers
}

async function untilServed(server: Server, key: string): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { status, ms } = await server.read(listPath('c'), key)
    assert.ok(status === 200 || status === 503, `answered ${status}`)
    assert.ok(ms < promisedMs, `an answer took ${ms} ms`)
    if (status === 200) return performance.now() - begun
    assert.ok(performance.now() - begun < 2 * promisedMs, 'still away')
    await sleep(20)
  }
}

test(
  'F158: a missing or silent database gives 503 within two seconds, on its own replica only, until it returns',
  { skip: noPostgres },
  async (t) => {
    const scene = await makeScene(t)
    const proxy = await startDatabaseProxy(scene.database)
    scene.later(proxy.close)
    const [proxied, direct] = [await scene.start(proxy.url), await scene.start()]
    const { key } = await makeKey(direct)
    await direct.act('POST', '/connections', { id: 'c', ...account })
    const outages = [
      { name: 'cut', begin: proxy.cut, end: proxy.mend, forMs: 1_200 },
      { name: 'silent', begin: proxy.silence, end: proxy.unsilence, forMs: 1_000 },
    ]
    const lines: string[] = []
    for (const { name, begin, end, forMs } of outages.flatMap((one) => Array.from({ length: rounds }, () => one))) {
      // enough to make the pool keep idle connections, which fall silent too
      const before = await Promise.all(Array.from({ length: 10 }, () => proxied.read('/readyz', '')))
      for (const { status } of [await proxied.read(listPath('c'), key), ...before]) assert.equal(status, 200)
      await begin()
      const began = performance.now()
      const [answers, here, there, ready] = await Promise.all([
        askMany(proxied, key, began + forMs),
        askMany(direct, key, began + forMs),
        sleep(cachedMs).then(() => proxied.act('GET', '/connections')),
        sleep(cachedMs).then(() => proxied.read('/readyz', '')),
      ])
      for (const { status, ms } of [there, ready]) assert.ok(status === 503 && ms < promisedMs, `${status} in ${ms} ms`)
      for (const { status, json, ms, sentAt } of answers) {
        assert.ok(ms < promisedMs, `${name}: an answer took ${ms} ms`)
        if (status === 200) assert.ok(sentAt + ms - began < cachedMs + slackMs, `${name}: served from nowhere`)
        else assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
      }
      assert.ok(
        answers.some(({ status }) => status === 503),
        `${name}: the service did not notice`,
      )
      for (const { status } of here) assert.equal(status, 200)
      await end()
      const backMs = await untilServed(proxied, key)
      assert.ok(backMs < promisedMs, `${name}: back after ${backMs} ms`)
      lines.push(`${name}: ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms, back ${backMs.toFixed(0)} ms`)
    }
    t.diagnostic(`longest answer, and back after: ${lines.join('; ')}`)
  },
)

test(
  'paging continues after a replica restarts, and the other replica is unaffected',
  { skip: noPostgres },
  async (t) => {
    const scene = await makeScene(t)
    const [a, b] = [await scene.start(), await scene.start()]
    const { key } = await makeKey(a)
    await a.act('POST', '/connections', { id: 'c', ...account })
    const begun = (await b.read(listPath('c'), key)).json
    const next = `${listPath('c')}&cursor=${begun.nextCursor}`
    const over = new AbortController()
    const statuses: number[] = []
    const reader = async () => {
      while (!over.signal.aborted) statuses.push((await a.read(listPath('c'), key)).status)
    }
    const reading = reader()
    const { items } = (await b.read(next, key)).json
    await b.close()
    const again = await scene.start()
    const [there, here] = [await again.read(next, key), await a.read(next, key)]
    over.abort()
    await reading
    assert.deepEqual([there.status, there.json.items, here.json.items], [200, items, items])
    assert.notDeepEqual(items, begun.items)
    assert.ok(statuses.length > 10)
    assert.deepEqual(new Set(statuses), new Set([200]))
  },
)

test(
  'a rerolled key works beside its successor, and on no replica longer than the overlap',
  { skip: noPostgres },
  async (t) => {
    const scene = await makeScene(t)
    const [a, b] = [await scene.start(), await scene.start()]
    await a.act('POST', '/connections', { id: 'c', ...account })
    const statuses = async (key: string) => [
      (await a.read(listPath('c'), key)).status,
      (await b.read(listPath('c'), key)).status,
    ]
    const old = await makeKey(a)
    assert.deepEqual(await statuses(old.key), [200, 200])
    const overlapMs = 1_000
    const began = performance.now()
    const { key: successor } = await a.running.keys.reroll(old.id, overlapMs, tester)
    assert.deepEqual(
      [await statuses(old.key), await statuses(successor)],
      [
        [200, 200],
        [200, 200],
      ],
    )
    while (performance.now() - began < overlapMs - slackMs) {
      assert.deepEqual(await statuses(old.key), [200, 200])
      await sleep(50)
    }
    await sleep(2 * slackMs)
    assert.deepEqual(
      [await statuses(old.key), await statuses(successor)],
      [
        [401, 401],
        [200, 200],
      ],
    )

    const { key: last } = (await a.act('POST', `/keys/${successor.split('_')[2]}/reroll`, { overlap: '0' })).json
    const done = performance.now()
    while ((await b.read(listPath('c'), successor)).status === 200) assert.ok(performance.now() - done < promisedMs / 2)
    assert.deepEqual(
      [await statuses(successor), await statuses(last)],
      [
        [401, 401],
        [200, 200],
      ],
    )
  },
)

test('what one replica removes, the other drops without a request', { skip: noPostgres }, async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const scene = await makeScene(t)
  const open = async () => {
    const options = { folder: '/', secrets: { masterKeys: secret }, observe: () => {}, now: Date.now }
    const core = await openCore(settingsOf(scene.database, scene.platform), options)
    scene.later(core.close)
    return core
  }
  const [a, b] = [await open(), await open()]
  for (const id of ['gone', 'replaced', 'kept']) await a.connectionAdmin.add({ id, ...account, check: false }, tester)
  // only the connection refers to its decrypted key
  const refTo = async (id: string) => new WeakRef((await b.connections.find(id)) as object)
  const refs = { gone: await refTo('gone'), replaced: await refTo('replaced'), kept: await refTo('kept') }
  await a.connectionAdmin.remove('gone', tester)
  await a.connectionAdmin.replace('replaced', { ...account, check: false }, tester)
  const began = performance.now()
  while (refs.gone.deref() !== undefined || refs.replaced.deref() !== undefined) {
    assert.ok(performance.now() - began < promisedMs, 'still held')
    await sleep(50)
    collect()
  }
  assert.notEqual(refs.kept.deref(), undefined)
  t.diagnostic(`let go of after ${(performance.now() - began).toFixed(0)} ms`)
})
