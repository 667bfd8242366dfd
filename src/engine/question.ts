// A question about the catalogue becomes a checked query, a walk and a plan, before anything is asked of anyone.
import type { Route } from '../catalogue/define.ts'
import type { Cursors } from './cursor.ts'
import { type Plan, planReads } from './plan.ts'
import { type Query, readQuery } from './query.ts'
import { openWalk, type Walk } from './walk.ts'

export interface Question {
  readonly route: Route
  readonly connection: string
  /** the store account behind the connection's name */
  readonly account: string
  /** path parameters, decoded once */
  readonly ids: Readonly<Record<string, string>>
  /** the raw query string, without its question mark */
  readonly query: string
}

interface Known {
  readonly cursors: Cursors
  readonly linkage: boolean
}

export interface Planned {
  readonly query: Query
  /** undefined where the route has no pages */
  readonly walk: Walk | undefined
  /** its ids are not looked at yet */
  readonly plan: Plan
}

/** Refuses a query that is not exactly right, and a cursor of anything else. */
export function planQuestion(question: Question, { cursors, linkage }: Known): Planned {
  const { route, ids } = question
  const query = readQuery(route, question.query)
  const walk = openWalk(question, query, cursors)
  return { query, walk, plan: planReads(route, { ids, query, linkage, cursor: walk?.cursor }) }
}
