// Prunes the audit log as its settings say: every minute it marks due lines as pruned in one step, then removes them in
// small batches.
import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from './events.ts'
import { Problem } from './problems.ts'
import type { AuditRecords, Keeping, Seals } from '../../base/core/audit.ts'

const firstMs = 1_000
const everyMs = 60_000
/** between batches other writers get their turn */
const betweenMs = 50

interface Parts {
  readonly audit: Pick<AuditRecords, 'prune' | 'removePruned'>
  readonly keep: Keeping
  readonly seals: () => Seals | undefined
  readonly now: () => number
  readonly observe: Observe
}

export function keepAudit({ audit, keep, seals, now, observe }: Parts): () => void {
  if (keep.days === 0 && keep.lines === 0) return () => {}
  const ending = new AbortController()
  const { signal } = ending
  let reported = ''

  async function remove() {
    while (!signal.aborted && (await audit.removePruned())) await pause(betweenMs, undefined, { signal })
  }

  async function pruneAll() {
    await remove()
    for (;;) {
      const pruned = await audit.prune(keep, now(), seals())
      if (!pruned || signal.aborted) return
      observe({ kind: 'audit_pruned', ...pruned })
      await remove()
    }
  }

  function refuse(error: unknown) {
    if (signal.aborted) return
    const reason = error instanceof Problem ? String(error.cause) : (error as Error).message
    // reported once for each reason
    if (reason !== reported) observe({ kind: 'audit_unpruned', reason })
    reported = reason
  }

  async function pruneAndRepeat() {
    await pruneAll().then(() => void (reported = ''), refuse)
    // replicas that start together spread out
    if (!signal.aborted) plan(everyMs * (0.5 + Math.random()))
  }

  function plan(ms: number) {
    pause(ms, undefined, { signal, ref: false }).then(pruneAndRepeat, () => {})
  }

  plan(firstMs)
  return () => ending.abort()
}
