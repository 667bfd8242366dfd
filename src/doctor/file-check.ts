// A file that a setting names, before anybody reads it: a pipe would be waited for without an end, and be empty for the service
// afterwards; and a secret that was typed in place of its path is not to be shown.
import { existsSync, type Stats, statSync } from 'node:fs'
import { fail, type Verdict } from './finding.ts'

function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** what it is in place of a file; undefined where it is one, or where reading it tells more */
export function otherThanFile(path: string): string | undefined {
  const found = kindOf(path)
  if (!found || found.isFile()) return undefined
  if (found.isDirectory()) return 'it is a folder, and no file'
  return found.isFIFO() || found.isSocket() ? 'it is a pipe, and no file' : 'it is a device, and no file'
}

/** what a master key, half a line of a signing key, or a token looks like */
const form = /^(?:[\w.-]{1,32}:)?[\w+/-]{16,}={0,2}$/

/** a path is made of words, in folders or with an ending */
const looksSecret = (value: string): boolean =>
  /-----BEGIN |\n/.test(value) ||
  (form.test(value) && (/:|^M[EHI]/.test(value) || (!value.includes('/') && /\d.*\d.*\d/.test(value))))

/** where the value of a setting is no path, and is better not shown */
export function judgeTyped(setting: string, { value, path, says }: Named): Verdict | undefined {
  if (!looksSecret(value) || existsSync(path)) return undefined
  return fail(says, {
    cause: `${setting} wants the path of a file, and what stands there looks like a secret itself`,
    cure: 'Put it into a file of its own, closed to others, and set the path of that.',
  })
}

interface Named {
  readonly value: string
  readonly path: string
  readonly says: string
}

const cures: Readonly<Record<string, string>> = {
  ENOENT: 'Put the file there, or set the path of the one that is meant.',
  EACCES: 'Let the user of the service read it, and nobody else: chown, then chmod 600.',
  EISDIR: 'Name the file in that folder.',
}

/** where the reason is not what is in the file */
export function cureOf(error: unknown): string | undefined {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  return code === undefined ? undefined : cures[code]
}
