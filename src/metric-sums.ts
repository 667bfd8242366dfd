// What several processes of one service have counted, as one. Counters and histograms add up; of what Node.js tells of its
// processes, memory and time add up too, lags are averaged or the worst of them. How connections stand is not in here: one
// process tells it for all.
import { AggregatorRegistry, type Registry } from 'prom-client'

/** as JSON */
export type Counted = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface Others {
  readonly counted: readonly Counted[]
  /** how many there are in each state */
  readonly workers: Readonly<Record<'serving' | 'silent', number>>
}

export const sumOf = (all: readonly Counted[]): Promise<Counted> =>
  AggregatorRegistry.aggregate([...all]).getMetricsAsJSON()

export const textOf = (all: readonly Counted[]): Promise<string> => AggregatorRegistry.aggregate([...all]).metrics()

/** the bound on connections that have a label of their own is one for all processes */
export const relabelled = (counted: Counted, nameOf: (connection: string) => string): Counted =>
  counted.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => {
      const { connection, ...rest } = value.labels
      return connection === undefined ? value : { ...value, labels: { connection: nameOf(`${connection}`), ...rest } }
    }),
  }))
