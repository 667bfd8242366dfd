// What the primary asks of one worker, and what comes of it: an answer, a refusal in words, or silence.
import { Problem } from '../problem.ts'
import type { Hearing, Put, Question, ToKeeper, ToWorker } from './messages.ts'

export interface Questions {
  /** rejects with an Error in the worker's words, or with a Problem where it is not to blame or says nothing in time */
  ask(what: Question, given: unknown, mostMs: number): Promise<unknown>
  readonly hearing: Hearing<ToKeeper>
  /** it will not answer any more */
  end(): void
}

interface Open {
  readonly ok: (value: unknown) => void
  readonly no: (error: Error) => void
}

export function createQuestions(name: string, put: Put<ToWorker>): Questions {
  const open = new Map<number, Open>()
  let last = 0
  const silent = (why: string) => new Problem('too_busy', { retryAfterSec: 1, cause: `${name} ${why}` })
  return {
    ask(what, given, mostMs) {
      const id = ++last
      put(['ask', id, what, given])
      return new Promise((ok, no) => {
        const late = setTimeout(() => {
          open.delete(id)
          no(silent('does not answer'))
        }, mostMs)
        const done = () => {
          clearTimeout(late)
          open.delete(id)
        }
        open.set(id, { ok: (value) => (done(), ok(value)), no: (error) => (done(), no(error)) })
      })
    },
    hearing: {
      answer: (id, value) => open.get(id)?.ok(value),
      sorry: (id, reason, isOurs) =>
        open.get(id)?.no(isOurs ? new Problem('store_unavailable', { cause: reason }) : new Error(reason)),
    },
    end: () => [...open.values()].forEach(({ no }) => no(silent('has ended'))),
  }
}

export type Answering = { readonly [W in Question]: (given: never) => Promise<unknown> }

/** the worker's side of it */
export const createAnswering = (answering: Answering, put: Put<ToKeeper>): Hearing<ToWorker> => ({
  ask(id, what, given) {
    answering[what](given as never).then(
      (value) => put(['answer', id, value ?? null]),
      (error: unknown) => {
        const isOurs = error instanceof Problem
        put(['sorry', id, isOurs ? String(error.cause) : (error as Error).message, isOurs])
      },
    )
  },
})
