// The argument `since`: keeps rows that are not older than an instant. The platform writes instants in several forms and
// offsets, so they are compared as instants, never as text.
import { isDay } from '../../../base/core/day.ts'
import { quote } from '../../../base/core/quote.ts'
import type { Route } from '../catalogue/define.ts'
import { parameterProblem } from '../../../base/web/target.ts'
import { Problem } from '../problems.ts'
import type { Params } from './reader.ts'

export interface Since {
  readonly field: string
  readonly at: string
}

const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/i

/** A day without a time begins at midnight UTC. Undefined for any other text. */
function instantOf(text: unknown): number | undefined {
  if (typeof text !== 'string' || !form.test(text) || !isDay(text.slice(0, 10))) return undefined
  const ms = Date.parse(
    text.replace(/([+-]\d{2})(\d{2})$/, (all, h: string, m: string) => (text.length > 10 ? `${h}:${m}` : all)),
  )
  return Number.isNaN(ms) ? undefined : ms
}

const instantFields = ({ returns }: Route): string[] =>
  Object.entries(returns?.attributes ?? {})
    .filter(([, { format }]) => format === 'date-time' || format === 'date')
    .map(([name]) => name)

type Texts = Readonly<Record<string, string>>

export interface OrderCheck {
  // true if the list was sorted, newest first, as far as it was read, and the first row of the opposite order has a date:
  // then no undated rows stand at its end
  isRestOlder(rows: readonly unknown[], firstOfOpposite: () => Promise<unknown>): Promise<boolean>
}

export interface SinceFilter {
  readonly keeps: (row: unknown) => boolean
  /** undefined unless the list is sorted by the compared field, newest first */
  readonly order: () => OrderCheck | undefined
  /** rows that were kept because they have no date */
  undated: number
}

export const keepAll: SinceFilter = { keeps: () => true, order: () => undefined, undated: 0 }

/** Output that starts at a cursor is complete only from there on. */
export const startMark = ({ cursor }: Params) => (cursor === undefined ? {} : { from: 'cursor' })

export function withSince(route: Route, params: Texts, since: Since | undefined): Texts {
  if (!since) return params
  const { sort, fields, cursor } = params
  const names = fields?.split(',')
  return {
    ...params,
    // a cursor is bound to the order that it came from
    ...(sort === undefined && cursor === undefined && route.sort.includes(since.field) && { sort: `-${since.field}` }),
    ...(names && !names.includes(since.field) && { fields: [...names, since.field].join(',') }),
  }
}

function watchOrder(instantIn: (row: unknown) => number | undefined, from: number): OrderCheck {
  let last = Number.POSITIVE_INFINITY
  let isSorted = true
  return {
    async isRestOlder(rows, firstOfOpposite) {
      for (const row of rows) {
        const instant = instantIn(row)
        // after one undated row there may be others, in any place
        if (instant === undefined || instant > last) isSorted = false
        last = instant ?? last
      }
      if (!isSorted || last >= from) return false
      const first = await firstOfOpposite().then(instantIn, () => undefined)
      return first !== undefined && first < last
    },
  }
}

export function sinceFilter(route: Route, params: Params, since: Since | undefined): SinceFilter {
  if (!since) return keepAll
  const fields = instantFields(route)
  const { field, at } = since
  if (!fields.includes(field))
    throw parameterProblem('value_not_allowed', 'since.field', `${quote(field)} is no date field here.`, fields, field)
  const from = instantOf(at)
  if (from === undefined)
    throw new Problem('value_not_allowed', {
      param: 'since.at',
      message: 'since.at is a date-time such as 2026-11-16T00:00:00Z, or a day such as 2026-11-16.',
    })
  const instantIn = (row: unknown) => instantOf((row as Record<string, unknown> | null)?.[field])
  const isSorted = String(params['sort']).split(',', 1)[0] === `-${field}` && route.sort.includes(field)
  return {
    undated: 0,
    keeps(row) {
      const instant = instantIn(row)
      if (instant === undefined) this.undated++
      return instant === undefined || instant >= from
    },
    order: () => (isSorted ? watchOrder(instantIn, from) : undefined),
  }
}
