// Replicas over a database that they may only read still know how many they are.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Event } from '../../src/events.ts'
import { openPresence } from '../../../base/redis/presence.ts'
import { createSharedRates } from '../../src/replicas/shared-rates.ts'
import { openStore } from '../../src/store/open.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres
const everyMs = 50

async function startScene(t: TestContext) {
  const database = await freshDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const writing = new URL(database.url)
  writing.searchParams.set('options', '-c default_transaction_read_only=off')
  // creates the schema
  await (await openStore(database.url)).close()
  const ends: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const end of ends) await end()
    await database.drop()
  })
  return {
    ask: (text: string) => askPostgres(writing.href, text),
    setReadOnly: (to: 'on' | 'off') =>
      askPostgres(writing.href, `ALTER DATABASE ${name} SET default_transaction_read_only = ${to}`),
    endSessions: () =>
      askPostgres(
        writing.href,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      ),
    async start(url = database.url) {
      const events: Event[] = []
      const store = await openStore(url)
      const observe = (event: Event) => void events.push(event)
      const presence = await openPresence({ records: store.replicas, everyMs, observe })
      let isOver = false
      const end = async () => {
        if (isOver) return
        isOver = true
        await presence.close()
        await store.close()
      }
      ends.push(end)
      const rates = createSharedRates({ standard: 0, redis: undefined, replicas: presence.count })
      return { presence, events, rates, end }
    },
    readonlyUrl: (() => {
      const url = new URL(database.url)
      url.searchParams.set('options', '-c default_transaction_read_only=on')
      return url.href
    })(),
  }
}

type Replica = Awaited<ReturnType<Awaited<ReturnType<typeof startScene>>['start']>>

async function admitted(all: readonly Replica[]): Promise<number> {
  let sum = 0
  for (let n = 0; n < 80; n++)
    for (const { rates } of all) if ((await rates.take({ id: 'key', perMinute: 60 }))?.allowed) sum++
  return sum
}

const counts = (all: readonly Replica[], count: number) =>
  until(() => all.every(({ presence }) => presence.count() === count))

test(
  'replicas that start over a read-only database share a limit, and report how they are counted',
  {
    skip,
  },
  async (t) => {
    const scene = await startScene(t)
    await scene.setReadOnly('on')
    const all = [await scene.start(), await scene.start(), await scene.start()]
    await counts(all, 3)
    assert.equal(await admitted(all), 60)
    for (const { presence, events } of all) {
      assert.equal(presence.countedBy(), 'sessions')
      assert.equal(events.filter(({ kind }) => kind === 'replicas_uncounted').length, 1)
    }
    assert.deepEqual(await scene.ask('SELECT id FROM replicas'), [])
    await all[2]?.end()
    await counts(all.slice(0, 2), 2)

    await scene.setReadOnly('off')
    await scene.endSessions()
    await until(() => all.slice(0, 2).every(({ presence }) => presence.countedBy() === 'rows'))
    await counts(all.slice(0, 2), 2)
    assert.equal((await scene.ask('SELECT id FROM replicas')).length, 2)
  },
)

test('replicas with and without write access count each other', { skip }, async (t) => {
  const scene = await startScene(t)
  const all = [
    await scene.start(),
    await scene.start(),
    await scene.start(scene.readonlyUrl),
    await scene.start(scene.readonlyUrl),
  ]
  await counts(all, 4)
  assert.deepEqual(
    all.map(({ presence }) => presence.countedBy()),
    ['rows', 'rows', 'sessions', 'sessions'],
  )
  assert.equal(await admitted(all), 60)
})

test('replicas that start where their table cannot be reached are counted', { skip }, async (t) => {
  const scene = await startScene(t)
  await scene.ask('ALTER TABLE replicas RENAME TO elsewhere')
  const all = [await scene.start(), await scene.start()]
  await counts(all, 2)
  assert.equal(await admitted(all), 60)
})

test(
  'clocks of replicas do not matter, and one with a silent session is not counted',
  {
    skip,
  },
  async (t) => {
    const scene = await startScene(t)
    await scene.setReadOnly('on')
    const silent = await scene.start()
    await silent.presence.close()
    const other = await scene.start()
    await counts([other], 2)
    // ten seconds pass for that session: it stays open and sends nothing
    await until(() => other.presence.count() === 1, 15_000)
  },
)

test('replicas that were never counted take a small share, and report that', async () => {
  const gone = () => Promise.reject(new Error('gone'))
  let count: () => Promise<number> = gone
  const records = { beat: gone, count: gone, leave: gone, show: () => count() }
  const events: Event[] = []
  const presence = await openPresence({ records, everyMs: 5, observe: (event) => void events.push(event) })
  assert.deepEqual([presence.count(), presence.countedBy()], [10, 'assumed'])
  assert.deepEqual(events, [{ kind: 'replicas_uncounted', countedBy: 'assumed', count: 10 }])
  count = async () => 2
  await until(() => presence.count() === 2)
  assert.equal(presence.countedBy(), 'sessions')
  count = gone
  await new Promise((ok) => setTimeout(ok, 50))
  assert.equal(presence.count(), 2)
  await presence.close()
})
