import assert from 'node:assert/strict'
import test from 'node:test'
import type { QuotaStanding } from '../../src/replicas/shared-quota.ts'
import { ReplicaQuota } from '../../src/replicas/replica-quota.ts'

const empty: QuotaStanding = { granted: true, waitMs: 0, pausedMs: 0, careful: true, idleMs: 0 }
const spent: QuotaStanding = { ...empty, waitMs: 30_000, pausedMs: 2_000, hour: { limit: 300, remaining: 0 } }

test('a shared quota that lost its state lets no call start early', () => {
  let at = 1_000
  const quota = new ReplicaQuota(
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

test('calls start at once when the shared quota has calls left again', () => {
  const quota = new ReplicaQuota(
    () => 1_000,
    () => 2,
  )
  quota.learn(spent, 0)
  quota.learn({ ...empty, hour: { limit: 300, remaining: 5 } }, 0)
  assert.equal(quota.waitMs('who', false), 0)
})
