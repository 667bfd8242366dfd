// Every event of this service, one closed union. Who listens (log, metrics, audit) chooses; who reports does not know them.
// No event may carry a secret, a query value, a body or a tester's words: names, counts and codes only.
import { baseEvents, type Event as BaseEvent, type EventTable } from '../../base/core/events.ts'

export type Event =
  | BaseEvent
  | { kind: 'started'; url: string; operatorUrl?: string; connections: number; node: string }
  /** a hosted connection whose row cannot be decrypted: it was altered, or its master key is missing */
  | { kind: 'unreadable'; connection: string; reason: string }
  /** hosted connections that cannot be decrypted without this master key */
  | { kind: 'master_key_missing'; masterKey: string; connections: number }
  /** a hosted connection that is not served, because the settings have one with the same id */
  | { kind: 'shadowed'; connection: string }
  /** the settings were read again and are in use */
  | { kind: 'reloaded'; connections: number; needRestart: readonly string[] }
  /** a platform call has ended: `status` if it answered; `code` if there is no document, or `left` if every caller had left */
  | {
      kind: 'called'
      connection: string
      status?: number
      code?: string
      /** 1 is the first; more: repeats */
      attempt: number
      waitedMs: number
      durationMs: number
    }
  /** a read that another call under way has answered */
  | { kind: 'shared'; connection: string }
  /** the breaker of a connection opened, tries a call, or closed */
  | { kind: 'breaker'; connection: string; state: 'open' | 'half-open' | 'closed' }
  /** the platform refuses the signing key, which is not used for a while */
  | { kind: 'key_rejected'; connection: string; pauseSec: number }
  /** our clock differs from the platform's, and tokens are dated by the platform's from now on */
  | { kind: 'clock_offset'; connection: string; offsetSec: number }
  /** members of a platform document that the catalogue does not know */
  | { kind: 'drift'; connection: string; type: string; members: readonly string[] }
  /** an item that the platform sent twice in one page */
  | { kind: 'duplicate'; type: string; count: number }
  /** a revocation could not be published in Redis: a replica that is cut off from the database too may accept the key until then */
  | { kind: 'taking_untold'; until: string }

export type Observe = (event: Event) => void

export const events: EventTable<Event> = {
  ...baseEvents,
  started: { level: 'info' },
  unreadable: { level: 'warn', isTrouble: true },
  master_key_missing: { level: 'warn', isTrouble: true },
  shadowed: { level: 'warn' },
  reloaded: { level: 'info' },
  called: { level: 'never' },
  shared: { level: 'never' },
  breaker: { level: ({ state }) => (state === 'open' ? 'warn' : 'info') },
  key_rejected: { level: 'warn' },
  clock_offset: { level: 'warn', isTrouble: true },
  drift: { level: 'info' },
  duplicate: { level: 'info', isProblem: () => false },
  taking_untold: { level: 'warn', isTrouble: true },
}

export const ignore: Observe = () => {}

export const toAll =
  (...all: readonly [Observe, Observe, Observe]): Observe =>
  (event) => {
    all[0](event)
    all[1](event)
    all[2](event)
  }
