// How help is laid out: names on the left, words on the right, and no line wider than the terminal.
import type { Paint } from '../terminal.ts'

export interface HelpLook {
  /** how this program is called where the reader is */
  readonly name: string
  readonly width: number
  readonly paint: Paint
}

export const plainWords = (text: string): string => text.replaceAll('`', '')

/** in lines of at most so many columns, each indented */
function wrap(text: string, indent: number, width: number): string {
  const room = Math.max(30, Math.min(width, 110) - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

export type Entry = readonly [name: string, words: string]

export function entries(rows: readonly Entry[], width: number): string {
  const wide = Math.min(36, Math.max(...rows.map(([name]) => name.length)))
  const line = ([name, words]: Entry) => {
    const head = `  ${name.padEnd(wide)}  `
    return head.length > wide + 4 && words !== ''
      ? `  ${name}\n${' '.repeat(wide + 4)}${wrap(words, wide + 4, width)}`
      : `${head}${wrap(words, wide + 4, width)}`.trimEnd()
  }
  return rows.map(line).join('\n')
}

export const section = (title: string, body: string, { paint }: HelpLook): string => `${paint('bold', title)}\n${body}`
