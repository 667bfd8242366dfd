// `vitrine audit`: prints lines of the audit log, or verifies its chain.
import { isoOf } from '../../../base/core/moment.ts'
import { auditBeginning, auditLine } from '../management/shown.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printJson, printRows, say } from '../../../base/cli/output.ts'
import { withStore } from './with-store.ts'
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
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UserError(`${option} must be a whole number above 0.`)
  return Number(text)
}

export async function audit({ limit, before, act, target, who, denied, verify, ...options }: AuditOptions) {
  const filter = {
    act,
    target,
    who,
    limit: readCount('--limit', limit),
    ...(denied && { outcome: 'denied' as const }),
    ...(before !== undefined && { before: readCount('--before', before) }),
  }
  await withStore(options, {}, async ({ store, vault }) => {
    if (verify) {
      const { lines, brokenAt, anchor } = await store.audit.verify(vault())
      printJson({ lines, brokenAt: brokenAt ?? null, begins: anchor ? auditBeginning(anchor) : null })
      if (anchor?.fault !== undefined) say(`The recorded beginning of the audit log is not valid: ${anchor.fault}.`)
      if (brokenAt !== undefined)
        throw new UserError(`The audit log was changed: line ${brokenAt} does not follow from the one before.`)
      if (anchor?.fault !== undefined) throw new UserError('The audit log could not be verified.')
      return
    }
    const lines = await store.audit.page(filter)
    const rows = lines.map((line) => ({
      seq: line.seq,
      when: isoOf(line.at),
      who: line.who,
      from: line.from,
      act: line.act,
      target: line.target,
      outcome: line.outcome,
      details: JSON.stringify(line.details),
    }))
    printRows(rows, lines.map(auditLine), 'The audit log is empty.')
    const anchor = await store.audit.anchor()
    if (anchor)
      say(`The audit log begins at line ${anchor.through + 1}; earlier lines were pruned on ${isoOf(anchor.prunedAt)}.`)
  })
}
