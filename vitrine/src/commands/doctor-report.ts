// Formats the report of `vitrine doctor` for a terminal: a mark for each check, and cause and fix of each problem.
import { titleOf } from '../doctor/checks.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { printable } from '../../../base/cli/output.ts'
import { type Paint, redraws } from '../../../base/cli/terminal.ts'

const marks = { ok: '✓', warn: '!', fail: '✗', skip: '–' } as const
const styles = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const

const widest = 'Group performance'.length

export function createReport(paint: Paint) {
  let before: string | undefined
  return {
    /** starts with the connection's name where it changes */
    lines({ id, connection, state, says, cause, cure }: DoctorFinding) {
      const head = connection === before || connection === undefined ? '' : `\n${printable(connection)}\n`
      before = connection
      const mark = paint(styles[state], `${marks[state]} ${state.padEnd(4)}`)
      const indent = ' '.repeat(8 + widest + 2)
      const why = [cause && `${indent}Cause: ${printable(cause)}`, cure && `${indent}Fix:   ${printable(cure)}`]
      return [`${head} ${mark} ${titleOf(id).padEnd(widest)}  ${printable(says)}`, ...why.filter(Boolean)].join('\n')
    },
    sum(findings: readonly DoctorFinding[]) {
      const words = { ok: 'ok', warn: 'with a warning', fail: 'failed', skip: 'skipped' } as const
      const parts = Object.entries(words).map(([state, word]) => {
        const number = findings.filter((finding) => finding.state === state).length
        return number > 0 ? `${number} ${word}` : undefined
      })
      return `\n${parts.filter(Boolean).join(', ')}.`
    },
  }
}

/** shows the running check on a terminal until its result is printed */
export function createProgressLine(stream: NodeJS.WriteStream) {
  const isShown = redraws(stream)
  return {
    // a wrapped line could not be erased
    show: (title: string) =>
      void (isShown && stream.write(`\r   ${title.slice(0, Math.max(0, stream.columns - 6))} …\u001b[K`)),
    clear: () => void (isShown && stream.write('\r\u001b[K')),
  }
}
