// What a scrape reads of the service. An engine or a store that does not answer delays it by a second at most.
import { totalmem } from 'node:os'
import { withDeadline } from '../../../base/core/abort.ts'
import type { Service } from '../routes/service.ts'

const mostMs = 1_000

export type StateSource = Pick<Service, 'engine' | 'store' | 'counter' | 'builder' | 'egress' | 'kept'>

export async function readState({ engine, store, counter, builder, egress, kept }: StateSource, startedAt: number) {
  const [isEngineUp, totals] = await Promise.all([
    withDeadline(
      engine.ping().then(
        () => true,
        () => false,
      ),
      mostMs,
      () => false,
    ),
    withDeadline(
      store.containers.totals().catch(() => undefined),
      mostMs,
      () => undefined,
    ),
  ])
  return {
    startedAt,
    isEngineUp,
    /** undefined: the store does not answer */
    totals,
    transfers: counter.sumOf('files '),
    builds: builder.atWork,
    keptOutput: { bytes: kept.bytes, most: kept.most },
    egressConnections: egress.connections,
    hostMemoryBytes: totalmem(),
  }
}

export type ServiceState = Awaited<ReturnType<typeof readState>>
