// What is drawn of a chart: quiet lines with exact labels, and the marks.
import { minuteOfDay } from '../moments.ts'
import { brokenLine, loneDots, middleOf, type Room, stackedBars } from './chart-marks.ts'
import type { ChartProps } from './chart-series.ts'
import type { Scale } from './scale.ts'

export interface DrawnProps {
  readonly chart: ChartProps
  readonly scale: Scale
  readonly room: Room
}

export function Axes({ chart: { minutes, wordOf }, scale, room }: DrawnProps) {
  const count = minutes.length
  return (
    <>
      {scale.ticks.map((tick) => {
        const y = room.top + room.height * (1 - scale.at(tick))
        return (
          <g key={tick}>
            <line x1={room.left} x2={room.left + room.width} y1={y} y2={y} />
            <text x={room.left - 6} y={y + 4} text-anchor="end">
              {wordOf(tick)}
            </text>
          </g>
        )
      })}
      {minutes.map((iso, i) =>
        new Date(iso).getUTCMinutes() % 15 === 0 ? (
          <text key={iso} x={middleOf(room, i, count)} y={room.top + room.height + 16} text-anchor="middle">
            {minuteOfDay(iso)}
          </text>
        ) : null,
      )}
    </>
  )
}

export function Marks({ chart: { kind, series }, scale, room }: DrawnProps) {
  const bars =
    kind === 'bars'
      ? stackedBars(
          series.map(({ values }) => values),
          scale,
          room,
        )
      : []
  return (
    <>
      {series.map(({ name, tone, values }, i) => (
        <g key={name}>
          <path class={`${kind} ${tone}`} d={bars[i] ?? brokenLine(values, scale, room)} />
          {kind === 'lines' && <path class={`lines lone ${tone}`} d={loneDots(values, scale, room)} />}
        </g>
      ))}
    </>
  )
}
