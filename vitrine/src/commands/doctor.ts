// `vitrine doctor`: checks an installation, and reports each problem with its cause and its fix.
import { checkInstallation } from '../doctor/installation-check.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { createReport } from './doctor-report.ts'
import { printJson } from '../../../base/cli/output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'
import { paintFor, redraws } from '../../../base/cli/terminal.ts'

function unknown(id: string, known: readonly string[]): never {
  const hint = didYouMean(nearestOf(id, known)) || ` Connections: ${known.join(', ') || 'none'}.`
  throw new UserError(`There is no connection ${id}.${hint}`)
}

/** shows the running check on a terminal until its result is printed */
function createProgressLine(stream: NodeJS.WriteStream) {
  const isShown = redraws(stream)
  return {
    // a wrapped line could not be erased
    show: (title: string) =>
      void (isShown && stream.write(`\r   ${title.slice(0, Math.max(0, stream.columns - 6))} …\u001b[K`)),
    clear: () => void (isShown && stream.write('\r\u001b[K')),
  }
}

interface Examination {
  readonly ids: readonly string[]
  readonly read: () => Loaded
  /** only local checks: no network */
  readonly starting?: true
  readonly json?: boolean
}

export const doctor = (ids: readonly string[], { json, ...options }: ConfigOption & { json: boolean }): Promise<void> =>
  runAndReport({ ids, json, read: () => loadSettings(options) })

export async function runAndReport({ json = false, ...wish }: Examination) {
  const isText = process.stdout.isTTY && !json
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
