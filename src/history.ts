// What has happened in the last hour, minute by minute, for who looks at the service and not at a chart of it elsewhere: in
// memory alone, bounded, and on the way of every request, so that nothing is allocated for an event.
import { type ConnectionHour, Connections } from './history/connections.ts'
import { kept } from './history/minutes.ts'
import { type Outcome, Service, type ServiceHour, type ServiceTally } from './history/service.ts'
import type { Event, Observe } from './observe.ts'

export type { ConnectionHour } from './history/connections.ts'
export type { ServiceHour } from './history/service.ts'

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

export interface HistoryOptions {
  /** names of operations that callers can ask for */
  readonly operations: readonly string[]
  /** every code of a refusal, with its type */
  readonly problems: Readonly<Record<string, { readonly type: string }>>
  /** milliseconds since 1970 by a clock that is never set: where the wall's clock leaps, no minute is lost or told twice */
  readonly clock: () => number
  /** connections that are told apart */
  readonly most?: number
}

/** What one process noted, on its way to the one that tells of all. */
export interface Tally {
  readonly connections: readonly (readonly [id: string, counts: readonly number[], members: readonly number[]])[]
  readonly service: ServiceTally
}

export interface History {
  /** what happens in the house, requests apart */
  readonly note: Observe
  /** how the requests of callers end */
  readonly answered: Observe
  /** the number of the minute under way: the last one of the hour that the rest is asked of */
  readonly minute: () => number
  /** when it began, in whole minutes by the wall's clock, which shows `now` */
  readonly beganAt: (minute: number, now: number) => number
  /** undefined where nothing happened */
  readonly hourOf: (id: string, last: number) => ConnectionHour | undefined
  readonly service: (last: number) => ServiceHour
  /** what was noted of so many connections at most, and of the service: it is here no longer */
  readonly take: (most: number) => Tally
  /** whether there is more to be taken */
  readonly holdsMore: () => boolean
  readonly give: (tally: Tally) => void
}

export const minuteMs = 60_000
/** as many as can be open */
const mostConnections = 12_000
const left = 499

const outcomeOfType: Readonly<Record<string, Outcome>> = { rate_limited: 'limited', upstream_error: 'upstream' }
/** the platform answers well, and what was asked for is not there or has no sense */
const badAnswers: ReadonlySet<string> = new Set(['upstream_error', 'rate_limited', 'upstream_forbidden'])

export function createHistory({ operations, problems, clock, most = mostConnections }: HistoryOptions): History {
  const connections = new Connections(most)
  const service = new Service(operations)
  const typeOf = (code: string): string => (Object.hasOwn(problems, code) ? (problems[code]?.type ?? '') : '')
  const minute = (): number => Math.floor(clock() / minuteMs)

  function outcomeOf({ status, code = '' }: Of<'answered'>): Outcome {
    if (status === left) return 'left'
    if (status < 400) return 'ok'
    return outcomeOfType[typeOf(code)] ?? (status < 500 ? 'clientError' : 'failed')
  }

  function noteAnswered(event: Of<'answered'>) {
    const { operation, connection, cache, durationMs } = event
    // who looks whether the service is there asks more often than anybody
    if (operation.startsWith('/')) return
    const now = minute()
    service.request(now, outcomeOf(event), operation, durationMs)
    if (connection === undefined) return
    const hour = connections.of(connection, now)
    hour.note(now, 'requests')
    if (cache !== undefined) hour.note(now, cache === 'hit' ? 'cacheHits' : 'cacheMisses')
  }

  function noteCalled({ connection, code, durationMs }: Of<'called'>) {
    const now = minute()
    const hour = connections.of(connection, now)
    hour.note(now, 'calls')
    if (code === 'left') return
    const isFailed = code !== undefined && badAnswers.has(typeOf(code))
    if (isFailed) hour.note(now, 'errors')
    service.call(now, isFailed, durationMs)
  }

  function noteOther(event: Event) {
    if (event.kind !== 'shared' && event.kind !== 'drift' && event.kind !== 'unreadable') return
    const now = minute()
    const hour = connections.of(event.connection, now)
    if (event.kind === 'drift') hour.drift(now, event.type, event.members)
    else hour.note(now, event.kind)
  }

  return {
    note: (event) => (event.kind === 'called' ? noteCalled(event) : noteOther(event)),
    answered: (event) => event.kind === 'answered' && noteAnswered(event),
    minute,
    beganAt: (one, now) => Math.round((one * minuteMs + now - clock()) / minuteMs) * minuteMs,
    hourOf(id, last) {
      const found = connections.find(id)
      return found && found.latest > last - kept ? found : undefined
    },
    service: (last) => service.hour(last),
    take: (count) => ({ connections: connections.take(count), service: service.take() }),
    holdsMore: () => connections.size > 0,
    give(tally) {
      for (const [id, counts, members] of tally.connections) connections.of(id, minute()).give([counts, members])
      service.give(tally.service)
    },
  }
}
