// Counters of the last hour by minute, for the console: in memory, bounded, and without allocation per event, since every
// request passes here.
import { type ConnectionHour, ConnectionCounters } from './connections.ts'
import { UnsavedHours } from './hours.ts'
import { minutesKept } from './minutes.ts'
import { type RequestOutcome, ServiceCounters } from './service.ts'
import type { Event } from '../events.ts'

export type { ConnectionHour } from './connections.ts'
export type { ServiceHour } from './service.ts'

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

export interface HistoryOptions {
  readonly operations: readonly string[]
  readonly problems: Readonly<Record<string, { readonly type: string }>>
  /** a monotonic clock in milliseconds since 1970: no minute is lost or counted twice when the wall clock is set */
  readonly clock: () => number
  readonly most?: number
}

export type History = ReturnType<typeof createHistory>

export const minuteMs = 60_000
const mostConnections = 12_000
const left = 499
const outcomeOfType: Readonly<Record<string, RequestOutcome>> = { rate_limited: 'limited', upstream_error: 'upstream' }
/** other refusals are correct answers of the platform: a missing resource or a wrong request */
const badAnswers: ReadonlySet<string> = new Set(['upstream_error', 'rate_limited', 'upstream_forbidden'])

export function createHistory({ operations, problems, clock, most = mostConnections }: HistoryOptions) {
  const connections = new ConnectionCounters(most)
  const service = new ServiceCounters(operations)
  const hours = new UnsavedHours(operations, clock)
  const began = Math.floor(clock() / minuteMs)
  const typeOf = (code: string): string => (Object.hasOwn(problems, code) ? (problems[code]?.type ?? '') : '')
  const minute = (): number => Math.floor(clock() / minuteMs)

  function outcomeOf({ status, code = '' }: Of<'answered'>): RequestOutcome {
    if (status === left) return 'left'
    if (status < 400) return 'ok'
    return outcomeOfType[typeOf(code)] ?? (status < 500 ? 'clientError' : 'failed')
  }

  function noteAnswered(event: Of<'answered'>) {
    const { operation, connection, cache, durationMs } = event
    // probes and pages would outnumber everything else
    if (operation.startsWith('/')) return
    const [now, outcome] = [minute(), outcomeOf(event)]
    service.request(now, outcome, operation, durationMs)
    hours.request(outcome, operation, durationMs)
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
    hours.call(isFailed, durationMs)
  }

  function noteOther(event: Event) {
    if (event.kind !== 'shared' && event.kind !== 'drift' && event.kind !== 'unreadable') return
    const now = minute()
    const hour = connections.of(event.connection, now)
    if (event.kind === 'drift') hour.drift(now, event.type, event.members)
    else hour.note(now, event.kind)
  }

  return {
    note: (event: Event) => (event.kind === 'called' ? noteCalled(event) : noteOther(event)),
    answered: (event: Event) => event.kind === 'answered' && noteAnswered(event),
    minute,
    /** the minute in which it began to count */
    began,
    /** for the store */
    hours,
    /** when it began by the wall clock, which shows `now` */
    beganAt: (one: number, now: number) => Math.round((one * minuteMs + now - clock()) / minuteMs) * minuteMs,
    hourOf(id: string, last: number): ConnectionHour | undefined {
      const found = connections.find(id)
      return found && found.latest > last - minutesKept ? found : undefined
    },
    service: (last: number) => service.hour(last),
  }
}
