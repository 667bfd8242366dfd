// How `GET /v1/whoami` stands in the description: the one answer behind a key that no route of the catalogue gives.
import { refusalsOf } from './problem-responses.ts'
import type { Schema } from './schema.ts'

/** what a key may do: the one answer that is not the platform's */
export const whoamiOperation = (headers: Schema): Schema => ({
  operationId: 'whoami',
  summary: 'What this facade key may do',
  description:
    'For programs that were handed a key. A connection that was removed, or is of another account now, is listed under `endedConnections`: ask for a new key.',
  tags: ['service'],
  responses: {
    200: {
      description: 'The answer.',
      headers,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Whoami' },
          example: {
            ...{
              id: '3kTq9ZpW1xYb',
              name: 'dashboard',
              connections: ['studio'],
              endedConnections: [],
              allConnections: false,
            },
            ...{
              groups: ['apps', 'builds'],
              perMinute: null,
              createdAt: '2026-11-20T09:00:00.000Z',
              expiresAt: null,
            },
          },
        },
      },
    },
    ...refusalsOf(false),
  },
})

const moment: Schema = { type: ['string', 'null'], format: 'date-time' }
export const whoamiSchema: Schema = {
  type: 'object',
  required: [
    'id',
    'name',
    'connections',
    'endedConnections',
    'allConnections',
    'groups',
    'perMinute',
    'createdAt',
    'expiresAt',
  ],
  properties: {
    id: { type: 'string', description: 'Public part of the key, as the operator sees it.' },
    name: { type: 'string' },
    connections: { type: 'array', items: { type: 'string' }, description: 'Ids that the key may read now.' },
    endedConnections: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids that the key names and does not read: the connection was removed, or has another account now.',
    },
    allConnections: { type: 'boolean', description: 'Whether connections that are added later are readable too.' },
    groups: { type: 'array', items: { type: 'string' }, description: 'Route groups that the key may read.' },
    perMinute: { type: ['integer', 'null'], description: "The key's own rate; null: the service's." },
    createdAt: { type: 'string', format: 'date-time' },
    expiresAt: { ...moment, description: 'null: never.' },
  },
}
