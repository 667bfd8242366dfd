// The operations that tell how the service and its connections stand, for people and for whoever scrapes metrics.
import { Problem } from '../../problem.ts'
import { isoOf } from '../moment.ts'
import { shownState } from '../shown-state.ts'
import { base, type Operation, type Parts } from './operation.ts'

const subject = 'connection'
const tag = 'status'

const standingOf = async ({ standing, connections }: Pick<Parts, 'standing' | 'connections'>) =>
  (await standing?.()) ?? { open: connections.opened(), workers: [] }

export async function shownSelf({ service, ready }: Pick<Parts, 'service' | 'ready'>) {
  const { version, startedAt, uptimeMs } = service
  const redis = service.redis()
  const isReady = await ready().then(
    () => true,
    () => false,
  )
  return {
    ...{ version, node: process.version, startedAt: isoOf(startedAt), uptimeSec: Math.floor(uptimeMs() / 1_000) },
    ...{ ready: isReady, replicas: service.replicas(), replicasCountedBy: service.countedBy?.() ?? 'rows' },
    redis: redis && { ...redis, since: isoOf(redis.since), reason: redis.reason ?? null },
  }
}

async function shownService(parts: Parts) {
  const { open, workers } = await standingOf(parts)
  const sorted = open.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { ...(await shownSelf(parts)), connections: sorted.map(shownState), workers }
}

export const standingOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: `${base}/status`, operationId: 'getStatus', tag },
    summary: 'How this server stands, and the connections that it has opened',
    description:
      'As this process knows it, without a call of the platform. A hosted connection is opened when it is first used.',
    ...{ act: 'service.status', status: 200, answer: 'Status', refusals: [] },
    run: (_, parts) => shownService(parts),
  },
  {
    ...{ method: 'GET', path: `${base}/connections/{id}/status`, operationId: 'getConnectionStatus', tag },
    summary: 'How one connection stands with the platform',
    description: 'As this process knows it, without a call of the platform.',
    ...{ act: 'connections.status', subject, status: 200, answer: 'ConnectionStatus' },
    refusals: ['connection_unknown', 'connection_unreadable'],
    run: async ({ id }, parts) => {
      const open = await parts.connections.find(id)
      if (!open) throw new Problem('connection_unknown')
      const { open: all } = await standingOf(parts)
      return shownState(all.find((one) => one.id === id) ?? open)
    },
  },
  {
    ...{ method: 'GET', path: '/metrics', operationId: 'getMetrics', tag },
    summary: 'What was counted, in the text format of Prometheus',
    description:
      'Labels are names and codes of the service, and ids of connections: of those, 200 have their own and the rest are `other`.',
    ...{ act: 'service.metrics', status: 200, answer: 'text', refusals: [] },
    run: (_, { metrics }) => metrics(),
  },
]
