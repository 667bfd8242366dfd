// Keeps the audit as long as its settings say: looks each minute for lines that are due, has the store mark them as pruned in
// one step, and removes them in small batches.
import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from './observe.ts'
import { Problem } from './problem.ts'
import type { AuditRecords, Keeping, Seals } from './store/records.ts'

const firstMs = 1_000
const everyMs = 60_000
/** between two batches every other writer has its turn */
const betweenMs = 50

interface Parts {
  readonly audit: Pick<AuditRecords, 'prune' | 'removePruned'>
  readonly keep: Keeping
  /** as they are now: undefined without master keys */
  readonly seals: () => Seals | undefined
  readonly now: () => number
  readonly observe: Observe
}

/** answers how it is ended */
export function keepAudit({ audit, keep, seals, now, observe }: Parts): () => void {
  if (keep.days === 0 && keep.lines === 0) return () => {}
  const ending = new AbortController()
  const { signal } = ending
  let told = ''

  async function remove() {
    while (!signal.aborted && (await audit.removePruned())) await pause(betweenMs, undefined, { signal })
  }

  async function pruneAll() {
    // what an earlier service did not come to
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
    // once for each reason: it is looked at every minute
    if (reason !== told) observe({ kind: 'audit_unpruned', reason })
    told = reason
  }

  async function turn() {
    await pruneAll().then(() => void (told = ''), refuse)
    // replicas that start together do not come together for ever
    if (!signal.aborted) plan(everyMs * (0.5 + Math.random()))
  }

  function plan(ms: number) {
    pause(ms, undefined, { signal, ref: false }).then(turn, () => {})
  }

  plan(firstMs)
  return () => ending.abort()
}
