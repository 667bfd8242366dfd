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

test('once a wait is over, what was left before it refuses no caller', () => {
  let at = 1_000
  const quota = new ReplicaQuota(
    () => at,
    () => 2,
  )
  for (let i = 0; i < 20; i++) quota.spend('who')
  quota.learn({ ...empty, careful: false, waitMs: 100, hour: { limit: 30, remaining: 0 } }, 0)
  assert.equal(quota.waitMs('who', false), 100)
  at = 1_101
  assert.ok(quota.waitMs('who', false) <= 100, 'the last tenth is not for this key, but how much is left is not known')
  quota.learn({ ...empty, careful: false, hour: { limit: 30, remaining: 0 } }, 0)
  assert.ok(quota.waitMs('who', false) > 1_000)
})
