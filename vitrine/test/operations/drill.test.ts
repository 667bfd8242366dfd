// The disaster drill of scripts/drill.ts on a small installation, with the commands of the page.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { drill, type Kind } from '../../scripts/drill/rehearsal.ts'
import { noPostgres } from '../../../base/test/postgres.ts'

const sizes = { connections: 3, keys: 15 }
const quiet = { step: () => {}, progress: () => {} }

const has = (tool: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function survive(kind: Kind) {
  const { misses, checked } = await drill(kind, sizes, quiet)
  assert.deepEqual(misses, [])
  assert.ok(checked > 40, `${checked} promises were looked at`)
}

test('a lost installation is restored completely from its backup', { concurrency: true }, async (t) => {
  const lacking = ['pg_dump', 'pg_restore', 'jq'].filter((tool) => !has(tool))
  const skip = noPostgres || (lacking.length > 0 && `not on this machine: ${lacking.join(', ')}`)
  await Promise.all([
    t.test('over SQLite', () => survive('SQLite')),
    t.test('over PostgreSQL', { skip }, () => survive('PostgreSQL')),
  ])
})
