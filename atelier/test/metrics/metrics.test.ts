// The metrics of a whole service over an engine in memory, and what each event counts.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Address } from '../../../base/core/setting-values.ts'
import { until } from '../../../base/test/until.ts'
import type { Event } from '../../src/events.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { operations } from '../../src/metrics/operations.ts'
import { openTokens } from '../../src/operator/operator-server.ts'
import { call, openUsedRig } from '../service-rig.ts'
import { checkLabels, familiesOf, labelsOf, samplesOf, valueOf } from './scrape.ts'

const operatorToken = '0f3a9c5be17d4286a0c1de9f7b64538e'

const state = {
  startedAt: 1_000_000,
  isEngineUp: true,
  totals: [],
  transfers: 0,
  egressConnections: 0,
  builds: { running: 0, queued: 0 },
  keptOutput: { bytes: 0, most: 0 },
  hostMemoryBytes: 1,
}

async function openScraped(t: Parameters<typeof openUsedRig>[0], settings: Record<string, unknown> = {}) {
  const used = await openUsedRig(t, { operatorToken, settings })
  const { service } = used.rig
  const ask = (path = '/metrics', key: string | undefined = operatorToken, method = 'GET') =>
    call(service.operatorUrl, method, path, key === '' ? {} : { key })
  const scrape = async () => {
    const { status, text, headers } = await ask()
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    const samples = samplesOf(text)
    checkLabels(samples)
    return Object.assign(
      (name: string, labels?: Record<string, string>) => valueOf(samples, `atelier_${name}`, labels),
      {
        text,
      },
    )
  }
  return { ...used, ask, scrape }
}

test('a scrape tells of requests, containers, commands, engine, store and sweeps', async (t) => {
  const { create, call: ask, key, scrape, rig } = await openScraped(t)
  const { body } = await create({ limits: { cpu: 0.5, memoryMiB: 64 } })
  const wish = { containerId: body.id, command: ['say', 'hello'] }
  assert.equal((await ask('POST', '/containers/exec', { key, body: wish })).status, 200)
  assert.equal((await ask('POST', '/containers/exec', { key, body: { ...wish, user: 'x' } })).status, 400)
  await until(() => rig.service.events.some(({ kind }) => kind === 'swept'))
  const of = await scrape()
  assert.equal(of('requests_total', { operation: 'createContainer', outcome: 'ok' }), 1)
  assert.equal(of('requests_total', { operation: 'runCommand', outcome: 'client_error' }), 1)
  assert.equal(of('request_seconds_count', { operation: 'createContainer' }), 1)
  assert.equal(of('request_seconds_count', { operation: 'runCommand' }), undefined, 'its time is the command’s')
  assert.equal(of('refused_total', { code: 'invalid_request' }), 1)
  assert.equal(of('containers', { status: 'running' }), 1)
  assert.equal(of('containers_memory_bytes'), 64 * 1_048_576)
  assert.equal(of('containers_cpus'), 0.5)
  assert.equal(of('command_start_seconds_count'), 1)
  assert.equal(of('commands_total', { outcome: 'ended' }), 1)
  assert.equal(of('commands_running'), 0)
  assert.equal(of('engine_calls_total', { call: 'create', outcome: 'ok' }), 1)
  assert.equal(of('engine_call_seconds_count', { call: 'start' }), 1)
  assert.ok((of('store_call_seconds_count', { act: 'transaction' }) ?? 0) > 0)
  assert.ok((of('sweeps_total', { sweep: 'due', outcome: 'ok' }) ?? 0) > 0)
  assert.ok(Math.abs((of('sweep_success_timestamp_seconds', { sweep: 'due' }) ?? 0) - Date.now() / 1_000) < 120)
  assert.deepEqual([of('engine_up'), of('store_up'), of('info')], [1, 1, 1])
  assert.ok(of.text.includes('nodejs_eventloop_lag_p99_seconds'))
})

test('a running command, an engine that is away and a store that is closed show in the next scrape', async (t) => {
  const { create, call: ask, key, scrape, engine, rig } = await openScraped(t)
  const { body } = await create()
  const running = ask('POST', '/containers/exec', { key, body: { containerId: body.id, command: ['hang'] } })
  await until(() => engine.commandsOf(body.id).length === 1)
  await until(async () => (await scrape())('commands_running') === 1)
  await ask('DELETE', `/containers?id=${body.id}`, { key })
  await running
  const after = await scrape()
  assert.equal(after('commands_total', { outcome: 'container_ended' }), 1)
  assert.equal(after('containers_ended_total', { reason: 'user_deleted' }), 1)
  engine.leave()
  assert.equal((await scrape())('engine_up'), 0)
  engine.comeBack()
  await rig.service.core.store.db.close()
  const without = await scrape()
  assert.deepEqual([without('engine_up'), without('store_up')], [1, 0])
  assert.equal(without('containers', { status: 'running' }), undefined, 'a number that is not known is not shown')
})

