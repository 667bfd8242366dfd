// Stores that prevent a start, and master keys that are missing, come later or change while the service runs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { readSettings } from '../../src/settings.ts'
import { migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import { type Installation, makeInstallation } from '../stored-connections/program.ts'
import { page } from '../support/example-routes.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { startService } from '../support/service.ts'
import { exchange, token } from '../operator/manager.ts'
import { deed, keyRecord } from '../store/records.ts'
import { accountOf, healthy } from './service-process.ts'

/** the exit status and output of a service that must not start */
async function refusedStart(t: TestContext, { launch }: Installation): Promise<{ code: number | null; words: string }> {
  const child = launch('serve')
  t.after(() => child.kill('SIGKILL'))
  let words = ''
  child.stderr?.on('data', (part: Buffer) => (words += part))
  const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(10_000) })) as [number | null]
  return { code, words }
}

async function writeStore(path: string) {
  const store = await openStore(`sqlite:${path}`)
  for (let n = 0; n < 300; n++) await store.keys.add(keyRecord(`k${n}`), deed('keys.create'))
  await store.close()
}

const edit = (path: string, change: (bytes: Buffer) => Buffer) => writeFileSync(path, change(readFileSync(path)))

const stores: readonly [id: string, what: string, make: (path: string) => void | Promise<void>, words: RegExp][] = [
  [
    'F150',
    'a file that is no database',
    (path) => writeFileSync(path, 'notes'.repeat(2_000)),
    /file is not a database/,
  ],
  [
    'F150',
    'a store whose first page is damaged',
    async (path) => {
      await writeStore(path)
      edit(path, (bytes) => bytes.fill(0x5a, 0, 100))
    },
    /file is not a database/,
  ],
  [
    'F150',
    'a store of which all but the first page is damaged',
    async (path) => {
      await writeStore(path)
      edit(path, (bytes) => bytes.fill(0x5a, 4_096))
    },
    /malformed/,
  ],
  [
    'F150',
    'a store that was cut off',
    async (path) => {
      await writeStore(path)
      edit(path, (bytes) => bytes.subarray(0, 8_192))
    },
    /malformed/,
  ],
  [
    'F151',
    'a store of a later version',
    async (path) => {
      await writeStore(path)
      const db = new DatabaseSync(path)
      db.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${migrations.length + 1}`)
      db.close()
    },
    /this version of Vitrine knows \d+: use a newer one/,
  ],
]

for (const [id, what, make, expected] of stores)
  test(`${id}: the service does not start over ${what}, reports why, and leaves the file unchanged`, async (t) => {
    const platform = await startScriptedPlatform(healthy)
    const installation = await makeInstallation(platform.url)
    t.after(() => installation.close().then(platform.close))
    const data = join(installation.folder, 'data')
    mkdirSync(data)
    await make(join(data, 'v.db'))
    const before = readFileSync(join(data, 'v.db'))
    const { code, words } = await refusedStart(t, installation)
    assert.equal(code, 1, words)
    assert.match(words, expected)
    assert.match(words, /^vitrine: The store .*v\.db (?:is damaged, or no store|cannot be opened): /m)
    assert.doesNotMatch(words, /^ +at /m, 'in words, without a stack')
    assert.deepEqual(readFileSync(join(data, 'v.db')), before)
    assert.deepEqual(readdirSync(data), ['v.db'])
  })

const [m1, m2, impostor] = [makeMasterKey('m1'), makeMasterKey('m2'), makeMasterKey('m1')]

/** `old` is sealed with m1, `fresh` with m2, as during a rotation; the keys come from a file */
async function startMidway(t: TestContext, given: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-midway-'))
  const platform = await startScriptedPlatform(healthy)
  const keys = join(folder, 'keys.txt')
  const file = { operatorListen: '127.0.0.1:0', masterKeysFile: keys, connections: {} }
  const start = (text: string) => {
    writeFileSync(keys, text)
    return startService(platform.url, { folder, file, secrets: { operatorToken: token } })
  }
  const addTo = async (text: string, id: string) => {
    const service = await start(text)
    const port = Number(new URL(service.operatorUrl ?? '').port)
    const body = accountOf(id)
    assert.equal((await exchange(port, 'POST', '/operator/v1/connections', { body })).status, 201)
    await service.close()
  }
  await addTo(m1, 'old')
  await addTo(`${m2}\n${m1}`, 'fresh')
  const service = await start(given)
  t.after(async () => {
    await service.close()
    await platform.close()
    rmSync(folder, { recursive: true })
  })
  const settings = readSettings({ store: 'sqlite:v.db', masterKeysFile: keys, connections: {} }, {})
  return {
    service,
    reload: (text: string) => {
      writeFileSync(keys, text)
      return service.running.reload(() => settings)
    },
    /** the results of reading `old` and `fresh` */
    async outcomes() {
      const answers = await Promise.all(['old', 'fresh'].map((id) => service.ask(`/v1/connections/${id}${page.path}`)))
      return answers.map(({ status, json }) => (status === 200 ? 200 : `${status} ${json.error.code}`))
    },
  }
}

const sealed = '503 connection_unreadable'

test('F156: without the previous master key its rows are 503 and counted, and the others are served', async (t) => {
  const { service, outcomes, reload } = await startMidway(t, m2)
  assert.deepEqual(await outcomes(), [sealed, 200])
  assert.deepEqual(
    service.events.filter(({ kind }) => kind === 'master_key_missing'),
    [{ kind: 'master_key_missing', masterKey: 'm1', connections: 1 }],
  )
  assert.ok(service.events.some((event) => event.kind === 'unreadable' && event.connection === 'old'))
  assert.equal((await service.ask('/readyz')).status, 200)
  await reload(`${m2}\n${m1}`)
  assert.deepEqual(await outcomes(), [200, 200])
})

test('F157: changed master keys in the key file take effect at the reload, all of them or none', async (t) => {
  const { outcomes, reload, service } = await startMidway(t, m2)
  const refused = [m2.slice(0, -4), `${m2}\n${m1.slice(0, 20)}`, `${m2}\n${impostor}`, '', `${m2}\n${m2}`]
  for (const text of refused) {
    service.events.length = 0
    await reload(text)
    assert.deepEqual(
      service.events.map(({ kind }) => kind),
      ['reload_refused'],
      text.length.toString(),
    )
    assert.deepEqual(await outcomes(), [sealed, 200])
  }
  await reload(`${m2}\n${m1}`)
  assert.deepEqual(await outcomes(), [200, 200])
  for (const text of refused) await reload(text)
  assert.deepEqual(await outcomes(), [200, 200], 'what was served stays')
})
