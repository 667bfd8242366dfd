import assert from 'node:assert/strict'
import test from 'node:test'
import { copyStore } from '../../src/store/copy.ts'
import { inspectStore } from '../../src/store/inspect.ts'
import { openDatabase, openStore } from '../../src/store/open.ts'
import type { Seals } from '../../../base/core/audit.ts'
import type { Store } from '../../src/store/store.ts'
import { day, fill, guards, now, removeAll, seals } from './pruned-audit.ts'
import { deed, drivers, keyRecord, within } from './records.ts'

const audits = async (location: string, keys: Seals | undefined): Promise<string[]> =>
  (await inspectStore(location, keys)).filter(({ what }) => what === 'audit').map(({ detail }) => detail)

for (const driver of drivers) {
  const promise = (title: string, act: Parameters<typeof within>[1]) => {
    void test(`${driver.name}: ${title}`, { skip: driver.skip }, () => within(driver, act))
  }

  promise(
    'lines past the age limit go, the chain goes on from the anchor, and a line records it',
    async (open, location) => {
      const store = await open()
      await fill(store, 1_300)
      assert.equal(await store.audit.prune({ days: 0, lines: 0 }, now, seals), undefined, 'nothing without a bound')
      assert.equal(await store.audit.prune({ days: 2_000, lines: 0 }, now, seals), undefined)
      const pruned = await store.audit.prune({ days: 100, lines: 0 }, now, seals)
      assert.deepEqual([pruned?.lines, pruned?.through], [1_200, 1_200])
      assert.equal((await store.audit.verify(seals)).brokenAt, undefined, 'before the lines are gone')
      await removeAll(store)
      const { lines, brokenAt, anchor } = await store.audit.verify(seals)
      assert.deepEqual([lines, brokenAt, anchor?.fault, anchor?.through], [101, undefined, undefined, 1_200])
      const [told] = await store.audit.page({ limit: 1 })
      assert.deepEqual(
        [told?.seq, told?.act, told?.details['through'], told?.details['sealedBy']],
        [1_301, 'audit.prune', 1_200, 'm1'],
      )
      assert.equal((await store.audit.page({ limit: 200 })).at(-1)?.seq, 1_201)
      assert.equal((await store.audit.page({ limit: 200, since: 1 })).length, 101)
      assert.deepEqual(await audits(location, seals), [
        'the chain of 101 lines is whole, from line 1201 on; those before were pruned',
      ])
      await store.audit.append([deed('a.c')])
      assert.deepEqual((await store.audit.verify(seals)).lines, 102)
      const again = await store.audit.prune({ days: 50, lines: 0 }, now, seals)
      assert.deepEqual([again?.lines, again?.through], [50, 1_250])
      await removeAll(store)
      assert.equal((await store.audit.verify(seals)).brokenAt, undefined)
    },
  )

  promise('beyond so many lines the oldest go', async (open) => {
    const store = await open()
    await fill(store, 1_100)
    const pruned = await store.audit.prune({ days: 0, lines: 1_000 }, now)
    assert.deepEqual([pruned?.lines, pruned?.through], [200, 200])
    await removeAll(store)
    assert.equal(await store.audit.prune({ days: 0, lines: 1_000 }, now), undefined)
    const { lines, brokenAt, anchor } = await store.audit.verify()
    assert.deepEqual([lines, brokenAt, anchor?.fault, anchor?.sealedBy], [901, undefined, undefined, null])
  })

  promise('of several who prune at once, one does', async (open) => {
    const stores = [await open(), await open(), await open()]
    await fill(stores[0] as Store, 400)
    const done = await Promise.all(stores.map((store) => store.audit.prune({ days: 10, lines: 0 }, now, seals)))
    assert.deepEqual(done.filter(Boolean).length, 1)
    await Promise.all([...stores.map(removeAll), stores[1]?.audit.append([deed('a.c')])])
    const { lines, brokenAt } = (await stores[2]?.audit.verify(seals)) ?? {}
    assert.deepEqual([lines, brokenAt], [12, undefined])
  })

  promise('an edited line is not pruned away', async (open, location) => {
    const store = await open()
    await fill(store, 60)
    const db = await openDatabase(location)
    await db.run(`DROP TRIGGER ${guards[db.driver][0] ?? ''}`)
    await db.run("UPDATE audit SET who = 'x' WHERE seq = 5")
    await db.close()
    await assert.rejects(store.audit.prune({ days: 20, lines: 0 }, now), /line 5 does not follow/)
    assert.equal((await store.audit.verify()).brokenAt, 5)
  })

  promise('a clock that is ahead prunes nothing that is young by the database', async (open) => {
    const store = await open()
    await fill(store, 60)
    // half a day from every line: the hour may change while the tests run
    const pruned = await store.audit.prune({ days: 50.5, lines: 0 }, now + 100 * day)
    assert.equal(pruned?.through, 10)
  })

  promise(
    'a copy begins where its source does, and goes on when the source was pruned meanwhile',
    async (open, location) => {
      const store = await open()
      await store.keys.add(keyRecord('k1'), deed('keys.create', { at: now - 2_000 * day }))
      await fill(store, 900)
      const other = drivers.find(({ name, skip }) => name !== driver.name && skip === false) ?? driver
      for (const days of [500, 300]) {
        await store.audit.prune({ days, lines: 0 }, now, seals)
        const place = await other.place()
        try {
          const { audit } = await copyStore(location, place.location)
          assert.equal(audit.brokenAt, undefined)
          const copied = await openStore(place.location)
          const { lines, brokenAt, anchor } = await copied.audit.verify(seals)
          await copied.close()
          assert.deepEqual(
            [lines, brokenAt, anchor?.fault],
            [(await store.audit.verify(seals)).lines, undefined, undefined],
          )
        } finally {
          await place.remove()
        }
        await removeAll(store)
      }
    },
  )
}
