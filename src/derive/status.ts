// How `GET /v1/connections/{id}/status` stands in the description: what is known of a connection, without asking the platform.
import { refusalsOf } from './problem-responses.ts'
import type { Schema } from './schema.ts'

const state = {
  ...{ connection: 'studio', breaker: 'closed', retryAfterSec: null },
  quota: { hour: { limit: 3_600, remaining: 3_412 }, minute: { limit: 300, remaining: 298 }, pausedSec: 0 },
  calls: { running: 1, waiting: 0 },
  ...{ keyRejected: false, lastAnswerAt: '2026-11-20T09:00:00.000Z', lastFailure: null },
}

export const statusOperation = (headers: Schema): Schema => ({
  operationId: 'getConnectionStatus',
  summary: 'How a connection stands with the platform',
  description:
    'As this process of the service knows it. It costs no call of the platform, also while that does not answer.',
  tags: ['status'],
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The connection.',
      schema: { type: 'string', minLength: 1 },
      example: 'demo',
    },
  ],
  responses: {
    200: {
      description: 'The answer.',
      headers,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ConnectionStatus' }, example: state } },
    },
    ...refusalsOf(false),
  },
})

const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description })
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  ...{ type: 'object', required: Object.keys(properties), properties },
})
const orNull = (schema: Schema, description: string): Schema => ({ anyOf: [schema, { type: 'null' }], description })
const moment: Schema = { type: 'string', format: 'date-time' }
const quotaWindow = object({
  limit: whole('Calls in the whole window.'),
  remaining: whole('Calls that are left of it.'),
})

export const statusSchema: Schema = object({
  connection: { type: 'string', description: 'Its id.' },
  breaker: {
    type: 'string',
    enum: ['closed', 'open', 'half-open'],
    description: '`closed`: the platform is asked. `open`: it does not answer. `half-open`: it is being tried again.',
  },
  retryAfterSec: {
    type: ['integer', 'null'],
    description: 'Seconds until the platform is tried again; null while the breaker is closed.',
  },
  quota: object({
    hour: orNull(quotaWindow, 'The rolling hour; null: the platform has not said.'),
    minute: orNull(quotaWindow, 'The rolling minute; null: the platform has not said.'),
    pausedSec: whole('Seconds until the signing key may ask again; 0: now.'),
  }),
  calls: object({
    running: whole('Calls with the signing key that are under way.'),
    waiting: whole('Calls that wait for their turn.'),
  }),
  keyRejected: { type: 'boolean', description: 'Whether the platform refuses the signing key at the moment.' },
  lastAnswerAt: orNull(moment, 'When the platform last gave a document; null: not yet.'),
  lastFailure: orNull(
    object({ at: moment, code: { type: 'string', description: 'Such as `upstream_unavailable`.' } }),
    'The last failure of the platform; null: none yet.',
  ),
})
