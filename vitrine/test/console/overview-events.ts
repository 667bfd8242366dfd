// The events of a stream about five connections, each in another state.
import type { Card, ConnectionStatus, ServiceState } from '../../src/console/answers.ts'

const at = '2026-11-20T09:00:00.000Z'

const answering: ConnectionStatus = {
  connection: 'well',
  breaker: 'closed',
  retryAfterSec: null,
  keyRejected: false,
  quota: { hour: { limit: 3_600, remaining: 3_000 }, minute: { limit: 300, remaining: 280 }, pausedSec: 0 },
  calls: { running: 0, waiting: 0 },
  lastAnswerAt: at,
  lastFailure: null,
}

const failure = (code: string) => ({ lastFailure: { at, code } })
const minutes = (calls: number) => Array.from({ length: 60 }, (_, i) => (i % 7) * calls)

const cardOf = (id: string, status: Partial<ConnectionStatus> | null) =>
  ({
    id,
    kind: 'hosted',
    status: status && { ...answering, connection: id, ...status },
    perMinute: { calls: minutes(3), errors: minutes(1) },
    hour: {
      calls: 531,
      errors: 177,
      requests: 900,
      shared: 20,
      cacheHits: 80,
      cacheMisses: 9,
      unreadable: 0,
      drift: 2,
    },
  }) satisfies Card

export const told = [
  cardOf('low', { quota: { hour: { limit: 3_600, remaining: 9 }, minute: null, pausedSec: 0 } }),
  cardOf('refused', { keyRejected: true, ...failure('upstream_key_rejected') }),
  cardOf('silent', { breaker: 'open', retryAfterSec: 20, ...failure('upstream_unavailable') }),
  cardOf('unused', null),
  cardOf('well', {}),
] as const

/** a failed last call */
export const failingWith = (code: string): Card => cardOf('failing', { lastAnswerAt: null, ...failure(code) })

export const service: ServiceState = {
  version: '0.1.0',
  node: 'v26.0.0',
  startedAt: at,
  uptimeSec: 60,
  ready: true,
  replicas: 1,
  replicasCountedBy: 'rows',
  redis: null,
  connections: told.length,
}

const eventOf = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** for a route of the browser: the stream, which then ends and is not opened again during a test */
export const asEvents = (items: readonly Card[]) => ({
  contentType: 'text/event-stream',
  body: [
    'retry: 3600000\n',
    eventOf('service', { ...service, connections: items.length }),
    eventOf('cards', { at, items }),
    eventOf('whole', { at, count: items.length }),
  ].join('\n'),
})
