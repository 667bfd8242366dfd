// Every event worth seeing, one closed union. Whoever listens (log, metrics, audit) chooses; whoever tells does not know him.
// No event may carry a secret, a query value, a body or a tester's words: names, counts and codes only.

export type Event =
  | { kind: 'started'; url: string; connections: number; node: string }
  | { kind: 'stopping'; signal: string }
  | {
      kind: 'answered'
      requestId: string
      method: string
      /** the operation, a page's name, or `unknown` */
      operation: string
      status: number
      code?: string
      keyId?: string
      connection?: string
      platformCalls: number
      durationMs: number
      /** why the answer is a failure of the platform or ours; fixed words, never the platform's text */
      reason?: string
    }
  /** bytes that never became a request */
  | { kind: 'refused'; code: string; reason: string }
  /** members of a platform document that the catalogue does not know */
  | { kind: 'drift'; type: string; members: readonly string[] }
  /** an item that the platform sent twice in one page */
  | { kind: 'duplicate'; type: string; count: number }
  /** log lines that nobody read in time */
  | { kind: 'dropped'; lines: number }
  | { kind: 'failed'; requestId: string; reason: string; stack?: string }

export type Observe = (event: Event) => void
