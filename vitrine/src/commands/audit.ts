// `vitrine audit`: prints lines of the audit log, or verifies its chain.
import { isoOf, readTimeOf } from '../../../base/core/moment.ts'
import type { AuditFilter, AuditRecord } from '../../../base/core/audit.ts'
import { printableLines } from '../../../base/core/printable.ts'
import { csvLine } from '../csv.ts'
import { subjects } from '../management/operation.ts'
import { auditBeginning, auditLine } from '../management/shown.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printJson, printRows, say } from '../../../base/cli/output.ts'
import { withStore, type StoreSession } from './with-store.ts'
import type { ConfigOption } from './settings-file.ts'

interface AuditOptions extends ConfigOption {
  readonly limit: string
  readonly before?: string
  readonly key?: string
  readonly from?: string
  readonly to?: string
  readonly act?: string
  readonly target?: string
  readonly who?: string
  readonly denied: boolean
  readonly verify: boolean
  readonly output?: 'table' | 'json' | 'csv'
}

function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UserError(`${option} must be a whole number above 0.`)
  return Number(text)
}

function readWhen(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  return (
    readTimeOf(text, now) ??
    refuse(
      `${option} must be a time such as 24h, 30m or 7d, which means ago, or a date such as 2027-01-31 or 2027-01-31T12:00Z.`,
    )
  )
}

const refuse = (message: string): never => {
  throw new UserError(message)
}

/** a whole key is never repeated */
const readKey = (id: string | undefined): string | undefined =>
  id === undefined || subjects.key.idForm.test(id)
    ? id
    : refuse('--key is the id of a facade key, as `vitrine keys list` shows it: 12 letters and digits.')

function filterOf({ limit, before, key, from, to, act, target, who, denied }: AuditOptions, now: number): AuditFilter {
  const [since, until] = [readWhen('--from', from, now), readWhen('--to', to, now)]
  if (since !== undefined && until !== undefined && since >= until) refuse('--from is not before --to.')
  return {
    about: readKey(key),
    since,
    until,
    act,
    target,
    who,
    limit: readCount('--limit', limit),
    ...(denied && { outcome: 'denied' as const }),
    ...(before !== undefined && { before: readCount('--before', before) }),
  }
}

async function verifyChain({ store, vault }: StoreSession) {
  const { lines, brokenAt, anchor } = await store.audit.verify(vault())
  printJson({ lines, brokenAt: brokenAt ?? null, begins: anchor ? auditBeginning(anchor) : null })
  if (anchor?.fault !== undefined) say(`The recorded beginning of the audit log is not valid: ${anchor.fault}.`)
  if (brokenAt !== undefined)
    throw new UserError(`The audit log was changed: line ${brokenAt} does not follow from the one before.`)
  if (anchor?.fault !== undefined) throw new UserError('The audit log could not be verified.')
}

const columns = ['seq', 'at', 'who', 'from', 'act', 'target', 'outcome', 'requestId', 'details', 'hash'] as const

function printLines(lines: readonly AuditRecord[], output: AuditOptions['output']) {
  const shown = lines.map(auditLine)
  if (output === 'csv') {
    const rows = shown.map((line) => csvLine(columns.map((name) => line[name])))
    const text = [csvLine(columns), ...rows].join('')
    return void process.stdout.write(process.stdout.isTTY ? printableLines(text) : text)
  }
  const isTable = output === undefined ? process.stdout.isTTY : output === 'table'
  if (isTable && lines.length === 0) return undefined
  const rows = shown.map(({ seq, at, who, from, act, target, outcome, details }) => ({
    seq,
    when: at,
    who,
    from,
    act,
    target,
    outcome,
    details: JSON.stringify(details),
  }))
  return printRows(rows, shown, '', isTable)
}

export async function audit({ verify, output, ...options }: AuditOptions) {
  const filter = filterOf({ verify, ...options }, Date.now())
  await withStore(options, {}, async (session) => {
    if (verify) return verifyChain(session)
    const { audit: log } = session.store
    const found = await log.page({ ...filter, limit: filter.limit + 1 })
    const lines = found.slice(0, filter.limit)
    printLines(lines, output)
    const last = lines.at(-1)
    if (last === undefined) say('No line of the audit log matches.')
    else if (found.length > lines.length)
      say(`These are the newest ${lines.length} that match; older ones: --before ${last.seq}, or a larger --limit.`)
    const anchor = await log.anchor()
    if (anchor)
      say(`The audit log begins at line ${anchor.through + 1}; earlier lines were pruned on ${isoOf(anchor.prunedAt)}.`)
  })
}
