import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { inspectStore } from '../../src/store/inspect.ts'
import { openStore } from '../../src/store/open.ts'
import { startService } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'
import { deed } from '../store/records.ts'

const day = 86_400_000

test('a service prunes audit lines older than `audit.days`, logs it, and the rest of the audit log still verifies', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const location = `sqlite:${folder}/v.db`
  const before = await openStore(location)
  const old = Date.now() - 40 * day
  await before.audit.append(Array.from({ length: 700 }, (_, n) => deed('a.b', { at: old + n })))
  await before.close()
  const operatorToken = randomBytes(32).toString('hex')
  const secrets = { masterKeys: makeMasterKey('m1'), operatorToken }
  const file = { audit: { days: 30 }, operatorListen: '127.0.0.1:0' }
  const service = await startService('http://127.0.0.1:9', { folder, secrets, file })
  t.after(service.close)
  await until(() => service.events.some(({ kind }) => kind === 'audit_pruned'))
  const listing = async () => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const answer = await fetch(`${service.operatorUrl}/operator/v1/audit`, { headers })
    return (await answer.json()) as {
      items: { seq: number; act: string }[]
      begins: { line: number; sealedBy: string }
    }
  }
  await until(async () => (await listing()).items.length === 2)
  const { items, begins } = await listing()
  assert.deepEqual(
    items.map(({ seq, act }) => [seq, act]),
    [
      [702, 'audit.prune'],
      [701, 'keys.create'],
    ],
  )
  assert.deepEqual([begins.line, begins.sealedBy], [701, 'm1'])
  await service.close()
  const faults = (await inspectStore(location)).filter(({ ok }) => !ok)
  assert.deepEqual(
    faults.map(({ detail }) => detail),
    ['the anchor is sealed with the master key "m1", which is not given: it cannot be checked'],
  )
})

test('a service without retention settings prunes nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const before = await openStore(`sqlite:${folder}/v.db`)
  await before.audit.append([deed('a.b', { at: 1 })])
  await before.close()
  const service = await startService('http://127.0.0.1:9', { folder })
  await new Promise((ok) => setTimeout(ok, 1_500))
  await service.close()
  const store = await openStore(`sqlite:${folder}/v.db`)
  t.after(() => store.close())
  assert.deepEqual([(await store.audit.page({ limit: 9 })).length, await store.audit.anchor()], [2, undefined])
})