test('no id, name, key, address or path of a caller is in a scrape', async (t) => {
  const { create, call: ask, key, keyId, account, scrape } = await openScraped(t)
  const { body } = await create({ name: 'my-secret-name', env: { SECRET: 'my-secret-value' }, labels: { a: 'my-secret-label' } }) // prettier-ignore
  const containerId = body.id as string
  const wish = { containerId, command: ['say', 'my-secret-word'], env: { A: 'my-secret-value' } }
  await ask('POST', '/containers/exec', { key, body: wish })
  for (const path of [
    '/my-secret-path',
    '/containers?my-secret=1',
    `/containers?id=${containerId}`,
    '/images/my-secret',
  ])
    await ask('GET', path, { key })
  await ask('MYSECRET', '/containers', { key })
  const { text } = await scrape()
  assert.doesNotMatch(text, /my-?secret|127\.0\.0\.1|(acc|ct|img|ex|ssh|key)_[0-9a-z]{26}|atl_/i)
  for (const one of [containerId, account, keyId, key, operatorToken]) assert.ok(!text.includes(one), one)
})

test('the metrics need the token of the operator, and a wrong one is no way to find paths', async (t) => {
  const { ask, key } = await openScraped(t)
  for (const given of ['', key, `${operatorToken}x`])
    for (const path of ['/metrics', '/nothing']) {
      const { status, body, headers } = await ask(path, given)
      assert.deepEqual([status, body.error.type], [401, 'unauthorized'], path)
      assert.match(String(headers['www-authenticate']), /^Bearer/)
    }
  for (const path of ['/', '/metrics/', '/Metrics', '/containers'])
    assert.equal((await ask(path)).body.error.type, 'not_found', path)
  assert.equal((await ask('/metrics?a=1')).status, 400)
  const { status, headers } = await ask('/metrics', operatorToken, 'POST')
  assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD'])
  for (let i = 0; i < 10; i++) await ask('/metrics', 'not-the-token')
  const locked = await ask('/metrics', 'not-the-token')
  assert.deepEqual([locked.status, locked.body.error.code], [429, 'operator_locked_out'])
  assert.equal((await ask()).status, 200, 'the right token passes all the same')
})

test('a name that leads a browser to the loopback address is refused', async (t) => {
  const { rig } = await openScraped(t)
  const given = { key: operatorToken, headers: { host: 'evil.example' } }
  const { status, body } = await call(rig.service.operatorUrl, 'GET', '/metrics', given)
  assert.deepEqual([status, body.error.code], [421, 'host_not_allowed'])
})

test('an operator endpoint that the network reaches does not start without a token', () => {
  const observe = () => {}
  const [near, far] = ['127.0.0.1', '0.0.0.0'].map((host) => ({ host, port: 1 })) as [Address, Address]
  assert.throws(() => openTokens(far, { observe }), /^Error: operatorListen: .* no token is set/)
  assert.throws(() => openTokens(near, { fixed: 'short', observe }), /is not a token/)
  assert.equal(openTokens(near, { observe }).isConfigured, false)
  assert.equal(openTokens(far, { fixed: operatorToken, observe }).isConfigured, true)
})

const served = (more: object): Event => ({
  ...({ kind: 'served', requestId: 'req_1', method: 'GET', operation: 'listContainers', from: '192.0.2.1' } as const),
  status: 200,
  durationMs: 20,
  ...more,
})

test('10,000 invented words of each kind add no series beyond the bound', async () => {
  const metrics = createMetrics(operations)
  for (const name of Array.from({ length: 10_000 }, (_, i) => `invented${i}`)) {
    metrics.note(served({ operation: name, status: 400, code: name, keyId: name, accountId: name, target: name }))
    metrics.note({ kind: 'refused', code: name, reason: name })
    metrics.note({ kind: 'engine_called', call: name, outcome: name, durationMs: 1 })
    metrics.note({ kind: 'command_ended', outcome: name })
    metrics.note({ kind: 'container_ended', containerId: name, status: name, reason: name })
    metrics.note({ kind: 'build_ended', steps: 3, cachedSteps: 2, imageId: name, status: name, durationMs: 1 })
  }
  const samples = samplesOf(await metrics.text(state))
  checkLabels(samples)
  assert.ok(samples.length < 500, `${samples.length} lines`)
  assert.equal(valueOf(samples, 'atelier_requests_total', { operation: 'unknown' }), 10_000)
})

const counted = (name: string, labels: Record<string, string>, value: number) => [name, labels, value] as const

