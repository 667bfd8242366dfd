import assert from 'node:assert/strict'
import test from 'node:test'
import { openStore } from '../../src/store/open.ts'
import type { AuditRecord } from '../../../base/core/audit.ts'
import { startOverSandbox } from '../support/service.ts'

async function linesIn(folder: string): Promise<AuditRecord[]> {
  const store = await openStore(`sqlite:${folder}/v.db`)
  try {
    return (await store.audit.page({ limit: 100, act: 'read' })).toReversed()
  } finally {
    await store.close()
  }
}

test('without the setting, reads leave no audit line', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  await service.ask('/apps?limit=1')
  await new Promise((ok) => setTimeout(ok, 400))
  assert.deepEqual(await linesIn(service.folder), [])
})

test('with the setting, every answer to a key is an audit line with key, route, connection and address, without the query', async (t) => {
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
      // an unknown route is text of the caller, and is not kept
      [key, null, 'denied', 'listApps', 404],
    ],
  )
  assert.ok(lines.every(({ from, requestId }) => from === '127.0.0.1' && requestId?.startsWith('req_')))
  assert.doesNotMatch(JSON.stringify(lines), /Tidal|CANARY|nowhere|wrong/)
})

test('one key at its rate limit with 30 sockets delays no read of others and adds few audit lines', async (t) => {
  const { service, close } = await startOverSandbox({ file: { audit: { reads: true } } })
  t.after(close)
  const greedy = await service.issue({ perMinute: 1 })
  const over = new AbortController()
  let refusals = 0
  const flood = Array.from({ length: 30 }, async () => {
    while (!over.signal.aborted) if ((await service.ask('/v1/whoami', { key: greedy })).status === 429) refusals++
  })
  for (let i = 0; i < 20; i++) {
    assert.equal((await service.ask('/apps?limit=1')).status, 200)
    assert.equal((await service.ask('/readyz')).status, 200)
  }
  over.abort()
  await Promise.all(flood)
  await service.running.close()
  const lines = await linesIn(service.folder)
  const theirs = lines.filter(({ who }) => who === `key:${greedy.split('_')[2]}`)
  assert.deepEqual(
    theirs.map(({ details: { status } }) => status),
    [200, 429, 429],
  )
  const counts = theirs.map(({ details: { count } }) => Number(count ?? 0))
  assert.equal(
    counts.reduce((a, b) => a + b, 0),
    refusals,
  )
  assert.equal(lines.length - theirs.length, 20)
})
