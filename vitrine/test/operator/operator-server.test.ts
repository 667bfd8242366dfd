import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProxies } from '../../../base/web/address.ts'
import { createOperatorServer, type OperatorServerParts } from '../../src/operator/operator-server.ts'
import { createExaminations } from '../../src/management/examination.ts'
import type { Event } from '../../src/events.ts'
import { exchange, pem, startManager, token } from './manager.ts'

const operator = { who: 'operator:00000000', digest: Buffer.alloc(32) }
const tokens = {
  authenticate: () => operator,
  authenticateToken: () => operator,
  isValid: () => true,
  validTokens: () => [],
}
const missing = () => assert.fail('it is not asked for')

/** the operator server alone, with parts given by the test */
async function startOperator(t: TestContext, parts: Partial<OperatorServerParts>) {
  const events: Event[] = []
  const { listen, drain } = createOperatorServer({
    keys: missing as never,
    connectionAdmin: missing as never,
    rotation: missing as never,
    audit: { append: async () => {} } as never,
    connections: { ids: async () => [] } as never,
    description: async () => '{}',
    reference: async () => new Map(),
    service: missing as never,
    metrics: missing,
    explorer: missing as never,
    forms: missing,
    examinations: createExaminations({ ids: missing, examine: missing }, Date.now),
    tokens,
    stopping: () => false,
    ready: async () => {},
    history: missing as never,
    hours: missing as never,
    proxies: createProxies([]),
    connectionsPerAddress: 0,
    now: Date.now,
    unpublishedUntil: missing,
    observe: (event) => events.push(event),
    ...parts,
  })
  const { port } = await listen({ host: '127.0.0.1', port: 0 })
  t.after(() => drain({ mostMs: 0, idleMs: 0 }))
  return {
    events,
    drain,
    ask: (method: string, path: string, body?: unknown) => exchange(port, method, path, { body }),
  }
}

test('a failure is reported with its place and without its message, which may quote the request', async (t) => {
  const add = async () => {
    throw new TypeError(`cannot do this with ${pem}`)
  }
  const { ask, events } = await startOperator(t, { connectionAdmin: { add } as never })
  const body = { id: 'x', keyId: 'K', privateKey: pem }
  const { status, json } = await ask('POST', '/operator/v1/connections', body)
  assert.deepEqual([status, json.error.code], [500, 'internal_error'])
  const failed = events.find((event) => event.kind === 'failed')
  assert.equal(failed?.reason, 'TypeError')
  assert.match(failed?.stack ?? '', /^TypeError\n +at /)
  assert.ok(!JSON.stringify([events, json]).includes('PRIVATE KEY'))
})

test('a running operation ends before the server closes, and new requests are refused', async (t) => {
  let stopping = false
  const begun = Promise.withResolvers<void>()
  const list = async () => {
    begun.resolve()
    await sleep(200)
    return []
  }
  const { ask, drain } = await startOperator(t, { connectionAdmin: { list } as never, stopping: () => stopping })
  const asked = ask('GET', '/operator/v1/connections')
  await begun.promise
  stopping = true
  await drain({ mostMs: 2_000, idleMs: 0 })
  assert.equal((await asked).status, 200)
  await assert.rejects(ask('GET', '/healthz'))
})

test('a token is rotated in its file without a restart', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  const next = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'
  writeFileSync(file, token)
  const { ask } = await startManager(t, {
    secrets: { operatorToken: undefined },
    file: { operatorTokenFile: file },
  })
  assert.equal((await ask('GET', '/vault')).status, 200)
  writeFileSync(file, `${token}\n${next}`)
  await sleep(1_100)
  for (const one of [token, next]) assert.equal((await ask('GET', '/vault', { token: one })).status, 200)
  writeFileSync(file, next)
  await sleep(1_100)
  assert.equal((await ask('GET', '/vault')).status, 401)
  assert.equal((await ask('GET', '/vault', { token: next })).status, 200)
})

test('without a configured token every request is refused', async (t) => {
  const { ask } = await startManager(t, { secrets: { operatorToken: undefined } })
  for (const given of [token, 'undefined', '', null])
    assert.equal((await ask('GET', '/vault', { token: given })).status, 401)
  assert.equal((await ask('GET', '/healthz', { token: null })).status, 200)
})
