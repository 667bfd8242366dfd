// Prometheus metrics. Every label has a bounded set of values that callers cannot choose: no key id, address, path or
// personal data. Long because each instrument has its line here.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { UpstreamState } from './platform/port.ts'
import type { ProblemRow } from '../../base/core/problem.ts'
import { processRegistry } from '../../base/watch/process-metrics.ts'
import { type Event, events } from './events.ts'
import { product } from './product.ts'

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

export interface Bounds {
  readonly operations: readonly string[]
  readonly types: readonly string[]
  readonly problems: Readonly<Record<string, Pick<ProblemRow, 'type' | 'outcome'>>>
}

export interface ConnectionGauges {
  readonly id: string
  readonly state: () => UpstreamState
}

export interface Service {
  readonly version: string
  readonly startedAt: number
  readonly isReady: boolean
  readonly answerBytes: number
  readonly replicas: number
  readonly isRedisUp: boolean | undefined
  readonly isStoreUp: boolean | undefined
  /** undefined: the store does not say */
  readonly keysEnding: number | undefined
}

export type Metrics = ReturnType<typeof createMetrics>

/** connections that have a label of their own; the rest are `other` together */
const mostConnections = 200
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const troubles = Object.entries(events).flatMap(([kind, { isTrouble }]) => (isTrouble ? kind : []))
const breakerStates = { closed: 0, 'half-open': 1, open: 2 } as const

function makeInstruments(registers: Registry[]) {
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `vitrine_${name}`, help, labelNames, registers })
  const seconds = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Histogram<L>({ name: `vitrine_${name}`, help, labelNames, buckets, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name: `vitrine_${name}`, help, labelNames, registers })
  return {
    requests: counter('requests_total', 'Requests, by what came of them.', ['operation', 'outcome']),
    requestSeconds: seconds('request_seconds', 'From a request to the last byte of its answer.', ['operation']),
    refused: counter('refused_total', 'Refusals by their code, of requests and of bytes that were none.', ['code']),
    calls: counter('platform_calls_total', 'Calls of the platform, by what came of them.', ['connection', 'outcome']),
    retries: counter('platform_retries_total', 'Of these, those that repeat an earlier one.', ['connection']),
    platformSeconds: seconds('platform_seconds', 'How long a call of the platform took.'),
    waitSeconds: seconds('queue_wait_seconds', 'How long a call waited for its turn at the platform.'),
    shared: counter('shared_reads_total', 'Reads that another call under way has answered.'),
    cache: counter('cache_total', 'Reads of what may be remembered.', ['outcome']),
    drift: counter('platform_drift_total', 'Members of documents that the catalogue does not know.', ['type']),
    duplicates: counter('duplicates_total', 'Items that the platform sent twice in one page.'),
    shed: counter('shed_total', 'Requests that were turned away before they could cost memory.', ['reason']),
    dropped: counter('log_lines_dropped_total', 'Lines of the log that nobody read in time.'),
    troubles: counter('troubles_total', 'Warnings that the log tells of, by their kind.', ['kind']),
    failed: counter('failed_total', 'Requests that met a defect of the service.'),
    crowded: counter('sockets_crowded_total', 'Sockets that were let go of: too many from one address.'),
    breaker: gauge('breaker_state', '0 closed, 1 half-open, 2 open.', ['connection']),
    quotaLimit: gauge('quota_limit', "Calls in the platform's window.", ['connection', 'window']),
    quotaRemaining: gauge('quota_remaining', 'Calls that are left of it.', ['connection', 'window']),
    running: gauge('platform_running', 'Calls of the platform key that are under way.', ['connection']),
    waiting: gauge('platform_waiting', 'Calls of the platform key that wait for their turn.', ['connection']),
    keyRejected: gauge('key_rejected', '1 while the platform refuses the signing key.', ['connection']),
  }
}

type Instruments = ReturnType<typeof makeInstruments>

const left = 499
const ofTypes: Readonly<Record<string, string>> = {
  rate_limited: 'rate_limited',
  upstream_error: 'upstream_error',
  overloaded: 'overloaded',
}

function createWords({ operations, types, problems }: Bounds) {
  const [knownOperations, knownTypes] = [new Set(operations), new Set(types)]
  const named = new Set<string>()
  const typeOf = (code: string): string => (Object.hasOwn(problems, code) ? (problems[code]?.type ?? '') : '')
  return {
    operation: (name: string): string => (knownOperations.has(name) ? name : 'unknown'),
    type: (name: string): string => (knownTypes.has(name) ? name : 'unknown'),
    code: (code: string): string => (Object.hasOwn(problems, code) ? code : 'unknown'),
    connection(id: string): string {
      if (named.has(id)) return id
      if (named.size >= mostConnections) return 'other'
      named.add(id)
      return id
    },
    outcome({ status, code = '' }: Of<'answered'>): string {
      if (status === left) return 'left'
      if (status < 400) return 'ok'
      return ofTypes[typeOf(code)] ?? (status < 500 ? 'client_error' : 'error')
    },
    callOutcome({ code }: Of<'called'>): string {
      if (code === undefined) return 'ok'
      // the caller left: says nothing about the platform
      if (code === 'left') return 'left'
      return (Object.hasOwn(problems, code) && problems[code]?.outcome) || 'refused'
    },
  }
}

type Words = ReturnType<typeof createWords>

