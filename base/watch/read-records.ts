// What is written of reads, in batches and never waited for. When keys and connections were last used; and, if the operator
// enables it, an audit line for each answer. The queue of lines is bounded in all and for each caller, so that only a caller who
// asks more than the store takes is refused.
import { withDeadline } from '../core/abort.ts'
import { countOf, createCountedRefusals } from './counted-refusals.ts'
import type { Event, Observe } from '../core/events.ts'
import { Problem } from '../core/problem.ts'
import type { AuditRecords, AuditEntry } from '../core/audit.ts'

const everyMs = 250
/** lines that may wait; beyond them reads are refused, since they would not be recorded */
const mostUnwritten = 20_000
/** a caller may have as many waiting as there is room left, and this: one alone fills half, two a third each */
const extra = 1_000
const mostAtOnce = 1_000
const closingMs = 1_000
const retryAfterSec = 1

type Answered = Extract<Event, { kind: 'answered' }>

export interface ReadAudit {
  readonly note: (event: Event) => void
  readonly noteOf: (who: string, event: Answered) => void
  /** throws if no further read of this caller can be recorded */
  readonly requireRoom: (who: string) => void
  readonly accepting: () => boolean
  close(): Promise<void>
}

export const noReadAudit: ReadAudit = {
  note: () => {},
  noteOf: () => {},
  requireRoom: () => {},
  accepting: () => true,
  close: async () => {},
}

function deedOf(who: string, event: Answered, at: number): AuditEntry {
  const { from, requestId, operation, connection = null, status, code = null, platformCalls } = event
  const outcome = status === 401 || status === 403 || status === 404 || status === 429 ? 'denied' : 'done'
  const details = { operation, status, code, platformCalls }
  return { at, who, from, requestId, act: 'read', target: connection, outcome, details }
}

/** it cost no platform call, so only counting bounds it */
const isCheapRefusal = ({ code, platformCalls }: Answered): boolean => code !== undefined && platformCalls === 0

const alone = (deed: AuditEntry): AuditEntry => ({
  ...deed,
  details: { ...deed.details, ...countOf(1, deed.at, deed.at) },
})

function createQueue() {
  const lines: AuditEntry[] = []
  const held = new Map<string, number>()
  const heldBy = (who: string): number => held.get(who) ?? 0
  const accepting = () => lines.length < mostUnwritten
  return {
    size: () => lines.length,
    first: (count: number) => lines.slice(0, count),
    accepting,
    add(deed: AuditEntry) {
      lines.push(deed)
      held.set(deed.who, heldBy(deed.who) + 1)
    },
    drop(count: number) {
      for (const { who } of lines.splice(0, count))
        if (heldBy(who) > 1) held.set(who, heldBy(who) - 1)
        else held.delete(who)
    },
    requireRoom: (who: string) => {
      if (!accepting())
        throw new Problem('store_unavailable', { retryAfterSec, cause: 'the audit of reads cannot be written' })
      if (heldBy(who) >= mostUnwritten + extra - lines.length) throw new Problem('audit_behind', { retryAfterSec })
    },
  }
}

export function createReadAudit(audit: Pick<AuditRecords, 'append'>, now: () => number, observe: Observe): ReadAudit {
  const queue = createQueue()
  const refusals = createCountedRefusals({ write: async (deed) => push(deed), now, apart: 1 })
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let batch = mostAtOnce
  let waiting = false
  let isBusy = false

  async function writeSome() {
    const some = queue.first(batch)
    if (some.length === 0) return
    try {
      await audit.append(some)
      queue.drop(some.length)
      batch = Math.min(mostAtOnce, batch * 2)
      waiting = false
    } catch (error) {
      // a slow store gets fewer lines at a time
      batch = Math.max(1, Math.floor(batch / 2))
      const reason = error instanceof Problem ? String(error.cause) : 'the store failed'
      if (!waiting) observe({ kind: 'audit_waiting', lines: queue.size(), reason })
      waiting = true
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(writeSome)
    return writing
  }

  async function turn() {
    timer = undefined
    isBusy = true
    await flush()
    isBusy = false
    if (queue.size() > 0) plan()
  }

  function plan() {
    if (timer !== undefined || isBusy) return
    // whole batches follow at once if the store takes them; after a failure there is a pause
    timer = setTimeout(() => void turn(), queue.size() >= batch && !waiting ? 0 : everyMs)
  }

  function push(deed: AuditEntry) {
    queue.add(deed)
    plan()
  }

  function noteOf(who: string, event: Answered) {
    const deed = deedOf(who, event, now())
    if (!isCheapRefusal(event)) push(deed)
    else if (!refusals.counts(deed)) push(alone(deed))
  }

  return {
    note(event) {
      if (event.kind === 'answered' && event.keyId !== undefined) noteOf(`key:${event.keyId}`, event)
    },
    noteOf,
    requireRoom: queue.requireRoom,
    accepting: queue.accepting,
    async close() {
      await refusals.close()
      const endsAt = performance.now() + closingMs
      // one try may take longer than the whole time
      const leftMs = () => endsAt - performance.now()
      while (queue.size() > 0 && leftMs() > 0) await withDeadline(flush(), leftMs(), () => {})
      clearTimeout(timer)
      isBusy = true
      if (queue.size() > 0) observe({ kind: 'audit_lost', lines: queue.size() })
    },
  }
}

const usesEveryMs = 1_000
/** a failing store is left alone for a while: an embedded one would block the event loop */
const pauseMs = 30_000
/** a use within this time of the last one is not recorded */
const coarseMs = 5 * 60_000

interface Used {
  readonly id: string
  readonly lastUsedAt: number | null
}

export interface UseBook {
  readonly mark: (used: Used) => void
  close(): Promise<void>
}

export function createUses(write: (uses: ReadonlyMap<string, number>) => Promise<void>, now: () => number): UseBook {
  let due = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let waitMs = usesEveryMs

  async function flush() {
    timer = undefined
    if (due.size === 0) return
    const uses = due
    due = new Map()
    // the next use records it again: no request fails for it
    waitMs = await write(uses).then(
      () => usesEveryMs,
      () => pauseMs,
    )
  }

  return {
    mark({ id, lastUsedAt }) {
      const at = now()
      if ((lastUsedAt !== null && Math.abs(at - lastUsedAt) < coarseMs) || due.has(id)) return
      due.set(id, at)
      timer ??= setTimeout(() => void flush(), waitMs)
      timer.unref()
    },
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}
