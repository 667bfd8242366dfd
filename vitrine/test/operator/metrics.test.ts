import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { createLog } from '../../src/commands/log.ts'
import { metricLabels } from '../../src/endpoints/metric-labels.ts'
import { createMetrics } from '../../src/metrics.ts'
import type { Event } from '../../src/events.ts'
import { page } from '../support/example-routes.ts'
import { account, startManager } from './manager.ts'
import { allowed, checkAllowed, numberOf, parse } from './scrape.ts'

const scrape = async (ask: Awaited<ReturnType<typeof startManager>>['ask']) => {
  const { status, text, headers } = await ask('GET', '/metrics')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  return parse(text)
}

test('every line of a scrape is well formed, and every label is one of a known list, whatever was asked before', async (t) => {
  const { ask, service } = await startManager(t, { file: { upstream: { timeoutMs: 4_000 } } })
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const secret = 'tester@example.com'
  const asked: [string, Parameters<typeof service.ask>[1]?][] = [
    ['/apps'],
    ['/apps?limit=1'],
    ['/apps?nmae=x'],
    [`/apps/${secret}/versions/ids`],
    [page.path],
    ['/v1/connections/studio/apps'],
    ['/status'],
    ['/v1/whoami'],
    ['/healthz'],
    ['/docs'],
    ['/errors/key_missing'],
    [`/v1/${secret}`],
    [`/v1/connections/${secret}/apps`],
    ['/apps', { method: 'POST' }],
    ['/apps', { key: 'vtr_test_x' }],
    ['/apps', { key: await service.issue({ groups: ['legacy'] }) }],
  ] as [string][]
  for (const [path, asking] of asked) await service.ask(path, asking)
  for (const path of ['/keys', '/keys/3kTq9ZpW1xYb', `/${secret}`, '/vault', '/connections/nobody/status'])
    await ask('GET', path)
  await ask('GET', '/vault', { token: 'a-token-that-is-not-right' })
  const samples = await scrape(ask)
  checkAllowed(samples)
  const of = (name: string, labels?: Record<string, string>) => numberOf(samples, name, labels)
  assert.equal(of('vitrine_requests_total', { operation: 'listApps', outcome: 'ok' }), 3)
  assert.equal(of('vitrine_requests_total', { operation: 'whoami', outcome: 'ok' }), 1)
  assert.equal(of('vitrine_requests_total', { operation: 'getConnectionStatus', outcome: 'ok' }), 1)
  assert.equal(of('vitrine_requests_total', { operation: '/healthz', outcome: 'ok' }), 1)
  assert.equal(of('vitrine_requests_total', { operation: 'createConnection', outcome: 'ok' }), 1)
  assert.equal(of('vitrine_requests_total', { operation: 'listApps', outcome: 'client_error' }), 4)
  assert.equal(of('vitrine_refused_total', { code: 'operator_token_invalid' }), 1)
  assert.equal(of('vitrine_refused_total', { code: 'group_not_granted' }), 1)
  assert.equal(of('vitrine_request_seconds_count', { operation: 'listApps' }), 7)
  assert.equal(of('vitrine_platform_calls_total', { connection: 'studio', outcome: 'ok' }), 1)
  const calls = samples.filter(({ name }) => name === 'vitrine_platform_calls_total')
  const count = calls.reduce((sum, { value }) => sum + value, 0)
  assert.equal(of('vitrine_platform_seconds_count'), count)
  assert.equal(of('vitrine_queue_wait_seconds_count'), count)
  assert.equal(of('vitrine_breaker_state', { connection: 'acme' }), 0)
  assert.equal(of('vitrine_key_rejected', { connection: 'studio' }), 0)
  const { hour } = (await ask('GET', '/connections/acme/status')).json.quota
  assert.equal(of('vitrine_quota_limit', { connection: 'acme', window: 'hour' }), hour.limit)
  assert.equal(of('vitrine_quota_remaining', { connection: 'acme', window: 'hour' }), hour.remaining)
  assert.equal(of('vitrine_quota_limit', { connection: 'solo', window: 'hour' }), undefined, 'it has not said')
  assert.equal(of('vitrine_ready'), 1)
  assert.equal(of('vitrine_info'), 1)
  assert.ok(Math.abs((of('vitrine_start_time_seconds') ?? 0) - Date.now() / 1_000) < 120)
  assert.ok((of('vitrine_heap_limit_bytes') ?? 0) > (of('nodejs_heap_size_used_bytes') ?? Infinity))
  assert.ok((of('process_resident_memory_bytes') ?? 0) > 0 && of('nodejs_eventloop_lag_seconds') !== undefined)
  assert.ok(!JSON.stringify(samples).includes(secret) && !JSON.stringify(samples).includes(service.key.slice(9, 21)))
})

