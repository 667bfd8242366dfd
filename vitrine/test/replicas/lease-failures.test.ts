// Leases by themselves, over a real Redis: two replicas are two connections with one secret. Long: one scene for all that can
// befall a call that others wait for.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LightAbort } from '../../../base/core/abort.ts'
import type { ReadContext } from '../../src/platform/port.ts'
import { noCost } from '../platform/read-context.ts'
import { parseExactly } from '../../src/platform/call/exact-json.ts'
import type { Observe } from '../../src/events.ts'
import { Problem } from '../../src/problems.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { Holder } from '../../../base/core/holder.ts'
import { createLeases } from '../../src/replicas/leases.ts'
import { openRedis, type Redis } from '../../../base/redis/redis.ts'
import { stalledMs } from '../../../base/test/stall-time.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { retryIfDisturbed } from '../../../base/test/retry-scene.ts'
import { until } from '../../../base/test/until.ts'

const skip = noRedis
const steady = () => performance.now()
const purpose = 'vitrine equal reads 1'

interface Call {
  readonly context: ReadContext
  readonly land: (document: unknown) => void
  readonly crash: (error: unknown) => void
}

function readContext(wish: Partial<ReadContext> = {}): ReadContext {
  const always = { who: 'key', patient: false, fresh: false, cost: noCost(), signal: new LightAbort() }
  return { ...always, endsAt: steady() + 20_000, ...wish }
}

interface Shape {
  readonly installation: string
  readonly secret: Uint8Array
  readonly observe: Observe
}

async function openReplica(t: TestContext, shape: Shape) {
  const redis = await openRedis({
    url: redisUrl,
    prefix: ['vitrine', shape.installation],
    observe: shape.observe,
    steady,
  })
  const leases = createLeases({ redis, secret: shape.secret, steady })
  let shared = 0
  const calls: Call[] = []
  t.after(async () => {
    leases.close()
    await redis.close()
  })
  /** a platform call is in `calls` until it is answered */
  const make = (own: ReadContext) =>
    new Promise<Holder<unknown>>((ok, crash) => {
      const land = (document: unknown) => ok(new Holder(document))
      own.cost.calls++
      own.signal.addEventListener('abort', () => crash(new Problem('upstream_timeout', { cause: 'AbortError' })))
      calls.push({ context: own, land, crash })
    })
  const read = (one = readContext(), name = 'read', identity = 'one') =>
    leases
      .of(identity, () => void shared++)(name, one, make)
      .then((document) => document.take())
  return { redis, leases, calls, read, shared: () => shared }
}

async function two(t: TestContext) {
  let away = 0
  const observe: Observe = ({ kind }) => void (kind === 'redis_away' && away++)
  const shape = { installation: randomBytes(6).toString('hex'), secret: randomBytes(32), observe }
  const [a, b] = [await openReplica(t, shape), await openReplica(t, shape)]
  const envelopes = createSealedMessages(shape.secret, purpose)
  const leaseOf = (name = 'read', identity = 'one') => a.redis.name('lease', envelopes.nameOf(identity, name))
  /** resolves with the replica whose call others wait for, once they do */
  async function awaited(): Promise<string> {
    let by = ''
    await until(async () => {
      by = String(await a.redis.ask('GET', leaseOf()))
      return (await a.redis.ask('GET', a.redis.name('alive', by))) === '1'
    })
    return by
  }
  /** the first leads and the second waits */
  async function bothAsk(first = readContext(), second = readContext()) {
    const before = a.calls.length
    const leading = a.read(first)
    await until(() => a.calls.length > before)
    const waiting = b.read(second)
    void leading.catch(() => {})
    void waiting.catch(() => {})
    return { leading, waiting, by: await awaited() }
  }
  return { a, b, leaseOf, awaited, bothAsk, envelopes, secret: shape.secret, wasDisturbed: () => away > 0 }
}

type Scene = Awaited<ReturnType<typeof two>>

const over = (title: string, play: (scene: Scene) => Promise<void>) =>
  void test(title, { skip, timeout: 90_000 }, (t) => retryIfDisturbed(() => two(t), play))

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code

over('a document that arrives ends the lease: those who wait get it, and a later read asks anew', async (scene) => {
  const { a, b, bothAsk } = scene
  const { leading, waiting } = await bothAsk()
  const [call] = a.calls
  await call?.context.onArrival?.(1_000)
  const later = b.read()
  await until(() => b.calls.length === 1)
  call?.land({ data: 'first' })
  assert.deepEqual(await Promise.all([leading, waiting]), [{ data: 'first' }, { data: 'first' }])
  b.calls[0]?.land({ data: 'second' })
  assert.deepEqual(await later, { data: 'second' })
})

