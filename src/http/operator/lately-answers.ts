// The schemas of what tells how the service stands and what it did lately.
import { about, flag, listOf, moment, object, orNull, pageOf, ref, text, whole } from './schema.ts'

export const self = {
  version: text,
  node: about(text, 'Version of Node.js.'),
  startedAt: moment,
  uptimeSec: whole,
  ready: about(flag, 'Whether the service should get traffic.'),
  replicas: about(whole, 'How many replicas of this installation are alive, with this one.'),
  replicasCountedBy: about(
    { ...text, enum: ['rows', 'sessions', 'assumed'] },
    'How they were counted: by the rows that they write, by their sessions where the database takes no writes, or not at all.',
  ),
  redis: orNull(
    object({
      place: text,
      up: flag,
      since: about(moment, 'Since when it is so.'),
      reason: orNull(text, 'While it cannot be used: the code of the error that says why, such as READONLY.'),
    }),
    'What the replicas share, and whether it is heard and takes writes; null: the settings name none.',
  ),
}

/** `answers`: what it knows is in the answer; `pid` is null while a new one is about to start */
const worker = object({ worker: whole, pid: { type: ['integer', 'null'] }, answers: flag })

export const workers = about(
  listOf(worker),
  'The processes that answer callers, and whether each was heard; none: this one does.',
)

const sixty = { minItems: 60, maxItems: 60 }
const counts = about({ ...listOf(whole), ...sixty }, 'Minute by minute, oldest first; the last one is under way.')
const lengths = { ...listOf({ type: ['number', 'null'], minimum: 0 }), ...sixty }
const ms = about(lengths, 'In milliseconds, minute by minute; null: none was measured.')

const card = {
  id: text,
  kind: { ...text, enum: ['managed', 'hosted'] },
  status: orNull(ref('ConnectionStatus'), 'null: it has not been opened since the start.'),
  perMinute: object({
    calls: about(counts, 'Calls of the platform, minute by minute, oldest first; the last one is under way.'),
    errors: about(counts, 'Of these, those that failed.'),
  }),
  hour: object({
    calls: about(whole, 'Calls of the platform.'),
    errors: about(whole, 'Of these, those that failed. That something is not there is no failure.'),
    requests: about(whole, 'Of callers who may read it.'),
    shared: about(whole, 'Reads that another call under way answered.'),
    cacheHits: about(whole, 'Answers that were remembered.'),
    cacheMisses: about(whole, 'Answers that may be remembered, and were not.'),
    unreadable: about(whole, 'Requests that were refused because its credential does not open.'),
    drift: about(whole, 'Members of documents that the catalogue does not know, each once; 200 at most.'),
  }),
}

const health = {
  at: moment,
  stepSec: { type: 'integer', const: 60 },
  minutes: about({ ...listOf(moment), ...sixty }, 'When each began, by the clock as it shows now.'),
  requests: object({
    ok: counts,
    clientError: about(counts, 'The request was at fault: 4xx, save 429.'),
    limited: about(counts, 'Too many: 429, of ours or of the platform.'),
    upstream: about(counts, 'The platform failed.'),
    failed: about(counts, 'The service failed, or was too busy.'),
    left: about(counts, 'The caller left before his answer.'),
  }),
  latencyMs: object({ p50: ms, p95: ms, p99: ms }),
  platform: object({
    ok: about(counts, 'Calls that the platform answered.'),
    failed: about(counts, 'Calls that failed.'),
    ...{ p50: ms, p95: ms },
  }),
  operations: about(
    listOf(
      object({
        operation: text,
        requests: whole,
        errors: about(whole, 'Of these, those that the platform or the service failed.'),
        p95: about({ type: ['number', 'null'] }, 'In milliseconds.'),
      }),
    ),
    'Those that were asked for most in the hour, at most 20.',
  ),
}

export const latelySchemas = {
  ServiceState: object({ ...self, workers, connections: about(whole, 'How many there are.') }),
  Card: object(card),
  Overview: object({ at: moment, service: ref('ServiceState'), ...(pageOf('Card')['properties'] as object) }),
  Health: object(health),
  Cards: about(object({ at: moment, items: listOf(ref('Card')) }), 'Of the event `cards`: at most 100.'),
  RemovedCards: about(object({ ids: listOf(text) }), 'Of the event `removed`.'),
  Beat: about(object({ at: moment }), 'Of the event `beat`: the server is still there.'),
  WholeTold: about(object({ at: moment, count: whole }), 'Of the event `whole`: all cards have been told.'),
  Bye: about(
    object({ reason: { ...text, enum: ['session_ended', 'stopping', 'too_many'] } }),
    'Of the event `bye`: the server ends the stream.',
  ),
} as const