test('a scrape needs the operator token, like any operation', async (t) => {
  const { ask } = await startManager(t)
  for (const given of [null, 'not-the-right-token']) {
    const { status, json } = await ask('GET', '/metrics', { token: given })
    assert.deepEqual([status, json.error.type], [401, 'unauthorized'])
  }
  for (const path of ['/metrics/', '/METRICS', '/operator/v1/metrics', '/metrics/x'])
    assert.equal((await ask('GET', path)).json.error.code, 'route_not_found', path)
  for (let i = 0; i < 9; i++) await ask('GET', '/metrics', { token: 'not-the-right-token' })
  assert.equal((await ask('GET', '/metrics', { token: 'not-the-right-token' })).json.error.code, 'operator_locked_out')
})

const state = {
  ...({ breaker: 'open', retryAfterSec: 3, pausedSec: 0, running: 2, waiting: 1, keyRejected: true } as const),
  lastAnswerAt: null,
  lastFailure: null,
  hour: { limit: 10, remaining: 4 },
}
const answered = (more: object): Event => ({
  kind: 'answered',
  requestId: 'req_x',
  method: 'GET',
  operation: 'listApps',
  from: '192.0.2.1',
  status: 200,
  platformCalls: 0,
  durationMs: 20,
  ...more,
})
const called = (more: object): Event => ({
  kind: 'called',
  connection: 'acme',
  status: 200,
  attempt: 1,
  waitedMs: 5,
  durationMs: 300,
  ...more,
})

test('10,000 invented connections, operations, types and codes add no series beyond the bound', async () => {
  const metrics = createMetrics(metricLabels(routes))
  const names = Array.from({ length: 10_000 }, (_, i) => `invented${i}`)
  for (const name of names) {
    metrics.note(called({ connection: name }))
    metrics.note(answered({ operation: name, status: 400, code: name, connection: name, keyId: name, from: name }))
    metrics.note({ kind: 'drift', connection: 'acme', type: name, members: ['x'] })
    metrics.note({ kind: 'refused', code: name, reason: name })
  }
  const samples = parse(await metrics.text(names.map((id) => ({ id, state: () => state }))))
  const of = (wanted: string) => samples.filter(({ name }) => name === wanted)
  for (const one of ['platform_calls_total', 'breaker_state', 'platform_running', 'platform_waiting', 'key_rejected'])
    assert.equal(of(`vitrine_${one}`).length, 201, one)
  assert.equal(of('vitrine_quota_remaining').length, 200)
  for (const one of ['requests_total', 'platform_drift_total', 'refused_total'])
    assert.equal(of(`vitrine_${one}`).length, 1, one)
  assert.equal(numberOf(samples, 'vitrine_platform_calls_total', { connection: 'other' }), 9_800)
  assert.equal(numberOf(samples, 'vitrine_platform_running', { connection: 'other' }), 19_600)
  assert.equal(numberOf(samples, 'vitrine_breaker_state', { connection: 'other' }), 2)
  assert.equal(numberOf(samples, 'vitrine_key_rejected', { connection: 'other' }), 1)
  assert.equal(numberOf(samples, 'vitrine_platform_drift_total', { type: 'unknown' }), 10_000)
  assert.ok(samples.length < 3_000, `${samples.length} lines`)
  const later = parse(await metrics.text([]))
  for (const one of ['breaker_state', 'quota_limit', 'quota_remaining', 'platform_running', 'key_rejected'])
    assert.deepEqual(
      later.filter(({ name }) => name === `vitrine_${one}`),
      [],
      'a connection that is no longer open is not shown',
    )
})