over('what is handed over is what the platform said, to the last digit', async ({ a, b, bothAsk }) => {
  const texts = [
    '{"data":[{"id":"1","attributes":{"a":-0,"b":1.0,"n":9007199254740993,"c":123456789012345678901234567890,"d":0.1000000000000000055}}]}',
    '{"data":{"type":"t","attributes":{"text":"\\u2028 \\ud83d\\ude00 ä \\ud800","deep":[[[{"a":null}]]],"e":1E5}}}',
    '{"data":[{"type":"apps","id":"1","relationships":{"a":{"links":{"self":"x"}}}}],"links":{"next":"n"}}',
  ]
  for (const text of texts) {
    const document = parseExactly(Buffer.from(text))
    const { leading, waiting } = await bothAsk()
    a.calls.pop()?.land(document)
    const [own, others] = await Promise.all([leading, waiting])
    assert.equal(JSON.stringify(others), JSON.stringify(own))
  }
  assert.equal(b.calls.length, 0)
  assert.equal(b.shared(), 3)
})

over("the platform's refusal is told to all who wait, with all that it says", async ({ a, b, bothAsk }) => {
  const problems = [
    new Problem('resource_not_found'),
    new Problem('upstream_rate_limited', { retryAfterSec: 17 }),
    new Problem('platform_refused_value', { param: 'sort', message: 'The platform does not accept this.' }),
    new Problem('upstream_failed', { cause: 'the platform answered 500' }),
  ]
  for (const problem of problems) {
    const one = readContext()
    const { leading, waiting } = await bothAsk(readContext(), one)
    a.calls.pop()?.crash(problem)
    await assert.rejects(leading, problem)
    await assert.rejects(waiting, (told: unknown) => {
      assert.ok(told instanceof Problem)
      assert.deepEqual({ ...told.extras, cause: told.cause }, { ...problem.extras, cause: problem.cause })
      assert.deepEqual([told.code, told.message], [problem.code, problem.message])
      return true
    })
    assert.deepEqual([one.cost.shared, one.cost.calls], [1, 0])
  }
  assert.equal(b.calls.length, 0)
})

over('a failure of one caller is not shared: one of those who wait makes the call', async ({ a, b, bothAsk }) => {
  const ending = new LightAbort()
  const { leading, waiting } = await bothAsk(readContext({ signal: ending }))
  ending.abort(new DOMException('deadline', 'TimeoutError'))
  await assert.rejects(leading, isProblem('upstream_timeout'))
  await until(() => b.calls.length === 1)
  b.calls[0]?.land('its own')
  assert.equal(await waiting, 'its own')

  const again = await bothAsk()
  a.calls.at(-1)?.crash(new Problem('too_busy', { retryAfterSec: 1 }))
  await assert.rejects(again.leading, isProblem('too_busy'))
  await until(() => b.calls.length === 2)
  b.calls[1]?.land('its own')
  assert.equal(await again.waiting, 'its own')
  assert.equal(b.shared(), 0)
})

over('a call goes on while another replica waits, and ends if none does', async ({ a, b, bothAsk }) => {
  const leaving = new LightAbort()
  const { waiting } = await bothAsk(readContext({ signal: leaving }))
  leaving.abort(new DOMException('the caller has left', 'AbortError'))
  await sleep(100)
  assert.equal(a.calls[0]?.context.signal.aborted, false)
  a.calls[0]?.land('document')
  assert.equal(await waiting, 'document')
  assert.equal(b.calls.length, 0)

  const alone = new LightAbort()
  const left = a.read(readContext({ signal: alone }))
  await until(() => a.calls.length === 2)
  alone.abort(new DOMException('the caller has left', 'AbortError'))
  await assert.rejects(left, isProblem('upstream_timeout'))
  assert.equal(a.calls[1]?.context.signal.aborted, true)

  // nor does it begin when everybody has left before it could
  const gone = new LightAbort()
  const nothing = a.read(readContext({ signal: gone }))
  gone.abort(new DOMException('the caller has left', 'AbortError'))
  await assert.rejects(nothing, isProblem('upstream_timeout'))
  assert.equal(a.calls.length, 2)

  // no longer than its own callers would have waited
  const short = new LightAbort()
  const bounded = await bothAsk(readContext({ signal: short, endsAt: steady() + 300 }))
  short.abort(new DOMException('the caller has left', 'AbortError'))
  await assert.rejects(bounded.leading)
  assert.ok(a.calls[2]?.context.signal.reason instanceof DOMException)
  await until(() => b.calls.length === 1)
  b.calls[0]?.land('its own')
  assert.equal(await bounded.waiting, 'its own')
})

