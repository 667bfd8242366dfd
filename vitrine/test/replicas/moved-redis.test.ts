// An address that leads to another Redis from now on, as after a failover, while sockets to the old one stay open.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { markStoreIn } from '../../src/replicas/revocation-mark-redis.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { createRevocationMark } from '../../src/replicas/revocation-mark.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { refusingRedis } from '../support/refusing-redis.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'

const skip = noRedis
const steady = () => performance.now()

async function startPair(t: TestContext) {
  const [old, fresh] = [await refusingRedis(t), await refusingRedis(t)]
  const proxy = await startTcpProxy({ port: old.port })
  t.after(() => proxy.close())
  const installation = randomBytes(6).toString('hex')
  const open = async (url: string) => {
    const redis = await openRedis({ url, prefix: ['vitrine', installation], steady, observe: () => {} })
    t.after(() => redis.close())
    return redis
  }
  const through = `redis://service:word@127.0.0.1:${proxy.port}`
  const connections = async () =>
    Number(/total_connections_received:(\d+)/.exec(await old.hand.info('stats'))?.[1] ?? Number.NaN)
  return { old, fresh, proxy, open, through, connections }
}

test(
  'a demoted Redis is left, and the server that the address leads to is used and subscribed to',
  {
    skip,
    timeout: 90_000,
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
    proxy.pointTo(fresh.port, true)
    await until(async () => (await redis.ask('SET', redis.name('x'), 'moved')) === 'OK')
    assert.equal(await fresh.hand.get(redis.name('x')), 'moved')
    // the old one is cut off from the new one, and does not learn of it
    await old.hand.replicaof('127.0.0.1', '1')
    await until(async () => (await other.ask('PUBLISH', channel, 'after')) === 1)
    await until(() => heard.includes('after'))

    // a revocation at the new one is known there at once
    const revocations = (one: typeof redis) =>
      createRevocationMark({ store: markStoreIn(one), boundMs: 1_000, observe: () => {}, now: Date.now, steady })
    const [here, there] = [revocations(redis), revocations(other)]
    // under load one read may take longer than the 50 ms that the link waits
    const reads = (other?: string) =>
      until(async () => {
        await here.read()
        return here.last() !== undefined && here.last() !== other
      })
    await reads()
    const before = here.last()
    await there.publish()
    await reads(before)
    assert.equal(there.unpublishedUntil(), undefined)
  },
)

test(
  'reconnects to a server that takes no writes are rare',
  {
    skip,
    timeout: 90_000,
  },
  async (t) => {
    const { old, fresh, proxy, open, through, connections } = await startPair(t)
    const redis = await open(through)
    redis.listen(redis.name('word'), () => {})
    await until(async () => String(await old.hand.client('LIST')).includes(' sub=1 '))
    const before = await connections()
    await old.refuse('READONLY')
    const from = performance.now()
    await sleep(4_000)
    const made = async () => (await connections()) - before
    await until(async () => (await made()) >= 2)
    const [count, sec] = [await made(), (performance.now() - from) / 1000]
    assert.ok(count <= (14 / 4) * sec, `${count} connections within ${sec} seconds`)
    proxy.pointTo(fresh.port, true)
    await until(() => redis.isUp())
    await until(async () => String(await fresh.hand.client('LIST')).includes(' sub=1 '))
  },
)
