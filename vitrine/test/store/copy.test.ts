import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { copyStore } from '../../src/store/copy.ts'
import { inspectStore } from '../../src/store/inspect.ts'
import { openDatabase, openStore } from '../../src/store/open.ts'
import { rowPages, tables } from '../../src/store/tables.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { connectionRecord, deed, drivers, keyRecord, type Place } from './records.ts'

const name = (n: number) => String(n).padStart(5, '0')

/** more than a page of everything */
async function furnish(location: string) {
  const store = await openStore(location)
  await store.secret('cursor')
  const db = await openDatabase(location)
  await store.keys.add(keyRecord('k'), deed('keys.create'))
  await store.connections.add(connectionRecord('c'), deed('connections.create'))
  await db.transaction(async (sql) => {
    for (const table of tables.slice(1, 3)) {
      const [, ...rest] = table.columns
      for (let n = 0; n < 700; n++)
        await sql.run(
          `INSERT INTO ${table.name} (id, ${rest.join()}) SELECT ?, ${rest.join()} FROM ${table.name} WHERE id = ?`,
          [name(n), table.name === 'keys' ? 'k' : 'c'],
        )
    }
  })
  const hours = new Map([3, 4].map((hour) => [hour, `sums of ${hour}`]))
  await store.hours.add(hours, (_, more) => more, 0)
  await store.audit.append(Array.from({ length: 1_300 }, (_, n) => deed('keys.create', { target: name(n) })))
  await db.close()
  await store.close()
}

async function contentsOf(location: string): Promise<unknown[]> {
  const db = await openDatabase(location)
  const contents: unknown[] = []
  for (const table of tables)
    for await (const page of rowPages(db, table)) contents.push(...page.map((row) => Object.values(row).map(String)))
  await db.close()
  return contents
}

async function between(from: (typeof drivers)[number], to: typeof from, act: (a: string, b: string) => Promise<void>) {
  const places: Place[] = []
  try {
    for (const driver of [from, to]) places.push(await driver.place())
    const [a, b] = places.map(({ location }) => location) as [string, string]
    await furnish(a)
    await act(a, b)
  } finally {
    for (const { remove } of places) await remove()
  }
}

/** a copy that dies before the page after this one */
const dying = (pages: number) => {
  let seen = 0
  return {
    onProgress: () => {
      if (++seen > pages) throw new Error('killed')
    },
  }
}

for (const from of drivers)
  for (const to of drivers) {
    const way = `${from.name} to ${to.name}`
    const skip = (from.name !== to.name || from.name === 'postgres') && noPostgres

    test(`copy ${way}: everything is copied, with the chain`, { skip }, () =>
      between(from, to, async (a, b) => {
        const seen: number[] = []
        const copied = await copyStore(a, b, { onProgress: ({ done, of }) => seen.push(done / of) })
        assert.deepEqual(copied, {
          rows: { secrets: 2, keys: 701, connections: 701, audit: 1_302, hours: 2 },
          audit: { lines: 1_302, brokenAt: undefined },
        })
        assert.equal(seen.at(-1), 1)
        assert.deepEqual(await contentsOf(b), await contentsOf(a))
        await assert.rejects(() => copyStore(a, b), /holds an installation already/)
        const store = await openStore(b)
        await store.audit.append([deed('x.y')])
        assert.deepEqual(await store.audit.verify(), { lines: 1_303, brokenAt: undefined })
        await store.close()
      }),
    )

    test(`copy ${way}: an interrupted copy cannot be served, and another run finishes it`, { skip }, () =>
      between(from, to, async (a, b) => {
        for (const pages of [0, 2, 4, 7]) {
          await assert.rejects(() => copyStore(a, b, dying(pages)), /killed/)
          await assert.rejects(() => openStore(b), /not finished: run `vitrine store copy` again, or drop/)
          assert.ok((await inspectStore(b)).some(({ what, ok }) => what === 'copy' && !ok))
        }
        // the service went on in the meantime
        const store = await openStore(a)
        await store.keys.revoke('00003', 9, deed('keys.revoke'))
        await store.connections.remove('00699', { epoch: 'e1', version: 1 }, deed('connections.remove'))
        await store.connections.remove('c', { epoch: 'e1', version: 1 }, deed('connections.remove'))
        await store.keys.add(keyRecord('zz'), deed('keys.create'))
        await store.close()
        assert.equal((await copyStore(a, b)).audit.lines, 1_306)
        assert.deepEqual(await contentsOf(b), await contentsOf(a))
      }),
    )
  }

const [sqlite] = drivers as [(typeof drivers)[number]]

test('another run finishes a killed copy', () =>
  between(sqlite, sqlite, async (a, b) => {
    const script = `const { copyStore } = await import('./src/store/copy.ts')
      let pages = 0
      const onProgress = () => { if (++pages === 6) process.kill(process.pid, 'SIGKILL') }
      await copyStore(${JSON.stringify(a)}, ${JSON.stringify(b)}, { onProgress })`
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '../..'),
    })
    await assert.rejects(run, { signal: 'SIGKILL' })
    await copyStore(a, b)
    assert.deepEqual(await contentsOf(b), await contentsOf(a))
  }))

test('a copy rejects a target of another installation, and an unfinished source', () =>
  between(sqlite, sqlite, async (a, b) => {
    await assert.rejects(() => copyStore(a, b, dying(2)), /killed/)
    const other = await sqlite.place()
    await furnish(other.location)
    await assert.rejects(() => copyStore(other.location, b), /an unfinished copy of another installation/)
    const third = await sqlite.place()
    await assert.rejects(() => copyStore(b, third.location), /not finished/)
    await assert.rejects(() => copyStore(a, a), /holds an installation already/)
    for (const { remove } of [other, third]) await remove()
  }))

test('writes during a copy are copied, too', () =>
  between(sqlite, sqlite, async (a, b) => {
    const writer = await openStore(a)
    const writing: Promise<unknown>[] = []
    const onProgress = ({ done }: { done: number }) => {
      // when keys and connections have been copied, and before the two are compared
      if (done < 700 || writing.length > 0) return
      writing.push(
        writer.keys.revoke('00001', 5, deed('keys.revoke')),
        writer.keys.add(keyRecord('zzz'), deed('keys.create')),
        writer.connections.remove('00002', { epoch: 'e1', version: 1 }, deed('connections.remove')),
      )
    }
    await copyStore(a, b, { onProgress })
    assert.equal(writing.length, 3)
    await Promise.all(writing)
    await writer.close()
    assert.deepEqual(await contentsOf(b), await contentsOf(a))
  }))
