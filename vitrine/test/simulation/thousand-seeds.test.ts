// The simulation over many seeds, on all cores: none breaks a promise.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'

test('a thousand seeds of two hours break no promise', { timeout: 600_000 }, async (t) => {
  const args = [join(import.meta.dirname, 'simulate.ts'), '--seeds', '1000']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  t.diagnostic(printed.split('\n', 1)[0] ?? '')
  assert.equal(code, 0, printed)
})
