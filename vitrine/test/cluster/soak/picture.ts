// A picture of what replicas used over time: a chart for each measure, a line for each replica, legible on light and dark.
import type { Measure, Sample } from './sampler.ts'

const [width, fieldHeight, gap, left, right, top] = [920, 120, 46, 64, 20, 62]
const titles: Readonly<Record<Measure, string>> = {
  rssMiB: 'Resident memory, MiB',
  heapMiB: 'Objects and what hangs on them, after a collection, MiB',
  codeMiB: 'Compiled code, MiB',
  descriptors: 'Open descriptors',
  sockets: 'Open sockets',
  timers: 'Timers',
  lagMs: 'Event loop delay, 99th percentile, ms',
}

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2430 }
  .title { font-weight: 600; font-size: 16px }
  .quiet { fill: #5b6270; font-size: 12px }
  .ground { fill: #ffffff } .grid { stroke: #d9dde4; stroke-width: 1 } .fault { stroke: #c2410c; stroke-opacity: .35 }
  .warm { fill: #8a94a6; fill-opacity: .12 }
  polyline { fill: none; stroke-width: 1.6; stroke-linejoin: round }
  .line0 { stroke: #1d4ed8 } .line1 { stroke: #047857 } .line2 { stroke: #9333ea } .line3 { stroke: #b45309 }
  .name0 { fill: #1d4ed8 } .name1 { fill: #047857 } .name2 { fill: #9333ea } .name3 { fill: #b45309 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ef } .quiet { fill: #a3abb8 } .ground { fill: #14171d } .grid { stroke: #343a46 }
    .fault { stroke: #fb923c } .warm { fill: #a3abb8; fill-opacity: .1 }
    .line0 { stroke: #7aa5ff } .line1 { stroke: #4ade9f } .line2 { stroke: #d8a4ff } .line3 { stroke: #fbbf6b }
    .name0 { fill: #7aa5ff } .name1 { fill: #4ade9f } .name2 { fill: #d8a4ff } .name3 { fill: #fbbf6b }
  }`

/** the next round number: 1, 2, 2.5 or 5 times a power of ten */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)))
  return ([1, 2, 2.5, 5].find((times) => times * power >= value) ?? 10) * power
}

export interface Drawing {
  readonly samples: readonly Sample[]
  readonly measures: readonly Measure[]
  readonly replicas: readonly string[]
  /** seconds at which a fault began */
  readonly faults: readonly number[]
  readonly warmSec: number
  readonly title: string
}

interface Scale {
  readonly x: (at: number) => string
  readonly y: (value: number) => string
  readonly most: number
  readonly base: number
}

function field({ samples, replicas, faults, warmSec }: Drawing, measure: Measure, at: Scale): string {
  const { x, y, most, base } = at
  const lines = replicas.map((replica, n) => {
    const points = samples.flatMap(({ replica: of, at: sec, values: { [measure]: value } }) =>
      of === replica && value !== undefined ? [`${x(sec)},${y(value)}`] : [],
    )
    return `<polyline class="line${n % 4}" points="${points.join(' ')}"/>`
  })
  const grid = [0, 0.5, 1].map((part) => {
    const value = most * part
    return (
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text class="quiet" x="${left - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${Number(value.toPrecision(3))}</text>`
    )
  })
  const ticks = faults.map((sec) => `<path class="fault" d="M${x(sec)} ${base}v5"/>`)
  const warm = `<rect class="warm" x="${left}" y="${base - fieldHeight}" width="${Number(x(warmSec)) - left}" height="${fieldHeight}"/>`
  return [
    `<text x="${left}" y="${base - fieldHeight - 9}">${titles[measure]}</text>`,
    warm,
    ...grid,
    ...ticks,
    ...lines,
  ].join('\n')
}

export function drawSoak(drawing: Drawing): string {
  const { samples, measures, replicas, title } = drawing
  const longestSec = Math.max(60, ...samples.map(({ at }) => at))
  const x = (at: number) => (left + (at / longestSec) * (width - left - right)).toFixed(1)
  const height = top + measures.length * (fieldHeight + gap) + 10
  const fields = measures.map((measure, n) => {
    const base = top + n * (fieldHeight + gap) + fieldHeight + 20
    const most = roundUp(Math.max(0, ...samples.flatMap(({ values }) => values[measure] ?? [])) * 1.02)
    return field(drawing, measure, { x, base, most, y: (value) => (base - (value / most) * fieldHeight).toFixed(1) })
  })
  const step = Math.max(1, Math.round(longestSec / 60 / 10))
  const minutes = Array.from({ length: Math.floor(longestSec / 60 / step) + 1 }, (_, n) => n * step)
  const names = replicas.map((name, n) => `<tspan class="name${n % 4}" dx="14">replica ${name}</tspan>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 14}" role="img" aria-label="${title}">
<style>${style}</style>
<rect class="ground" width="${width}" height="${height + 14}"/>
<text class="title" x="${left}" y="24">${title}</text>
<text x="${left - 14}" y="44">${names.join('')}<tspan class="quiet" dx="14">shaded: warm-up; ticks below: a fault begins</tspan></text>
${fields.join('\n')}
${minutes.map((minute) => `<text class="quiet" x="${x(minute * 60)}" y="${height + 4}" text-anchor="middle">${minute} min</text>`).join('')}
</svg>
`
}
