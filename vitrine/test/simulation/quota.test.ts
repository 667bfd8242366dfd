// The quota of one signing key over one to five replicas, in virtual time and with the product's own code: thousands of orders of
// calls and faults, and what docs/decisions/replica-quota.md promises of each.
import assert from 'node:assert/strict'
import test from 'node:test'
import { makePlan } from './quota-plan.ts'
import { runPlan } from './quota-run.ts'

const runs = Number(process.env['RUNS'] ?? 25)

test('no seed breaks a promise about the quota', { timeout: 600_000 }, async (t) => {
  const sums: Record<string, number> = {}
  for (let seed = 1; seed <= runs; seed++) {
    const { broken, outcomes } = await runPlan(makePlan(seed))
    assert.equal(broken, undefined, `seed ${seed}: npm run simulate -- --seed ${seed}`)
    for (const [code, count] of Object.entries(outcomes)) sums[code] = (sums[code] ?? 0) + count
  }
  t.diagnostic(JSON.stringify(sums))
  assert.ok((sums['made'] ?? 0) > 5 * runs && (sums['upstream_rate_limited'] ?? 0) > 5 * runs)
})

test('idle time that is run says the same as idle time that is left out', { timeout: 120_000 }, async () => {
  for (const seed of [1, 2, 3]) {
    const plan = makePlan(seed, 0.3)
    const [short, whole] = [await runPlan(plan), await runPlan(plan, { runsIdleTime: true })]
    assert.equal(whole.broken, undefined)
    assert.ok(whole.events >= short.events)
  }
})
