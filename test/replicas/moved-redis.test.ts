// An address that leads to another Redis from now on, as after a failover, while sockets to the old one stay open.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boardOver } from '../../src/replicas/board.ts'
import { openRedis } from '../../src/replicas/redis.ts'
import { createTakings } from '../../src/replicas/takings.ts'
import { noRedis } from '../ground/redis.ts'
import { refusingRedis } from '../ground/refusing-redis.ts'
import { startTcpProxy } from '../ground/tcp-proxy.ts'
import { until } from '../ground/until.ts'

const skip = noRedis
const steady = () => performance.now()

async function startPair(t: TestContext) {
  const [old, fresh] = [await refusingRedis(t), await refusingRedis(t)]
  const proxy = await startTcpProxy({ port: old.port })
  t.after(() => proxy.close())
  const installation = randomBytes(6).toString('hex')
  const open = async (url: string) => {
    const redis = await openRedis({ url, installation, steady, observe: () => {} })
    t.after(() => redis.close())
    return redis
  }
  const through = `redis://service:word@127.0.0.1:${proxy.port}`
  const connections = async () =>
    Number(/total_connections_received:(\d+)/.exec(await old.hand.info('stats'))?.[1] ?? Number.NaN)
  return { old, fresh, proxy, open, through, connections }
}

test(
  'a Redis that was demoted is left, and the one that its address leads to is used and listened to',
  {
    skip,
    timeout: 30_000,
  },
  async (t) => {
    const { old, fresh, proxy, open, through } = await startPair(t)
    const redis = await open(through)
    const other = await open(fresh.url)
    const heard: string[] = []
    const channel = redis.name('word')
    redis.listen(channel, (message) => heard.push(message.toString()))
    await until(async () => (await redis.ask('PUBLISH', channel, 'before')) === 1)

    await old.hand.replicaof('127.0.0.1', fresh.port)
    proxy.lead(fresh.port, true)
    await until(async () => (await redis.ask('SET', redis.name('x'), 'moved')) === 'OK', 5_000)
    assert.equal(await fresh.hand.get(redis.name('x')), 'moved')
    // the old one is cut off from the new one, and hears nothing of it
    await old.hand.replicaof('127.0.0.1', '1')
    await until(async () => (await other.ask('PUBLISH', channel, 'after')) === 1, 5_000)
    await until(() => heard.includes('after'))

    // what is revoked at the new one is known there at once
    const takings = (one: typeof redis) =>
      createTakings({ board: boardOver(one), boundMs: 1_000, observe: () => {}, now: Date.now, steady })
    const [here, there] = [takings(redis), takings(other)]
    await here.read()
    const before = here.stamp()
    await there.tell()
    await here.read()
    assert.equal(typeof before, 'string')
    assert.notEqual(here.stamp(), before)
    assert.equal(there.untold(), undefined)
  },
)

test(
  'an address that keeps leading to a server that takes no writes is not stormed',
  {
    skip,
    timeout: 30_000,
  },
  async (t) => {
    const { old, fresh, proxy, open, through, connections } = await startPair(t)
    const redis = await open(through)
    redis.listen(redis.name('word'), () => {})
    await sleep(300)
    const before = await connections()
    await old.refuse('READONLY')
    await sleep(4_000)
    const made = (await connections()) - before
    assert.ok(made >= 2 && made <= 14, `${made} connections within four seconds`)
    proxy.lead(fresh.port, true)
    await until(() => redis.isUp(), 5_000)
    await until(async () => String(await fresh.hand.client('LIST')).includes(' sub=1 '), 5_000)
  },
)
