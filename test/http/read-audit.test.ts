import assert from 'node:assert/strict'
import test from 'node:test'
import type { Event } from '../../src/observe.ts'
import { createReadAudit } from '../../src/read-audit.ts'
import { openStore } from '../../src/store/open.ts'
import type { AuditRecord, Deed } from '../../src/store/records.ts'
import { startOverSandbox } from '../ground/service.ts'

async function linesIn(folder: string): Promise<AuditRecord[]> {
  const store = await openStore(`sqlite:${folder}/v.db`)
  try {
    return (await store.audit.page({ limit: 100, act: 'read' })).toReversed()
  } finally {
    await store.close()
  }
}

const answered = (requestId: string): Event => ({
  ...{ kind: 'answered', requestId, method: 'GET', operation: 'listApps', from: '10.0.0.1', status: 200 },
  ...{ keyId: 'k', connection: 'acme', platformCalls: 1, durationMs: 2 },
})

test('without the setting, reads leave no line', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  await service.ask('/apps?limit=1')
  await new Promise((ok) => setTimeout(ok, 400))
  assert.deepEqual(await linesIn(service.folder), [])
})

test('with the setting, every answer to a key is a line: who, what, where, from where, and no query', async (t) => {
  const { service, close } = await startOverSandbox({ file: { audit: { reads: true } } })
  t.after(close)
  await service.ask('/apps?limit=1&name=Tidal')
  await service.ask('/apps/CANARY-id/versions/ids')
  await service.ask('/v1/connections/nowhere/apps')
  await service.ask('/apps', { key: 'vtr_test_wrong' })
  await new Promise((ok) => setTimeout(ok, 600))
  const lines = await linesIn(service.folder)
  const key = `key:${service.key.split('_')[2]}`
  assert.deepEqual(
    lines.map(({ who, target, outcome, details }) => [who, target, outcome, details['operation'], details['status']]),
    [
      [key, 'acme', 'done', 'listApps', 200],
      [key, 'acme', 'denied', 'listAppVersionIds', 404],
      // what was asked for and is not there is somebody's text, and is not kept
      [key, null, 'denied', 'listApps', 404],
    ],
  )
  assert.ok(lines.every(({ from, requestId }) => from === '127.0.0.1' && requestId?.startsWith('req_')))
  assert.doesNotMatch(JSON.stringify(lines), /Tidal|CANARY|nowhere|wrong/)
})

test('lines that cannot be written wait, in order, and are written once', async () => {
  const written: Deed[] = []
  const events: Event[] = []
  let broken = true
  const audit = {
    async append(deeds: readonly Deed[]) {
      await new Promise((ok) => setTimeout(ok, 5))
      if (broken) throw new Error('full')
      written.push(...deeds)
    },
  }
  const reads = createReadAudit(audit, Date.now, (event) => events.push(event))
  for (let i = 0; i < 10_000; i++) reads.note(answered(String(i)))
  assert.equal(reads.accepting(), false)
  await new Promise((ok) => setTimeout(ok, 400))
  broken = false
  await reads.close()
  assert.equal(reads.accepting(), true)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['audit_waiting'],
    'said once for one failure',
  )
  assert.deepEqual(
    written.map(({ requestId }) => requestId),
    Array.from({ length: 10_000 }, (_, i) => String(i)),
  )
})

test('F165: where the audit cannot take another line, nobody reads', async (t) => {
  const { sandbox, service, close } = await startOverSandbox({ file: { audit: { reads: true } } })
  t.after(close)
  const { DatabaseSync } = await import('node:sqlite')
  const other = new DatabaseSync(`${service.folder}/v.db`)
  other.exec('BEGIN IMMEDIATE')
  // refusals cost nothing and are lines too
  for (let i = 0; i < 10_000; i += 250) await Promise.all(Array.from({ length: 250 }, () => service.ask('/nothing')))
  const before = sandbox.asked.length
  const { status, json } = await service.ask('/apps?limit=1')
  assert.deepEqual([status, json.error.code, sandbox.asked.length], [503, 'store_unavailable', before])
  other.exec('ROLLBACK')
  other.close()
  for (const until = Date.now() + 6_000; (await service.ask('/apps?limit=1')).status !== 200;)
    assert.ok(Date.now() < until)
})
