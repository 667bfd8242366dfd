// Lines of the audit for answered reads, where the operator wants them: gathered for a moment and written together.
import type { Event, Observe } from './observe.ts'
import { Problem } from './problem.ts'
import type { AuditRecords, Deed } from './store/records.ts'

const everyMs = 250
/** unwritten lines that are kept; beyond them nobody is served, since it would leave no trace */
const mostUnwritten = 10_000
const mostAtOnce = 1_000
/** how long a service that stops still tries */
const closingMs = 1_000

type Answered = Extract<Event, { kind: 'answered' }>

export interface ReadAudit {
  readonly note: (event: Event) => void
  /** of one who has no facade key */
  readonly noteOf: (who: string, event: Answered) => void
  /** whether another read can be noted */
  readonly accepting: () => boolean
  close(): Promise<void>
}

export const noReadAudit: ReadAudit = {
  note: () => {},
  noteOf: () => {},
  accepting: () => true,
  close: async () => {},
}

function deedOf(who: string, event: Answered, at: number): Deed {
  const { from, requestId, operation, connection = null, status, code = null, platformCalls } = event
  const outcome = status === 401 || status === 403 || status === 404 || status === 429 ? 'denied' : 'done'
  const details = { operation, status, code, platformCalls }
  return { at, who, from, requestId, act: 'read', target: connection, outcome, details }
}

export function createReadAudit(audit: Pick<AuditRecords, 'append'>, now: () => number, observe: Observe): ReadAudit {
  const lines: Deed[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let batch = mostAtOnce
  let waiting = false

  async function writeSome() {
    const some = lines.slice(0, batch)
    try {
      await audit.append(some)
      lines.splice(0, some.length)
      batch = Math.min(mostAtOnce, batch * 2)
      waiting = false
    } catch (error) {
      // they stay, and are tried again, fewer at a time: a slow store takes less in the time that it has
      batch = Math.max(1, Math.floor(batch / 2))
      const reason = error instanceof Problem ? String(error.cause) : 'the store failed'
      if (!waiting) observe({ kind: 'audit_waiting', lines: lines.length, reason })
      waiting = true
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeSome)
    return writing
  }

  function plan() {
    timer ??= setTimeout(() => void flush().then(() => lines.length > 0 && plan()), everyMs)
  }

  function noteOf(who: string, event: Answered) {
    lines.push(deedOf(who, event, now()))
    plan()
  }

  return {
    note(event) {
      if (event.kind === 'answered' && event.keyId !== undefined) noteOf(`key:${event.keyId}`, event)
    },
    noteOf,
    accepting: () => lines.length < mostUnwritten,
    async close() {
      const endsAt = performance.now() + closingMs
      // one try may take longer than all of them are given
      const late = Promise.withResolvers<void>()
      const ending = setTimeout(late.resolve, closingMs)
      while (lines.length > 0 && performance.now() < endsAt) await Promise.race([flush(), late.promise])
      clearTimeout(ending)
      clearTimeout(timer)
      if (lines.length > 0) observe({ kind: 'audit_lost', lines: lines.length })
    },
  }
}
