// What has become worse from one record to the next, beyond what varies from round to round.
import type { Recorded, Result, Row, Spread } from './record.ts'

/** medians nearer to each other than this are the same: ratios, and times, which vary more */
const noise = { ratio: 0.05, time: 0.1 }

const spreadOf = (all: readonly number[]): Spread => {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const last = sorted.length - 1
  return { median: (at(last >> 1) + at((last + 1) >> 1)) / 2, least: at(0), most: at(last), all }
}

const isWithin = (value: number, { least, most }: Spread): boolean => value >= least && value <= most
/** by which share the second is worse: more where less is wanted, or the other way round */
const lossOf = (older: Spread, newer: Spread, isMoreBetter: boolean): number =>
  isMoreBetter ? 1 - newer.median / older.median : newer.median / older.median - 1

/** neither median is among the rounds of the other */
const isApart = (older: Spread, newer: Spread): boolean =>
  !isWithin(newer.median, older) && !isWithin(older.median, newer)

const digits = (value: number): string => String(Number(value.toPrecision(3)))
const shown = ({ median, least, most }: Spread): string =>
  least === most ? digits(median) : `${digits(median)} (${digits(least)} to ${digits(most)})`

/** never rounded up to all */
const percent = (share: number): string => `${Math.floor(share * 1e5) / 1e3} %`

interface Pair {
  readonly what: string
  readonly older: Spread
  readonly newer: Spread
  readonly isMoreBetter: boolean
}

function worseOf({ what, older, newer, isMoreBetter }: Pair, least: number): string[] {
  const loss = lossOf(older, newer, isMoreBetter)
  if (loss <= least || !isApart(older, newer)) return []
  return [`${what}: ${shown(older)} -> ${shown(newer)}, ${Math.round(loss * 100)} % worse`]
}

function rowChanges(older: Row, newer: Row | undefined): string[] {
  const { what, sign } = older
  if (newer === undefined) return [`${what}: measured no more`]
  if (older.measured && !newer.measured) return [`${what}: not judged, ${newer.why}`]
  const isMoreBetter = sign === '≥'
  const pairs = [
    { what, older: older.measured, newer: newer.measured, isMoreBetter },
    { what: `${what}, by processor time`, older: older.byProcessor, newer: newer.byProcessor, isMoreBetter: true },
  ]
  return pairs.flatMap((pair) =>
    pair.older && pair.newer ? worseOf({ ...pair, older: pair.older, newer: pair.newer }, noise.ratio) : [],
  )
}

const isOurs = ({ about }: Result): boolean => about.startsWith('Vitrine')
const keyOf = ({ title, name }: Result): string => `${title}, ${name}`

/** pairs of the same subject under the same load */
function pairsOf(older: Recorded, newer: Recorded): [Result, Result][] {
  const known = new Map(older.results.map((result) => [keyOf(result), result]))
  return newer.results.flatMap((result) => {
    const before = known.get(keyOf(result))
    return before ? [[before, result]] : []
  })
}

/** how much longer the newer machine takes for what others than Vitrine do */
export function paceOf(older: Recorded, newer: Recorded): number {
  const pairs = pairsOf(older, newer).filter(([, result]) => !isOurs(result))
  const changes = pairs.flatMap(([before, after]) => (before.ownMs && after.ownMs ? [after.ownMs / before.ownMs] : []))
  return changes.length === 0 ? 1 : spreadOf(changes).median
}

function resultChanges([older, newer]: [Result, Result], pace: number): string[] {
  const times = (['ownMs', 'p50', 'p95', 'p99'] as const).flatMap((figure) => {
    const [before, after] = [older.rounds[figure], newer.rounds[figure]]
    if (!before || !after) return []
    const what = `${keyOf(newer)}: ${figure === 'ownMs' ? 'processor time' : figure}, ms`
    const scaled = spreadOf(after.map((value) => value / pace))
    return worseOf({ what, older: spreadOf(before), newer: scaled, isMoreBetter: false }, noise.time)
  })
  const [was = 1, is = 1] = [older.success, newer.success]
  return [...times, ...(is < was ? [`${keyOf(newer)}: success ${percent(was)} -> ${percent(is)}`] : [])]
}

/** a line for each; times of the newer one are as on the machine of the older one */
export function worseIn(older: Recorded, newer: Recorded): string[] {
  const rows = new Map(newer.goals.map((row) => [row.what, row]))
  const pace = paceOf(older, newer)
  return [
    ...older.goals.flatMap((row) => rowChanges(row, rows.get(row.what))),
    ...pairsOf(older, newer)
      .filter(([, result]) => isOurs(result))
      .flatMap((pair) => resultChanges(pair, pace)),
  ]
}
