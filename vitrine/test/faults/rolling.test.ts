// A rolling update under load costs callers nothing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { full } from '../stored-connections/program.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { noHaproxy } from '../support/haproxy.ts'
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
  'restarting replicas one after the other fails no request, on kept and on fresh sockets',
  { skip, timeout: full ? 1_800_000 : 120_000 },
  (t) => roll(t, full ? 100 : 3),
)

test(
  'restarting replicas behind the shipped balancer one after the other fails no request',
  { skip: skip || noHaproxy, timeout: full ? 1_800_000 : 120_000 },
  (t) => {
    const { drainSeconds } = JSON.parse(readFileSync('deploy/settings.json', 'utf8'))
    return roll(t, full ? 40 : 2, { drainSeconds }, shipped)
  },
)
