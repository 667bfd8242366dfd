// `since`: only what is not older than a moment. The platform writes instants in several forms and offsets; they are
// compared as instants, never as text.
import type { Route } from '../catalogue/define.ts'
import { isDay } from '../day.ts'
import { refuse } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import { Problem } from '../problem.ts'
import type { Params } from './port.ts'

export interface Since {
  readonly field: string
  readonly at: string
}

const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/i

/** a day without a time begins at midnight UTC; undefined where it is no moment */
function instantOf(text: unknown): number | undefined {
  if (typeof text !== 'string' || !form.test(text) || !isDay(text.slice(0, 10))) return undefined
  const ms = Date.parse(
    text.replace(/([+-]\d{2})(\d{2})$/, (all, h: string, m: string) => (text.length > 10 ? `${h}:${m}` : all)),
  )
  return Number.isNaN(ms) ? undefined : ms
}

/** fields of the route that hold a moment */
const momentsOf = ({ returns }: Route): string[] =>
  Object.entries(returns?.attributes ?? {})
    .filter(([, { format }]) => format === 'date-time' || format === 'date')
    .map(([name]) => name)

type Texts = Readonly<Record<string, string>>

/** Looks at the pages of one list in turn. */
export interface Order {
  /**
   * Whether all that comes behind this page is dated and older: the list is sorted, newest first, as far as it was read, and
   * the first row of the `other` ordering shows that undated rows do not stand at its end. Without that row nothing is shown.
   */
  isRestOlder(rows: readonly unknown[], other: () => Promise<unknown>): Promise<boolean>
}

export interface Judge {
  readonly keeps: (row: unknown) => boolean
  /** of a list that is sorted, newest first, by the field that is compared; undefined: only its end tells that there is no more */
  readonly order: () => Order | undefined
  /** rows that were kept because they say no moment at all */
  undated: number
}

export const everything: Judge = { keeps: () => true, order: () => undefined, undated: 0 }

/** a walk that begins at a cursor is complete only from there on */
export const fromOf = ({ cursor }: Params) => (cursor === undefined ? {} : { from: 'cursor' })

/** the parameters as they are asked: sorted newest first where the route can, and with the field that is compared */
export function asksFor(route: Route, params: Texts, since: Since | undefined): Texts {
  if (!since) return params
  const { sort, fields, cursor } = params
  const names = fields?.split(',')
  return {
    ...params,
    // a cursor opens only a walk of the ordering that it came from
    ...(sort === undefined && cursor === undefined && route.sort.includes(since.field) && { sort: `-${since.field}` }),
    ...(names && !names.includes(since.field) && { fields: [...names, since.field].join(',') }),
  }
}

/** A list that says it is sorted, and is believed only as far as it was read. */
function watchOrder(momentIn: (row: unknown) => number | undefined, from: number): Order {
  let last = Number.POSITIVE_INFINITY
  let holds = true
  return {
    async isRestOlder(rows, other) {
      for (const row of rows) {
        const moment = momentIn(row)
        // where one row is undated, others may be too, and nobody says where those stand
        if (moment === undefined || moment > last) holds = false
        last = moment ?? last
      }
      if (!holds || last >= from) return false
      const first = await other().then(momentIn, () => undefined)
      return first !== undefined && first < last
    },
  }
}

export function judgeOf(route: Route, params: Params, since: Since | undefined): Judge {
  if (!since) return everything
  const moments = momentsOf(route)
  const { field, at } = since
  if (!moments.includes(field))
    throw refuse('value_not_allowed', 'since.field', `${quote(field)} is no moment here.`, moments, field)
  const from = instantOf(at)
  if (from === undefined)
    throw new Problem('value_not_allowed', {
      param: 'since.at',
      message: 'since.at is a moment such as 2026-11-16T00:00:00Z, or a day such as 2026-11-16.',
    })
  const momentIn = (row: unknown) => instantOf((row as Record<string, unknown> | null)?.[field])
  const isSorted = String(params['sort']).split(',', 1)[0] === `-${field}` && route.sort.includes(field)
  return {
    undated: 0,
    keeps(row) {
      const moment = momentIn(row)
      // what says no moment may be meant: it is given, and counted
      if (moment === undefined) this.undated++
      return moment === undefined || moment >= from
    },
    order: () => (isSorted ? watchOrder(momentIn, from) : undefined),
  }
}
