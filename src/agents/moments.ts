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

export interface Judge {
  readonly keeps: (row: unknown) => boolean
  /** whether nothing that comes behind this row can be wanted: it is older, and the list is sorted, newest first */
  readonly isPast: (row: unknown) => boolean
  /** rows that were kept because they say no moment at all */
  undated: number
}

export const everything: Judge = { keeps: () => true, isPast: () => false, undated: 0 }

/** the parameters as they are asked: sorted newest first where the route can, and with the field that is compared */
export function asksFor(route: Route, params: Params, since: Since | undefined): Params {
  if (!since) return params
  const { sort, fields } = params
  const names = typeof fields === 'string' ? fields.split(',') : fields
  return {
    ...params,
    ...(sort === undefined && route.sort.includes(since.field) && { sort: `-${since.field}` }),
    ...(Array.isArray(names) && !names.includes(since.field) && { fields: [...(names as unknown[]), since.field] }),
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
  const [first] = [params['sort']].flat()
  const isSorted = typeof first === 'string' && first.split(',', 1)[0] === `-${field}`
  return {
    undated: 0,
    keeps(row) {
      const moment = momentIn(row)
      // what says no moment may be meant: it is given, and counted
      if (moment === undefined) this.undated++
      return moment === undefined || moment >= from
    },
    isPast(row) {
      const moment = momentIn(row)
      return isSorted && moment !== undefined && moment < from
    },
  }
}
