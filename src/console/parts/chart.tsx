// A chart of the minutes of an hour. Drawn here, and not by a library: sixty points, colours by the theme, and words for whoever
// cannot see it. The pointer and the arrow keys move along the minutes; what a minute holds stands above the marks, in a place
// of its own, and all of them are in the table below.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { minuteOfDay } from '../moments.ts'
import { cursorOver } from './chart-cursor.ts'
import { Axes, Marks } from './chart-drawing.tsx'
import { middleOf } from './chart-marks.ts'
import type { ChartProps } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { evenScale, type Scale, tenfoldScale } from './scale.ts'

const height = 190
const margin = { left: 46, right: 8, top: 8, bottom: 22 }

/** the width that it has, so that letters are never stretched */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(560)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(240, Math.round(entry.contentRect.width))
    })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return { box, width: width.value }
}

function scaleOf({ kind, series, minutes }: ChartProps): Scale {
  if (kind === 'lines') return tenfoldScale(series.flatMap(({ values }) => values.filter((value) => value !== null)))
  return evenScale(minutes.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)))
}

/** the names of the series are the legend, with the numbers of the minute that is pointed at */
function Reading({
  chart: { kind, minutes, series, restName, wordOf },
  at,
}: {
  chart: ChartProps
  at: number | undefined
}) {
  const iso = at === undefined ? undefined : minutes[at]
  return (
    <dl class="reading">
      <div>
        <dt class="unseen">Minute</dt>
        <dd class="number">{iso ? minuteOfDay(iso) : restName}</dd>
      </div>
      {series.map(({ name, tone, values, rest }) => {
        const value = at === undefined ? undefined : values[at]
        return (
          <div key={name}>
            <dt>
              <span class={`swatch ${kind} ${tone}`} aria-hidden="true" />
              <span class="name">{name}</span>
            </dt>
            <dd class="number">{value === undefined ? rest : value === null ? '–' : wordOf(value)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

const spoken = ({ minutes, series, wordOf }: ChartProps, at: number): string => {
  const values = series.map(({ name, values }) => `${name} ${wordIn(values[at] ?? null, wordOf)}`)
  return `${minuteOfDay(minutes[at] ?? '')}: ${values.join(', ')}`
}

const wordIn = (value: number | null, wordOf: ChartProps['wordOf']): string =>
  value === null ? 'nothing' : wordOf(value)

export function Chart(chart: ChartProps) {
  const { title, says, minutes } = chart
  const { box, width } = useWidth()
  const at = useSignal<number | undefined>(undefined)
  const last = Math.max(0, minutes.length - 1)
  const room = {
    ...{ left: margin.left, top: margin.top, width: width - margin.left - margin.right },
    height: height - margin.top - margin.bottom,
  }
  const drawn = { chart, scale: scaleOf(chart), room }
  const cursor = cursorOver(last, room, at)
  const x = at.value === undefined ? undefined : middleOf(room, at.value, minutes.length)
  return (
    <figure class="chart card">
      <figcaption>
        <h2>{title}</h2>
        <p class="unseen">{says}</p>
      </figcaption>
      <Reading chart={chart} at={at.value} />
      <div
        ref={box}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, minute by minute`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at.value ?? last}
        aria-valuetext={spoken(chart, at.value ?? last)}
        {...cursor}
      >
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <Axes {...drawn} />
          <Marks {...drawn} />
          {x !== undefined && <line class="cursor" x1={x} x2={x} y1={room.top} y2={room.top + room.height} />}
        </svg>
      </div>
      <ChartTable {...chart} />
    </figure>
  )
}