test('each event is counted once, under its own name and outcome', async () => {
  const metrics = createMetrics(metricLabels(routes))
  const events: Event[] = [
    answered({ cache: 'hit' }),
    answered({ status: 404, code: 'resource_not_found', cache: 'miss' }),
    answered({ status: 429, code: 'key_rate_limited' }),
    answered({ status: 429, code: 'upstream_rate_limited' }),
    answered({ status: 502, code: 'upstream_malformed' }),
    answered({ status: 503, code: 'too_busy' }),
    answered({ status: 499 }),
    answered({ status: 500, code: 'internal_error' }),
    called({}),
    called({ attempt: 2, status: 503, code: 'upstream_unavailable' }),
    called({ status: 429, code: 'upstream_rate_limited' }),
    called({ status: 401, code: 'upstream_key_rejected' }),
    called({ status: 403, code: 'upstream_agreement_missing' }),
    called({ code: 'left' }),
    called({ status: undefined, code: 'upstream_timeout' }),
    called({ status: 404, code: 'resource_not_found' }),
    called({ code: 'upstream_malformed' }),
    called({ status: 500, code: 'upstream_failed' }),
    { kind: 'shared', connection: 'acme' },
    { kind: 'drift', connection: 'acme', type: 'apps', members: ['a', 'b'] },
    { kind: 'duplicate', type: 'apps', count: 3 },
    { kind: 'shed', reason: 'memory' },
    { kind: 'dropped', lines: 7 },
    { kind: 'failed', requestId: 'req_x', reason: 'TypeError' },
    { kind: 'crowded', from: '192.0.2.1', sockets: 1_000 },
    { kind: 'refused', code: 'request_timeout', reason: 'x' },
    { kind: 'clock_offset', connection: 'acme', offsetSec: 90 },
    { kind: 'breaker', connection: 'acme', state: 'open' },
  ]
  for (const event of events) metrics.note(event)
  const samples = parse(await metrics.text([]))
  const wanted: [string, Record<string, string>, number][] = [
    ...['ok', 'client_error', 'upstream_error', 'overloaded', 'left', 'error'].map(
      (outcome): [string, Record<string, string>, number] => ['requests_total', { outcome }, 1],
    ),
    ['requests_total', { outcome: 'rate_limited' }, 2],
    ...[
      'ok',
      'unavailable',
      'rate_limited',
      'key_rejected',
      'agreement_missing',
      'timeout',
      'refused',
      'malformed',
      'failed',
      'left',
    ].map((outcome): [string, Record<string, string>, number] => ['platform_calls_total', { outcome }, 1]),
    ['platform_retries_total', { connection: 'acme' }, 1],
    ['request_seconds_bucket', { operation: 'listApps', le: '0.01' }, 0],
    ['request_seconds_bucket', { operation: 'listApps', le: '0.025' }, 8],
    ['platform_seconds_bucket', { le: '0.25' }, 0],
    ['platform_seconds_bucket', { le: '0.5' }, 10],
    ['queue_wait_seconds_bucket', { le: '0.005' }, 10],
    ['cache_total', { outcome: 'hit' }, 1],
    ['cache_total', { outcome: 'miss' }, 1],
    ['shared_reads_total', {}, 1],
    ['platform_drift_total', { type: 'apps' }, 2],
    ['duplicates_total', {}, 3],
    ['shed_total', { reason: 'memory' }, 1],
    ['log_lines_dropped_total', {}, 7],
    ['failed_total', {}, 1],
    ['sockets_crowded_total', {}, 1],
    ['troubles_total', { kind: 'clock_offset' }, 1],
    ['troubles_total', { kind: 'audit_waiting' }, 0],
    ['refused_total', { code: 'request_timeout' }, 1],
    ['refused_total', { code: 'too_busy' }, 1],
  ]
  for (const [name, labels, value] of wanted)
    assert.equal(numberOf(samples, `vitrine_${name}`, labels), value, `${name} ${JSON.stringify(labels)}`)
})

test('lines that a stuck log drops are counted while it is stuck', async () => {
  const metrics = createMetrics(metricLabels(routes))
  const stuck = { isTTY: false, writableLength: 8 * 1024 * 1024, write: () => false, once: () => stuck as never }
  const log = createLog('all', stuck, metrics.note)
  for (let i = 0; i < 3; i++) log(answered({}))
  assert.equal(numberOf(parse(await metrics.text([])), 'vitrine_log_lines_dropped_total'), 3)
})

test('every documented metric is there from the first scrape on', async () => {
  const text = await createMetrics(metricLabels(routes)).text([])
  for (const name of Object.keys(allowed)) assert.ok(text.includes(`# TYPE ${name} `), name)
})
