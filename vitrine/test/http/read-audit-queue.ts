// An audit log that accepts lines only while allowed, and answered events for it.
import type { Event } from '../../../base/core/events.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'

export const answered = (requestId: string): Event => ({
  kind: 'answered',
  requestId,
  method: 'GET',
  operation: 'listApps',
  from: '10.0.0.1',
  status: 200,
  keyId: 'k',
  connection: 'acme',
  platformCalls: 1,
  durationMs: 2,
})

/** accepts lines only while allowed */
export function heldAudit() {
  const written: AuditEntry[] = []
  const gate = { isOpen: false }
  const append = async (deeds: readonly AuditEntry[]) => {
    await new Promise((ok) => setTimeout(ok, 5))
    if (!gate.isOpen) throw new Error('full')
    written.push(...deeds)
  }
  return { written, gate, audit: { append } }
}