over('a waiting caller who leaves does not affect the others', async ({ a, b, bothAsk }) => {
  const leaving = new LightAbort()
  const { leading, waiting } = await bothAsk(readContext(), readContext({ signal: leaving }))
  const stays = b.read()
  leaving.abort(new DOMException('the caller has left', 'AbortError'))
  await assert.rejects(waiting, isProblem('upstream_timeout'))
  a.calls[0]?.land('document')
  assert.deepEqual([await leading, await stays], ['document', 'document'])
  assert.equal(b.calls.length, 0)
})

over('who has died is waited for some seconds, and one of those who wait calls then', async ({ a, b, leaseOf }) => {
  const token = randomBytes(16).toString('base64url')
  await a.redis.ask('SET', leaseOf(), token, 'PX', 3_000)
  await a.redis.ask('SET', a.redis.name('alive', token), '0', 'PX', 2_000)
  const [begunAt, stalledBefore] = [steady(), stalledMs()]
  const reads = [a.read(), b.read(), a.read(), b.read()]
  await until(() => a.calls.length + b.calls.length > 0)
  const [waitedMs, stallMs] = [steady() - begunAt, stalledMs() - stalledBefore]
  assert.ok(waitedMs > 1_500 && waitedMs - stallMs < 3_500, `${waitedMs} ms`)
  await sleep(500)
  assert.equal(a.calls.length + b.calls.length, 1)
  for (const call of [...a.calls, ...b.calls]) call.land('document')
  assert.deepEqual(await Promise.all(reads), Array(4).fill('document'))
})

over('who pretends to live is waited for until half of the time is over', async ({ a, leaseOf }) => {
  const token = randomBytes(16).toString('base64url')
  for (const [name, value] of [
    [leaseOf(), token],
    [a.redis.name('alive', token), '0'],
  ] as const)
    await a.redis.ask('SET', name, value, 'PX', 20_000)
  const [begunAt, stalledBefore] = [steady(), stalledMs()]
  const reads = [a.read(readContext({ endsAt: steady() + 1_000 })), a.read(readContext({ endsAt: steady() + 1_000 }))]
  await until(() => a.calls.length === 2)
  const [waitedMs, stallMs] = [steady() - begunAt, stalledMs() - stalledBefore]
  assert.ok(waitedMs > 450 && waitedMs - stallMs < 900, `${waitedMs} ms`)
  for (const call of a.calls) call.land('document')
  assert.deepEqual(await Promise.all(reads), ['document', 'document'])
})

over('a slow call is waited for, and no replica joins it after three seconds', async ({ a, b, bothAsk }) => {
  const { leading, waiting } = await bothAsk()
  await sleep(3_100)
  const late = b.read()
  await until(() => b.calls.length === 1)
  b.calls[0]?.land('new')
  assert.equal(await late, 'new')
  await sleep(300)
  a.calls[0]?.land('old')
  assert.deepEqual(await Promise.all([leading, waiting]), ['old', 'old'])
  assert.deepEqual([a.calls.length, b.calls.length], [1, 1])
})

over(
  'a Redis that loses everything costs those who wait one more call, and no error',
  async ({ a, b, bothAsk, leaseOf }) => {
    const { leading, waiting, by } = await bothAsk()
    await a.redis.ask('DEL', leaseOf(), a.redis.name('alive', by))
    await until(() => b.calls.length === 1)
    a.calls[0]?.land('one')
    b.calls[0]?.land('two')
    assert.deepEqual([await leading, await waiting], ['one', 'two'])
  },
)

