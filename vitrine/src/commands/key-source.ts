// Reads a private key for a command: from a file, standard input or a variable, never from an argument.
import { closeSync, openSync, readSync } from 'node:fs'
import { UserError } from '../../../base/cli/user-error.ts'

export interface KeySource {
  readonly keyFile?: string
  readonly keyEnv?: string
}

/** one more than the limit, so the reader of the key refuses larger files */
const mostBytes = 8193

function readStart(file: number | string): string {
  const fd = typeof file === 'number' ? file : openSync(file, 'r')
  const bytes = Buffer.alloc(mostBytes)
  let length = 0
  try {
    for (let got = -1; got !== 0 && length < mostBytes; length += got)
      got = readSync(fd, bytes, length, mostBytes - length, null)
    return bytes.toString('utf8', 0, length)
  } finally {
    bytes.fill(0)
    if (typeof file !== 'number') closeSync(fd)
  }
}

export function readKeySource({ keyFile, keyEnv }: KeySource): string {
  if ((keyFile === undefined) === (keyEnv === undefined))
    throw new UserError('Give the private key with --key-file FILE (- for standard input) or with --key-env VARIABLE.')
  if (keyEnv !== undefined) {
    const text = process.env[keyEnv]
    if (text === undefined) throw new UserError(`--key-env: there is no variable ${keyEnv}.`)
    return text
  }
  if (keyFile === '-' && process.stdin.isTTY)
    throw new UserError('--key-file -: standard input is a terminal. Pipe the key in, or name its file.')
  try {
    return readStart(keyFile === '-' ? 0 : (keyFile ?? ''))
  } catch (error) {
    throw new UserError(`--key-file: it cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error })
  }
}
