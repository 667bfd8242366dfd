// A file of the operator that holds a secret, made once: whole or absent at any moment, and of two processes that make it, one wins.
import { linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function makeSecretFile(file: string, content: string | Uint8Array) {
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, content, { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } finally {
      unlinkSync(draft)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
