// The events of base: each kind with its fields, and how the log and the metrics use it. A service adds its own.
// No event may carry a secret, a query value, a body or personal data: names, counts and codes only.

export type Event =
  | { kind: 'stopping'; signal: string }
  | {
      kind: 'answered'
      requestId: string
      method: string
      operation: string
      from: string
      status: number
      code?: string
      keyId?: string
      connection?: string
      platformCalls: number
      retries?: number
      shared?: number
      waitedMs?: number
      platformMs?: number
      cache?: 'hit' | 'miss' | 'revalidated'
      traceId?: string
      durationMs: number
      stream?: true
      /** why the platform or we failed; fixed words, never the platform's text */
      reason?: string
    }
  | { kind: 'reload_refused'; reason: string }
  | { kind: 'refused'; code: string; reason: string }
  | { kind: 'shed'; reason: 'requests' | 'queue' | 'memory' }
  /** a socket was closed for a new one, because its network or all networks together have too many */
  | { kind: 'crowded'; from: string; sockets: number }
  /** audit lines of reads that wait to be written; at the end they are `audit_lost` */
  | { kind: 'audit_waiting'; lines: number; reason: string }
  | { kind: 'audit_lost'; lines: number }
  | { kind: 'audit_pruned'; lines: number; through: number; hash: string }
  | { kind: 'audit_unpruned'; reason: string }
  | { kind: 'redis_away'; place: string; reason: string }
  | { kind: 'redis_back'; place: string; awayMs: number }
  | { kind: 'redis_refused'; place: string; reason: string }
  | { kind: 'store_away'; place: string; reason: string }
  | { kind: 'store_back'; place: string; awayMs: number }
  | { kind: 'store_awaited'; reason: string; waitsMs: number }
  | { kind: 'store_in_use'; place: string; waitsMs: number }
  | { kind: 'replicas_uncounted'; countedBy: 'sessions' | 'assumed'; count: number }
  | { kind: 'dropped'; lines: number }
  | { kind: 'failed'; requestId: string; reason: string; stack?: string }

export type Observe = (event: Event) => void
export type Level = 'info' | 'warn' | 'error'

interface EventRow<E> {
  readonly level: Level | 'never' | ((event: E) => Level)
  readonly isProblem?: (event: E) => boolean
  readonly isTrouble?: true
}

export type EventTable<E extends { readonly kind: string }> = {
  readonly [K in E['kind']]: EventRow<Extract<E, { kind: K }>>
}

export const baseEvents: EventTable<Event> = {
  stopping: { level: 'info' },
  answered: { level: ({ status }) => (status >= 500 ? 'warn' : 'info'), isProblem: ({ status }) => status >= 500 },
  reload_refused: { level: 'warn', isTrouble: true },
  refused: { level: 'info' },
  shed: { level: 'warn' },
  crowded: { level: 'warn' },
  audit_waiting: { level: 'warn', isTrouble: true },
  audit_lost: { level: 'error' },
  audit_pruned: { level: 'info' },
  audit_unpruned: { level: 'warn', isTrouble: true },
  redis_away: { level: 'warn', isTrouble: true },
  redis_back: { level: 'info' },
  redis_refused: { level: 'warn', isTrouble: true },
  store_away: { level: 'warn', isTrouble: true },
  store_back: { level: 'info' },
  store_awaited: { level: 'warn' },
  store_in_use: { level: 'warn' },
  replicas_uncounted: { level: 'warn', isTrouble: true },
  dropped: { level: 'warn' },
  failed: { level: 'error' },
}
