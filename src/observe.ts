// Every event worth seeing, one closed union. Whoever listens (log, metrics, audit) chooses; whoever tells does not know him.
// No event may carry a secret, a query value, a body or a tester's words: names, counts and codes only.

export type Event =
  | { kind: 'started'; url: string; operatorUrl?: string; connections: number; node: string }
  | { kind: 'stopping'; signal: string }
  /** one of the processes of the service has died, and another takes its place after this pause; and it serves */
  | { kind: 'worker_ended'; worker: number; how: string; againMs: number }
  | { kind: 'worker_started'; worker: number }
  | {
      kind: 'answered'
      requestId: string
      method: string
      /** the operation, a page's name, or `unknown` */
      operation: string
      /** the caller's address: the socket's, or the one that a trusted proxy names */
      from: string
      status: number
      code?: string
      keyId?: string
      connection?: string
      platformCalls: number
      /** of these, those that repeat an earlier one */
      retries?: number
      /** reads that another request's platform call answered */
      shared?: number
      /** time spent waiting for a turn at the platform, and for the platform itself */
      waitedMs?: number
      platformMs?: number
      /** whether the answer was remembered */
      cache?: 'hit' | 'miss' | 'revalidated'
      /** W3C trace id, where the caller sent one or traces are on */
      traceId?: string
      durationMs: number
      /** an answer without an end of its own: how long it took is how long somebody listened */
      stream?: true
      /** why the answer is a failure of the platform or ours; fixed words, never the platform's text */
      reason?: string
    }
  /** a hosted connection whose row cannot be opened: an altered row, or a master key that is not given */
  | { kind: 'unreadable'; connection: string; reason: string }
  /** hosted connections that will not open until this master key is given */
  | { kind: 'master_key_missing'; masterKey: string; connections: number }
  /** a hosted connection that is not served, because the settings hold one of the same id */
  | { kind: 'shadowed'; connection: string }
  /** the settings were read again: what they say is served, or what was served before still is */
  | { kind: 'reloaded'; connections: number; needRestart: readonly string[] }
  | { kind: 'reload_refused'; reason: string }
  /** bytes that never became a request */
  | { kind: 'refused'; code: string; reason: string }
  /** one call of the platform has ended: `status` where it answered; `code` where no document came of it, or `left` where nobody waited any more */
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
  /** the platform was found dead, tried, or found alive again, as far as one connection can tell */
  | { kind: 'breaker'; connection: string; state: 'open' | 'half-open' | 'closed' }
  /** the platform refuses the signing key, and is left alone with it for a while */
  | { kind: 'key_rejected'; connection: string; pauseSec: number }
  /** our clock differs from the platform's, and tokens are dated by the platform's from now on */
  | { kind: 'clock_offset'; connection: string; offsetSec: number }
  /** a request was turned away before it could cost memory */
  | { kind: 'shed'; reason: 'requests' | 'queue' | 'memory' }
  /** a socket was let go of for a new one from here: too many are held in this neighbourhood, or in all */
  | { kind: 'crowded'; from: string; sockets: number }
  /** members of a platform document that the catalogue does not know */
  | { kind: 'drift'; connection: string; type: string; members: readonly string[] }
  /** an item that the platform sent twice in one page */
  | { kind: 'duplicate'; type: string; count: number }
  /** lines of the audit of reads that could not be written yet, or, when the service stops, not at all */
  | { kind: 'audit_waiting'; lines: number; reason: string }
  | { kind: 'audit_lost'; lines: number }
  /** lines of the audit that are old enough, or too many: number and hash of the last one; and why they stay */
  | { kind: 'audit_pruned'; lines: number; through: number; hash: string }
  | { kind: 'audit_unpruned'; reason: string }
  /** what replicas keep in common cannot be asked: each takes its part until it is back */
  | { kind: 'redis_away'; place: string; reason: string }
  | { kind: 'redis_back'; place: string; awayMs: number }
  /** it was understood, and refused: a right is missing there, or its memory is full */
  | { kind: 'redis_refused'; place: string; reason: string }
  /** the database does not answer, and reads go on where what was found lately may be believed; and it answers again */
  | { kind: 'store_away'; place: string; reason: string }
  | { kind: 'store_back'; place: string; awayMs: number }
  /** another service has the file of the store, and the start waits for its end */
  | { kind: 'store_in_use'; place: string; waitsMs: number }
  /** something was taken away, and Redis could not be told: a replica that the database cannot reach either may believe in it so long */
  | { kind: 'taking_untold'; until: string }
  /** a replica cannot write that it is there: how many there are is counted by sessions of the database, or assumed */
  | { kind: 'replicas_uncounted'; countedBy: 'sessions' | 'assumed'; count: number }
  /** log lines that nobody read in time */
  | { kind: 'dropped'; lines: number }
  | { kind: 'failed'; requestId: string; reason: string; stack?: string }

export type Observe = (event: Event) => void
