// Two services on one SQLite file would count rates and the quota separately: the second one waits briefly, and is refused.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { claimFile } from '../../../base/store/sqlite-claim.ts'
import { startProgram } from '../support/process.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { startService, tester } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'

const claimBriefly = async (path: string) => {
  let waited = 0
  const release = await claimFile(path, { mostMs: 150, waits: () => waited++ })
  release()
  return waited
}

test('a store in use is refused to a second service, by every path to the file, until the first one ends', async (t) => {
  const { folder, child } = await startProgram(t)
  const path = join(folder, 'v.db')
  mkdirSync(join(folder, 'other'))
  symlinkSync(path, join(folder, 'other', 'link.db'))
  symlinkSync(folder, join(folder, 'other', 'folder'))
  for (const way of [path, join(folder, 'other', 'link.db'), join(folder, 'other', 'folder', 'v.db')])
    await assert.rejects(
      () => claimBriefly(way),
      ({ message }: Error) =>
        message.startsWith(
          `The store ${way} is served by another service (process ${child.pid} on ${hostname()}, since 20`,
        ),
    )
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('-serving')),
    ['v.db-serving'],
  )
  // commands may use the store at the same time
  const store = await openStore(`sqlite:${path}`)
  await store.audit.append([{ ...tester, at: 1, act: 'keys.create', target: null, outcome: 'done', details: {} }])
  await store.close()
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  assert.equal(await claimBriefly(path), 0)
})

test('a service started while the previous one ends waits for it, reports that, and then serves', async (t) => {
  const platform = await startScriptedPlatform(() => {})
  t.after(() => platform.close())
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-two-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const first = await startService(platform.url, { folder })
  let isServing = false
  const second = startService(platform.url, { folder }).then((service) => {
    isServing = true
    return service
  })
  await until(() => readdirSync(folder).includes('v.db-serving'))
  await new Promise((ok) => setTimeout(ok, 300))
  assert.equal(isServing, false)
  await first.close()
  const service = await second
  t.after(() => service.close())
  assert.equal((await service.ask('/readyz')).status, 200)
  assert.deepEqual(
    service.events.filter(({ kind }) => kind === 'store_in_use').map((event) => ({ ...event, place: '' })),
    [{ kind: 'store_in_use', place: '', waitsMs: 16_000 }],
  )
})

test('the lock file belongs to the owner of the store, and is named in the error if it cannot be opened', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [path, other] = [join(folder, 'v.db'), join(folder, 'w.db')]
  for (const file of [path, other]) writeFileSync(file, '')
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(path, 65_534, 65_534)
  assert.equal(await claimBriefly(path), 0)
  const { uid, mode } = statSync(`${path}-serving`)
  assert.deepEqual([uid, mode & 0o777], [statSync(path).uid, 0o600])
  mkdirSync(`${other}-serving`)
  await assert.rejects(
    () => claimBriefly(other),
    ({ message }: Error) => message.startsWith(`${other}-serving cannot be locked: `),
  )
})
