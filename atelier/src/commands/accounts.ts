// `atelier accounts …`: creates and lists accounts.
import { readFileSync } from 'node:fs'
import { printLine, printRows, say } from '../../../base/cli/output.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { hashPassword, passwordLength } from '../accounts/passwords.ts'
import { makeId } from '../ids.ts'
import type { ConfigOption } from './settings-file.ts'
import { withCore, withStore } from './with-core.ts'

interface CreateOptions extends ConfigOption {
  readonly email: string
  readonly passwordFile?: string
}

function readPassword(file: string): string {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new UserError(`The password file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const { least, most } = passwordLength
  const length = Array.from(text).length
  if (length < least || length > most || /\p{Cc}/u.test(text))
    throw new UserError(`A password has ${least} to ${most} characters in one line, without control characters.`)
  return text
}

export async function createAccount({ email, passwordFile, ...options }: CreateOptions) {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new UserError('--email must be an e-mail address.')
  const password = passwordFile === undefined ? undefined : await hashPassword(readPassword(passwordFile))
  await withCore(options, async ({ store, now }) => {
    const id = makeId('acc')
    if (!(await store.accounts.add({ id, email, password, createdAt: now() })))
      throw new UserError(`There is an account for ${email} already.`)
    if (password === undefined) say('The account has no password: it can sign in through an OIDC provider alone.')
    await printLine(id)
  })
}

export async function listAccounts(options: ConfigOption) {
  await withStore(options, async (store) => {
    const accounts = (await store.accounts.list()).map(({ id, email, password, createdAt }) => ({
      id,
      email,
      hasPassword: password !== undefined,
      createdAt: new Date(createdAt).toISOString(),
    }))
    printRows(accounts, accounts, 'There is no account yet: atelier accounts create makes one.')
  })
}
