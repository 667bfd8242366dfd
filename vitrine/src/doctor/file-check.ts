// Checks files that settings name: what they are, who can read them, and whether the path is in fact a secret, which must
// not be shown. Reading a pipe could block forever, and would leave it empty for the service.
import { existsSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail, type Verdict, warn } from './finding.ts'

function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Undefined for a regular file, and for one whose reading tells more. */
export function otherThanFile(path: string): string | undefined {
  const found = kindOf(path)
  if (!found || found.isFile()) return undefined
  if (found.isDirectory()) return 'it is a folder, not a file'
  return found.isFIFO() || found.isSocket() ? 'it is a pipe, not a file' : 'it is a device, not a file'
}

/** what a master key, a line of a signing key, or a token looks like */
const form = /^(?:[\w.-]{1,32}:)?[\w+/-]{16,}={0,2}$/

const looksSecret = (value: string): boolean =>
  /-----BEGIN |\n/.test(value) ||
  (form.test(value) && (/:|^M[EHI]/.test(value) || (!value.includes('/') && /\d.*\d.*\d/.test(value))))

interface NamedFile {
  readonly value: string
  readonly path: string
  readonly says: string
  readonly cure: string
}

/** Undefined if the path can be read as a file. A value that looks like a secret is not repeated. */
export function judgePath(setting: string, { value, path, says, cure }: NamedFile): Verdict | undefined {
  if (looksSecret(value) && !existsSync(path))
    return fail(says, {
      cause: `${setting} takes the path of a file, and its value looks like a secret`,
      cure: 'Put the secret into a file that only the user of the service can read, and set its path.',
    })
  const other = otherThanFile(path)
  return other === undefined ? undefined : fail(says, { cause: `${setting} (${path}): ${other}`, cure })
}

const fixes: Readonly<Record<string, string>> = {
  ENOENT: 'Create the file, or set the path of the right one.',
  EACCES: 'Let only the user of the service read it: chown, then chmod 600.',
  EISDIR: 'Name the file in that folder.',
}

/** Undefined if the file could be read and its content is wrong. */
export function fileFix(error: unknown): string | undefined {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  return code === undefined ? undefined : fixes[code]
}

const octal = (mode: number): string => (mode & 0o7777).toString(8)

/** Who can write the folder can replace the store, unless it is sticky. */
const isShared = (mode: number): boolean => (mode & 0o022) !== 0 && (mode & 0o1000) === 0

/** A store holds hashes of keys and the secret that seals cursors, so it is closed to others. */
export function judgeModes(path: string): Verdict | undefined {
  if (process.platform === 'win32') return undefined
  const files = [path, `${path}-wal`, `${path}-shm`]
    .filter((file) => existsSync(file))
    .map((file) => ({ file, mode: statSync(file).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
  const folder = dirname(path)
  const { mode } = statSync(folder)
  if (files.length === 0 && !isShared(mode)) return undefined
  const causes = files.map(({ file, mode: open }) => `${file} has mode ${octal(open)}`)
  const fixes = files.length > 0 ? [`chmod 600 ${files.map(({ file }) => file).join(' ')}`] : []
  if (isShared(mode)) {
    causes.push(`${folder} has mode ${octal(mode)}`)
    fixes.push(`chmod go-w ${folder}`)
  }
  return warn('Other users of this machine can access the store.', {
    cause: causes.join('; '),
    cure: fixes.join(' && '),
  })
}
