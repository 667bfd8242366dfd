// What the API says of a read: the response with all of its digits, what it cost, and the platform calls behind it.
import type { ReadingAnswer } from '../../answers.ts'
import { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { type ExactJson, isList, Members, readJson } from './exact-json.ts'

export interface ReadAnswer extends Omit<ReadingAnswer, 'body'> {
  readonly body: ExactJson
}

const strange = () =>
  new ApiRefusal({
    status: 200,
    code: 'strange_answer',
    message: 'The response is not a read result. Is this Vitrine?',
  })

/** throws an ApiRefusal for anything else */
export function readAnswerOf(text: string): ReadAnswer {
  try {
    const answer = JSON.parse(text) as ReadingAnswer
    const exact = readJson(text)
    const body = exact instanceof Members ? exact.get('body') : undefined
    if (body !== undefined && Array.isArray(answer.asked) && typeof answer.status === 'number')
      return { ...answer, body }
  } catch {
    // not JSON: see below
  }
  throw strange()
}

function memberOf({ body }: Pick<ReadAnswer, 'body'>, name: string): ExactJson | undefined {
  return body instanceof Members ? body.get(name) : undefined
}

function errorMember(answer: Pick<ReadAnswer, 'body'>, name: string): ExactJson | undefined {
  const error = memberOf(answer, 'error')
  return error instanceof Members ? error.get(name) : undefined
}

/** undefined for an answer */
export function refusalIn(answer: ReadAnswer): ApiRefusal | undefined {
  const { status, retryAfterSec } = answer
  if (status < 400) return undefined
  const text = (name: string): string | undefined => {
    const value = errorMember(answer, name)
    return typeof value === 'string' ? value : undefined
  }
  const [code, message] = [text('code'), text('message')]
  if (code === undefined || message === undefined) return strange()
  return new ApiRefusal({
    status,
    code,
    message,
    param: text('param'),
    requestId: text('requestId'),
    docUrl: text('docUrl'),
    retryAfterSec: retryAfterSec ?? undefined,
  })
}

export const mayHelpLater = (answer: ReadAnswer): boolean => errorMember(answer, 'retryable') === true

/** undefined: not a list; a plain id becomes an item with nothing else */
export function itemsIn(answer: Pick<ReadAnswer, 'body'>): readonly Members[] | undefined {
  const items = memberOf(answer, 'items')
  if (!isList(items)) return undefined
  return items.map((item) => (item instanceof Members ? item : new Members([['id', item]])))
}

export function nextCursorIn(answer: Pick<ReadAnswer, 'body'>): string | undefined {
  const next = memberOf(answer, 'nextCursor')
  return typeof next === 'string' ? next : undefined
}

/** where the time of a read went, in order */
export function timesOf({ tookMs, cost: { waitedMs, platformMs } }: Pick<ReadAnswer, 'tookMs' | 'cost'>) {
  return [
    { name: 'Queued', ms: waitedMs },
    { name: 'Platform', ms: platformMs },
    { name: 'Vitrine', ms: Math.max(0, tookMs - waitedMs - platformMs) },
  ]
}

export interface TargetLines {
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** a path and its decoded parameters */
export function targetLines(get: string): TargetLines {
  const at = get.indexOf('?')
  if (at < 0) return { path: get, query: [] }
  return { path: get.slice(0, at), query: [...new URLSearchParams(get.slice(at + 1))] }
}