over(
  'bytes that were altered, or sealed for another read, are never answered',
  async ({ a, b, bothAsk, envelopes }) => {
    const lease = envelopes.nameOf('one', 'read')
    const other = envelopes.nameOf('two', 'read')
    const sealed = (place: readonly string[], text = 'D{"data":"FORGED"}') => envelopes.seal(place, Buffer.from(text))
    const put = async (by: string, bytes: Buffer | string) => {
      await a.redis.ask('SET', a.redis.name('told', by), bytes, 'PX', 5_000)
      await a.redis.ask('PUBLISH', a.redis.name('told'), lease)
    }
    const forged = [
      () => randomBytes(400),
      () => '',
      () => 'D{"data":"FORGED"}',
      // of another read, or of an earlier call of the same
      (by: string) => sealed([a.redis.name('told', by), other]),
      () => sealed([a.redis.name('told', 'another-token'), lease]),
      (by: string) => {
        const bytes = sealed([a.redis.name('told', by), lease])
        bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1
        return bytes
      },
      (by: string) => sealed([a.redis.name('told', by), lease], 'Pnonsense'),
      (by: string) => sealed([a.redis.name('told', by), lease], 'P["no_such_code",{}]'),
      (by: string) => sealed([a.redis.name('told', by), lease], 'D{"data":'),
      (by: string) => sealed([a.redis.name('told', by), lease], 'X'),
      (by: string) =>
        createSealedMessages(randomBytes(32), purpose).seal([a.redis.name('told', by), lease], Buffer.from('D{}')),
    ]
    for (const forge of forged) {
      const { leading, waiting, by } = await bothAsk()
      await put(by, forge(by))
      await until(() => b.calls.length === 1)
      b.calls.pop()?.land('its own')
      assert.equal(await waiting, 'its own')
      a.calls.pop()?.land('document')
      assert.equal(await leading, 'document')
    }
    // the scene itself: what is sealed for it is taken
    const { leading, waiting, by } = await bothAsk()
    await put(by, sealed([a.redis.name('told', by), lease]))
    assert.deepEqual(await waiting, { data: 'FORGED' })
    a.calls.pop()?.land('document')
    await leading
  },
)

over('names that hold what no replica puts there cost a call, and nothing else', async ({ a, leaseOf }) => {
  for (const spoil of [
    () => a.redis.ask('SET', leaseOf(), 'x'.repeat(100_000), 'PX', 5_000),
    () => a.redis.ask('HSET', leaseOf(), 'a', 'b'),
  ]) {
    await spoil()
    const read = a.read()
    await until(() => a.calls.length === 1)
    a.calls.pop()?.land('document')
    assert.equal(await read, 'document')
    await a.redis.ask('DEL', leaseOf())
  }
})

over('what is too large to hand over is called for by each replica', async ({ a, b, bothAsk }) => {
  const { leading, waiting } = await bothAsk()
  a.calls[0]?.land({ data: 'ä'.repeat(600_000) })
  await leading
  await until(() => b.calls.length === 1)
  b.calls[0]?.land('its own')
  assert.equal(await waiting, 'its own')
})

over(
  'a read of one replica alone costs two round trips, and one that another replica answers costs a look',
  async ({ a, b, bothAsk, secret }) => {
    const said: string[] = []
    const counting: Redis = {
      ...a.redis,
      run: (what, names, values) => (said.push('run'), a.redis.run(what, names, values)),
      ask: (command, ...values) => (said.push(command), a.redis.ask(command, ...values)),
      askBytes: (command, ...values) => (said.push(command), a.redis.askBytes(command, ...values)),
    }
    const leases = createLeases({ redis: counting, secret, steady })
    await leases.of('one', () => {})('alone', readContext(), async () => new Holder('document'))
    assert.deepEqual(said.splice(0), ['run', 'run'])
    const { leading, waiting } = await bothAsk()
    const third = leases.of('one', () => {})('read', readContext(), async () => new Holder('its own'))
    await until(() => said.length === 1)
    a.calls[0]?.land('document')
    assert.deepEqual(await Promise.all([leading, waiting, third.then((one) => one.take())]), Array(3).fill('document'))
    assert.deepEqual([said[0], new Set(said.slice(1))], ['run', new Set(['MGET'])])
    assert.equal(b.calls.length, 0)
  },
)

over('another connection, or another read, shares nothing, and nothing stays behind', async ({ a, b }) => {
  const reads = [
    a.read(),
    b.read(readContext(), 'read', 'two'),
    b.read(readContext(), 'reads'),
    a.read(readContext(), ' read'),
    b.read(readContext(), 'd', 'onerea'),
  ]
  await until(() => a.calls.length + b.calls.length === 5)
  for (const [n, call] of [...a.calls, ...b.calls].entries()) call.land(n)
  assert.equal(new Set(await Promise.all(reads)).size, 5)
  const left = (await a.redis.ask('KEYS', a.redis.name('*'))) as string[]
  assert.deepEqual(left, [])
})
