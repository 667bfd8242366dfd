// The hours of the last week: how they are counted, added over replicas and restarts, kept and read.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { keepHours } from '../../src/history/hour-keeper.ts'
import { hourMs, hoursKept } from '../../src/history/hours.ts'
import { readSums } from '../../src/history/hour-sums.ts'
import { usageOf } from '../../src/management/usage.ts'
import type { HourRecords } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { drivers, within } from '../store/records.ts'
import { answered, called, type Held, holdHistory, noon } from './history-scene.ts'

const firstHour = noon / hourMs

/** a replica over a store, whose minutes the test ends */
function openReplica(
  t: TestContext,
  records: HourRecords,
  at = noon,
): Held & { readonly keeper: ReturnType<typeof keepHours> } {
  const held = holdHistory()
  held.at = at
  const keeper = keepHours(records, held.history.hours)
  t.after(() => keeper.close())
  return Object.assign(held, { keeper })
}

async function dayOf({ keeper }: { keeper: ReturnType<typeof keepHours> }) {
  return usageOf(await keeper.since(keeper.hour() - 23), keeper.hour(), '24h')
}

const withoutStore: HourRecords = {
  add: () => Promise.reject(new Error('the store is away')),
  since: async () => [],
}

for (const driver of drivers) {
  const withStore = (title: string, check: (t: TestContext, store: Store) => Promise<void>) =>
    test(`${driver.name}: ${title}`, { skip: driver.skip }, (t) =>
      within(driver, async (open) => check(t, await open())),
    )

  void withStore('replicas add to one row of each hour, and a restart goes on with it', async (t, store) => {
    const [one, two] = [openReplica(t, store.hours), openReplica(t, store.hours)]
    one.tell(answered(), answered({ status: 502, code: 'upstream_failed' }), called())
    two.tell(answered({ operation: 'whoami' }), called({ code: 'upstream_failed' }))
    await Promise.all([one.keeper.save(), two.keeper.save()])
    one.tell(answered())
    await one.keeper.close()
    const next = openReplica(t, store.hours)
    next.tell(answered())
    for (const replica of [next, two]) {
      if (replica === two) await next.keeper.save()
      const { requests, platform, latencyMs, operations } = await dayOf(replica)
      assert.deepEqual([requests.ok.at(-1), requests.upstream.at(-1)], [4, 1])
      assert.deepEqual([platform.ok.at(-1), platform.failed.at(-1)], [1, 1])
      assert.ok(Math.abs((latencyMs.p50.at(-1) ?? 0) - 20) < 2)
      assert.deepEqual(operations, [
        { operation: 'listApps', requests: 4, errors: 1 },
        { operation: 'whoami', requests: 1, errors: 0 },
      ])
    }
    assert.equal((await store.hours.since(0)).length, 1)
  })

  void withStore('an hour without a service is not known, and one without requests is 0', async (t, store) => {
    const replica = openReplica(t, store.hours)
    replica.tell(answered())
    await replica.keeper.close()
    const later = openReplica(t, store.hours, noon + 3 * hourMs)
    await later.keeper.save()
    later.at += hourMs
    const { requests, latencyMs, hours } = await dayOf(later)
    assert.deepEqual(requests.ok.slice(-6), [null, 1, null, null, 0, 0])
    assert.deepEqual(latencyMs.p99.slice(-2), [null, null])
    assert.equal(hours.at(-5), new Date(noon).toISOString())
  })

  void withStore('seven days are kept, and no more', async (t, store) => {
    const replica = openReplica(t, store.hours)
    for (let i = 0; i < hoursKept + 30; i += 1) {
      replica.tell(answered())
      await replica.keeper.save()
      replica.at += hourMs
    }
    await replica.keeper.save()
    const rows = await store.hours.since(0)
    assert.equal(rows.length, hoursKept)
    assert.ok(rows.every(({ sums }) => sums.length < 500))
    const week = usageOf(await replica.keeper.since(0), replica.keeper.hour(), '7d')
    assert.equal(week.requests.ok.length, hoursKept)
    assert.equal(
      week.requests.ok.reduce((sum: number, one) => sum + (one ?? 0), 0),
      hoursKept - 1,
    )
  })

  void withStore('a row that cannot be read is an unknown hour, and the next sums replace it', async (t, store) => {
    const replica = openReplica(t, store.hours)
    for (const text of ['', '[]', '{"requests":[1]}', '{"requests":[0,0,0,0,0,-1]}']) {
      await store.hours.add(new Map([[firstHour - 1, text]]), (_, more) => more, 0)
      assert.equal((await dayOf(replica)).requests.ok.at(-2), null, text)
    }
    await store.hours.add(new Map([[firstHour, 'no']]), (_, more) => more, 0)
    replica.tell(answered())
    await replica.keeper.save()
    assert.equal((await dayOf(replica)).requests.ok.at(-1), 1)
  })
}

test('while the store is away sums wait, are read from memory, and are added once', async (t) => {
  const rows = new Map<number, string>()
  let isAway = true
  const records: HourRecords = {
    async add(hours, merge) {
      if (isAway) throw new Error('the store is away')
      for (const [hour, more] of hours) rows.set(hour, merge(rows.get(hour), more))
    },
    since: async () => [...rows].map(([hour, sums]) => ({ hour, sums })),
  }
  const replica = openReplica(t, records)
  replica.tell(answered())
  await replica.keeper.save()
  replica.at += hourMs
  replica.tell(answered(), answered())
  await replica.keeper.save()
  assert.deepEqual((await dayOf(replica)).requests.ok.slice(-3), [null, 1, 2])
  isAway = false
  await replica.keeper.save()
  await replica.keeper.save()
  assert.deepEqual((await dayOf(replica)).requests.ok.slice(-3), [null, 1, 2])
  assert.deepEqual(
    [...rows.values()].map((text) => readSums(text)?.requests[0]),
    [1, 2],
  )
})

test('what waits for a store is bounded by seven days', async (t) => {
  const replica = openReplica(t, withoutStore)
  for (let i = 0; i < 2 * hoursKept; i += 1) {
    replica.tell(answered())
    await replica.keeper.save()
    replica.at += hourMs
  }
  assert.ok(replica.history.hours.take().size <= hoursKept + 1)
})
