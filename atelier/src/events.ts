// Every event of this service, for the log and the metrics. No event may carry a secret, an environment value, input, output
// or a file's content: names, ids, counts and codes only.
import { baseEvents, type Event as BaseEvent, type EventTable } from '../../base/core/events.ts'

export type Event =
  | BaseEvent
  | { kind: 'started'; url: string; ssh?: string; node: string }
  /** callers come through a proxy with TLS that `trustedProxies` does not name: all of them count as one address */
  | { kind: 'proxies_unknown'; publicUrl: string }
  /** a request and its result: the audit line of a change */
  | {
      kind: 'served'
      requestId: string
      method: string
      operation: string
      from: string
      status: number
      code?: string
      keyId?: string
      accountId?: string
      target?: string
      durationMs: number
      /** the engine's own words, for the operator */
      reason?: string
    }
  | { kind: 'engine_away'; reason: string }
  | { kind: 'engine_back'; dialect: string; version: string }
  /** another service took the store while this one could not reach it, so this one ends */
  | { kind: 'store_taken'; place: string }
  /** the engine cannot determine what the container holds; a second time in a row it ends */
  | { kind: 'size_unknown'; containerId: string }
  | { kind: 'container_ended'; containerId: string; status: string; reason: string }
  | { kind: 'reconciled'; removed: number; lost: number }
  /** the engine does not have an image of the store, or has it again */
  | { kind: 'image_lost' | 'image_regained'; imageId: string }
  | { kind: 'build_ended'; imageId: string; status: string; steps: number; cachedSteps: number; durationMs: number }
  | { kind: 'ssh_opened'; sessionId: string; containerId: string; keyId: string; from: string }
  | { kind: 'ssh_closed'; sessionId: string }
  | { kind: 'terminal_opened'; requestId: string; containerId: string; accountId: string; keyId?: string; from: string }
  /** `code`: of the WebSocket; 1006: it broke off */
  | { kind: 'terminal_closed'; requestId: string; code: number; durationMs: number }
  // of the metrics alone: too many for a log
  | { kind: 'engine_called'; call: string; outcome: string; durationMs: number }
  | { kind: 'store_called'; act: 'read' | 'write' | 'transaction'; outcome: 'ok' | 'failed'; durationMs: number }
  | { kind: 'command_started'; durationMs: number }
  | { kind: 'command_ended'; outcome: string }
  | { kind: 'egress_lost'; containerId: string }
  | { kind: 'egress_connected'; outcome: string }
  | { kind: 'egress_closed'; sent: number; received: number }
  /** the first of several in a row */
  | { kind: 'sweep_failed'; sweep: Sweeping; reason: string }
  | { kind: 'swept'; sweep: Sweeping; outcome: 'ok' | 'failed'; durationMs: number }

export const sweepings = ['due', 'sizes', 'reconcile'] as const
export type Sweeping = (typeof sweepings)[number]

export type Observe = (event: Event) => void

export const events: EventTable<Event> = {
  ...baseEvents,
  started: { level: 'info' },
  proxies_unknown: { level: 'warn' },
  served: { level: ({ status }) => (status >= 500 ? 'warn' : 'info'), isProblem: ({ status }) => status >= 500 },
  engine_away: { level: 'warn', isTrouble: true },
  engine_back: { level: 'info' },
  store_taken: { level: 'error', isTrouble: true },
  size_unknown: { level: 'warn', isTrouble: true },
  container_ended: { level: 'info' },
  reconciled: { level: 'info' },
  image_lost: { level: 'warn' },
  image_regained: { level: 'info' },
  build_ended: { level: 'info' },
  ssh_opened: { level: 'info' },
  ssh_closed: { level: 'info' },
  terminal_opened: { level: 'info' },
  terminal_closed: { level: 'info' },
  engine_called: { level: 'never' },
  store_called: { level: 'never' },
  command_started: { level: 'never' },
  command_ended: { level: 'never' },
  egress_lost: { level: 'warn' },
  egress_connected: { level: 'never' },
  egress_closed: { level: 'never' },
  sweep_failed: { level: 'warn', isTrouble: true },
  swept: { level: 'never' },
}
