// What any driver keeps, long because it is one suite: a real file, and a real PostgreSQL server.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { KeyRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { createAuditRows } from '../../../base/store/audit-rows.ts'
import { openDatabase } from '../../src/store/open.ts'
import { connectionRecord, deed, type Driver, drivers, keyRecord, within } from './records.ts'

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? [...one] : one)))

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const refused = { code: 'store_unavailable' }

/** something that no line of the audit can hold, so that its write fails after the change was made */
const unwritable = deed('keys.create', { at: 1.5 })

function keepsItsPromises(driver: Driver) {
  const promise = (title: string, act: (open: () => Promise<Store>, location: string) => Promise<void>) =>
    void test(`${driver.name}: ${title}`, { skip: driver.skip }, () => within(driver, act))

  promise('a key comes back as it was added, after a restart too', async (open) => {
    const whole = keyRecord('k1', {
      perMinute: 9,
      expiresAt: 2 ** 45,
      createdAt: 2 ** 44,
      note: 'a "note"\n2',
      replaces: 'k0',
      lastUsedAt: 3,
    })
    const first = await open()
    await first.keys.add(whole, deed('keys.create'))
    await first.close()
    const second = await open()
    const found = await second.keys.find('k1')
    assert.deepEqual(plain(found), plain(whole))
    assert.equal(found?.digest.constructor, Uint8Array)
    assert.equal(await second.keys.find('K1'), undefined)
  })

  promise('keys are listed oldest first, and paged by id in the order of bytes', async (open) => {
    const store = await open()
    const all = [
      ['c', 3],
      ['Z', 4],
      ['a', 1],
      ['b', 2],
      ['_', 4],
    ] as const
    for (const [id, createdAt] of all) await store.keys.add(keyRecord(id, { createdAt }), deed('keys.create'))
    assert.deepEqual(ids(await store.keys.list()), ['a', 'b', 'c', 'Z', '_'])
    assert.deepEqual(ids(await store.keys.page({ after: '', limit: 3 })), ['Z', '_', 'a'])
    assert.deepEqual(ids(await store.keys.page({ after: 'a', limit: 3 })), ['b', 'c'])
  })

  promise('active keys that end within a time are counted', async (open) => {
    const store = await open()
    for (const [id, expiresAt, revokedAt] of [
      ['over', 100, null],
      ['soon', 101, null],
      ['later', 200, null],
      ['far', 201, null],
      ['never', null, null],
      ['revoked', 150, 90],
    ] as const)
      await store.keys.add(keyRecord(id, { expiresAt, revokedAt }), deed('keys.create'))
    assert.equal(await store.keys.ending(100, 200), 2)
    assert.equal(await store.keys.ending(300, 400), 0)
  })

  promise('the accounts of an older key are decided once, and waiting ones later', async (open) => {
    const store = await open()
    const undecided = async () => ids(await store.keys.undecided({ after: '', limit: 10 }))
    const accountsOf = async (id: string) => [...((await store.keys.latest(id))?.accounts ?? [])]
    await store.keys.add(keyRecord('new'), deed('keys.create'))
    const waiting = keyRecord('old', { accounts: new Map([['a', null]]) })
    await store.keys.add(waiting, deed('keys.create'))
    assert.deepEqual(await undecided(), ['old'])
    const first = new Map([
      ['a', 'e1'],
      ['b', null],
    ])
    await store.keys.decide([{ before: waiting, accounts: first }])
    assert.deepEqual([await accountsOf('old'), await undecided()], [[...first], ['old']])
    // another server was first
    await store.keys.decide([{ before: waiting, accounts: new Map([['a', 'e2']]) }])
    assert.deepEqual(await accountsOf('old'), [...first])
    const last = new Map([
      ['a', 'e1'],
      ['b', ''],
    ])
    await store.keys.decide([{ before: { ...waiting, accounts: first }, accounts: last }])
    assert.deepEqual([await accountsOf('old'), await undecided()], [[...last], []])
  })

  promise(
    'a key is revoked once, the moment stays, no caller finds it, and only what was done is in the audit',
    async (open) => {
      const store = await open()
      await store.keys.add(keyRecord('k1'), deed('keys.create'))
      const revoke = (id: string, at: number) => store.keys.revoke(id, at, deed('keys.revoke', { target: id }))
      assert.deepEqual([await revoke('k1', 5), await revoke('k1', 6), await revoke('k2', 5)], [true, false, false])
      assert.equal((await store.keys.latest('k1'))?.revokedAt, 5)
      assert.equal(await store.keys.find('k1'), undefined)
      assert.equal(await store.audit.head(), 2)
    },
  )

  promise('a service is counted once, until it stops', async (open) => {
    const { replicas } = await open()
    assert.equal(await replicas.count(), 0)
    assert.deepEqual([await replicas.beat('a'), await replicas.beat('b'), await replicas.beat('a')], [1, 2, 2])
    await replicas.leave('a')
    await replicas.leave('nobody')
    assert.equal(await replicas.count(), 1)
  })

  promise('an id is taken once', async (open) => {
    const store = await open()
    await store.keys.add(keyRecord('k1'), deed('keys.create'))
    await assert.rejects(() => store.keys.add(keyRecord('k1', { name: 'other' }), deed('keys.create')), refused)
    assert.equal((await store.keys.list()).length, 1)
    assert.equal(await store.connections.add(connectionRecord('c1'), deed('connections.create')), true)
    assert.equal(
      await store.connections.add(connectionRecord('c1', { epoch: 'e2' }), deed('connections.create')),
      false,
    )
    assert.equal((await store.connections.find('c1'))?.epoch, 'e1')
    assert.equal(await store.audit.head(), 2)
  })

  promise('a successor is added with the end of the key before it, and only where that one is live', async (open) => {
    const store = await open()
    const add = (id: string, more: Partial<KeyRecord> = {}) => store.keys.add(keyRecord(id, more), deed('keys.create'))
    await add('live')
    await add('soon', { expiresAt: 150 })
    await add('ended', { expiresAt: 100 })
    await add('revoked', { revokedAt: 1 })
    const succeed = (id: string) =>
      store.keys.succeed(id, { at: 100, endsAt: 200 }, keyRecord(`${id}2`, { replaces: id }), deed('keys.rotate'))
    const done = [await succeed('live'), await succeed('soon'), await succeed('ended'), await succeed('revoked')]
    assert.deepEqual([...done, await succeed('none')], [true, true, false, false, false])
    assert.deepEqual(
      (await store.keys.page({ after: '', limit: 9 })).map(({ id, expiresAt, replaces }) => [id, expiresAt, replaces]),
      [
        ['ended', 100, null],
        ['live', 200, null],
        ['live2', null, 'live'],
        ['revoked', null, null],
        ['soon', 150, null],
        ['soon2', null, 'soon'],
      ],
    )
    // the id of the successor is taken: the old key goes on as before
    await assert.rejects(
      () => store.keys.succeed('live2', { at: 1, endsAt: 2 }, keyRecord('soon'), deed('x.y')),
      refused,
    )
    assert.equal((await store.keys.find('live2'))?.expiresAt, null)
    assert.equal(await store.audit.head(), 6)
  })

  promise('a change whose line cannot be written is not made', async (open) => {
    const store = await open()
    await store.keys.add(keyRecord('k1'), deed('keys.create'))
    await store.connections.add(connectionRecord('c1'), deed('connections.create'))
    const before = plain([await store.keys.list(), await store.connections.page({ after: '', limit: 9 })])
    const next = connectionRecord('c1', { version: 2 })
    for (const act of [
      () => store.keys.add(keyRecord('k2'), unwritable),
      () => store.keys.revoke('k1', 5, unwritable),
      () => store.keys.succeed('k1', { at: 1, endsAt: 2 }, keyRecord('k2'), unwritable),
      () => store.connections.add(connectionRecord('c2'), unwritable),
      () => store.connections.replace(next, { epoch: 'e1', version: 1 }, unwritable),
      () => store.connections.remove('c1', { epoch: 'e1', version: 1 }, unwritable),
      () => store.audit.append([deed('x.y'), unwritable]),
    ])
      await assert.rejects(act, refused)
    assert.deepEqual(plain([await store.keys.list(), await store.connections.page({ after: '', limit: 9 })]), before)
    assert.deepEqual(await store.audit.verify(), { lines: 2, brokenAt: undefined })
    assert.equal(await store.keys.revoke('k1', 5, deed('keys.revoke')), true)
  })

  promise('a connection comes back as it was added, and is replaced only over what was seen', async (open) => {
    const store = await open()
    const first = connectionRecord('c1', {
      linkage: 'asked',
      tokenScope: 'request',
      issuerId: null,
      createdAt: 2 ** 44,
    })
    await store.connections.add(first, deed('connections.create'))
    assert.deepEqual(plain(await store.connections.find('c1')), plain(first))
    const next = { ...first, version: 2, keyId: 'NEXT', sealed: new Uint8Array([5]), replacedAt: 7 }
    const replace = (epoch: string, version: number) =>
      store.connections.replace(next, { epoch, version }, deed('connections.replace'))
    assert.deepEqual(
      [await replace('e2', 1), await replace('e1', 2), await replace('e1', 1), await replace('e1', 1)],
      [false, false, true, false],
    )
    assert.deepEqual(plain(await store.connections.find('c1')), plain(next))
    assert.deepEqual([...(await store.connections.stamps(['c1', 'c9']))], [['c1', { epoch: 'e1', version: 2 }]])
    const remove = (before: { epoch: string; version: number }) =>
      store.connections.remove('c1', before, deed('connections.remove'))
    assert.deepEqual(
      [await remove({ epoch: 'e1', version: 1 }), await remove({ epoch: 'e2', version: 2 })],
      [false, false],
      'another one of this name stays',
    )
    assert.deepEqual(await store.connections.present(['c0', 'c1']), ['c1'])
    await store.connections.add({ ...next, id: 'c0' }, deed('connections.create'))
    assert.deepEqual(await store.connections.withFingerprint(next.fingerprint), ['c0', 'c1'])
    assert.deepEqual(await store.connections.withFingerprint('e'.repeat(64)), [])
    assert.equal(await remove({ epoch: 'e1', version: 2 }), true)
    assert.equal(await remove({ epoch: 'e1', version: 2 }), false)
    assert.equal(await store.connections.find('c1'), undefined)
    assert.equal(await store.audit.head(), 4)
  })

  promise('data keys go under another master key, each only over what was seen', async (open) => {
    const { connections } = await open()
    for (const id of ['a', 'b', 'c', 'd']) await connections.add(connectionRecord(id), deed('connections.create'))
    const from = connectionRecord('').wrapped
    const change = (id: string, wrapped: number) => ({ id, from, masterKey: 'm2', wrapped: new Uint8Array([wrapped]) })
    const stale = { ...change('c', 3), from: new Uint8Array([4]) }
    assert.equal(await connections.rewrap([change('a', 1), change('b', 2), stale, change('none', 5)]), 2)
    assert.equal(await connections.rewrap([]), 0)
    assert.deepEqual(Object.fromEntries(await connections.wrappedBy()), { m1: 2, m2: 2 })
    assert.deepEqual(ids(await connections.page({ after: '', limit: 9, notUnder: 'm2' })), ['c', 'd'])
    assert.deepEqual(ids(await connections.page({ after: 'a', limit: 2 })), ['b', 'c'])
    assert.deepEqual([...((await connections.find('b'))?.wrapped ?? [])], [2])
  })

  promise('uses are kept, the latest of each, however many', async (open) => {
    const store = await open()
    await store.connections.add(connectionRecord('c1'), deed('connections.create'))
    await store.keys.add(keyRecord('k1'), deed('keys.create'))
    await store.keys.add(keyRecord('k2'), deed('keys.create'))
    const many = new Map(Array.from({ length: 999 }, (_, n) => [`none${n}`, n]))
    await store.keys.used(many.set('k1', 2 ** 44))
    await store.keys.used(new Map([['k1', 5]]))
    await store.keys.used(new Map())
    await store.connections.used(new Map([['c1', 8]]))
    assert.deepEqual(
      (await store.keys.list()).map(({ lastUsedAt }) => lastUsedAt),
      [2 ** 44, null],
    )
    assert.equal((await store.connections.find('c1'))?.lastUsedAt, 8)
  })

  promise('the audit is read newest first, a page at a time, by what is asked for', async (open) => {
    const { audit } = await open()
    const details = { names: ['ü', '"'], count: 3, whole: true, none: null, lone: '\ud800' }
    await audit.append([
      deed('keys.create', { target: 'k1', details }),
      deed('keys.revoke', { target: 'k1', who: 'operator:a', outcome: 'denied', requestId: 'r1' }),
      deed('connections.create', { target: 'c1' }),
      deed('keyshop.open'),
      deed('keys', { from: 'a\0b\ud800c' }),
    ])
    await audit.append([])
    const page = async (filter: Parameters<typeof audit.page>[0]) => (await audit.page(filter)).map(({ seq }) => seq)
    assert.deepEqual(await page({ limit: 3 }), [5, 4, 3])
    assert.deepEqual(await page({ limit: 3, before: 3 }), [2, 1])
    assert.deepEqual(await page({ limit: 9, act: 'keys' }), [5, 2, 1])
    assert.deepEqual(await page({ limit: 9, act: 'keys.revoke' }), [2])
    assert.deepEqual(await page({ limit: 9, target: 'k1', outcome: 'done' }), [1])
    assert.deepEqual(await page({ limit: 9, who: 'operator:a', before: undefined }), [2])
    const [first] = await audit.page({ limit: 1, before: 2 })
    const { hash, ...rest } = first as NonNullable<typeof first>
    assert.deepEqual(rest, { seq: 1, ...deed('keys.create', { target: 'k1', details }) })
    assert.match(hash, /^[0-9a-f]{64}$/)
    assert.deepEqual(await audit.verify(), { lines: 5, brokenAt: undefined })
    assert.equal(await audit.head(), 5)
  })

  promise('an act is left out of the audit, however many lines it has, and nothing else with it', async (open) => {
    const { audit } = await open()
    const page = async (filter: Parameters<typeof audit.page>[0]) => (await audit.page(filter)).map(({ seq }) => seq)
    assert.deepEqual(await page({ limit: 9, without: 'read' }), [])
    const reads = Array.from({ length: 40 }, () => deed('read'))
    await audit.append([deed('keys.create', { target: 'k1' }), ...reads, deed('reader'), deed('read.x'), deed('keys')])
    await audit.append([...reads, deed('keys.revoke', { target: 'k1', outcome: 'denied' }), ...reads])
    assert.deepEqual(await page({ limit: 9, without: 'read' }), [85, 44, 43, 42, 1])
    assert.deepEqual(await page({ limit: 2, without: 'read', before: 85 }), [44, 43])
    assert.deepEqual(await page({ limit: 2, without: 'read', before: 43 }), [42, 1])
    assert.deepEqual(await page({ limit: 9, without: 'keys', before: 46 }), [45, 43, 42, 41, 40, 39, 38, 37, 36])
    assert.deepEqual(await page({ limit: 9, without: 'keys.revoke', act: 'keys' }), [44, 1])
    assert.deepEqual(await page({ limit: 9, without: 'keys', act: 'keys' }), [])
    assert.deepEqual(await page({ limit: 9, without: 'read', target: 'k1', outcome: 'done' }), [1])
  })

  promise('the audit is read between two moments, also where a clock was set back', async (open) => {
    const { audit } = await open()
    const times = [10, 20, 90, 30, 40, 40, 50]
    await audit.append(times.map((at, i) => deed(i % 2 === 0 ? 'keys.create' : 'read', { at })))
    const page = async (filter: Partial<Parameters<typeof audit.page>[0]>) =>
      (await audit.page({ limit: 9, ...filter })).map(({ seq }) => seq)
    assert.deepEqual(await page({ since: 40 }), [7, 6, 5, 3])
    assert.deepEqual(await page({ until: 40 }), [4, 2, 1])
    assert.deepEqual(await page({ since: 20, until: 41 }), [6, 5, 4, 2])
    assert.deepEqual(await page({ since: 20, until: 41, limit: 2 }), [6, 5])
    assert.deepEqual(await page({ since: 20, until: 41, limit: 2, before: 5 }), [4, 2])
    assert.deepEqual(await page({ since: 20, act: 'keys' }), [7, 5, 3])
    assert.deepEqual(await page({ since: 20, without: 'keys' }), [6, 4, 2])
    assert.deepEqual(
      [await page({ since: 91 }), await page({ until: 10 }), await page({ since: 41, until: 45 })],
      [[], [], []],
    )
  })

  promise('a long audit between two moments is read whole, in steps', async (open, location) => {
    await open()
    const db = await openDatabase(location)
    const audit = createAuditRows(db, { mostCounted: 40, stretch: 30 })
    await audit.append(Array.from({ length: 240 }, (_, at) => deed(at % 20 === 0 ? 'keys.create' : 'read', { at })))
    const walk = async (filter: Partial<Parameters<typeof audit.page>[0]>) => {
      const found: number[] = []
      for (let before: number | undefined; ;) {
        const page = await audit.page({ limit: 5, before, act: 'keys', ...filter })
        found.push(...page.map(({ seq }) => seq))
        before = page.at(-1)?.seq
        if (page.length < 5) return found
      }
    }
    const all = [221, 201, 181, 161, 141, 121, 101, 81, 61, 41, 21, 1]
    assert.deepEqual(await walk({ since: 0 }), all)
    assert.deepEqual(await walk({ until: 240 }), all)
    assert.deepEqual(await walk({ since: 1, until: 220 }), all.slice(1, -1))
    assert.deepEqual(await walk({ since: 60, until: 101, without: 'read' }), [101, 81, 61])
    assert.deepEqual(
      (await audit.page({ limit: 9, since: 60, until: 100, before: 65 })).map(({ seq }) => seq),
      [64, 63, 62, 61],
    )
    await db.close()
  })

  promise('two processes append at once, without a gap and without a break', async (open) => {
    const [one, two] = [await open(), await open()]
    assert.equal(await one.audit.head(), 0)
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const store = n % 2 ? one : two
        if (n % 4 < 2) await store.audit.append([deed('a.b'), deed('a.c')])
        else await store.keys.add(keyRecord(`k${n}`), deed('keys.create'))
      }),
    )
    assert.equal(await one.audit.head(), 60)
    assert.deepEqual(await two.audit.verify(), { lines: 60, brokenAt: undefined })
    assert.equal((await one.keys.list()).length, 20)
  })

  promise('a secret is made once for everybody, and differs by name', async (open) => {
    const [one, two] = [await open(), await open()]
    const [a, b] = await Promise.all([one.secret('cursor'), two.secret('cursor')])
    assert.equal(a.length, 32)
    assert.deepEqual([...a], [...b])
    assert.notDeepEqual([...a], [...(await one.secret('other'))])
    assert.deepEqual([...(await one.secret('given', new Uint8Array([1])))], [1])
    assert.deepEqual([...(await two.secret('given', new Uint8Array([2])))], [1])
    assert.equal(await two.recall('none'), undefined)
    assert.deepEqual([...((await two.recall('given')) ?? [])], [1])
  })

  promise('what one process writes, another sees within half a second; what is new, at once', async (open) => {
    const [one, two] = [await open(), await open()]
    const both = async () => [await two.keys.find('k1'), await two.connections.find('c1')] as const
    assert.deepEqual(await both(), [undefined, undefined])
    await one.keys.add(keyRecord('k1'), deed('keys.create'))
    await one.connections.add(connectionRecord('c1'), deed('connections.create'))
    assert.deepEqual(
      (await both()).map((record) => record?.id),
      ['k1', 'c1'],
    )
    await one.keys.revoke('k1', 9, deed('keys.revoke'))
    await one.connections.remove('c1', { epoch: 'e1', version: 1 }, deed('connections.remove'))
    assert.deepEqual([await one.keys.find('k1'), await one.connections.find('c1')], [undefined, undefined])
    await pause(driver.name === 'sqlite' ? 0 : 501)
    assert.deepEqual(await both(), [undefined, undefined])
  })

  promise('a damaged key opens nothing and hides no other', async (open, location) => {
    const store = await open()
    for (const id of ['k1', 'k2', 'k3', 'k4']) await store.keys.add(keyRecord(id), deed('keys.create'))
    const db = await openDatabase(location)
    await db.run("UPDATE keys SET connections = '[\"a\"' WHERE id = 'k1'")
    await db.run("UPDATE keys SET groups = '{}' WHERE id = 'k2'")
    await db.run("UPDATE keys SET connections = '[1]' WHERE id = 'k3'")
    await db.close()
    for (const rows of [await store.keys.list(), await store.keys.page({ after: '', limit: 9 })])
      assert.deepEqual(
        rows.map(({ connections, groups }) => [connections.length, groups.length]),
        [
          [0, 0],
          [0, 0],
          [0, 0],
          [2, 1],
        ],
      )
    assert.deepEqual((await store.keys.find('k1'))?.connections, [])
  })

  promise('the audit refuses every statement that would change it', async (open, location) => {
    const store = await open()
    await store.audit.append([deed('a.b'), deed('a.c')])
    const db = await openDatabase(location)
    const line = `1, 1, 'w', 'f', NULL, 'a', NULL, 'done', '{}', '${'0'.repeat(64)}'`
    const texts = ["UPDATE audit SET who = 'x'", 'DELETE FROM audit WHERE seq = 2']
    texts.push(driver.name === 'sqlite' ? `INSERT OR REPLACE INTO audit VALUES (${line})` : 'TRUNCATE audit')
    for (const text of texts)
      await assert.rejects(() => db.run(text), { code: 'store_unavailable', cause: /only ever added to/ })
    await db.close()
    assert.deepEqual(await store.audit.verify(), { lines: 2, brokenAt: undefined })
  })

  promise('a closed store refuses, and closing it again is nothing', async (open) => {
    const store = await open()
    await store.check()
    await store.close()
    await store.close()
    await assert.rejects(() => store.keys.find('k1'), refused)
    await assert.rejects(() => store.check(), refused)
    await assert.rejects(() => store.keys.add(keyRecord('k1'), deed('keys.create')), refused)
  })
}

for (const driver of drivers) keepsItsPromises(driver)
