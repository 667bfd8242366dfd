// The operations on the state of the service and its connections: status, metrics, the last hour, and changes as events.
import { Problem } from '../problems.ts'
import { isoOf } from '../../../base/core/moment.ts'
import { shownState } from './connection-state.ts'
import { ranges, type UsageRange, usageOf } from './usage.ts'
import { base, define, type ManagementOperation, type ManagementParts } from './operation.ts'

const subject = 'connection'
const tag = 'status'

export async function serverState({ service, ready }: Pick<ManagementParts, 'service' | 'ready'>) {
  const { version, startedAt, uptimeMs } = service
  const redis = service.redis()
  const isReady = await ready().then(
    () => true,
    () => false,
  )
  return {
    version,
    node: process.version,
    startedAt: isoOf(startedAt),
    uptimeSec: Math.floor(uptimeMs() / 1_000),
    ready: isReady,
    replicas: service.replicas(),
    replicasCountedBy: service.countedBy?.() ?? 'rows',
    redis: redis && { ...redis, since: isoOf(redis.since), reason: redis.reason ?? null },
  }
}

async function shownService(parts: ManagementParts) {
  const sorted = parts.connections.opened().toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { ...(await serverState(parts)), connections: sorted.map(shownState) }
}

export const statusOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/status`,
    operationId: 'getStatus',
    tag,
    summary: 'The state of this server, and of the connections that it has opened',
    description: 'As this process knows it, without a platform call. A hosted connection is opened on first use.',
    act: 'service.status',
    answer: 'Status',
    run: (_, parts) => shownService(parts),
  }),
  define({
    method: 'GET',
    path: `${base}/connections/{id}/status`,
    operationId: 'getConnectionStatus',
    tag,
    summary: 'The state of one connection at the platform',
    description: 'As this process knows it, without a platform call.',
    act: 'connections.status',
    subject,
    answer: 'ConnectionStatus',
    refusals: ['connection_unknown', 'connection_unreadable'],
    run: async ({ id }, parts) => {
      const open = await parts.connections.find(id)
      if (!open) throw new Problem('connection_unknown')
      return shownState(open)
    },
  }),
  define({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    tag,
    summary: 'Metrics in the text format of Prometheus',
    description:
      'Labels are names and codes of the service, and ids of connections: 200 ids have a label of their own, all others share `other`.',
    act: 'service.metrics',
    answer: 'text',
    run: (_, { metrics }) => metrics(),
  }),
]

const minutes = 60

export const healthOperation = define({
  // the page /healthz is `getHealth`
  method: 'GET',
  path: `${base}/health`,
  operationId: 'getHealthOfHour',
  tag: 'status',
  isPolling: true,
  summary: 'Outcomes and durations of the requests of the last hour, and the most used operations',
  description:
    'Requests of callers at the public endpoint, without its open pages. By minute, oldest first; the last one is under way. Durations are accurate to about 7 %; null: none was measured. Kept in memory: it starts empty after a restart. `getUsage` goes further back.',
  act: 'service.health',
  answer: 'Health',
  run: async (_, { history, now }) => {
    const [last, at] = [history.minute(), now()]
    return {
      at: isoOf(at),
      since: isoOf(history.beganAt(history.began, at)),
      stepSec: 60,
      minutes: Array.from({ length: minutes }, (_, i) => isoOf(history.beganAt(last - minutes + 1 + i, at))),
      ...history.service(last),
    }
  },
})

export const usageOperation = define({
  method: 'GET',
  path: `${base}/usage`,
  operationId: 'getUsage',
  tag,
  isPolling: true,
  summary: 'The same of the last 24 hours or 7 days, by the hour and of all replicas',
  description:
    'Sums that the store keeps for 7 days; a restart keeps them. Replicas add to them every minute, those whose operator endpoint is off excepted. The last hour is under way. null: nothing is known of that hour, because no service ran or its sums could not be stored; 0: a service ran and counted nothing.',
  act: 'service.usage',
  query: {
    range: {
      description: 'How far back: `24h`, the default, or `7d`.',
      schema: { type: 'string', minLength: 1, maxLength: 3, enum: Object.keys(ranges) },
    },
  },
  answer: 'Usage',
  run: async ({ query }, { hours, now }) => {
    const range = (query['range'] ?? '24h') as UsageRange
    const last = hours.hour()
    return { at: isoOf(now()), ...usageOf(await hours.since(last - ranges[range] + 1), last, range) }
  },
})

export const eventsOperation = define({
  method: 'GET',
  path: `${base}/events`,
  operationId: 'streamEvents',
  tag: 'status',
  isPolling: true,
  withoutCsrf: true,
  summary: 'Changes of the service and its connections, as server-sent events',
  description:
    'First `service` (ServiceState), then `cards` (Cards) with all connections, then `whole` (WholeTold). From then on, every 2 seconds, only what has changed: `service`, `cards`, and `removed` (RemovedCards). A later uptime is not a change. `beat` (Beat) every 15 seconds is a heartbeat. `bye` (Bye) comes before the service ends the stream; after reconnecting, everything is sent again. At most 20 listeners at once, and 4 of one session.',
  act: 'service.events',
  answer: 'events',
  run: ({ isStillValid, session }, { live }) => live(isStillValid, session),
})
