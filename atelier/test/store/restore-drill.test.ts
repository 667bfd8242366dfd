// The drill: a service is backed up at work, goes on, and is restored, over both stores. What docs/backup.md says of its
// containers and keys is held against what happens.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'
import { endSessions } from '../../src/store/end-sessions.ts'
import { backupSqlite, restoreSqlite } from '../../src/store/sqlite-backup.ts'
import { openDatabase } from '../../src/store/open.ts'
import { openUsedRig, type RigOptions } from '../service-rig.ts'

type Used = Awaited<ReturnType<typeof openUsedRig>>

interface Drilled {
  readonly options: { -readonly [K in keyof RigOptions]: RigOptions[K] }
  backUp(used: Used): Promise<void>
  /** the service is stopped */
  restore(used: Used): Promise<void>
}

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-drill-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function drill(t: TestContext, { options, backUp, restore }: Drilled) {
  const used = await openUsedRig(t, options)
  const { rig, create, call, key, account, engine } = used
  const idOf = async () => (await create()).body.id as string
  const [kept, deletedLater, endedLater] = [await idOf(), await idOf(), await idOf()]
  const { text: revokedLater, key: record } = await rig.key(account)
  const session = { digest: Buffer.alloc(32, 1), account, createdAt: Date.now(), usedAt: Date.now(), endsAt: Date.now() + 3_600_000 } // prettier-ignore
  await rig.service.core.store.sessions.add(session)
  // requests go on while the backup is taken
  const [more] = await Promise.all([Promise.all([idOf(), idOf()]), backUp(used)])
  const createdLater = await idOf()
  const { text: madeLater } = await rig.key(account)
  await call('DELETE', `/containers?id=${deletedLater}`, { key })
  engine.exit(endedLater, 3)
  await until(async () => (await rig.service.core.store.containers.find(endedLater))?.status === 'exited')
  await rig.service.core.keys.revoke(account, record.id)
  assert.equal((await call('GET', '/containers', { key: revokedLater })).status, 401)
  await rig.service.kill()
  await restore(used)
  await rig.restart()

  const stateOf = async (id: string) => {
    const { status, body } = await call('GET', `/containers?id=${id}`, { key })
    return status === 200 ? [body.items[0].status, body.items[0].statusReason] : status
  }
  await until(() => !engine.containers.has(createdLater))
  assert.equal(await stateOf(createdLater), 404, 'it was created after the backup')
  await until(async () => String(await stateOf(deletedLater)) === 'failed,engine_lost')
  await until(async () => String(await stateOf(endedLater)) === 'exited,main_exited')
  assert.deepEqual(await stateOf(kept), ['running', null])
  const wish = { containerId: kept, command: ['say', 'still here'] }
  assert.equal((await call('POST', '/containers/exec', { key, body: wish })).body.stdout, 'still here')
  // what was created during the backup is in it or not, and either is settled
  for (const id of more)
    await until(async () => engine.containers.has(id) === (String(await stateOf(id)) === 'running,'))
  assert.equal((await call('GET', '/containers', { key: madeLater })).status, 401)
  assert.equal((await call('GET', '/containers', { key: revokedLater })).status, 200, 'the page warns of it')
  assert.equal(await rig.service.core.store.sessions.find(session.digest), undefined)
}

test('restored from a copy that was taken at work, a service over SQLite settles every difference', async (t) => {
  const copy = join(scratch(t), 'copy.db')
  let file = ''
  await drill(t, {
    options: {},
    async backUp({ rig }) {
      file = rig.service.core.store.db.place.slice('sqlite:'.length)
      assert.equal(backupSqlite(file, copy).accounts, 1)
    },
    async restore() {
      const earlier = await restoreSqlite(copy, file, 1)
      assert.equal(earlier, `${file}.before-1`)
      const db = await openDatabase(`sqlite:${file}`)
      await endSessions(db)
      await db.close()
    },
  })
})

const has = (tool: string): boolean => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0
const noTools = ['pg_dump', 'pg_restore'].every(has) ? false : 'NOT TRIED: there is no pg_dump and pg_restore'

test('restored by pg_restore, a service over PostgreSQL does, too', { skip: noPostgres || noTools }, async (t) => {
  const [before, after] = [await freshDatabase(), await freshDatabase()]
  t.after(() => Promise.all([before.drop(), after.drop()]))
  const options: Drilled['options'] = { store: before.url }
  const dump = join(scratch(t), 'atelier.dump')
  const run = promisify(execFile)
  await drill(t, {
    options,
    backUp: async () => void (await run('pg_dump', ['--format=custom', `--file=${dump}`, before.url])),
    async restore() {
      await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${after.url}`, dump])
      options.store = after.url
      const db = await openDatabase(after.url)
      await endSessions(db)
      await db.close()
    },
  })
})
