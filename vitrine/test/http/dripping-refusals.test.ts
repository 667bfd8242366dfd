import assert from 'node:assert/strict'
import test from 'node:test'
import type { ServerResponse } from 'node:http'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

/** headers at once, and a body that never ends */
function drip(res: ServerResponse, status: number, headers: Record<string, string> = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  const drops = setInterval(() => res.write(' '), 200)
  res.once('close', () => clearInterval(drops))
}

test('an error response of the platform is reported even if its body arrives byte by byte', async (t) => {
  const { service, platform, close } = await startScripted(() => {}, { file: { upstream: { timeoutMs: 4_000 } } })
  t.after(close)
  platform.script = (_, res) => drip(res, 429, { 'retry-after': '9' })
  const limited = await service.ask('/apps')
  assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '9'])
  platform.script = (_, res) => drip(res, 403)
  assert.equal((await service.ask('/v1/connections/other/apps')).status, 403)
})

test('a rejected token is replaced even if the body of the 401 arrives byte by byte', async (t) => {
  const { service, platform, close } = await startScripted(() => {}, { file: { upstream: { timeoutMs: 4_000 } } })
  t.after(close)
  platform.script = (_, res) => (platform.calls.length === 1 ? drip(res, 401) : send(res, { data: [], links: {} }))
  assert.equal((await service.ask('/apps')).status, 200)
  assert.equal(platform.calls.length, 2)
})

test('a query that is too long is rejected before an id that does not exist', async (t) => {
  const { service, platform, close } = await startScripted(() => {})
  t.after(close)
  const { status, json } = await service.ask(`/subscriptions/%2e%2e/offer-codes?territory=${'A'.repeat(4_090)}`)
  assert.deepEqual([status, json.error.code], [400, 'request_too_long'])
  assert.equal(platform.calls.length, 0)
})
