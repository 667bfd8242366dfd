import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { wholeMinute } from '../../../base/test/whole-minute.ts'
import { startManagerOver } from './manager.ts'

const fine: Script = (_, res) => send(res, page.healthy)
const lastOf = (counts: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all.at(-1)]))

test('outcomes of requests are counted by the minute, without open pages and requests of operators', async (t) => {
  let fail = false
  const script: Script = (_, res) => (fail ? refuse(res, 500, 'OOPS') : send(res, page.healthy))
  const { ask, service } = await startManagerOver(t, script, { now: wholeMinute() })
  const limited = (await ask('POST', '/keys', { body: { name: 'x', connections: ['*'], perMinute: 1 } })).json.key
  await service.ask(page.path)
  await service.ask(page.path, { key: limited })
  assert.equal((await service.ask(page.path, { key: limited })).status, 429)
  assert.equal((await service.ask('/apps?nmae=x')).status, 400)
  assert.equal((await service.ask('/apps', { key: 'vtr_test_x' })).status, 401)
  for (const path of ['/healthz', '/docs', '/v1/whoami']) assert.equal((await service.ask(path)).status, 200)
  fail = true
  assert.equal((await service.ask(page.path)).status, 502)
  const { status, json } = await ask('GET', '/health')
  assert.equal(status, 200)
  assert.deepEqual(lastOf(json.requests), { ok: 3, clientError: 2, limited: 1, upstream: 1, failed: 0, left: 0 })
  for (const counts of Object.values<number[]>(json.requests))
    assert.deepEqual(
      counts.slice(0, 59),
      Array.from({ length: 59 }, () => 0),
    )
  // the failing call is retried while that may help
  const calls = service.events.filter(({ kind }) => kind === 'called').length
  assert.deepEqual([json.platform.ok.at(-1), json.platform.failed.at(-1)], [2, calls - 2])
  const operations = json.operations.map(({ operation, requests, errors }: any) => [operation, requests, errors])
  assert.deepEqual(operations, [
    ['listSubscriptionOfferCodes', 3, 1],
    ['listApps', 1, 0],
    ['whoami', 1, 0],
  ])
})

test('minutes are named by when they began, a minute apart, and the last one is under way', async (t) => {
  let leap = 0
  const { ask } = await startManagerOver(t, fine, { now: () => Date.now() + leap })
  for (const each of [0, 0, 7_200_000, -7_200_000]) {
    leap += each
    const { at, stepSec, minutes } = (await ask('GET', '/health')).json
    assert.equal(stepSec, 60)
    const times: number[] = minutes.map((one: string) => Date.parse(one))
    for (const [i, time] of times.entries()) assert.equal(time - (times[0] ?? 0), i * 60_000)
    assert.equal((times[59] ?? 0) % 60_000, 0)
    const sinceMs = Date.parse(at) - (times[59] ?? 0)
    assert.ok(sinceMs >= 0 && sinceMs < 61_000, `${sinceMs}`)
  }
})

test('a slow platform shows in both durations, and minutes without a measurement are null', async (t) => {
  const script: Script = (_, res) => void setTimeout(() => send(res, page.healthy), 150)
  const { ask, service } = await startManagerOver(t, script, { now: wholeMinute() })
  const before = (await ask('GET', '/health')).json
  assert.deepEqual(new Set([...before.latencyMs.p50, ...before.platform.p95]), new Set([null]))
  assert.deepEqual(before.operations, [])
  for (let i = 1; i < 6; i++) await service.ask(`${page.path}?limit=${i}`)
  const { latencyMs, platform, operations } = (await ask('GET', '/health')).json
  for (const name of ['p50', 'p95', 'p99']) assert.ok(latencyMs[name].at(-1) >= 140, name)
  for (const name of ['p50', 'p95']) assert.ok(platform[name].at(-1) >= 140 && platform[name].at(-2) === null, name)
  assert.ok(operations[0].p95 >= 140)
})

test('a caller who leaves is counted as left, and their wait is not a latency', async (t) => {
  const { ask, service } = await startManagerOver(t, () => {}, { now: wholeMinute() })
  const gone = new AbortController()
  const asked = fetch(`${service.url}/v1/connections/acme${page.path}`, {
    headers: { authorization: `Bearer ${service.key}` },
    signal: gone.signal,
  }).catch(() => {})
  while ((await ask('GET', '/connections/acme/status')).json.calls.running === 0) await sleep(5)
  gone.abort()
  await asked
  const health = async () => (await ask('GET', '/health')).json
  for (let i = 0; i < 400 && (await health()).requests.left.at(-1) === 0; i++) await sleep(10)
  const { requests, latencyMs, platform } = await health()
  assert.deepEqual(lastOf(requests), { ok: 0, clientError: 0, limited: 0, upstream: 0, failed: 0, left: 1 })
  assert.equal(latencyMs.p50.at(-1), null)
  assert.deepEqual([platform.ok.at(-1), platform.failed.at(-1)], [0, 0])
})

test('the last day and week are by the hour, kept over a restart, and unknown before the first start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-hours-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // two starts may be on both sides of a full hour
  const begun = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 60_000 - Date.now()
  const options = { folder, now: () => Date.now() + begun }
  const first = await startManagerOver(t, fine, options)
  for (let i = 0; i < 3; i++) await first.service.ask(page.path)
  await first.service.close()
  const { ask, service } = await startManagerOver(t, fine, options)
  await service.ask(page.path)
  for (const [query, count] of [
    ['', 24],
    ['?range=24h', 24],
    ['?range=7d', 168],
  ] as const) {
    const { status, json } = await ask('GET', `/usage${query}`)
    assert.deepEqual([status, json.hours.length], [200, count])
    assert.equal(new Date(json.hours.at(-1)).getTime() % 3_600_000, 0)
    assert.deepEqual(lastOf(json.requests), { ok: 4, clientError: 0, limited: 0, upstream: 0, failed: 0, left: 0 })
    assert.ok(json.requests.ok.slice(0, -1).every((one: number | null) => one === null))
    assert.deepEqual(json.operations, [{ operation: 'listSubscriptionOfferCodes', requests: 4, errors: 0 }])
    assert.ok(json.latencyMs.p50.at(-1) > 0 && json.platform.p95.at(-1) > 0)
  }
  assert.equal((await ask('GET', '/usage?range=30d')).json.error.code, 'value_not_allowed')
})
