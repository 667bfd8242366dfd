// `vitrine doctor`: looks an installation over in order, and names what is ill with its cause and its cure.
import { examine } from '../doctor/examination.ts'
import type { Finding } from '../doctor/finding.ts'
import { didYouMean, nearestOf } from '../engine/nearest.ts'
import { checkCacheGroups } from '../http/cache.ts'
import { Complaint } from './complaint.ts'
import { createReport } from './doctor-report.ts'
import { printJson } from './output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'
import { paintFor, redraws } from './terminal.ts'

interface DoctorOptions extends ConfigOption {
  readonly json: boolean
}

function unknown(id: string, known: readonly string[]): never {
  const hint = didYouMean(nearestOf(id, known)) || ` There are: ${known.join(', ') || 'none'}.`
  throw new Complaint(`There is no connection ${id}.${hint}`)
}

/** what is looked at now, on a terminal that can draw over it, where it is gone again with the next line */
function createSign(stream: NodeJS.WriteStream) {
  const isShown = redraws(stream)
  return {
    // what goes on in the next line would stay there
    show: (title: string) =>
      void (isShown && stream.write(`\r   ${title.slice(0, Math.max(0, stream.columns - 6))} …\u001b[K`)),
    clear: () => void (isShown && stream.write('\r\u001b[K')),
  }
}

interface Examination {
  readonly ids: readonly string[]
  readonly read: () => Loaded
  /** only what a start needs: nobody else is asked */
  readonly starting?: true
  readonly json?: boolean
}

export const doctor = (ids: readonly string[], { json, ...options }: DoctorOptions): Promise<void> =>
  tellAll({ ids, json, read: () => loadSettings(options) })

/** looks it all over, and says so on standard output */
export async function tellAll({ read: load, json = false, ...wish }: Examination) {
  const isText = process.stdout.isTTY && !json
  const report = createReport(paintFor(process.stdout))
  const sign = createSign(process.stderr)
  const findings: Finding[] = []
  process.once('SIGINT', () => {
    sign.clear()
    process.exit(130)
  })
  const tell = (finding: Finding) => {
    findings.push(finding)
    sign.clear()
    if (isText) process.stdout.write(`${report.lines(finding)}\n`)
  }
  const read = () => {
    const loaded = load()
    checkCacheGroups(loaded.settings)
    return loaded
  }
  await examine({ ...wish, read, unknown, tell, begin: sign.show })
  sign.clear()
  const isWell = findings.every(({ state }) => state !== 'fail')
  if (isText) process.stdout.write(`${report.sum(findings)}\n`)
  else printJson({ ok: isWell, checks: findings })
  if (!isWell) process.exitCode = 1
}
