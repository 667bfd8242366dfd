// `vitrine doctor`: checks an installation, and reports each problem with its cause and its fix.
import { checkInstallation } from '../doctor/installation-check.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { createProgressLine, createReport } from './doctor-report.ts'
import { printJson } from '../../../base/cli/output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'
import { paintFor } from '../../../base/cli/terminal.ts'

function unknown(id: string, known: readonly string[]): never {
  const hint = didYouMean(nearestOf(id, known)) || ` Connections: ${known.join(', ') || 'none'}.`
  throw new UserError(`There is no connection ${id}.${hint}`)
}

interface Examination {
  readonly ids: readonly string[]
  readonly read: () => Loaded
  /** only local checks: no network */
  readonly starting?: true
  readonly isText?: boolean
}

interface DoctorOptions extends ConfigOption {
  readonly json: boolean
  readonly all: boolean
  readonly output?: string
}

export async function doctor(ids: readonly string[], { json, all, output, ...options }: DoctorOptions): Promise<void> {
  if (output !== undefined && output !== 'table' && output !== 'json')
    throw new UserError('--output must be table or json.')
  if (all && ids.length > 0) throw new UserError('Name connections, or use --all, not both.')
  const isText = output === undefined ? process.stdout.isTTY && !json : output === 'table'
  const wish = { isText, read: () => loadSettings(options) }
  return all ? (await import('./doctor-all.ts')).examineAll(wish) : runAndReport({ ids, ...wish })
}

export async function runAndReport({ isText = process.stdout.isTTY, ...wish }: Examination) {
  const report = createReport(paintFor(process.stdout))
  const sign = createProgressLine(process.stderr)
  const findings: DoctorFinding[] = []
  process.once('SIGINT', () => {
    sign.clear()
    process.exit(130)
  })
  const tell = (finding: DoctorFinding) => {
    findings.push(finding)
    sign.clear()
    if (isText) process.stdout.write(`${report.lines(finding)}\n`)
  }
  await checkInstallation({ ...wish, unknown, report: tell, started: sign.show })
  sign.clear()
  const isWell = findings.every(({ state }) => state !== 'fail')
  if (isText) process.stdout.write(`${report.sum(findings)}\n`)
  else printJson({ ok: isWell, checks: findings })
  if (!isWell) process.exitCode = 1
}
