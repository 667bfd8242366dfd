// The schemas of the service's state, of its last hour, and of the events that report changes.
import {
  about,
  type AnswerOf,
  type AnswerSchema,
  flag,
  integerOrNull,
  listOf,
  moment,
  momentOrNull,
  object,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
  whole,
} from '../../../base/operations/schema.ts'

const self = {
  version: text,
  node: about(text, 'Version of Node.js.'),
  startedAt: moment,
  uptimeSec: whole,
  ready: about(flag, 'Whether the service should get traffic.'),
  replicas: about(whole, 'Replicas of this installation that are alive, including this one.'),
  replicasCountedBy: about(
    oneOf(['rows', 'sessions', 'assumed']),
    'How they were counted: by the rows that they write, by their sessions if the database takes no writes, or not at all.',
  ),
  redis: orNull(
    object({
      place: text,
      up: flag,
      since: about(moment, 'Since when it has been in this state.'),
      reason: orNull(text, 'While it is down: the code of the error, such as READONLY.'),
    }),
    'The Redis of the replicas, and whether it answers and takes writes; null: the settings name none.',
  ),
}

const quotaWindow = object({ limit: whole, remaining: whole })

const connectionStatus = object({
  connection: about(text, 'Its id.'),
  breaker: about(oneOf(['closed', 'open', 'half-open']), '`open`: the platform does not answer.'),
  retryAfterSec: about(integerOrNull, 'Seconds until the next platform call; null: calls are made now.'),
  quota: object({
    hour: orNull(quotaWindow, 'null: not known yet.'),
    minute: orNull(quotaWindow, 'null: not known yet.'),
    pausedSec: about(whole, 'Seconds until the signing key may be used again; 0: now.'),
  }),
  calls: object({ running: whole, waiting: whole }),
  keyRejected: about(flag, 'Whether the platform currently rejects the signing key.'),
  lastAnswerAt: about(momentOrNull, 'When the platform last returned a document; null: not yet.'),
  lastFailure: orNull(object({ at: moment, code: text }), 'The last failure of the platform; null: none yet.'),
})

const always60: AnswerSchema<60> = { type: 'integer', const: 60 }
const numberOrNull: AnswerSchema<number | null> = { type: ['number', 'null'] }
const sixty = { minItems: 60, maxItems: 60 }
const counts = about(listOf(whole, sixty), 'By minute, oldest first; the last one is under way.')
const length: AnswerSchema<number | null> = { type: ['number', 'null'], minimum: 0 }
const ms = about(listOf(length, sixty), 'In milliseconds, by minute; null: none was measured.')

const card = object({
  id: text,
  kind: oneOf(['managed', 'hosted']),
  status: orNull(
    ref<AnswerOf<typeof connectionStatus>>('ConnectionStatus'),
    'null: it has not been opened since the start.',
  ),
  perMinute: object({
    calls: about(counts, 'Platform calls by minute, oldest first; the last one is under way.'),
    errors: about(counts, 'Of these, those that failed.'),
  }),
  hour: object({
    calls: about(whole, 'Platform calls.'),
    errors: about(whole, 'Of these, those that failed. A resource that does not exist is not a failure.'),
    requests: about(whole, 'Requests of callers who may read it.'),
    shared: about(whole, 'Reads that shared the call of another one.'),
    cacheHits: about(whole, 'Answers from the cache.'),
    cacheMisses: about(whole, 'Answers that may be cached and were not in the cache.'),
    unreadable: about(whole, 'Requests refused because its credential cannot be decrypted.'),
    drift: about(whole, 'Members of documents that the catalogue does not know, each counted once; at most 200.'),
  }),
})

const usedOperation = {
  operation: text,
  requests: whole,
  errors: about(whole, 'Of these, those that the platform or the service failed.'),
}

const health = object({
  at: moment,
  since: about(moment, 'When this process began to count: minutes before are not known, and shown as 0.'),
  stepSec: always60,
  minutes: about(listOf(moment, sixty), 'When each minute began, by the current clock.'),
  requests: object({
    ok: counts,
    clientError: about(counts, 'Errors of the request: 4xx without 429.'),
    limited: about(counts, 'Too many requests: 429, of the service or of the platform.'),
    upstream: about(counts, 'The platform failed.'),
    failed: about(counts, 'The service failed, or was too busy.'),
    left: about(counts, 'The caller left before the answer.'),
  }),
  latencyMs: object({ p50: ms, p95: ms, p99: ms }),
  platform: object({
    ok: about(counts, 'Calls that the platform answered.'),
    failed: about(counts, 'Calls that failed.'),
    p50: ms,
    p95: ms,
  }),
  operations: about(
    listOf(object({ ...usedOperation, p95: about(numberOrNull, 'In milliseconds.') })),
    'The most used ones of the hour, at most 20.',
  ),
})

const hourly = about(listOf({ ...integerOrNull, minimum: 0 }), 'By hour, oldest first; null: not known.')
const hourlyMs = about(listOf(length), 'In milliseconds, by hour; null: none was measured.')

const usage = object({
  at: moment,
  range: oneOf(['24h', '7d']),
  hours: about(listOf(moment), 'When each hour began.'),
  requests: object({
    ok: hourly,
    clientError: hourly,
    limited: hourly,
    upstream: hourly,
    failed: hourly,
    left: hourly,
  }),
  latencyMs: object({ p50: hourlyMs, p95: hourlyMs, p99: hourlyMs }),
  platform: object({ ok: hourly, failed: hourly, p50: hourlyMs, p95: hourlyMs }),
  operations: about(listOf(object(usedOperation)), 'The most used ones, at most 20.'),
})

const serviceState = object({ ...self, connections: about(whole, 'How many there are.') })

type Card = AnswerOf<typeof card>

export const statusSchemas = {
  ConnectionStatus: connectionStatus,
  Status: object({
    ...self,
    connections: about(
      listOf(ref<AnswerOf<typeof connectionStatus>>('ConnectionStatus')),
      'Those that are open, by id.',
    ),
  }),
  ServiceState: serviceState,
  Card: card,
  Overview: object({
    at: moment,
    service: ref<AnswerOf<typeof serviceState>>('ServiceState'),
    ...pageOf<Card>('Card'),
  }),
  Health: health,
  Usage: usage,
  Cards: about(object({ at: moment, items: listOf(ref<Card>('Card')) }), 'Of the event `cards`: at most 100.'),
  RemovedCards: about(object({ ids: listOf(text) }), 'Of the event `removed`.'),
  Beat: about(object({ at: moment }), 'Of the event `beat`: the stream is alive.'),
  WholeTold: about(object({ at: moment, count: whole }), 'Of the event `whole`: all cards have been sent.'),
  Bye: about(
    object({ reason: oneOf(['session_ended', 'stopping', 'too_many']) }),
    'Of the event `bye`: the server ends the stream.',
  ),
}
