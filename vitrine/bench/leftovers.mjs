// What must be gone when the bench ends, however it ends: processes it started and folders it made.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set()
const folders = new Set()

export function remember(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  folders.add(folder)
  return folder
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
// a signal alone would end the process without the event above
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code))
