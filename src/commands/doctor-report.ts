// The report of `vitrine doctor` as a person reads it: a mark and a word for each check, cause and cure below what is not well.
import { titleOf } from '../doctor/checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { printable } from './output.ts'
import type { Paint } from './terminal.ts'

const marks = { ok: '✓', warn: '!', fail: '✗', skip: '–' } as const
const styles = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const

const widest = 'Group performance'.length

export interface Report {
  /** the lines of one check, with the connection's name above its first */
  lines(finding: Finding): string
  /** the last line */
  sum(findings: readonly Finding[]): string
}

export function createReport(paint: Paint): Report {
  let before: string | undefined
  return {
    lines({ id, connection, state, says, cause, cure }) {
      const head = connection === before || connection === undefined ? '' : `\n${printable(connection)}\n`
      before = connection
      const mark = paint(styles[state], `${marks[state]} ${state.padEnd(4)}`)
      const indent = ' '.repeat(8 + widest + 2)
      const why = [cause && `${indent}Cause: ${printable(cause)}`, cure && `${indent}Cure:  ${printable(cure)}`]
      return [`${head} ${mark} ${titleOf(id).padEnd(widest)}  ${printable(says)}`, ...why.filter(Boolean)].join('\n')
    },
    sum(findings) {
      const words = { ok: 'ok', warn: 'to see to', fail: 'failed', skip: 'not tried' } as const
      const parts = Object.entries(words).map(([state, word]) => {
        const number = findings.filter((finding) => finding.state === state).length
        return number > 0 ? `${number} ${word}` : undefined
      })
      return `\n${parts.filter(Boolean).join(', ')}.`
    },
  }
}
