// A read as the door tells it: what came, what it took, and the body with all of its digits.
import type { Reading as Told } from '../../answers.ts'
import { Refusal } from '../../refusal.ts'
import { isList, type Json, Members, readJson } from './json.ts'

export interface Reading extends Omit<Told, 'body'> {
  readonly body: Json
}

const strange = () =>
  new Refusal({ status: 200, code: 'strange_answer', message: 'The answer was no reading: is this Vitrine?' })

/** throws a Refusal where it is no reading */
export function readingOf(text: string): Reading {
  try {
    const told = JSON.parse(text) as Told
    const whole = readJson(text)
    const body = whole instanceof Members ? whole.get('body') : undefined
    if (body !== undefined && Array.isArray(told.asked) && typeof told.status === 'number') return { ...told, body }
  } catch {
    // said below
  }
  throw strange()
}

/** undefined for an answer */
export function refusalIn({ status, body, retryAfterSec }: Reading): Refusal | undefined {
  if (status < 400) return undefined
  const error = body instanceof Members ? body.get('error') : undefined
  const said = (name: string): string | undefined => {
    const value = error instanceof Members ? error.get(name) : undefined
    return typeof value === 'string' ? value : undefined
  }
  const [code, message] = [said('code'), said('message')]
  if (code === undefined || message === undefined) return strange()
  const more = { param: said('param'), requestId: said('requestId'), docUrl: said('docUrl') }
  return new Refusal({ status, code, message, ...more, retryAfterSec: retryAfterSec ?? undefined })
}

/** whether the same question may be answered later */
export function mayHelpLater({ body }: Reading): boolean {
  const error = body instanceof Members ? body.get('error') : undefined
  return error instanceof Members && error.get('retryable') === true
}

/** undefined where the answer is no list; a plain id is an item with nothing else */
export function itemsIn({ body }: Reading): readonly Members[] | undefined {
  const items = body instanceof Members ? body.get('items') : undefined
  if (!isList(items)) return undefined
  return items.map((item) => (item instanceof Members ? item : new Members([['id', item]])))
}

export function nextCursorIn({ body }: Reading): string | undefined {
  const next = body instanceof Members ? body.get('nextCursor') : undefined
  return typeof next === 'string' ? next : undefined
}

export interface Share {
  readonly name: string
  readonly ms: number
}

/** what the time of a read went into, in the order in which it went by */
export function timesOf({
  tookMs,
  cost: { waitedMs, platformMs },
}: Pick<Reading, 'tookMs' | 'cost'>): readonly Share[] {
  const ours = Math.max(0, tookMs - waitedMs - platformMs)
  return [
    { name: 'Waiting for a turn', ms: waitedMs },
    { name: 'Platform', ms: platformMs },
    { name: 'Vitrine', ms: ours },
  ]
}

/** path and query as people read them: a parameter a line, decoded */
export function askedLines(get: string): {
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
} {
  const at = get.indexOf('?')
  if (at < 0) return { path: get, query: [] }
  return { path: get.slice(0, at), query: [...new URLSearchParams(get.slice(at + 1))] }
}
