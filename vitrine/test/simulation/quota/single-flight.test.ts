// Equal reads of several replicas while the one that makes the call stands still: how long it may until another makes a second.
import assert from 'node:assert/strict'
import test from 'node:test'
import { replaceGlobals, useNetwork } from '../../../../base/test/simulator/globals.ts'
import { Callers } from './callers.ts'
import { makePlan, type Plan } from './plan.ts'
import { QuotaWorld } from './world.ts'

const [beginMs, thinkMs] = [5_000, 3_000]

interface Scene {
  readonly seed: number
  readonly replicas: number
  /** from the begin of the reads */
  readonly stopAfterMs: number
  readonly stopMs: number
}

/** the platform calls for thirty equal reads, while one replica is stopped for a time */
async function callsOf({ seed, replicas, stopAfterMs, stopMs }: Scene): Promise<number> {
  const [atMs, untilMs] = [beginMs + stopAfterMs, 60_000]
  const stop = { kind: 'stop', node: 'replica 1', atMs, forMs: stopMs, amount: 0 } as const
  const plan: Plan = {
    ...makePlan(seed),
    replicas,
    limit: 60,
    perMinute: undefined,
    concurrency: 6,
    hasRedis: true,
    keys: 1,
    company: 0,
    calmMs: untilMs,
    untilMs,
    thinkMs: [thinkMs, thinkMs],
    items: [stop],
  }
  replaceGlobals()
  const world = new QuotaWorld(plan)
  useNetwork(world.network)
  const { simulation } = world
  const callers = new Callers(world, { follows: false })
  simulation.at(beginMs, simulation.world, () =>
    callers.reads({ kind: 'reads', atMs: beginMs, forMs: 0, count: 30, leaves: 0, kills: false }),
  )
  simulation.at(atMs, simulation.world, () => world.fault(stop))
  await simulation.run(untilMs)
  assert.equal(simulation.failure, undefined)
  assert.equal(callers.outcomes['made'], 30)
  return world.platform.counts.taken()
}

/** the most over many orders of messages, and over who makes the call */
async function mostCalls(stopMs: number): Promise<number> {
  let most = 0
  for (let seed = 1; seed <= 8; seed++)
    for (const stopAfterMs of [3, 30, 480, 700])
      most = Math.max(most, await callsOf({ seed, replicas: 1 + (seed % 3) + 1, stopAfterMs, stopMs }))
  return most
}

test('equal reads are one call while no replica stands still for 1.4 s', { timeout: 120_000 }, async () => {
  assert.equal(await mostCalls(10), 1)
  assert.equal(await mostCalls(1_400), 1)
})

test(
  'a replica that stood still for longer than two seconds is given up: a second call',
  { timeout: 120_000 },
  async () => {
    assert.equal(await mostCalls(2_100), 2)
  },
)
