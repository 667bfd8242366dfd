// `vitrine audit`: who did what, when, from where; and whether a line was changed since.
import { isoOf } from '../http/moment.ts'
import { auditBeginning, auditLine } from '../http/operator/shown.ts'
import { Complaint } from './complaint.ts'
import { printJson, printRows, say } from './output.ts'
import { inOffice } from './session.ts'
import type { ConfigOption } from './settings-file.ts'

interface AuditOptions extends ConfigOption {
  readonly limit: string
  readonly before?: string
  readonly act?: string
  readonly target?: string
  readonly who?: string
  readonly denied: boolean
  readonly verify: boolean
}

function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Complaint(`${option} must be a whole number above 0.`)
  return Number(text)
}

export async function audit({ limit, before, act, target, who, denied, verify, ...options }: AuditOptions) {
  const filter = {
    ...{ act, target, who, limit: readCount('--limit', limit) },
    ...(denied && { outcome: 'denied' as const }),
    ...(before !== undefined && { before: readCount('--before', before) }),
  }
  await inOffice(options, {}, async ({ store, vault }) => {
    if (verify) {
      const { lines, brokenAt, anchor } = await store.audit.verify(vault())
      printJson({ lines, brokenAt: brokenAt ?? null, begins: anchor ? auditBeginning(anchor) : null })
      if (anchor?.fault !== undefined) say(`The beginning of the audit cannot be believed: ${anchor.fault}.`)
      if (brokenAt !== undefined)
        throw new Complaint(`The audit was changed: line ${brokenAt} does not follow from the one before.`)
      if (anchor?.fault !== undefined) throw new Complaint('The audit is not proved.')
      return
    }
    const lines = await store.audit.page(filter)
    const rows = lines.map((line) => ({
      ...{ seq: line.seq, when: isoOf(line.at), who: line.who, from: line.from, act: line.act, target: line.target },
      ...{ outcome: line.outcome, details: JSON.stringify(line.details) },
    }))
    printRows(rows, lines.map(auditLine), 'Nothing was done yet.')
    const anchor = await store.audit.anchor()
    if (anchor)
      say(`The audit begins at line ${anchor.through + 1}; earlier lines were pruned on ${isoOf(anchor.prunedAt)}.`)
  })
}
