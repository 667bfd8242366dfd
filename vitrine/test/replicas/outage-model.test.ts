// Thousands of orders of events in fake time: no revoked key is accepted beyond its bound, whichever messages are lost, late or cut.
import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import test from 'node:test'
import { full } from '../stored-connections/program.ts'
import { makeWorld, randomFrom } from './simulated-outage.ts'

const runs = Number(process.env['RUNS'] ?? (full ? 10_000 : 120))
const promisedMs = 1_000
const [lastsMs, stepMs] = [5_000, 20]
const keys = Array.from({ length: 2 }, (_, n) => `k${n}`)

const settle = () => new Promise((ok) => setImmediate(ok))

/** one run of a small installation: three replicas serve, and each key is revoked at some moment */
async function play(seed: number, tick: (ms: number) => void, now: () => number) {
  const random = randomFrom(seed)
  const world = makeWorld(random, now)
  for (const id of keys) world.rows.set(id, { id, isTaken: false })
  const replicas = [world.makeProcess(), world.makeProcess(), world.makeProcess()]
  const due = new Map(keys.map((id) => [id, now() + 500 + random() * 1_500]))
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  for (const endsAt = now() + lastsMs; now() < endsAt;) {
    const at = now()
    for (const replica of replicas) {
      if (at % 200 < stepMs) void replica.read()
      if (random() < 0.6) void replica.find(pick(keys))
      if (random() < 0.006) replica.wires.store = pick(['whole', 'whole', 'cut', 'frozen'])
      if (random() < 0.005) replica.wires.redis = pick(['whole', 'whole', 'whole', 'cut', 'frozen'])
    }
    for (const [id, when] of due)
      if (at >= when) {
        due.delete(id)
        const taker = pick(replicas)
        void taker.take(id)
        // the worst moments are those around it
        if (random() < 0.2) setTimeout(() => (taker.wires.redis = pick(['cut', 'frozen'])), random() * 60)
        const other = pick(replicas)
        if (other !== taker) setTimeout(() => (other.wires.store = pick(['cut', 'frozen'])), random() * 800)
        if (random() < 0.1) setTimeout(() => world.loseRedis(), random() * 600)
      }
    tick(stepMs)
    await settle()
  }
  for (const replica of replicas) replica.close()
  return world
}

test('no cached record is used more than a second after its revocation was confirmed', async (t) => {
  const tick = (ms: number) => t.mock.timers.tick(ms)
  const sums = { acknowledged: 0, believed: 0, refused: 0, untold: 0, failed: 0, longestMs: 0 }
  for (let seed = 1; seed <= runs; seed++) {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    // also for those who have imported setTimeout by its name
    syncBuiltinESMExports()
    const { acknowledged, found, seen } = await play(seed, tick, Date.now)
    // messages under way are lost
    t.mock.timers.reset()
    syncBuiltinESMExports()
    const times = new Map(acknowledged.map(({ id, at }) => [id, at]))
    for (const { id, at, isTaken, isAway } of found) {
      if (isAway) sums.believed++
      const late = at - (times.get(id) ?? Number.POSITIVE_INFINITY)
      if (isTaken || !(late > 0)) continue
      sums.longestMs = Math.max(sums.longestMs, late)
      assert.ok(late <= promisedMs, `seed ${seed}: ${id} was let in ${late} ms after it was acknowledged as taken away`)
    }
    sums.acknowledged += acknowledged.length
    for (const name of ['refused', 'untold', 'failed'] as const) sums[name] += seen[name]
  }
  t.diagnostic(JSON.stringify(sums))
  assert.ok(2 * sums.acknowledged > runs && sums.believed > 20 * runs && sums.untold > 0 && sums.failed > 0)
  assert.ok(sums.longestMs > 100, 'nothing was close')
})
