// An hour in bars, one per minute: all calls above the axis, failed ones below, so that colour is not needed to tell them apart.

interface SparklineProps {
  readonly all: readonly number[]
  readonly failed: readonly number[]
  readonly summary: string
}

const up = 24
const down = 8
/** one among thousands can still be seen */
const least = 1.5

const heightOf = (count: number, most: number, room: number): number =>
  count === 0 ? 0 : Math.max(least, (count / most) * room)

const barsOf = (counts: readonly number[], most: number, room: number, sign: 1 | -1): string =>
  counts
    .map((count, i) => ({ i, height: heightOf(count, most, room) }))
    .filter(({ height }) => height > 0)
    .map(({ i, height }) => `M${i + 0.1} ${up}v${(-sign * height).toFixed(2)}h.8V${up}z`)
    .join('')

export function Sparkline({ all, failed, summary }: SparklineProps) {
  const most = Math.max(1, ...all)
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${all.length} ${up + down}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      <title>{summary}</title>
      <path class="base" d={`M0 ${up}h${all.length}`} />
      <path class="all" d={barsOf(all, most, up, 1)} />
      <path class="failed-ones" d={barsOf(failed, Math.max(1, ...failed), down, -1)} />
    </svg>
  )
}
