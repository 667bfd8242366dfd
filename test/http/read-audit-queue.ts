// An audit that takes lines when it is let, and answers for it to hear.
import type { Event } from '../../src/observe.ts'
import type { Deed } from '../../src/store/records.ts'

export const answered = (requestId: string): Event => ({
  ...{ kind: 'answered', requestId, method: 'GET', operation: 'listApps', from: '10.0.0.1', status: 200 },
  ...{ keyId: 'k', connection: 'acme', platformCalls: 1, durationMs: 2 },
})

/** takes lines when it is let */
export function heldAudit() {
  const written: Deed[] = []
  const gate = { isOpen: false }
  const append = async (deeds: readonly Deed[]) => {
    await new Promise((ok) => setTimeout(ok, 5))
    if (!gate.isOpen) throw new Error('full')
    written.push(...deeds)
  }
  return { written, gate, audit: { append } }
}
