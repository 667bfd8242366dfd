// `vitrine operator token`: creates a token for the operator endpoint, and prints it or writes it to a new file.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../../base/cli/user-error.ts'
import { say } from '../../../base/cli/output.ts'
import { shellWord } from '../../../base/core/source-text.ts'
import { programName } from './program-name.ts'

function writeNew(file: string, token: string) {
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new UserError(`--file: ${file} cannot be written (${code}).`, { cause: error })
    throw new UserError(
      // the file may lack the end of its last line, and two tokens on one line are a third
      `--file: ${file} exists, and is left as it is. To add a token, append a line: (echo; ${programName()} operator token) >> ${shellWord(file)}`,
      { cause: error },
    )
  }
}

export async function operatorToken({ file }: { file?: string }) {
  const token = randomBytes(32).toString('hex')
  if (file === undefined) {
    say('Set it in VITRINE_OPERATOR_TOKEN, or write it into the file that "operatorTokenFile" names; it is not stored.')
    process.stdout.write(`${token}\n`)
    return
  }
  const path = resolve(file)
  writeNew(path, token)
  say(
    `Wrote a new operator token, which only this user can read. Add to the settings: "operatorTokenFile": ${JSON.stringify(path)}, and restart the service.`,
  )
}
