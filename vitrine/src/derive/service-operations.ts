// `GET /v1/connections/{connectionId}/status` and `GET /v1/whoami` in the OpenAPI document: the answers that no route of the catalogue
// gives.
import {
  about,
  flag,
  integerOrNull,
  listOf,
  moment,
  momentOrNull,
  object,
  oneOf,
  orNull,
  text,
  whole,
} from '../../../base/operations/schema.ts'
import { refusalsOf } from './problem-responses.ts'
import { answerOf, pathParameter, type Schema } from './schema.ts'

const state = {
  connection: 'studio',
  breaker: 'closed',
  retryAfterSec: null,
  quota: { hour: { limit: 3_600, remaining: 3_412 }, minute: { limit: 300, remaining: 298 }, pausedSec: 0 },
  calls: { running: 1, waiting: 0 },
  keyRejected: false,
  lastAnswerAt: '2026-11-20T09:00:00.000Z',
  lastFailure: null,
  platformCalls: null,
}

export const connectionStatusOperation = (headers: Schema): Schema => ({
  operationId: 'getConnectionStatus',
  summary: 'The state of a connection',
  description:
    'As this process of the service knows it. It needs no platform call, and works while the platform does not answer.',
  tags: ['status'],
  parameters: [pathParameter('connectionId', 'The connection.', 'demo')],
  responses: { 200: answerOf('ConnectionStatus', headers, state), ...refusalsOf(false) },
})

/** of the key, not of the connection */
const budgetSchema = orNull(
  object({
    perHour: about(whole, 'Platform calls that the key may cause in an hour.'),
    remaining: about(whole, 'Platform calls that are left of that hour.'),
    resetSec: about(whole, 'Seconds until all of them are left again.'),
  }),
  'The budget of this key; null: it has none.',
)

const quotaWindow = object({
  limit: about(whole, 'Calls in the whole window.'),
  remaining: about(whole, 'Calls that are left of it.'),
})

export const statusSchema: Schema = object({
  connection: about(text, 'Its id.'),
  breaker: about(
    oneOf(['closed', 'open', 'half-open']),
    '`closed`: the platform is called. `open`: it does not answer, and is not called. `half-open`: one call tests it.',
  ),
  retryAfterSec: about(integerOrNull, 'Seconds until the platform is tried again; null while the breaker is closed.'),
  quota: object({
    hour: orNull(quotaWindow, 'The rolling hour; null: not reported by the platform.'),
    minute: orNull(quotaWindow, 'The rolling minute; null: not reported by the platform.'),
    pausedSec: about(whole, 'Seconds until the signing key may be used again; 0: now.'),
  }),
  calls: object({
    running: about(whole, 'Calls with the signing key that are running.'),
    waiting: about(whole, 'Calls that wait in the queue.'),
  }),
  keyRejected: about(flag, 'Whether the platform refuses the signing key at present.'),
  lastAnswerAt: orNull(moment, 'When the platform last answered with a document; null: not yet.'),
  lastFailure: orNull(
    object({ at: moment, code: about(text, 'Such as `upstream_unavailable`.') }),
    'The last failure of the platform; null: none yet.',
  ),
  platformCalls: budgetSchema,
})

const key = {
  id: '3kTq9ZpW1xYb',
  name: 'dashboard',
  connections: ['studio'],
  endedConnections: [],
  allConnections: false,
  groups: ['apps', 'builds'],
  apps: null,
  personal: false,
  perMinute: null,
  platformCalls: { perHour: 500, remaining: 488, resetSec: 2_400 },
  createdAt: '2026-11-20T09:00:00.000Z',
  expiresAt: null,
}

export const whoamiOperation = (headers: Schema): Schema => ({
  operationId: 'whoami',
  summary: 'What this facade key may do',
  description:
    'For programs that were given a key. A connection that was removed, or has another account now, is listed under `endedConnections`: ask for a new key.',
  tags: ['service'],
  responses: { 200: answerOf('Whoami', headers, key), ...refusalsOf(false) },
})

export const whoamiSchema: Schema = object({
  id: about(text, 'The public part of the key, which the operator sees.'),
  name: text,
  connections: about(listOf(text), 'Ids that the key may read now.'),
  endedConnections: about(
    listOf(text),
    'Ids that the key names and does not read: the connection was removed, or has another account now.',
  ),
  allConnections: about(flag, 'Whether connections that are added later are readable too.'),
  groups: about(listOf(text), 'Route groups that the key may read.'),
  apps: orNull(listOf(text), 'Ids of the apps that the key is for; null: all.'),
  personal: about(flag, 'Whether the key is shown personal data.'),
  perMinute: about(integerOrNull, "The key's own rate limit; null: that of the service."),
  platformCalls: budgetSchema,
  createdAt: moment,
  expiresAt: about(momentOrNull, 'null: never.'),
})
