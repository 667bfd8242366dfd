// The last hour as charts: what came of requests, how long they took, and the same of the platform's calls.
import type { Health } from '../../answers.ts'
import { counted, duration, sumOf, whole } from '../../numbers.ts'
import { Chart } from '../../parts/chart.tsx'
import type { Series } from '../../parts/chart-series.ts'

interface Row {
  readonly name: string
  readonly tone: string
}

type Counted = Row & { readonly values: readonly number[] }
type Timed = Row & { readonly values: readonly (number | null)[] }

const countsOf = (rows: readonly Counted[]): Series[] =>
  rows.map(({ values, ...row }) => ({ ...row, values, rest: whole(sumOf(values)) }))

/** the latest that is known */
function latest(values: readonly (number | null)[]): string {
  const value = values.findLast((one) => one !== null)
  return typeof value === 'number' ? duration(value) : '–'
}

const timesOf = (rows: readonly Timed[]): Series[] =>
  rows.map(({ values, ...row }) => ({ ...row, values, rest: latest(values) }))

const sayCounts = (what: string, series: readonly Series[]): string =>
  `${what} of the last hour: ${series.map(({ name, rest }) => `${name} ${rest}`).join(', ')}.`

function sayTimes(what: string, series: readonly Series[]): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return `${name} nothing`
    return `${name} from ${duration(Math.min(...known))} to ${duration(Math.max(...known))}`
  })
  const minutes = series[0]?.values.filter((value) => value !== null).length ?? 0
  return `${what} in the ${counted(minutes, 'minute')} of the last hour that had any: ${parts.join(', ')}.`
}

interface PairProps {
  readonly minutes: readonly string[]
  readonly title: string
  readonly rows: readonly Counted[]
}

function Counts({ minutes, title, rows }: PairProps) {
  const series = countsOf(rows)
  return (
    <Chart
      {...{ minutes, title, series, kind: 'bars', restName: 'the hour', wordOf: whole }}
      says={sayCounts(title, series)}
    />
  )
}

function Times({ minutes, title, rows }: Omit<PairProps, 'rows'> & { readonly rows: readonly Timed[] }) {
  const series = timesOf(rows)
  return (
    <Chart
      {...{ minutes, title, series, kind: 'lines', restName: 'latest', wordOf: duration }}
      says={sayTimes(title, series)}
    />
  )
}

export function Charts({ health: { minutes, requests, latencyMs, platform } }: { readonly health: Health }) {
  return (
    <div class="health-charts">
      <Counts
        {...{ minutes, title: 'Requests' }}
        rows={[
          { name: 'Answered', tone: 'glass', values: requests.ok },
          { name: 'Wrong request', tone: 'soft', values: requests.clientError },
          { name: 'Limited', tone: 'literal', values: requests.limited },
          { name: 'Platform failed', tone: 'warn', values: requests.upstream },
          { name: 'Vitrine failed', tone: 'bad', values: requests.failed },
          { name: 'Caller left', tone: 'deep', values: requests.left },
        ]}
      />
      <Times
        {...{ minutes, title: 'Time to answer' }}
        rows={[
          { name: 'Half within', tone: 'glass', values: latencyMs.p50 },
          { name: '95 % within', tone: 'literal dashed', values: latencyMs.p95 },
          { name: '99 % within', tone: 'bad dotted', values: latencyMs.p99 },
        ]}
      />
      <Counts
        {...{ minutes, title: 'Calls of the platform' }}
        rows={[
          { name: 'Answered', tone: 'glass', values: platform.ok },
          { name: 'Failed', tone: 'bad', values: platform.failed },
        ]}
      />
      <Times
        {...{ minutes, title: 'Time of a call' }}
        rows={[
          { name: 'Half within', tone: 'glass', values: platform.p50 },
          { name: '95 % within', tone: 'literal dashed', values: platform.p95 },
        ]}
      />
    </div>
  )
}