function noteAnswered(event: Of<'answered'>, its: Instruments, words: Words) {
  const operation = words.operation(event.operation)
  its.requests.inc({ operation, outcome: words.outcome(event) })
  if (!event.stream) its.requestSeconds.observe({ operation }, event.durationMs / 1_000)
  if (event.code !== undefined) its.refused.inc({ code: words.code(event.code) })
  if (event.cache !== undefined) its.cache.inc({ outcome: event.cache })
}

function noteCalled(event: Of<'called'>, its: Instruments, words: Words) {
  const connection = words.connection(event.connection)
  its.calls.inc({ connection, outcome: words.callOutcome(event) })
  if (event.attempt > 1) its.retries.inc({ connection })
  its.platformSeconds.observe(event.durationMs / 1_000)
  its.waitSeconds.observe(event.waitedMs / 1_000)
}

function noteOther(event: Event, its: Instruments, words: Words) {
  if (events[event.kind].isTrouble) its.troubles.inc({ kind: event.kind })
  if (event.kind === 'refused') its.refused.inc({ code: words.code(event.code) })
  else if (event.kind === 'shared') its.shared.inc()
  else if (event.kind === 'drift') its.drift.inc({ type: words.type(event.type) }, event.members.length)
  else if (event.kind === 'duplicate') its.duplicates.inc(event.count)
  else if (event.kind === 'shed') its.shed.inc({ reason: event.reason })
  else if (event.kind === 'dropped') its.dropped.inc(event.lines)
  else if (event.kind === 'failed') its.failed.inc()
  else if (event.kind === 'crowded') its.crowded.inc()
}

/** for connections that share a label: the worst state, and the sum of the calls under way */
function readGauges(open: readonly ConnectionGauges[], its: Instruments, words: Words) {
  const { breaker, quotaLimit, quotaRemaining, running, waiting, keyRejected } = its
  for (const one of [breaker, quotaLimit, quotaRemaining, running, waiting, keyRejected]) one.reset()
  for (const [connection, lines] of Map.groupBy(open, ({ id }) => words.connection(id))) {
    const states = lines.map(({ state }) => state())
    breaker.set({ connection }, Math.max(...states.map((state) => breakerStates[state.breaker])))
    keyRejected.set({ connection }, states.some((state) => state.keyRejected) ? 1 : 0)
    running.inc(
      { connection },
      states.reduce((sum, state) => sum + state.running, 0),
    )
    waiting.inc(
      { connection },
      states.reduce((sum, state) => sum + state.waiting, 0),
    )
    // no single number describes several connections
    if (states.length > 1) continue
    for (const window of ['hour', 'minute'] as const) {
      const quota = states[0]?.[window]
      if (!quota) continue
      quotaLimit.set({ connection, window }, quota.limit)
      quotaRemaining.set({ connection, window }, quota.remaining)
    }
  }
}

/** created with its first value, so that no metric shows a 0 that was never set */
function createShown(registers: Registry[]) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) => {
    let made: Gauge<L> | undefined
    return () => (made ??= new Gauge<L>({ name: `vitrine_${name}`, help, labelNames, registers }))
  }
  const info = gauge('info', '1, with the version of this service.', ['version'])
  const ready = gauge('ready', '1 while the service should get traffic.', [])
  const replicas = gauge('replicas', 'Replicas of this installation that are alive, with this one.', [])
  const redisUp = gauge(
    'redis_up',
    '1 while what the replicas share is heard and takes writes, 0 while each takes its part.',
    [],
  )
  const storeUp = gauge('store_up', '0 while the store is away, or its address leads to a hot standby.', [])
  const keysEnding = gauge(
    'keys_ending',
    'Active facade keys that expire within seven days; NaN while the store is away.',
    [],
  )
  const answers = gauge(
    'platform_answer_bytes',
    'Bytes of platform answers in memory, over all connections; limits.answerMegabytes bounds them.',
    [],
  )
  const started = gauge('start_time_seconds', 'When the service was started, in seconds since 1970.', [])
  return {
    service(service: Service) {
      const { version, startedAt, isReady, answerBytes, replicas: alive, isRedisUp, isStoreUp } = service
      info().set({ version }, 1)
      ready().set(isReady ? 1 : 0)
      answers().set(answerBytes)
      replicas().set(alive)
      keysEnding().set(service.keysEnding ?? NaN)
      if (isRedisUp !== undefined) redisUp().set(isRedisUp ? 1 : 0)
      if (isStoreUp !== undefined) storeUp().set(isStoreUp ? 1 : 0)
      started().set(Math.round(startedAt / 1_000))
    },
  }
}

export function createMetrics(bounds: Bounds) {
  const registry = new Registry()
  const its = makeInstruments([registry])
  const shown = createShown([registry])
  // exported before its first count, so that the first count shows as a rise
  for (const kind of troubles) its.troubles.inc({ kind }, 0)
  const words = createWords(bounds)
  const process = processRegistry(product.name)
  return {
    note: (event: Event) => {
      if (event.kind === 'answered') noteAnswered(event, its, words)
      else if (event.kind === 'called') noteCalled(event, its, words)
      else noteOther(event, its, words)
    },
    async text(open: readonly ConnectionGauges[], service?: Service): Promise<string> {
      readGauges(open, its, words)
      if (service) shown.service(service)
      return `${await registry.metrics()}${await process.metrics()}`
    },
  }
}
