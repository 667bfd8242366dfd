// `--config FILE` of every command, before its name and behind it. Commands that read settings find it in VITRINE_CONFIG. That the
// file is there is checked for the others too, so that a mistyped path is an error everywhere.
import { accessSync, constants, statSync } from 'node:fs'
import { Complaint } from './complaint.ts'

interface Taken {
  readonly words: readonly string[]
  readonly file: string | undefined
}

const option = /^--config(?:=([^]*))?$/

/** The words without the option; of several, the last one counts. `complete` has the words of another command line. */
export function takeConfig(given: readonly string[]): Taken {
  if (given[0] === 'complete') return { words: given, file: undefined }
  const words = [...given]
  let file: string | undefined
  for (let at = 0; at < words.length && words[at] !== '--';) {
    const found = option.exec(words[at] ?? '')
    if (!found) {
      at++
      continue
    }
    const [, joined] = found
    file = joined ?? words[at + 1]
    if (!file || (joined === undefined && file.startsWith('--')))
      throw new Complaint('--config needs the name of a file.')
    words.splice(at, joined === undefined ? 2 : 1)
  }
  return { words, file }
}

/** refused in the words of those who read it */
export function checkConfig(file: string) {
  try {
    accessSync(file, constants.R_OK)
    if (statSync(file).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
  } catch (error) {
    throw new Complaint(`The settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