test('each event is counted once, under its own outcome', async () => {
  const metrics = createMetrics(operations)
  const events: Event[] = [
    served({}),
    served({ status: 499 }),
    served({ status: 404, code: 'container_not_found' }),
    served({ status: 507, code: 'disk_full' }),
    served({ status: 429, code: 'rate_limited' }),
    served({ status: 429, code: 'exec_limit' }),
    served({ status: 502, code: 'engine_error' }),
    served({ status: 503, code: 'engine_unavailable' }),
    served({ status: 504, code: 'engine_timeout' }),
    served({ status: 502, code: 'exec_outcome_unknown' }),
    served({ status: 503, code: 'store_unavailable' }),
    served({ status: 500, code: 'internal_error' }),
    { kind: 'command_started', durationMs: 70 },
    { kind: 'command_started', durationMs: 70 },
    { kind: 'command_ended', outcome: 'timeout' },
    { kind: 'command_ended', outcome: 'not_started' },
    { kind: 'swept', sweep: 'sizes', outcome: 'failed', durationMs: 5 },
    { kind: 'reconciled', removed: 2, lost: 3 },
    { kind: 'build_ended', steps: 3, cachedSteps: 2, imageId: 'img_x', status: 'ready', durationMs: 700 },
    { kind: 'ssh_opened', sessionId: 'ssh_x', containerId: 'ct_x', keyId: 'key_x', from: '192.0.2.1' },
    { kind: 'ssh_opened', sessionId: 'ssh_x', containerId: 'ct_x', keyId: 'key_x', from: '192.0.2.1' },
    { kind: 'ssh_closed', sessionId: 'ssh_x' },
    { kind: 'terminal_opened', requestId: 'req_x', containerId: 'ct_x', accountId: 'acc_x', from: '192.0.2.1' },
    { kind: 'terminal_opened', requestId: 'req_y', containerId: 'ct_x', accountId: 'acc_x', from: '192.0.2.1' },
    { kind: 'terminal_closed', requestId: 'req_x', code: 1000, durationMs: 1 },
    { kind: 'engine_called', call: 'exec', outcome: 'timeout', durationMs: 9_000 },
    { kind: 'store_called', act: 'write', outcome: 'failed', durationMs: 2 },
    { kind: 'engine_away', reason: 'x' },
    { kind: 'crowded', from: '192.0.2.1', sockets: 7 },
    { kind: 'dropped', lines: 4 },
    { kind: 'failed', requestId: 'req_1', reason: 'TypeError' },
  ]
  for (const event of events) metrics.note(event)
  const samples = samplesOf(
    await metrics.text({
      ...state,
      transfers: 2,
      builds: { running: 1, queued: 5 },
      keptOutput: { bytes: 3, most: 9 },
    }),
  )
  const wanted: ReturnType<typeof counted>[] = [
    ...['ok', 'left', 'overloaded', 'error'].map((outcome) => counted('requests_total', { outcome }, 1)),
    ['requests_total', { outcome: 'client_error' }, 2],
    ['requests_total', { outcome: 'limited' }, 2],
    ['requests_total', { outcome: 'engine_error' }, 4],
    ['refused_total', { code: 'exec_limit' }, 1],
    ['commands_running', {}, 1],
    ['commands_total', { outcome: 'timeout' }, 1],
    ['commands_total', { outcome: 'not_started' }, 1],
    ['command_start_seconds_bucket', { le: '0.05' }, 0],
    ['command_start_seconds_bucket', { le: '0.1' }, 2],
    ['sweeps_total', { sweep: 'sizes', outcome: 'failed' }, 1],
    ['strays_removed_total', {}, 2],
    ['containers_lost_total', {}, 3],
    ['builds_total', { outcome: 'ready' }, 1],
    ['build_steps_total', { source: 'build' }, 3],
    ['build_steps_total', { source: 'cache' }, 2],
    ['build_seconds_bucket', { le: '1' }, 1],
    ['ssh_connections_total', {}, 2],
    ['ssh_connections_open', {}, 1],
    ['terminals_total', {}, 2],
    ['terminals_open', {}, 1],
    ['engine_calls_total', { call: 'exec', outcome: 'timeout' }, 1],
    ['store_calls_total', { act: 'write', outcome: 'failed' }, 1],
    ['troubles_total', { kind: 'engine_away' }, 1],
    ['sockets_crowded_total', {}, 1],
    ['log_lines_dropped_total', {}, 4],
    ['failed_total', {}, 1],
    ['transfers_running', {}, 2],
    ['builds_queued', {}, 5],
    ['kept_output_bytes', {}, 3],
    ['kept_output_limit_bytes', {}, 9],
  ]
  for (const [name, labels, value] of wanted)
    assert.equal(valueOf(samples, `atelier_${name}`, labels), value, `${name} ${JSON.stringify(labels)}`)
})

test('every metric of the list is announced from the first scrape on, and no other', async () => {
  const families = familiesOf(await createMetrics(operations).text(state))
  assert.deepEqual([...families].filter((name) => name.startsWith('atelier_')).toSorted(), Object.keys(labelsOf).toSorted()) // prettier-ignore
})
