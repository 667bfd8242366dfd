// What only a server can do: stop answering, close connections, serve many at once. Long because each case needs a scene.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket, connect } from 'node:net'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { migrations, schema } from '../../src/store/migrations.ts'
import { openDatabase, openStore } from '../../src/store/open.ts'
import { postgresAddress } from '../../../base/store/postgres-address.ts'
import { createLender } from '../../../base/store/postgres-pool.ts'
import { prepareSchema } from '../../../base/store/postgres-schema.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'
import { deed, keyRecord } from './records.ts'
import { freePort } from '../../../base/test/free-port.ts'

const refused = { code: 'store_unavailable' }
const made = deed('keys.create')

const withDatabase = (title: string, act: (url: string) => Promise<void>) =>
  void test(`postgres: ${title}`, { skip: noPostgres }, async () => {
    const { url, drop } = await freshDatabase()
    try {
      await act(url)
    } finally {
      await drop()
    }
  })

/** the seconds until it was refused */
async function refusalTime(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await assert.rejects(act, refused)
  return (performance.now() - began) / 1_000
}

withDatabase('eight that open a fresh database at once make one schema', async (url) => {
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(url)))
  await Promise.all(stores.map((store) => store.audit.append([made])))
  assert.deepEqual(await stores[0]?.audit.verify(), { lines: 8, brokenAt: undefined })
  assert.deepEqual(await askPostgres(url, 'SELECT version FROM vitrine_schema'), [{ version: migrations.length }])
  for (const store of stores) await store.close()
})

withDatabase('a store of the first version is brought up to date, and its keys stay', async (url) => {
  await askPostgres(
    url,
    `${migrations[0]?.postgres ?? ''} CREATE TABLE vitrine_schema (version INTEGER NOT NULL);
    INSERT INTO vitrine_schema VALUES (1);
    INSERT INTO keys VALUES ('k1', 'old', decode(repeat('01', 32), 'hex'), '["a"]', '["apps"]', 5, 1, NULL, NULL)`,
  )
  // a migration that fails in the middle leaves the old version whole
  await askPostgres(url, 'CREATE TABLE audit (something TEXT)')
  await assert.rejects(() => openStore(url), /cannot be opened: relation "audit" already exists/)
  assert.deepEqual(await askPostgres(url, 'SELECT version FROM vitrine_schema'), [{ version: 1 }])
  assert.equal((await askPostgres(url, "SELECT 1 FROM pg_attribute WHERE attname = 'replaces'")).length, 0)
  await askPostgres(url, 'DROP TABLE audit')
  const store = await openStore(url)
  assert.deepEqual(
    (await store.keys.list()).map(({ id, perMinute, note, personal, expiresAt }) => [
      id,
      perMinute,
      note,
      personal,
      expiresAt,
    ]),
    [['k1', 5, null, true, null]],
  )
  await store.close()
})

withDatabase('a newer schema is refused and left as it is', async (url) => {
  await askPostgres(
    url,
    'CREATE TABLE vitrine_schema (version INTEGER NOT NULL); INSERT INTO vitrine_schema VALUES (99)',
  )
  await assert.rejects(() => openStore(url), /schema 99, and this version of Vitrine knows 10: use a newer one/)
  assert.deepEqual(await askPostgres(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), [
    { tablename: 'vitrine_schema' },
  ])
})

test('a server older than 15 is refused with the reason', async () => {
  const old = { query: async () => ({ rows: [{ server_version_num: '140011' }] }) }
  await assert.rejects(
    () => prepareSchema(old as unknown as Parameters<typeof prepareSchema>[0], schema, {}),
    /the server is PostgreSQL 14, and Vitrine needs 15 or newer/,
  )
})

test('a dead port is refused within two seconds, and no text contains the password', async () => {
  const port = await freePort()
  for (const url of [
    `postgres://somebody:s3cr%2Ft@127.0.0.1:${port}/vitrine`,
    `postgres://somebody@127.0.0.1:${port}/vitrine?password=s3cr/t`,
    `postgres://somebody:s3cr%2Ft@127.0.0.1:99999/vitrine`,
  ]) {
    const began = performance.now()
    await assert.rejects(
      () => openStore(url),
      (error: Error) => {
        assert.match(error.message, /The store postgres:\/\/somebody@.* cannot be opened: .*ECONNREFUSED|not a URL/)
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /s3cr/)
        return true
      },
    )
    assert.ok(performance.now() - began < 2_000)
  }
})

withDatabase(
  'connections that the server closes in mid-work cost a refusal at most, and no audit line',
  async (url) => {
    const store = await openStore(url)
    await store.keys.add(keyRecord('k1'), made)
    const ends = performance.now() + 1_000
    let [done, failed] = [0, 0]
    const work = async (act: () => Promise<unknown>) => {
      while (performance.now() < ends)
        try {
          await act()
          done++
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'store_unavailable')
          failed++
        }
    }
    let written = 1
    const write = async () => {
      await store.audit.append([made])
      written++
    }
    const kill = async () => {
      while (performance.now() < ends) {
        await askPostgres(
          url,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
        await pause(40)
      }
    }
    await Promise.all([
      kill(),
      work(write),
      work(write),
      work(() => store.keys.find('none')),
      work(() => store.check()),
    ])
    assert.ok(done > 20 && failed > 0, `${done} done, ${failed} refused`)
    await store.keys.add(keyRecord('k2'), made)
    const { lines, brokenAt } = await store.audit.verify()
    assert.equal(brokenAt, undefined)
    // the commit may be done although its answer was cut off
    assert.ok(lines >= written + 1 && lines <= written + 1 + failed, `${lines} lines, ${written} written`)
    await store.close()
  },
)

