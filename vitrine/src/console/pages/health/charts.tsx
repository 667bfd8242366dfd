// A span of time as charts: outcomes and times of requests, and the same of platform calls.
import type { ShownHealth, Span } from './spans.ts'
import { counted, duration, sumOf, whole } from '../../../../../base/console/format.ts'
import type { Series, Steps, StepValues } from '../../../../../base/console/parts/chart-geometry.ts'
import { Chart } from '../../../../../base/console/parts/chart.tsx'

type Row = readonly [name: string, tone: string, values: StepValues]

interface GroupProps {
  readonly steps: Steps
  readonly span: Span
  readonly title: string
  readonly rows: readonly Row[]
}

const knownOf = (values: StepValues): readonly number[] => values.filter((value) => value !== null)

function Counts({ steps, span, title, rows }: GroupProps) {
  const series = rows.map(([name, tone, values]): Series => {
    const known = knownOf(values)
    return { name, tone, values, rest: known.length === 0 ? '–' : whole(sumOf(known)) }
  })
  const sums = series.map(({ name, rest }) => `${name} ${rest}`).join(', ')
  return (
    <Chart
      steps={steps}
      title={title}
      kind="bars"
      series={series}
      restName={span.words}
      format={whole}
      summary={`${title} of the ${span.words}: ${sums}.`}
    />
  )
}

function latest(values: StepValues): string {
  const value = knownOf(values).at(-1)
  return value === undefined ? '–' : duration(value)
}

function rangeText([name, , values]: Row): string {
  const known = knownOf(values)
  if (known.length === 0) return `${name} no data`
  return `${name} from ${duration(Math.min(...known))} to ${duration(Math.max(...known))}`
}

function Times({ steps, span, title, rows }: GroupProps) {
  const count = counted(knownOf(rows[0]?.[2] ?? []).length, steps.unit)
  return (
    <Chart
      steps={steps}
      title={title}
      kind="lines"
      series={rows.map(([name, tone, values]) => ({ name, tone, values, rest: latest(values) }))}
      restName="latest"
      format={duration}
      summary={`${title} in the ${count} of the ${span.words} that had any: ${rows.map(rangeText).join(', ')}.`}
    />
  )
}

export function Charts({ health }: { readonly health: ShownHealth }) {
  const { span, steps, requests, latencyMs, platform } = health
  const common = { steps, span }
  return (
    <div class="health-charts">
      <Counts
        {...common}
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
        {...common}
        title="Response time"
        rows={[
          ['p50', 'accent', latencyMs.p50],
          ['p95', 'literal dashed', latencyMs.p95],
          ['p99', 'bad dotted', latencyMs.p99],
        ]}
      />
      <Counts
        {...common}
        title="Platform calls"
        rows={[
          ['Successful', 'accent', platform.ok],
          ['Failed', 'bad', platform.failed],
        ]}
      />
      <Times
        {...common}
        title="Platform call time"
        rows={[
          ['p50', 'accent', platform.p50],
          ['p95', 'literal dashed', platform.p95],
        ]}
      />
    </div>
  )
}
