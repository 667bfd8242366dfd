// The spine: a question about the catalogue becomes a checked query, a plan, documents, and one flat answer.
// Every stage returns a value, and may refuse; no stage before the first `get` costs a platform call.
import type { Route } from '../catalogue/define.ts'
import type { Cursors } from './cursor.ts'
import type { Flat } from './flatten.ts'
import type { Memory } from './memory.ts'
import { checkPlan, planReads } from './plan.ts'
import type { Get } from './port.ts'
import { readQuery } from './query.ts'
import { readFound } from './read-found.ts'
import { shape } from './shape.ts'
import { openWalk } from './walk.ts'

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

export interface Means {
  readonly get: Get
  readonly cursors: Cursors
  /** the platform's, without a trailing slash */
  readonly origin: string
  readonly linkage: boolean
  readonly memory: Memory
}

export interface Answer {
  readonly body: Flat
  readonly unknown: readonly string[]
  readonly duplicates: number
}

export async function answer(question: Question, means: Means): Promise<Answer> {
  const { route, ids } = question
  const { cursors, origin, linkage } = means
  const query = readQuery(route, question.query)
  const walk = openWalk(question, query, cursors)
  const plan = planReads(route, { ids, query, linkage, cursor: walk?.cursor })
  // without a lookup the read is addressed next, and checked by that
  if (plan.lookup) checkPlan(plan, origin)

  const { document, target, readId } = await readFound(plan, means)
  const shaped = shape(route, document, { ...query, ids, readId })
  if (walk) shaped.body['nextCursor'] = walk.sealNext(shaped.next, origin, target)
  return shaped
}
