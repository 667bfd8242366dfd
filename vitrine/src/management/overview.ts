// The state of the service and of each connection, with the connection's last hour.
import type { ConnectionHour, History } from '../history/history.ts'
import { isoOf } from '../../../base/core/moment.ts'
import { shownState } from './connection-state.ts'
import { base, define, type ManagementParts, subjects } from './operation.ts'
import { pageParameters, readPage } from '../../../base/operations/page.ts'
import { serverState } from './status-operations.ts'

/** `count`: of connections */
export const serviceState = async (parts: Pick<ManagementParts, 'service' | 'ready'>, count: number) => ({
  ...(await serverState(parts)),
  connections: count,
})

type Last = ReturnType<History['minute']>

const quiet: readonly number[] = Array.from({ length: 60 }, () => 0)
const nothing = {
  perMinute: { calls: quiet, errors: quiet },
  hour: { calls: 0, errors: 0, requests: 0, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 },
}

const sumsOf = (hour: ConnectionHour, last: Last) => ({
  calls: hour.sum(last, 'calls'),
  errors: hour.sum(last, 'errors'),
  requests: hour.sum(last, 'requests'),
  shared: hour.sum(last, 'shared'),
  cacheHits: hour.sum(last, 'cacheHits'),
  cacheMisses: hour.sum(last, 'cacheMisses'),
  unreadable: hour.sum(last, 'unreadable'),
  drift: hour.members(last),
})

const latelyOf = (hour: ConnectionHour, last: Last) => ({
  perMinute: { calls: hour.perMinute(last, 'calls'), errors: hour.perMinute(last, 'errors') },
  hour: sumsOf(hour, last),
})

export function createCards({ connections, history }: Pick<ManagementParts, 'connections' | 'history'>) {
  const last = history.minute()
  const open = new Map(connections.opened().map((one) => [one.id, one]))
  return (id: string) => {
    const [one, hour] = [open.get(id), history.hourOf(id, last)]
    return {
      id,
      kind: connections.isManaged(id) ? ('managed' as const) : ('hosted' as const),
      status: one ? shownState(one) : null,
      ...(hour ? latelyOf(hour, last) : nothing),
    }
  }
}

export const overviewOperation = define({
  method: 'GET',
  path: `${base}/overview`,
  operationId: 'getOverview',
  tag: 'status',
  isPolling: true,
  summary: 'The service, and the state and the last hour of each connection',
  description:
    'Connections by id, opened or not, without a platform call. The last hour is kept in memory: it starts empty after a restart, and the last of its sixty minutes is under way.',
  act: 'service.overview',
  query: pageParameters,
  answer: 'Overview',
  run: async ({ query }, parts) => {
    const ids = await parts.connections.ids()
    const card = createCards(parts)
    const { items, nextCursor } = await readPage(query, {
      name: 'overview',
      form: subjects.connection.idForm,
      read: async ({ after = '', limit }) => ids.filter((id) => id > after).slice(0, limit),
      placeOf: (id) => id,
    })
    const service = await serviceState(parts, ids.length)
    return { at: isoOf(parts.now()), service, items: items.map(card), nextCursor }
  },
})
