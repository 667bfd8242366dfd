// A chart over minutes or hours. The pointer and the arrow keys move along the steps; the values of a step are shown above the
// marks, and all of them in the table below. Where nothing is known, the ground is shaded.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  brokenLine,
  type ChartProps,
  evenScale,
  gapsOf,
  loneDots,
  middleOf,
  type PlotArea,
  type Scale,
  stackedBars,
  tenfoldScale,
  ticksOf,
} from './chart-geometry.ts'
import { ChartTable, stepTitle } from './chart-table.tsx'

interface DrawnProps {
  readonly chart: ChartProps
  readonly scale: Scale
  readonly area: PlotArea
}

function Axes({ chart: { steps, format }, scale, area }: DrawnProps) {
  return (
    <>
      {scale.ticks.map((tick) => {
        const y = area.top + area.height * (1 - scale.at(tick))
        return (
          <g key={tick}>
            <line x1={area.left} x2={area.left + area.width} y1={y} y2={y} />
            <text x={area.left - 6} y={y + 4} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        )
      })}
      {ticksOf(steps, area).map(([x, name]) => (
        <text key={x} x={x} y={area.top + area.height + 16} text-anchor={anchorAt(x, area)}>
          {name}
        </text>
      ))}
    </>
  )
}

const tickWidth = 24

/** a name at an edge is not cut off */
function anchorAt(x: number, { left, width }: PlotArea): 'start' | 'middle' | 'end' {
  if (x - left < tickWidth) return 'start'
  return left + width - x < tickWidth ? 'end' : 'middle'
}

/** the width that the words take */
const wordsWidth = 56

function Gaps({ chart: { steps }, area }: DrawnProps) {
  const step = area.width / Math.max(1, steps.known.length)
  return (
    <>
      {gapsOf(steps.known).map(([from, count]) => {
        const x = area.left + from * step
        return (
          <g key={from} class="gap">
            <rect x={x} y={area.top} width={count * step} height={area.height} />
            {count * step > wordsWidth && (
              <text x={x + (count * step) / 2} y={area.top + area.height / 2} text-anchor="middle">
                no data
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

function Marks({ chart: { kind, series }, scale, area }: DrawnProps) {
  const all = series.map(({ values }) => values)
  const bars = kind === 'bars' ? stackedBars(all, scale, area) : []
  return (
    <>
      {series.map(({ name, tone, values }, i) => (
        <g key={name}>
          <path class={`${kind} ${tone}`} d={bars[i] ?? brokenLine(values, scale, area)} />
          {kind === 'lines' && <path class={`lines lone ${tone}`} d={loneDots(values, scale, area)} />}
        </g>
      ))}
    </>
  )
}

const height = 190
const margin = { left: 46, right: 8, top: 8, bottom: 22 }

/** drawn at the width that it has, so that letters are never stretched */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(560)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(240, Math.round(entry.contentRect.width))
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return { box, width: width.value }
}

function scaleOf({ kind, series, steps }: ChartProps): Scale {
  if (kind === 'lines') return tenfoldScale(series.flatMap(({ values }) => values.filter((value) => value !== null)))
  return evenScale(steps.starts.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)))
}

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  PageUp: (at) => at + 10,
  PageDown: (at) => at - 10,
  Home: () => 0,
  End: (_, last) => last,
}

function cursorOver(last: number, area: PlotArea, at: Signal<number | undefined>) {
  const limit = (to: number) => Math.max(0, Math.min(last, to))
  return {
    onPointerMove(event: PointerEvent) {
      const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect()
      at.value = limit(Math.floor(((event.clientX - left - area.left) / area.width) * (last + 1)))
    },
    onPointerLeave: () => void (at.value = undefined),
    onBlur: () => void (at.value = undefined),
    onFocus: () => void (at.value ??= last),
    onKeyDown(event: KeyboardEvent) {
      const step = moves[event.key]
      if (event.key === 'Escape') at.value = undefined
      if (!step) return
      event.preventDefault()
      at.value = limit(step(at.value ?? last, last))
    },
  }
}

function Legend({ chart, at }: { readonly chart: ChartProps; readonly at: number | undefined }) {
  const { kind, steps, series, restName, format } = chart
  const iso = at === undefined ? undefined : steps.starts[at]
  return (
    <dl class="reading">
      <div>
        <dt class="unseen">{stepTitle(steps)}</dt>
        <dd class="number">{iso ? steps.nameOf(iso) : restName}</dd>
      </div>
      {series.map(({ name, tone, values, rest }) => {
        const value = at === undefined ? undefined : values[at]
        return (
          <div key={name}>
            <dt>
              <span class={`swatch ${kind} ${tone}`} aria-hidden="true" />
              <span class="name">{name}</span>
            </dt>
            <dd class="number">{value === undefined ? rest : value === null ? '–' : format(value)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function stepText({ steps, series, format }: ChartProps, at: number): string {
  const values = series.map(({ name, values }) => {
    const value = values[at] ?? null
    return `${name} ${value === null ? 'no data' : format(value)}`
  })
  return `${steps.nameOf(steps.starts[at] ?? '')}: ${values.join(', ')}`
}

export function Chart(chart: ChartProps) {
  const { title, summary, steps } = chart
  const { box, width } = useWidth()
  const at = useSignal<number | undefined>(undefined)
  const last = Math.max(0, steps.starts.length - 1)
  const area = {
    left: margin.left,
    top: margin.top,
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
  }
  const drawn = { chart, scale: scaleOf(chart), area }
  const x = at.value === undefined ? undefined : middleOf(area, at.value, steps.starts.length)
  return (
    <figure class="chart card">
      <figcaption>
        <h2>{title}</h2>
        <p class="unseen">{summary}</p>
      </figcaption>
      <Legend chart={chart} at={at.value} />
      <div
        ref={box}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, ${steps.unit} by ${steps.unit}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at.value ?? last}
        aria-valuetext={stepText(chart, at.value ?? last)}
        {...cursorOver(last, area, at)}
      >
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <Axes {...drawn} />
          <Gaps {...drawn} />
          <Marks {...drawn} />
          {x !== undefined && <line class="cursor" x1={x} x2={x} y1={area.top} y2={area.top + area.height} />}
        </svg>
      </div>
      <ChartTable {...chart} />
    </figure>
  )
}
