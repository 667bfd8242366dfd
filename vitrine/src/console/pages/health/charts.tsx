// The last hour as charts: outcomes and times of requests, and the same of platform calls.
import type { Health } from '../../answers.ts'
import { counted, duration, sumOf, whole } from '../../../../../base/console/format.ts'
import type { MinuteValues, Series } from '../../../../../base/console/parts/chart-geometry.ts'
import { Chart } from '../../../../../base/console/parts/chart.tsx'

type Row<Values> = readonly [name: string, tone: string, values: Values]

interface GroupProps<Values> {
  readonly minutes: readonly string[]
  readonly title: string
  readonly rows: readonly Row<Values>[]
}

function Counts({ minutes, title, rows }: GroupProps<readonly number[]>) {
  const series = rows.map(([name, tone, values]): Series => ({ name, tone, values, rest: whole(sumOf(values)) }))
  const sums = series.map(({ name, rest }) => `${name} ${rest}`).join(', ')
  return (
    <Chart
      minutes={minutes}
      title={title}
      kind="bars"
      series={series}
      restName="last hour"
      format={whole}
      summary={`${title} of the last hour: ${sums}.`}
    />
  )
}

const knownOf = (values: MinuteValues): readonly number[] => values.filter((value) => value !== null)

function latest(values: MinuteValues): string {
  const value = knownOf(values).at(-1)
  return value === undefined ? '–' : duration(value)
}

function rangeText([name, , values]: Row<MinuteValues>): string {
  const known = knownOf(values)
  if (known.length === 0) return `${name} no data`
  return `${name} from ${duration(Math.min(...known))} to ${duration(Math.max(...known))}`
}

function Times({ minutes, title, rows }: GroupProps<MinuteValues>) {
  const count = counted(knownOf(rows[0]?.[2] ?? []).length, 'minute')
  return (
    <Chart
      minutes={minutes}
      title={title}
      kind="lines"
      series={rows.map(([name, tone, values]) => ({ name, tone, values, rest: latest(values) }))}
      restName="latest"
      format={duration}
      summary={`${title} in the ${count} of the last hour that had any: ${rows.map(rangeText).join(', ')}.`}
    />
  )
}

export function Charts({ health: { minutes, requests, latencyMs, platform } }: { readonly health: Health }) {
  return (
    <div class="health-charts">
      <Counts
        minutes={minutes}
        title="Requests"
        rows={[
          ['Successful', 'accent', requests.ok],
          ['Invalid request', 'soft', requests.clientError],
          ['Rate limited', 'literal', requests.limited],
          ['Platform error', 'warn', requests.upstream],
          ['Vitrine error', 'bad', requests.failed],
          ['Canceled by caller', 'deep', requests.left],
        ]}
      />
      <Times
        minutes={minutes}
        title="Response time"
        rows={[
          ['p50', 'accent', latencyMs.p50],
          ['p95', 'literal dashed', latencyMs.p95],
          ['p99', 'bad dotted', latencyMs.p99],
        ]}
      />
      <Counts
        minutes={minutes}
        title="Platform calls"
        rows={[
          ['Successful', 'accent', platform.ok],
          ['Failed', 'bad', platform.failed],
        ]}
      />
      <Times
        minutes={minutes}
        title="Platform call time"
        rows={[
          ['p50', 'accent', platform.p50],
          ['p95', 'literal dashed', platform.p95],
        ]}
      />
    </div>
  )
}
