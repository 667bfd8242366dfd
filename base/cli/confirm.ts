// Asks a person at a terminal to type a word before something is destroyed. Programs are not asked.
import { createInterface } from 'node:readline/promises'
import { UserError } from './user-error.ts'
import { say } from './output.ts'

export async function confirm(warning: string, word: string) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  say(warning)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await terminal.question(`Type ${word} to go on: `)
  terminal.close()
  if (typed.trim() !== word) throw new UserError('Nothing was done.')
}