withDatabase('a locked table costs a refusal within two seconds, and nothing piles up at the server', async (url) => {
  const store = await openStore(url)
  await store.keys.add(keyRecord('k1'), made)
  const lock = askPostgres(url, 'BEGIN; LOCK TABLE keys; SELECT pg_sleep(2.2)')
  await pause(50)
  const times = await Promise.all(Array.from({ length: 9 }, (_, n) => refusalTime(() => store.keys.find(`n${n}`))))
  assert.ok(Math.max(...times) < 2, String(times))
  await lock
  assert.equal((await store.keys.find('k1'))?.id, 'k1')
  const waiting = await askPostgres(
    url,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()",
  )
  assert.deepEqual(waiting, [])
  await store.close()
})

/** between the store and the server: passes everything on, or nothing, or is not there */
async function wire(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let silent = false
  const open = (at: number): Promise<Server> =>
    new Promise((ok) => {
      const server = createServer((near) => {
        const far = connect(Number(port || 5_432), hostname)
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one)
          one.on('data', (bytes) => void (silent || other.write(bytes)))
          one.on('error', () => undefined)
          one.on('close', () => other.destroy())
        }
      }).listen(at, '127.0.0.1', () => ok(server))
    })
  const at = await freePort()
  let server: Server | undefined = await open(at)
  const through = new URL(url)
  through.host = `127.0.0.1:${at}`
  return {
    url: through.href,
    silence: (on: boolean) => (silent = on),
    async cut() {
      sockets.forEach((socket) => socket.destroy())
      sockets.clear()
      const closing = server
      server = undefined
      if (closing) await new Promise((ok) => closing.close(ok))
    },
    mend: async () => (server = await open(at)),
  }
}

withDatabase(
  'a server that is gone, or silent, is refused within two seconds; when it is back, so is the store',
  async (url) => {
    const line = await wire(url)
    const store = await openStore(line.url)
    await store.keys.add(keyRecord('k1'), made)
    // ten connections are open and idle
    await Promise.all(Array.from({ length: 30 }, (_, n) => store.keys.find(`n${n}`)))
    for (const [off, on] of [
      [() => line.cut(), () => line.mend()],
      [() => line.silence(true), () => line.silence(false)],
    ] as const) {
      await off()
      await pause(510)
      const acts = [
        () => store.keys.find('k1'),
        () => store.check(),
        () => store.audit.append([made]),
        () => store.keys.list(),
      ]
      const times = await Promise.all(acts.map(refusalTime))
      assert.ok(Math.max(...times) < 2, String(times))
      assert.ok((await refusalTime(() => store.keys.find('k1'))) < 2)
      await on()
      const back = performance.now()
      while (
        !(await store.check().then(
          () => true,
          () => false,
        ))
      )
        await pause(50)
      assert.equal((await store.keys.find('k1'))?.id, 'k1')
      await store.audit.append([made])
      assert.ok(performance.now() - back < 2_000, 'it recovers within two seconds')
    }
    assert.equal((await store.audit.verify()).brokenAt, undefined)
    await store.close()
    await line.cut()
  },
)

test('a connection that the server closes at once is a refusal, and no crash', async () => {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
  }
  // accepted, ready and disconnected in one packet
  const hello = [message('R', '\0\0\0\0'), message('Z', 'I'), message('E', 'SFATAL\0VFATAL\0C57P01\0Mthrown out\0\0')]
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat(hello)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const lender = createLender(postgresAddress(`postgres://somebody@127.0.0.1:${port}/vitrine`, 'test'), 1_800)
  for (let n = 0; n < 20; n++) await assert.rejects(() => lender.lend((ask) => ask('SELECT 1')))
  await lender.close()
  await new Promise((ok) => server.close(ok))
})

withDatabase(
  'ten thousand lookups at once share one query, and a revocation elsewhere reaches the next ones',
  async (url) => {
    const [store, other] = [await openStore(url), await openStore(url)]
    await other.keys.add(keyRecord('k1', { createdAt: 1 }), made)
    const found = await Promise.all(Array.from({ length: 10_000 }, () => store.keys.find('k1')))
    assert.equal(new Set(found).size, 1)
    await other.keys.revoke('k1', 5, made)
    // half a second later at the earliest; a server too busy to answer in time is asked again
    await until(async () => (await store.keys.find('k1')) === undefined)
    for (const one of [store, other]) await one.close()
  },
)

withDatabase(
  'a service waits for a server that starts later, and not for a database that is not there',
  async (url) => {
    const at = new URL(url)
    const port = await freePort()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      const onward = connect(Number(at.port || 5432), at.hostname)
      for (const one of [socket, onward]) sockets.add(one.on('error', () => {}))
      socket.pipe(onward).pipe(socket)
    })
    const through = new URL(url)
    through.port = String(port)
    let told = 0
    const start = () => {
      told++
      server.listen(port, '127.0.0.1')
    }
    const db = await openDatabase(through.href, { awaiting: { waits: start, rest: async () => {} } })
    assert.equal(told, 1)
    await db.close()
    through.pathname = '/there-is-no-such-database'
    await assert.rejects(
      () => openDatabase(through.href, { awaiting: { waits: start } }),
      /cannot be opened: database "there-is-no-such-database" does not exist/,
    )
    assert.equal(told, 1)
    for (const one of sockets) one.destroy()
    await new Promise((ok) => server.close(ok))
  },
)
