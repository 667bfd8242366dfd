// An hour in a line of bars, one a minute: all of them upwards, what failed below, so that no colour is needed to tell them.

interface SparkProps {
  readonly all: readonly number[]
  readonly failed: readonly number[]
  /** the sums, for whoever cannot see it */
  readonly says: string
}

const up = 24
const down = 8
/** one among thousands is still seen */
const least = 1.5

const heightOf = (count: number, most: number, room: number): number =>
  count === 0 ? 0 : Math.max(least, (count / most) * room)

const barsOf = (counts: readonly number[], most: number, room: number, sign: 1 | -1): string =>
  counts
    .map((count, i) => ({ i, height: heightOf(count, most, room) }))
    .filter(({ height }) => height > 0)
    .map(({ i, height }) => `M${i + 0.1} ${up}v${(-sign * height).toFixed(2)}h.8V${up}z`)
    .join('')

export function Spark({ all, failed, says }: SparkProps) {
  const most = Math.max(1, ...all)
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${all.length} ${up + down}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={says}
    >
      <title>{says}</title>
      <path class="base" d={`M0 ${up}h${all.length}`} />
      <path class="all" d={barsOf(all, most, up, 1)} />
      <path class="failed-ones" d={barsOf(failed, Math.max(1, ...failed), down, -1)} />
    </svg>
  )
}
