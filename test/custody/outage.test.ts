// Two servers over one PostgreSQL database, when something is missing: the database, a server, a key that has ended, a
// connection that was removed elsewhere.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openOffice } from '../../src/office.ts'
import { noPostgres } from '../ground/postgres.ts'
import { tester } from '../ground/service.ts'
import { account, makeEstate, makeKey, secret, type Server, settingsOf, walk } from './houses.ts'
import { type Answer, full } from './program.ts'
import { layWire } from './tcp.ts'

const promisedMs = 2_000
/** how long a found record is believed */
const rememberedMs = 500
/** of the clock and of a busy machine */
const slackMs = 150

const rounds = full ? 5 : 1

/** as many at once as the pool has connections, and more */
async function askMany(server: Server, key: string, until: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const one = async () => {
    while (performance.now() < until) {
      answers.push(await server.read(walk('c'), key))
      await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: 12 }, one))
  return answers
}

async function untilServed(server: Server, key: string): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { status, ms } = await server.read(walk('c'), key)
    assert.ok(status === 200 || status === 503, `answered ${status}`)
    assert.ok(ms < promisedMs, `an answer took ${ms} ms`)
    if (status === 200) return performance.now() - begun
    assert.ok(performance.now() - begun < 2 * promisedMs, 'still away')
    await sleep(20)
  }
}

test(
  'F158: a database that is gone or silent is a 503 within two seconds, for its server alone, and missed no longer than it is away',
  { skip: noPostgres },
  async (t) => {
    const estate = await makeEstate(t)
    const wire = await layWire(estate.database)
    estate.later(wire.close)
    const [far, near] = [await estate.start(wire.url), await estate.start()]
    const { key } = await makeKey(near)
    await near.act('POST', '/connections', { id: 'c', ...account })
    const outages = [
      { name: 'cut', begin: wire.cut, end: wire.mend, forMs: 1_200 },
      { name: 'silent', begin: wire.hush, end: wire.heed, forMs: 1_000 },
    ]
    const told: string[] = []
    for (const { name, begin, end, forMs } of outages.flatMap((one) => Array.from({ length: rounds }, () => one))) {
      // so many that the pool holds idle connections, which will be silent too
      const before = await Promise.all(Array.from({ length: 10 }, () => far.read('/readyz', '')))
      for (const { status } of [await far.read(walk('c'), key), ...before]) assert.equal(status, 200)
      await begin()
      const began = performance.now()
      const [answers, here, there, ready] = await Promise.all([
        askMany(far, key, began + forMs),
        askMany(near, key, began + forMs),
        sleep(rememberedMs).then(() => far.act('GET', '/connections')),
        sleep(rememberedMs).then(() => far.read('/readyz', '')),
      ])
      for (const { status, ms } of [there, ready]) assert.ok(status === 503 && ms < promisedMs, `${status} in ${ms} ms`)
      for (const { status, json, ms, sentAt } of answers) {
        assert.ok(ms < promisedMs, `${name}: an answer took ${ms} ms`)
        if (status === 200) assert.ok(sentAt + ms - began < rememberedMs + slackMs, `${name}: served from nowhere`)
        else assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
      }
      assert.ok(
        answers.some(({ status }) => status === 503),
        `${name}: nobody noticed`,
      )
      for (const { status } of here) assert.equal(status, 200)
      await end()
      const backMs = await untilServed(far, key)
      assert.ok(backMs < promisedMs, `${name}: back after ${backMs} ms`)
      told.push(`${name}: ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms, back ${backMs.toFixed(0)} ms`)
    }
    t.diagnostic(`longest answer, and back after: ${told.join('; ')}`)
  },
)

test(
  'a server that is begun again goes on with the walks of before, and the other one does not notice',
  { skip: noPostgres },
  async (t) => {
    const estate = await makeEstate(t)
    const [a, b] = [await estate.start(), await estate.start()]
    const { key } = await makeKey(a)
    await a.act('POST', '/connections', { id: 'c', ...account })
    const begun = (await b.read(walk('c'), key)).json
    const next = `${walk('c')}&cursor=${begun.nextCursor}`
    const over = new AbortController()
    const statuses: number[] = []
    const reader = async () => {
      while (!over.signal.aborted) statuses.push((await a.read(walk('c'), key)).status)
    }
    const reading = reader()
    const { items } = (await b.read(next, key)).json
    await b.close()
    const again = await estate.start()
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
  'a key that is handed over works beside its successor, and on no server longer than the overlap',
  { skip: noPostgres },
  async (t) => {
    const estate = await makeEstate(t)
    const [a, b] = [await estate.start(), await estate.start()]
    await a.act('POST', '/connections', { id: 'c', ...account })
    const statuses = async (key: string) => [
      (await a.read(walk('c'), key)).status,
      (await b.read(walk('c'), key)).status,
    ]
    const old = await makeKey(a)
    assert.deepEqual(await statuses(old.key), [200, 200])
    const overlapMs = 1_000
    const began = performance.now()
    const { key: successor } = await a.house.keys.reroll(old.id, overlapMs, tester)
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
    while ((await b.read(walk('c'), successor)).status === 200) assert.ok(performance.now() - done < promisedMs / 2)
    assert.deepEqual(
      [await statuses(successor), await statuses(last)],
      [
        [401, 401],
        [200, 200],
      ],
    )
  },
)

test('what one server removes, the other lets go of without being asked', { skip: noPostgres }, async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const estate = await makeEstate(t)
  const open = async () => {
    const options = { folder: '/', secrets: { masterKeys: secret }, observe: () => {}, now: Date.now }
    const office = await openOffice(settingsOf(estate.database, estate.platform), options)
    estate.later(office.close)
    return office
  }
  const [a, b] = [await open(), await open()]
  for (const id of ['gone', 'replaced', 'kept']) await a.desk.add({ id, ...account, check: false }, tester)
  // the connection holds its opened key, and nothing else does
  const held = async (id: string) => new WeakRef((await b.connections.find(id)) as object)
  const refs = { gone: await held('gone'), replaced: await held('replaced'), kept: await held('kept') }
  await a.desk.remove('gone', tester)
  await a.desk.replace('replaced', { ...account, check: false }, tester)
  const began = performance.now()
  while (refs.gone.deref() !== undefined || refs.replaced.deref() !== undefined) {
    assert.ok(performance.now() - began < promisedMs, 'still held')
    await sleep(50)
    collect()
  }
  assert.notEqual(refs.kept.deref(), undefined)
  t.diagnostic(`let go of after ${(performance.now() - began).toFixed(0)} ms`)
})
