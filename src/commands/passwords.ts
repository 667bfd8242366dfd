// Puts the passwords of the store and of Redis, where they lie in files of their own, into the addresses that they belong to.
import { readFileSync } from 'node:fs'
import { within } from '../office.ts'
import type { Settings } from '../settings.ts'
import { Complaint } from './complaint.ts'

interface Place {
  readonly file: 'storePasswordFile' | 'redisPasswordFile'
  readonly address: 'store' | 'redis'
  /** of an address that can have a password */
  readonly form: RegExp
  readonly wanted: string
}

const places: readonly Place[] = [
  { file: 'storePasswordFile', address: 'store', form: /^postgres(ql)?:/, wanted: 'postgres://USER@HOST/DATABASE' },
  { file: 'redisPasswordFile', address: 'redis', form: /^rediss?:/, wanted: 'redis://HOST:PORT' },
]

function readPassword(setting: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Complaint(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const password = text.replace(/\r?\n$/, '')
  if (password === '' || password.includes('\n'))
    throw new Complaint(`${setting}: ${file} must hold a password, and nothing else.`)
  return password
}

/** relative paths start at `folder` */
export function withPasswords(settings: Settings, folder: string): Settings {
  const addresses: Partial<Record<Place['address'], string>> = {}
  for (const { file: setting, address, form, wanted } of places) {
    const file = settings[setting]
    if (file === undefined) continue
    const url = settings[address] ?? ''
    if (!form.test(url) || new URL(url).hostname === '')
      throw new Complaint(`${setting}: it is the password of ${address}, which is not ${wanted}.`)
    const whole = new URL(url)
    if (whole.password !== '' || whole.searchParams.has('password'))
      throw new Complaint(`${setting}: ${address} has a password already. Take one of them out.`)
    whole.password = encodeURIComponent(readPassword(setting, within(folder, file)))
    addresses[address] = whole.href
  }
  return { ...settings, ...addresses }
}
