// What a chart shows, as numbers: behind a fold, and drawn when it is opened. The latest minute first.
import { useSignal } from '@preact/signals'
import { minuteOfDay } from '../moments.ts'
import type { ChartProps } from './chart-series.ts'

function Rows({ minutes, series, wordOf }: Pick<ChartProps, 'minutes' | 'series' | 'wordOf'>) {
  return (
    <tbody>
      {minutes
        .map((iso, i) => (
          <tr key={iso}>
            <th scope="row">{minuteOfDay(iso)}</th>
            {series.map(({ name, values }) => {
              const value = values[i] ?? null
              return <td key={name}>{value === null ? '–' : wordOf(value)}</td>
            })}
          </tr>
        ))
        .toReversed()}
    </tbody>
  )
}

/** what scrolls must be reached by keys */
const reachable = 0

export function ChartTable({ title, minutes, series, wordOf }: ChartProps) {
  const open = useSignal(false)
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>As a table</summary>
      {open.value && (
        <div class="plain-table" role="region" tabIndex={reachable} aria-label={`${title} as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Minute</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <Rows {...{ minutes, series, wordOf }} />
          </table>
        </div>
      )}
    </details>
  )
}
