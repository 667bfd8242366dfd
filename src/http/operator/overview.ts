// The service and its connections at one glance: how each stands, and what it did in the last hour.
import type { ConnectionHour, History } from '../../history.ts'
import { isoOf } from '../moment.ts'
import { shownState } from '../shown-state.ts'
import { base, idForms, type Operation, type Parts, type Picture } from './operation.ts'
import { pageParameters, readPage } from './page.ts'
import { shownSelf } from './standing.ts'

/** of the service; `count`: of its connections */
export const serviceState = async (parts: Pick<Parts, 'service' | 'ready'>, { workers }: Picture, count: number) => ({
  ...(await shownSelf(parts)),
  ...{ workers, connections: count },
})

type Last = ReturnType<History['minute']>

const quiet: readonly number[] = Array.from({ length: 60 }, () => 0)
const nothing = {
  perMinute: { calls: quiet, errors: quiet },
  hour: { calls: 0, errors: 0, requests: 0, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 },
}

const sumsOf = (hour: ConnectionHour, last: Last) => ({
  ...{ calls: hour.sum(last, 'calls'), errors: hour.sum(last, 'errors') },
  ...{ requests: hour.sum(last, 'requests'), shared: hour.sum(last, 'shared') },
  ...{ cacheHits: hour.sum(last, 'cacheHits'), cacheMisses: hour.sum(last, 'cacheMisses') },
  unreadable: hour.sum(last, 'unreadable'),
  drift: hour.members(last),
})

const latelyOf = (hour: ConnectionHour, last: Last) => ({
  perMinute: { calls: hour.perMinute(last, 'calls'), errors: hour.perMinute(last, 'errors') },
  hour: sumsOf(hour, last),
})

/** shows one connection after the other, as all stand in this picture */
export function createCards({ connections, history }: Pick<Parts, 'connections' | 'history'>, { stateOf }: Picture) {
  const last = history.minute()
  return (id: string) => {
    const [state, hour] = [stateOf(id), history.hourOf(id, last)]
    return {
      ...{ id, kind: connections.isManaged(id) ? 'managed' : 'hosted' },
      status: state ? shownState({ id, state: () => state }) : null,
      ...(hour ? latelyOf(hour, last) : nothing),
    }
  }
}

export const overviewOperation: Operation = {
  ...{ method: 'GET', path: `${base}/overview`, operationId: 'getOverview', tag: 'status', watches: true },
  summary: 'The service, and of each connection how it stands and what it did in the last hour',
  description:
    'Connections by id, opened or not, without a call of the platform. What is told of the last hour is in memory: it begins anew with a restart, and the last of the sixty minutes is under way.',
  ...{ act: 'service.overview', query: pageParameters, status: 200, answer: 'Overview', refusals: [] },
  run: async ({ query }, parts) => {
    const [picture, ids] = [await parts.picture(), await parts.connections.ids()]
    const card = createCards(parts, picture)
    const { items, nextCursor } = await readPage(query, {
      name: 'overview',
      form: idForms.connection,
      read: async ({ after = '', limit }) => ids.filter((id) => id > after).slice(0, limit),
      placeOf: (id) => id,
    })
    const service = await serviceState(parts, picture, ids.length)
    return { at: isoOf(parts.now()), service, items: items.map(card), nextCursor }
  },
}
