// Lines of the audit for answered reads, where the operator wants them: gathered for a moment and written together. What waits
// is bounded in all and for each caller, so a caller who asks more than the store takes is refused, and the others are served.
import { countOf, createCountedRefusals } from './counted-refusals.ts'
import type { Event, Observe } from './observe.ts'
import { Problem } from './problem.ts'
import type { AuditRecords, Deed } from './store/records.ts'

const everyMs = 250
/** lines that may wait; beyond them nobody is served, since it would leave no trace */
const mostUnwritten = 20_000
/** A caller may have as many waiting as there is room left, and this: one alone fills half of it, two a third each. */
const extra = 1_000
const mostAtOnce = 1_000
/** how long a service that stops still tries */
const closingMs = 1_000
const retryAfterSec = 1

type Answered = Extract<Event, { kind: 'answered' }>

export interface ReadAudit {
  readonly note: (event: Event) => void
  /** of one who has no facade key */
  readonly noteOf: (who: string, event: Answered) => void
  /** throws where no further read of this caller can be noted: nobody reads unseen */
  readonly requireRoom: (who: string) => void
  /** whether anybody's read can be noted */
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

function deedOf(who: string, event: Answered, at: number): Deed {
  const { from, requestId, operation, connection = null, status, code = null, platformCalls } = event
  const outcome = status === 401 || status === 403 || status === 404 || status === 429 ? 'denied' : 'done'
  const details = { operation, status, code, platformCalls }
  return { at, who, from, requestId, act: 'read', target: connection, outcome, details }
}

/** it cost no call, so nothing else bounds how many there are; what the platform answered is a line each */
const isCheapRefusal = ({ code, platformCalls }: Answered): boolean => code !== undefined && platformCalls === 0

const alone = (deed: Deed): Deed => ({ ...deed, details: { ...deed.details, ...countOf(1, deed.at, deed.at) } })

/** what waits to be written, in order, and whether a caller may add to it */
function createQueue() {
  const lines: Deed[] = []
  const held = new Map<string, number>()
  const heldBy = (who: string): number => held.get(who) ?? 0
  const accepting = () => lines.length < mostUnwritten
  return {
    size: () => lines.length,
    first: (count: number) => lines.slice(0, count),
    accepting,
    add(deed: Deed) {
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
      // they stay, and are tried again, fewer at a time: a slow store takes less in the time that it has
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
    // a store that takes them is given whole batches one after the other; one that does not is left alone for a moment
    timer = setTimeout(() => void turn(), queue.size() >= batch && !waiting ? 0 : everyMs)
  }

  function push(deed: Deed) {
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
      // one try may take longer than all of them are given
      const late = Promise.withResolvers<void>()
      const ending = setTimeout(late.resolve, closingMs)
      while (queue.size() > 0 && performance.now() < endsAt) await Promise.race([flush(), late.promise])
      clearTimeout(ending)
      clearTimeout(timer)
      isBusy = true
      if (queue.size() > 0) observe({ kind: 'audit_lost', lines: queue.size() })
    },
  }
}
