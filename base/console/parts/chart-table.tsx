// The numbers of a chart, as a table below it.
import type { ChartProps, Steps } from './chart-geometry.ts'
import { Disclosure } from './disclosure.tsx'

export const stepTitle = ({ unit }: Steps): string => `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`

function Numbers({ steps, series, format }: ChartProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{stepTitle(steps)}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.starts
          .map((iso, i) => (
            <tr key={iso}>
              <th scope="row">{steps.nameOf(iso)}</th>
              {series.map(({ name, values }) => {
                const value = values[i] ?? null
                return <td key={name}>{value === null ? '–' : format(value)}</td>
              })}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  )
}

/** what scrolls must be reached by keys */
const reachable = 0

export function ChartTable(chart: ChartProps) {
  return (
    <Disclosure summary="Show as table">
      {() => (
        <div class="plain-table" role="region" tabIndex={reachable} aria-label={`${chart.title} as a table`}>
          <Numbers {...chart} />
        </div>
      )}
    </Disclosure>
  )
}
