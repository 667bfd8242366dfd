// The key that seals the secrets of containers in the store: a file of the operator beside the host key, so that the store alone
// gives nothing away. Made at the first start.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openFiles } from '../../../base/core/secret-files.ts'
import { makeSecretFile } from '../secret-file.ts'

const keyBytes = 32

const wrong = (file: string, what: string): Error => new Error(`egressProxy.keyFile: ${file} ${what}.`)

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw wrong(file, `cannot be read (${code})`)
  }
}

function make(file: string): Buffer | undefined {
  try {
    makeSecretFile(file, randomBytes(keyBytes))
  } catch (error) {
    throw wrong(file, `cannot be made (${(error as NodeJS.ErrnoException).code})`)
  }
  return read(file)
}

export function openSealKey(file: string): KeyObject {
  const bytes = read(file) ?? make(file)
  if (openFiles([{ file }], '/').length > 0) throw wrong(file, 'can be read by others: set its mode to 0600')
  if (bytes?.length !== keyBytes) throw wrong(file, `does not hold ${keyBytes} bytes: remove it, and a new one is made`)
  return createSecretKey(bytes)
}
