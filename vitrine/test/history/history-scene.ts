// Builds events as the service emits them, and a history with a clock that the test controls.
import { routes } from '../../src/catalogue/index.ts'
import { createHistory, type History } from '../../src/history/history.ts'
import { metricLabels } from '../../src/endpoints/metric-labels.ts'
import type { Event } from '../../src/events.ts'

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

export const minuteMs = 60_000
/** a minute begins */
export const noon = Date.parse('2026-11-20T12:00:00Z')

export const answered = (more: Partial<Of<'answered'>> = {}): Of<'answered'> => ({
  kind: 'answered',
  requestId: 'req_1',
  method: 'GET',
  operation: 'listApps',
  from: '192.0.2.1',
  status: 200,
  platformCalls: 1,
  durationMs: 20,
  ...more,
})

export const called = (more: Partial<Of<'called'>> = {}): Of<'called'> => ({
  kind: 'called',
  connection: 'acme',
  status: 200,
  attempt: 1,
  waitedMs: 0,
  durationMs: 15,
  ...more,
})

export interface Held {
  readonly history: History
  /** milliseconds of the steady clock */
  at: number
  tell(...events: Event[]): void
}

export function holdHistory(most?: number): Held {
  const held = { at: noon }
  const history = createHistory({ ...metricLabels(routes), clock: () => held.at, ...(most !== undefined && { most }) })
  return Object.assign(held, {
    history,
    tell(...events: Event[]) {
      for (const event of events) {
        history.note(event)
        history.answered(event)
      }
    },
  })
}

/** numbers that look random and are the same every time */
export function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
