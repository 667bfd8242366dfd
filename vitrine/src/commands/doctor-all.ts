// `vitrine doctor --all`: the installation, and one line for each connection. An interrupt prints what was looked at.
import { counted } from '../../../base/core/plural.ts'
import { printJson, printable } from '../../../base/cli/output.ts'
import { drawTable } from '../../../base/cli/table.ts'
import { paintFor } from '../../../base/cli/terminal.ts'
import { titleOf } from '../doctor/checks.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { checkInstallation } from '../doctor/installation-check.ts'
import { createProgressLine, createReport } from './doctor-report.ts'
import type { Loaded } from './settings-file.ts'

interface Row extends Pick<DoctorFinding, 'state' | 'says' | 'cause' | 'cure'> {
  readonly connection: string
  /** the check that decides the state */
  readonly check: string
}

interface Examined {
  readonly checks: readonly DoctorFinding[]
  readonly connections: readonly Row[]
  /** not looked at before the interrupt */
  readonly notChecked: readonly string[]
  /** false: it ended before the connections were known */
  readonly isKnown: boolean
}

const worstFirst = ['fail', 'warn', 'skip', 'ok'] as const
/** the last check of a connection */
const last = 'quota'

/** checks of the installation for which the first check of a connection is skipped */
const behind: Readonly<Record<string, string>> = { 'key-file': 'credentials', token: 'platform' }

function rowOf(connection: string, findings: readonly DoctorFinding[], checks: readonly DoctorFinding[]): Row {
  const [worst] = worstFirst.flatMap((state) => findings.find((one) => one.state === state) ?? [])
  if (!worst) throw new Error('a connection without a finding')
  const { id: check, state, says, cause, cure } = worst
  if (state === 'ok') return { connection, state, check, says: findings.at(-1)?.says ?? says }
  const root = state === 'skip' && checks.find((one) => one.id === behind[check] && one.state === 'fail')
  if (!root) return { connection, state, check, says, ...(cause && { cause }), ...(cure && { cure }) }
  // its own problem, found for all connections together
  const own = root.id === 'credentials' ? 'fail' : 'skip'
  return { connection, state: own, check: root.id, says, ...(root.cure && { cure: root.cure }) }
}

function createCollection(show: (title: string) => void) {
  const checks: DoctorFinding[] = []
  const open = new Map<string, DoctorFinding[]>()
  const rows = new Map<string, Row>()
  let ids: readonly string[] | undefined
  function showCount() {
    if (ids) show(`${rows.size} of ${counted(ids.length, 'connection')} checked`)
  }
  return {
    begin(title: string) {
      if (ids) showCount()
      else show(title)
    },
    choose: (chosen: readonly string[]) => void (ids = chosen),
    add(finding: DoctorFinding) {
      const { connection, id } = finding
      if (connection === undefined) return void checks.push(finding)
      const own = [...(open.get(connection) ?? []), finding]
      open.set(connection, own)
      if (id !== last) return undefined
      open.delete(connection)
      rows.set(connection, rowOf(connection, own, checks))
      return showCount()
    },
    end: (): Examined => ({
      checks,
      connections: (ids ?? []).flatMap((id) => rows.get(id) ?? []),
      notChecked: (ids ?? []).filter((id) => !rows.has(id)),
      isKnown: ids !== undefined,
    }),
  }
}

function tableOf(rows: readonly Row[]): string {
  const columns = [{ name: 'CONNECTION', whole: true }, { name: 'STATE' }, { name: 'FINDING' }, { name: 'WHAT TO DO' }]
  const cells = rows.map(({ connection, state, check, says, cause, cure }) => {
    const finding = state === 'ok' || state === 'skip' ? says : `${titleOf(check)}: ${cause ?? says}`
    return [connection, state, finding, cure ?? null]
  })
  return drawTable({ columns, rows: cells, paint: paintFor(process.stdout) }).text
}

function endOf({ connections, notChecked, isKnown }: Examined, isCut: boolean): string {
  const parts = worstFirst.flatMap((state) => {
    const count = connections.filter((one) => one.state === state).length
    return count > 0 ? `${count} ${state}` : []
  })
  const sum = `${counted(connections.length, 'connection')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`
  if (!isCut) return sum
  if (!isKnown) return 'Interrupted before the connections were known: none of them was checked.'
  return `${sum} Interrupted: the other ${notChecked.length} were not checked.`
}

function print(examined: Examined, isText: boolean, isCut: boolean) {
  const { checks, connections, notChecked } = examined
  const isWell = !isCut && [...checks, ...connections].every(({ state }) => state !== 'fail')
  if (!isText) printJson({ ok: isWell, whole: !isCut, checks, connections, notChecked })
  else {
    const report = createReport(paintFor(process.stdout))
    const problems = checks.filter(({ state }) => state === 'fail' || state === 'warn').map((one) => report.lines(one))
    const table = connections.length > 0 ? [tableOf(connections)] : []
    process.stdout.write(`${[...problems, ...table, printable(endOf(examined, isCut))].join('\n\n')}\n`)
  }
  process.exitCode = isCut ? 130 : isWell ? 0 : 1
}

export async function examineAll({ isText, read }: { readonly isText: boolean; readonly read: () => Loaded }) {
  const sign = createProgressLine(process.stderr)
  const collection = createCollection(sign.show)
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt)
  try {
    await checkInstallation({
      ids: [],
      brief: true,
      asItComes: true,
      read,
      unknown(id) {
        throw new Error(`there is no connection ${id}`)
      },
      report: (finding) => collection.add(finding),
      started: (title) => collection.begin(title),
      chosen: (ids) => collection.choose(ids),
      signal: stop.signal,
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    sign.clear()
    process.off('SIGINT', interrupt)
  }
  print(collection.end(), isText, stop.signal.aborted)
}
