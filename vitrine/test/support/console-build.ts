// Builds the console from src/console.
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

let isBuilt = false

/** builds only after a change, so that a test file run alone never sees a stale build */
export function buildConsole(): void {
  if (isBuilt) return
  execFileSync(process.execPath, [resolve('scripts/build-console.mjs')], { stdio: 'pipe', timeout: 120_000 })
  isBuilt = true
}

export { load, namedBy } from '../../../base/test/page-load.ts'
