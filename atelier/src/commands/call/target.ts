// The address of the service and the key of a caller, from options and the environment. A key is never an argument, which other
// users of the machine can read.
import { readFileSync } from 'node:fs'
import { Atelier } from '../../../client/atelier.ts'
import { isKeyText } from '../../accounts/key-text.ts'
import { version } from '../../version.ts'
import { MissingKeyError, UsageError } from './exits.ts'

type Variables = Readonly<Record<string, string | undefined>>

export interface TargetOptions {
  readonly url?: string | undefined
  readonly keyFile?: string | undefined
  readonly insecure?: boolean | undefined
}

const standardUrl = 'http://127.0.0.1:8090'
const mostKeyBytes = 4_096

function readKeyFile(file: string): string {
  try {
    const bytes = readFileSync(file)
    if (bytes.length <= mostKeyBytes) return bytes.toString()
  } catch (error) {
    throw new MissingKeyError(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw new MissingKeyError(`The key file ${file} is too large for a key.`)
}

/** anything but an API key may be another secret, and is never sent */
function readKey(keyFile: string | undefined, env: Variables): string {
  const file = keyFile ?? (env['ATELIER_KEY'] ? undefined : env['ATELIER_KEY_FILE'] || undefined)
  const [from, text] = file === undefined ? ['ATELIER_KEY', env['ATELIER_KEY']] : [file, readKeyFile(file)]
  const key = text?.trim() ?? ''
  if (key === '')
    throw new MissingKeyError(
      'There is no API key: set ATELIER_KEY, or name a file that holds it with --key-file or ATELIER_KEY_FILE. The operator creates one with: atelier keys create',
    )
  if (!isKeyText(key))
    throw new MissingKeyError(`${from}: this is not a complete API key, so it was not sent. A key begins with atl_.`)
  return key
}

export interface Target {
  readonly url: string
  readonly key: string
  readonly insecure: boolean
}

export function readTarget({ url, keyFile, insecure = false }: TargetOptions, env: Variables = process.env): Target {
  const from = url === undefined ? 'ATELIER_URL' : '--url'
  const target = { url: url ?? (env['ATELIER_URL'] || standardUrl), key: readKey(keyFile, env), insecure }
  try {
    // refuses an address that would send the key astray
    openClient(target)
    return target
  } catch (error) {
    const words = (error as Error).message.replaceAll('`url`', 'It').replace('set `insecure: true`', 'give --insecure')
    throw new UsageError(`${from}: ${words}`)
  }
}

/** `use`: what it is for, as the service's log shows it */
export const openClient = (target: Target, use = 'cli', signal?: AbortSignal): Atelier =>
  new Atelier({ ...target, userAgent: `atelier-${use}/${version}`, signal })
