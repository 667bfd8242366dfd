// A service that is brought up to date costs its callers nothing: one replica after the other, under load.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { full } from '../custody/program.ts'
import { noPostgres } from '../ground/postgres.ts'
import { noRedis } from '../ground/redis.ts'
import { noHaproxy } from '../ground/haproxy.ts'
import { beginLoad, restart, shipped, startPair } from './rolling-scene.ts'

const skip = noPostgres || noRedis

type Scene = Parameters<typeof startPair>

async function roll(t: Scene[0], restarts: number, settings: Scene[1] = {}, front?: Scene[2]) {
  const pair = await startPair(t, settings, front)
  const load = beginLoad(t, pair)
  const ends: number[] = []
  for (let n = 0; n < restarts; n++) {
    const one = pair.replicas[n % 2] ?? assert.fail()
    const before = load.answered()
    const { endMs, exitCode } = await restart(pair, one)
    assert.equal(exitCode, 0)
    assert.ok(endMs < 15_000, `${endMs} ms`)
    const told = pair.balancer.downs().map(({ port, said }) => `${port}: ${said}`)
    assert.deepEqual(load.failed, [], `after ${n + 1} restarts: ${told.slice(-6).join(', ')}`)
    assert.ok(load.answered() > before + 20, 'the other one answers meanwhile')
    ends.push(Math.round(endMs))
  }
  await load.stop()
  assert.deepEqual(load.failed, [])
  assert.equal(pair.balancer.turnedAway(), 0)
  const longest = Math.max(...ends)
  t.diagnostic(`${restarts} restarts, ${load.answered()} answered, none failed; an end took ${longest} ms at most`)
}

test(
  'replicas that are restarted one after the other fail no request, on kept sockets and on fresh ones',
  { skip, timeout: full ? 1_800_000 : 120_000 },
  (t) => roll(t, full ? 100 : 3),
)

test(
  'replicas of several workers are restarted one after the other as well',
  { skip: skip || (full ? false : 'only in full'), timeout: 600_000 },
  (t) => roll(t, 20, { workers: 2 }),
)

test(
  'replicas behind the shipped balancer are restarted one after the other, and fail no request',
  { skip: skip || noHaproxy, timeout: full ? 1_800_000 : 120_000 },
  (t) => {
    const { drainSeconds } = JSON.parse(readFileSync('deploy/settings.json', 'utf8'))
    return roll(t, full ? 40 : 2, { drainSeconds }, shipped)
  },
)
