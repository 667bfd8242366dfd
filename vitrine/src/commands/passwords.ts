// Adds the passwords of the store, of Redis and of the proxy, if they are in files, to their addresses.
import { readFileSync } from 'node:fs'
import { within } from '../core/located.ts'
import type { Settings } from '../settings.ts'
import { UserError } from '../../../base/cli/user-error.ts'

const places = [
  { file: 'storePasswordFile', address: 'store', form: /^postgres(ql)?:/, wanted: 'postgres://USER@HOST/DATABASE' },
  { file: 'redisPasswordFile', address: 'redis', form: /^rediss?:/, wanted: 'redis://HOST:PORT' },
  {
    file: 'upstream.proxyPasswordFile',
    address: 'upstream.proxy',
    form: /^https?:\/\/[^:@/]+(:[^@/]*)?@/,
    wanted: 'http://USER@HOST:PORT',
  },
] as const

function readPassword(setting: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const password = text.replace(/\r?\n$/, '')
  if (password === '' || password.includes('\n'))
    throw new UserError(`${setting}: ${file} must hold a password, and nothing else.`)
  return password
}

export function withPasswords(settings: Settings, folder: string): Settings {
  const addresses: Partial<Record<(typeof places)[number]['address'], string>> = {}
  for (const { file: setting, address, form, wanted } of places) {
    const file = settings[setting]
    if (file === undefined) continue
    const url = settings[address] ?? ''
    if (!form.test(url) || new URL(url).hostname === '')
      throw new UserError(`${setting}: it is the password of ${address}, which is not ${wanted}.`)
    const whole = new URL(url)
    if (whole.password !== '' || whole.searchParams.has('password'))
      throw new UserError(`${setting}: ${address} has a password already. Take one of them out.`)
    whole.password = encodeURIComponent(readPassword(setting, within(folder, file)))
    addresses[address] = whole.href
  }
  return { ...settings, ...addresses }
}
