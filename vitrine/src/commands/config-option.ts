// Takes `--config FILE` out of the arguments of any command, for VITRINE_CONFIG.
// A missing file is an error even for commands that read no settings.
import { accessSync, constants, statSync } from 'node:fs'
import { UserError } from '../../../base/cli/user-error.ts'

const option = /^--config(?:=([^]*))?$/

/** The last one counts. `complete` gets the arguments of another command line, and keeps them. */
export function takeConfig(given: readonly string[]) {
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
      throw new UserError('--config needs the name of a file.')
    words.splice(at, joined === undefined ? 2 : 1)
  }
  return { words, file }
}

export function checkConfig(file: string) {
  try {
    accessSync(file, constants.R_OK)
    if (statSync(file).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
  } catch (error) {
    throw new UserError(`The settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
