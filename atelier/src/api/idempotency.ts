// Repeats of a request with the same Idempotency-Key get its first answer again.
import { createHash, createHmac, type KeyObject } from 'node:crypto'
import { invalid, Problem } from '../problems.ts'
import type { FirstAnswer, IdempotencyKey, IdempotencyRows } from '../store/idempotency-rows.ts'
import type { ApiExchange } from './exchange.ts'
import type { Answer, Recalled, Route } from './route.ts'
import { canonicalJson } from './strict-json.ts'

const keptMs = 24 * 60 * 60_000

export function idempotencyKeyOf({ req }: ApiExchange, { makes }: Pick<Route<never>, 'makes'>): string | undefined {
  const { 'idempotency-key': given } = req.headers
  if (given === undefined) return undefined
  if (makes === undefined) throw invalid('Idempotency-Key', 'this route does not take one')
  if (typeof given === 'string' && /^[!-~]([ -~]{0,253}[!-~])?$/.test(given)) return given
  throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters, without spaces at the ends')
}

const withoutSecrets = ({ body = {}, secrets = [] }: Answer): object => ({
  ...body,
  ...Object.fromEntries(secrets.map((name) => [name, null])),
})

const storedForm = (answer: Answer): FirstAnswer => {
  const { status, location = null } = answer
  return { status, location, body: JSON.stringify(withoutSecrets(answer)) }
}

export interface Repeatable extends IdempotencyKey {
  /** the body as JSON values */
  readonly content: unknown
}

export interface Making {
  /** the id of what is made */
  readonly id: string
  readonly make: () => Promise<Answer>
  /** the answer for what an earlier attempt has made, as it is now */
  readonly recall: (id: string) => Promise<Recalled>
}

export function createIdempotency(rows: IdempotencyRows, now: () => number, key?: KeyObject) {
  /** with a key that the store does not hold, so that no secret in a request can be guessed from it */
  const startDigest = () => (key ? createHmac('sha256', key) : createHash('sha256'))
  const atWork = new Set<string>()

  async function perform(place: IdempotencyKey, { id, make }: Making) {
    let answer: Answer
    try {
      answer = await make()
    } catch (error) {
      // a failed first attempt is forgotten
      await rows.drop(place, id)
      throw error
    }
    // without it a repeat finds by its id what was made
    await rows.keep(place, id, storedForm(answer)).catch(() => {})
    return { answer, isReplayed: false }
  }

  /** The first attempt stored no answer: the service ended, or the store was away. */
  async function resume(place: IdempotencyKey, unfinished: string, making: Making) {
    const answer = atWork.has(unfinished) ? 'in_progress' : await making.recall(unfinished)
    if (answer === 'in_progress') throw new Problem('idempotency_in_progress')
    if (answer) {
      await rows.keep(place, unfinished, storedForm(answer))
      return { answer, isReplayed: true }
    }
    const isOurs = await rows.retake(place, unfinished, { target: making.id, at: now() })
    if (isOurs === 0) throw new Problem('idempotency_in_progress')
    return perform(place, making)
  }

  async function answer({ content, ...place }: Repeatable, making: Making) {
    const digest = startDigest().update(canonicalJson(content)).digest()
    const taken = await rows.take(place, { digest, target: making.id, at: now() }, now() - keptMs)
    if (taken === 'conflict') throw new Problem('idempotency_conflict')
    if (taken === 'new') return perform(place, making)
    if ('unfinished' in taken) return resume(place, taken.unfinished, making)
    const { status, location, body } = taken
    const first = { status, body: JSON.parse(body) as object, ...(location !== null && { location }) }
    return { answer: first, isReplayed: true }
  }

  return async (
    request: Repeatable,
    making: Making,
  ): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> => {
    atWork.add(making.id)
    try {
      return await answer(request, making)
    } finally {
      atWork.delete(making.id)
    }
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>
