// A scrape as Prometheus reads it, and the list of what may be in one.
import assert from 'node:assert/strict'
import { routes } from '../../src/catalogue/index.ts'
import { version } from '../../src/version.ts'
import { problems } from '../../src/problems.ts'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const label = /([a-z][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/g

function parseSample(line: string): Sample {
  const [whole, name = '', inside = '', value = ''] = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  assert.ok(whole !== undefined, `not a line of the format: ${line}`)
  const labels = [...inside.matchAll(label)]
  assert.equal(labels.map(([one]) => one).join(','), inside, line)
  const number = Number(value === '+Inf' ? Infinity : value)
  assert.ok(!Number.isNaN(number) || /^nan$/i.test(value), line)
  return { name, labels: Object.fromEntries(labels.map(([, key, said]) => [key, said])), value: number }
}

/** every line is a comment of the two known forms, blank, or a sample of a family that was announced before */
export function parse(text: string): Sample[] {
  assert.ok(text.endsWith('\n'))
  const announced = new Set<string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    const [, name = ''] = /^# TYPE ([a-z][a-z0-9_]*) (?:counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (name !== '') assert.ok(!announced.has(name), `${name} is announced twice`)
    if (name !== '') announced.add(name)
    if (line === '' || line.startsWith('#')) {
      assert.match(line, /^(# (HELP [a-z][a-z0-9_]* \S.*|TYPE [a-z][a-z0-9_]* \w+))?$/)
      continue
    }
    const sample = parseSample(line)
    const family = sample.name.replace(/_(bucket|sum|count)$/, '')
    assert.ok(announced.has(sample.name) || announced.has(family), line)
    samples.push(sample)
  }
  return samples
}

export const numberOf = (
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined =>
  samples.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value

const operations = new Set([
  ...routes.map(({ operation }) => operation),
  'whoami',
  'getConnectionStatus',
  'getStatus',
  'getMetrics',
  'getVault',
  'listAudit',
  'unknown',
  'listConnections',
  'createConnection',
  'getConnection',
  'removeConnection',
  'checkConnection',
  'replaceCredentials',
  'listKeys',
  'createKey',
  'getKey',
  'revokeKey',
  'rerollKey',
  'listOperations',
  'planRead',
  'readThrough',
  'beginSession',
  'getSession',
  'endSession',
  '/livez',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/docs/:operation',
  '/docs/',
  '/errors',
  '/errors/:code',
  '/',
  '/connections',
  '/assets/:file',
])
const connections = new Set(['acme', 'other', 'solo', 'studio'])
const outcomes = new Set([
  'ok',
  'client_error',
  'rate_limited',
  'upstream_error',
  'overloaded',
  'left',
  'error',
  'refused',
  'key_rejected',
  'agreement_missing',
  'timeout',
  'unavailable',
  'malformed',
  'failed',
  'hit',
  'miss',
  'revalidated',
])
const troubles = new Set([
  'audit_unpruned',
  'audit_waiting',
  'clock_offset',
  'master_key_missing',
  'redis_away',
  'redis_refused',
  'reload_refused',
  'replicas_uncounted',
  'store_away',
  'taking_untold',
  'unreadable',
])
const bound = (le: string) => le === '+Inf' || /^\d+(\.\d+)?$/.test(le)

/** metric -> its labels */
export const allowed: Readonly<Record<string, readonly string[]>> = {
  vitrine_requests_total: ['operation', 'outcome'],
  vitrine_request_seconds: ['operation'],
  vitrine_refused_total: ['code'],
  vitrine_platform_calls_total: ['connection', 'outcome'],
  vitrine_platform_retries_total: ['connection'],
  vitrine_platform_seconds: [],
  vitrine_queue_wait_seconds: [],
  vitrine_shared_reads_total: [],
  vitrine_cache_total: ['outcome'],
  vitrine_platform_drift_total: ['type'],
  vitrine_duplicates_total: [],
  vitrine_shed_total: ['reason'],
  vitrine_log_lines_dropped_total: [],
  vitrine_failed_total: [],
  vitrine_troubles_total: ['kind'],
  vitrine_sockets_crowded_total: [],
  vitrine_breaker_state: ['connection'],
  vitrine_quota_limit: ['connection', 'window'],
  vitrine_quota_remaining: ['connection', 'window'],
  vitrine_platform_running: ['connection'],
  vitrine_platform_waiting: ['connection'],
  vitrine_key_rejected: ['connection'],
  vitrine_heap_limit_bytes: [],
}

/** metric -> its labels, of the service as a whole */
export const ofService: Readonly<Record<string, readonly string[]>> = {
  vitrine_info: ['version'],
  vitrine_ready: [],
  vitrine_platform_answer_bytes: [],
  vitrine_store_up: [],
  vitrine_start_time_seconds: [],
  vitrine_replicas: [],
  vitrine_keys_ending: [],
  vitrine_redis_up: [],
}

export const values: Readonly<Record<string, (value: string) => boolean>> = {
  operation: (value) => operations.has(value) || /^\/docs\/[\w-]+\.(js|css)$/.test(value),
  outcome: (value) => outcomes.has(value),
  connection: (value) => connections.has(value),
  code: (value) => value in problems || value === 'unknown',
  type: (value) => routes.some(({ type }) => type === value) || value === 'unknown',
  reason: (value) => ['requests', 'queue', 'memory'].includes(value),
  window: (value) => ['hour', 'minute'].includes(value),
  le: bound,
  version: (value) => value === version,
  kind: (value) => troubles.has(value),
}

export function checkAllowed(samples: readonly Sample[]) {
  for (const { name, labels } of samples) {
    if (!name.startsWith('vitrine_')) {
      assert.match(name, /^(process|nodejs)_[a-z0-9_]+$/)
      for (const key of Object.keys(labels))
        assert.ok(['kind', 'type', 'space', 'version', 'major', 'minor', 'patch', 'le'].includes(key), `${name} ${key}`)
      continue
    }
    const family = name.replace(/_(bucket|sum|count)$/, '')
    const names = [...(allowed[family] ?? ofService[family] ?? assert.fail(`${name} is not known`))]
    if (name.endsWith('_bucket')) names.push('le')
    assert.deepEqual(new Set(Object.keys(labels)), new Set(names), name)
    for (const [key, value] of Object.entries(labels)) assert.ok(values[key]?.(value), `${name} ${key}="${value}"`)
  }
}
