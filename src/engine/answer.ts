// The spine: a question about the catalogue becomes a checked query, a plan, documents, and one flat answer.
// Every stage returns a value, and may refuse; no stage before the first `get` costs a platform call.
import type { Cursors } from './cursor.ts'
import type { Flat } from './flatten.ts'
import type { Memory } from './memory.ts'
import { checkPlan } from './plan.ts'
import type { Get } from './port.ts'
import { planQuestion, type Question } from './question.ts'
import { readFound } from './read-found.ts'
import { shape } from './shape.ts'

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
  const { query, walk, plan } = planQuestion(question, means)
  // without a lookup the read is addressed next, and checked by that
  if (plan.lookup) checkPlan(plan, means.origin)

  const read = await readFound(plan, means, walk?.found)
  const { document, readId } = read
  const shaped = shape(route, document, { ...query, ids: { ...ids, ...read.found }, readId })
  if (walk && shaped.end) shaped.body['nextCursor'] = walk.sealNext(shaped.end, means.origin, read)
  return shaped
}
