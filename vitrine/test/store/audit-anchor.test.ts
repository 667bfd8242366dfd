import assert from 'node:assert/strict'
import test from 'node:test'
import { openDatabase } from '../../src/store/open.ts'
import type { Seals } from '../../../base/core/audit.ts'
import { fill, now, removeAll, seals, sealsWith, unguard } from './pruned-audit.ts'
import { drivers, within } from './records.ts'

for (const driver of drivers) {
  const promise = (title: string, act: Parameters<typeof within>[1]) => {
    void test(`${driver.name}: ${title}`, { skip: driver.skip }, () => within(driver, act))
  }

  promise('the database lets nothing go but what a line and the anchor say', async (open, location) => {
    const store = await open()
    await fill(store, 40)
    const db = await openDatabase(location)
    const columns = 'id, through, hash, from_at, to_at, pruned_at, line, line_hash, sealed_by, seal'
    const forged = (through: number) =>
      `INSERT INTO audit_anchor (${columns}) SELECT 1, seq, hash, 1, 1, 1, 40, '${'0'.repeat(64)}', '', ${db.driver === 'sqlite' ? 'zeroblob(32)' : "decode(repeat('00', 32), 'hex')"} FROM audit WHERE seq = ${through}`
    const refused = (text: string) => assert.rejects(() => db.run(text), { code: 'store_unavailable' }, text)
    await refused('DELETE FROM audit WHERE seq = 1')
    await refused(forged(20))
    await store.audit.prune({ days: 20, lines: 0 }, now)
    await refused('DELETE FROM audit WHERE seq = 21')
    await removeAll(store)
    for (const text of [
      'DELETE FROM audit WHERE seq = 21',
      'DELETE FROM audit_anchor',
      'UPDATE audit_anchor SET through = 30',
      'UPDATE audit_anchor SET through = 10',
      'UPDATE audit_anchor SET pruned_at = 5',
      'UPDATE audit SET act = act',
      `INSERT INTO audit SELECT 3, at, who, origin, request_id, act, target, outcome, details, hash FROM audit WHERE seq = 25`,
      ...(db.driver === 'sqlite'
        ? [forged(25).replace('INSERT', 'INSERT OR REPLACE')]
        : ['TRUNCATE audit', 'TRUNCATE audit_anchor']),
    ])
      await refused(text)
    await db.close()
    assert.deepEqual((await store.audit.verify()).lines, 21)
  })

  promise('an anchor that was removed, edited, moved or set back is found', async (open, location) => {
    const store = await open()
    await fill(store, 60)
    const db = await openDatabase(location)
    await store.audit.prune({ days: 50, lines: 0 }, now, seals)
    await removeAll(store)
    const early = (await db.one('SELECT * FROM audit_anchor')) ?? {}
    await store.audit.prune({ days: 40, lines: 0 }, now, seals)
    await removeAll(store)
    const kept = (await db.one('SELECT * FROM audit_anchor')) ?? {}
    await unguard(db)
    const names = Object.keys(kept)
    const put = async (row: typeof kept) => {
      await db.run('DELETE FROM audit_anchor')
      await db.run(
        `INSERT INTO audit_anchor (${names.join()}) VALUES (${names.map(() => '?').join()})`,
        names.map((name) => row[name] ?? null),
      )
    }
    const found = async (keys: Seals | undefined = seals) => {
      const { brokenAt, anchor } = await store.audit.verify(keys)
      return [brokenAt, anchor?.fault]
    }
    assert.deepEqual(await found(), [undefined, undefined])
    await db.run('DELETE FROM audit_anchor')
    assert.deepEqual(await found(), [21, undefined], 'removed')
    if (db.driver === 'postgres') await put(kept)
    else {
      await db.run('DROP TRIGGER audit_anchor_insert')
      await put(kept)
    }
    assert.deepEqual(await found(), [undefined, undefined])
    await put(early)
    assert.equal((await found())[0], 21, 'set back')
    const changed = 'the seal of the anchor does not fit: the anchor was changed'
    await put({ ...kept, to_at: 7 })
    assert.deepEqual(await found(), [undefined, changed])
    // moved forward from where it was sealed, and the lines in between removed
    const line = (await db.one('SELECT * FROM audit WHERE seq = 30')) ?? {}
    await put({ ...kept, through: 30, hash: line['hash'] ?? null })
    await db.run('DELETE FROM audit WHERE seq <= 30')
    assert.deepEqual(await found(), [undefined, changed])
    await put(kept)
    assert.equal((await found())[0], 31, 'more was removed than was pruned')
  })

  promise('the audit is not cut back to before its last pruning', async (open, location) => {
    const store = await open()
    await fill(store, 60)
    await store.audit.prune({ days: 50, lines: 0 }, now, seals)
    await removeAll(store)
    const db = await openDatabase(location)
    await unguard(db)
    await db.run('DELETE FROM audit WHERE seq > 55')
    const { brokenAt, anchor } = await store.audit.verify(seals)
    assert.deepEqual(
      [brokenAt, anchor?.fault],
      [undefined, 'line 61, which tells of the pruning, is not there, or is another one'],
    )
    await db.close()
  })

  promise('with a master key, an anchor without one is rejected until the vault is rotated', async (open) => {
    const store = await open()
    await fill(store, 60)
    await store.audit.prune({ days: 50, lines: 0 }, now)
    assert.equal((await store.audit.verify()).anchor?.fault, undefined)
    assert.match((await store.audit.verify(seals)).anchor?.fault ?? '', /^the anchor is sealed without a master key/)
    await assert.rejects(store.audit.prune({ days: 40, lines: 0 }, now, seals), /sealed without a master key/)
    assert.equal(await store.audit.reseal(seals), undefined)
    assert.equal((await store.audit.verify(seals)).anchor?.fault, undefined)
    assert.match(
      (await store.audit.verify()).anchor?.fault ?? '',
      /sealed with the master key "m1", which is not given/,
    )
    const both = sealsWith({ m2: 'two', m1: 'one' })
    assert.equal(await store.audit.reseal(both), undefined)
    assert.equal((await store.audit.verify(sealsWith({ m2: 'two' }))).anchor?.fault, undefined)
    assert.match((await store.audit.verify(sealsWith({ m2: 'other' }))).anchor?.fault ?? '', /does not fit/)
  })
}
