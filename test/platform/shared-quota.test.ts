import assert from 'node:assert/strict'
import test from 'node:test'
import type { Standing } from '../../src/platform/ledger.ts'
import { createSharedQuota } from '../../src/platform/shared-quota.ts'

const empty: Standing = { granted: true, waitMs: 0, pausedMs: 0, careful: true, idleMs: 0 }
const spent: Standing = { ...empty, waitMs: 30_000, pausedMs: 2_000, hour: { limit: 300, remaining: 0 } }

test('a ledger that has forgotten that the quota is used up sends nobody to the platform before his time', () => {
  let at = 1_000
  const quota = createSharedQuota(
    () => at,
    () => 2,
  )
  quota.learn(empty, 0)
  assert.equal(quota.waitMs('who', false), 0)
  quota.learn(spent, 0)
  for (const atMs of [1_500, 2_900, 20_000, 30_000]) {
    at = atMs
    quota.learn(empty, 0)
    assert.ok(quota.waitMs('who', false) >= 31_000 - at)
  }
  at = 31_001
  quota.learn(empty, 0)
  assert.equal(quota.waitMs('who', false), 0)
})

test('a ledger that knows that there is some left again lets go at once', () => {
  const quota = createSharedQuota(
    () => 1_000,
    () => 2,
  )
  quota.learn(spent, 0)
  quota.learn({ ...empty, hour: { limit: 300, remaining: 5 } }, 0)
  assert.equal(quota.waitMs('who', false), 0)
})
