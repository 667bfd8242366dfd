import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { createBadKeys, createLockOut } from '../../../base/auth/rate-limits.ts'
import type { FacadeKey } from '../../src/keys/keys.ts'
import { Problem } from '../../src/problems.ts'
import { requestFrom, manyAddresses } from '../../../base/test/callers.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted, tester } from '../support/service.ts'

const most = 20
const [here, neighbour, elsewhere] = ['127.0.0.1', '127.0.0.9', '127.0.7.1']

async function start(t: TestContext, failuresPerMinute = most) {
  const shift = { now: 0, steady: 0 }
  const { service, close } = await startScripted((_, res) => send(res, { data: [], links: {} }), {
    file: { rateLimit: { perMinute: 0, failuresPerMinute } },
    now: () => Date.now() + shift.now,
    steady: () => performance.now() + shift.steady,
  })
  t.after(close)
  const code = async (from: string, key?: string) => {
    const { status, json } = await requestFrom(service.port, from, { key })
    return status === 200 ? '200' : `${status} ${json.error.code}`
  }
  const fail = async (times = most) => {
    for (let i = 0; i < times; i++) assert.equal(await code(here, `wrong-${i}`), '401 key_invalid')
  }
  return { service, shift, code, fail }
}

test(
  'a network that sends bad keys is rejected for a minute, and other networks are unaffected',
  manyAddresses,
  async (t) => {
    const { service, shift, code, fail } = await start(t)
    await fail()
    const fresh = await service.issue()
    for (const from of [here, neighbour]) {
      const { status, headers, json } = await requestFrom(service.port, from, { key: 'wrong' })
      assert.deepEqual([status, json.error.type, json.error.code], [429, 'rate_limited', 'too_many_failures'])
      assert.equal(json.error.retryable, true)
      assert.ok(Number(headers['retry-after']) > 30 && Number(headers['retry-after']) <= 60)
    }
    assert.equal(await code(here, fresh), '429 too_many_failures', 'the store is not asked')
    assert.equal(await code(here), '401 key_missing', 'without a key the code says so')
    assert.equal(await code(elsewhere, 'wrong'), '401 key_invalid')
    assert.equal(await code(elsewhere, fresh), '200')
    assert.equal(await code(here, fresh), '200', 'good lately, wherever that was')
    shift.now = 3_600_000
    assert.equal(await code(here, 'wrong'), '429 too_many_failures', 'setting the clock ends no lock-out')
    shift.steady = 61_000
    assert.equal(await code(here, 'wrong'), '401 key_invalid')
    assert.equal(await code(here, await service.issue()), '200')
  },
)

test(
  'during a flood of bad keys, a recently valid key from the same network is still fully checked and served',
  manyAddresses,
  async (t) => {
    const { service, code, fail } = await start(t)
    assert.equal(await code(neighbour, service.key), '200')
    await fail()
    const flood = Array.from({ length: 300 }, (_, i) => code(here, `wrong-${i}`))
    for (let i = 0; i < 30; i++) assert.equal(await code(here, service.key), '200')
    assert.deepEqual(new Set(await Promise.all(flood)), new Set(['429 too_many_failures']))
    await service.running.keys.revoke(service.key.split('_')[2] ?? '', tester)
    assert.equal(await code(here, service.key), '401 key_invalid', 'revoked is revoked')
    assert.equal(await code(here, service.key), '429 too_many_failures', 'and not good lately any more')
  },
)

test('requests without a key, and failures not caused by the key, are not counted', async (t) => {
  const { service, code, fail } = await start(t)
  await fail(most - 1)
  for (let i = 0; i < 40; i++) {
    assert.equal(await code(here), '401 key_missing')
    const { status } = await requestFrom(service.port, here, { key: service.key, path: '/v1/nothing' })
    assert.equal(status, 404)
  }
  assert.equal(await code(here, await service.issue()), '200', 'one failure is still free')
  assert.equal(await code(here, 'wrong'), '401 key_invalid')
  assert.equal(await code(here, await service.issue()), '429 too_many_failures')
})

test('failures a minute apart do not add up', async (t) => {
  const { shift, code } = await start(t)
  for (let i = 0; i < 3 * most; i++) {
    assert.equal(await code(here, 'wrong'), '401 key_invalid')
    shift.steady += 4_000
  }
})

test('the limit can be switched off', async (t) => {
  const { code, fail } = await start(t, 0)
  await fail(3 * most)
  assert.equal(await code(here, 'wrong'), '401 key_invalid')
})

const key = { id: 'one' } as FacadeKey
const asking = (authorization: string) => ({ authorization, from: here })

test('a locked-out request costs no store query, and any other costs one', async () => {
  let asked = 0
  const { authenticate } = createBadKeys({ most: 5, steady: () => 0 })
  const refuse = (code: 'key_invalid' | 'store_unavailable') => async () => {
    asked++
    throw new Problem(code)
  }
  const good = async () => {
    asked++
    return key
  }
  for (let i = 0; i < 50; i++)
    await assert.rejects(authenticate(asking('good'), refuse('store_unavailable')), { code: 'store_unavailable' })
  assert.equal(await authenticate(asking('good'), good), key, 'a failing store is not counted as a bad key')
  for (let i = 0; i < 5; i++)
    await assert.rejects(authenticate(asking(`bad ${i}`), refuse('key_invalid')), { code: 'key_invalid' })
  asked = 0
  for (let i = 0; i < 50; i++)
    await assert.rejects(authenticate(asking(`bad ${i}`), refuse('key_invalid')), { code: 'too_many_failures' })
  assert.equal(asked, 0)
  await assert.rejects(authenticate(asking('good'), refuse('store_unavailable')), { code: 'store_unavailable' })
  assert.equal(await authenticate(asking('good'), good), key, 'it was good before the store failed')
  assert.equal(asked, 2)
})

test('a network has twenty look-ups of keys under way beside the first twenty of all, and those that wait are refused when it is locked out', async () => {
  const { authenticate } = createBadKeys({ most: 20, steady: () => 0 })
  await authenticate(asking('good'), async () => key)
  const looked = Promise.withResolvers<void>()
  let asked = 0
  const refuse = async () => {
    asked++
    await looked.promise
    throw new Problem('key_invalid')
  }
  const codeOf = (attempt: Promise<unknown>) => attempt.then(() => 'in', ({ code }: Problem) => code) // prettier-ignore
  const flood = Array.from({ length: 300 }, (_, i) => codeOf(authenticate(asking(`bad ${i}`), refuse)))
  assert.equal(await authenticate(asking('good'), async () => key), key, 'a good key does not wait')
  assert.equal(await authenticate({ authorization: 'new', from: elsewhere }, async () => key), key)
  assert.equal(asked, 40)
  looked.resolve()
  const codes = await Promise.all(flood)
  assert.deepEqual(
    [codes.slice(0, 40), codes.slice(40)],
    [Array(40).fill('key_invalid'), Array(260).fill('too_many_failures')],
  )
  assert.equal(asked, 40)
})

test('look-ups that wait for others are made in their order if nothing fails', async () => {
  const { authenticate } = createBadKeys({ most: 5, steady: () => 0 })
  const order: number[] = []
  const found = Array.from({ length: 60 }, (_, i) =>
    authenticate(asking(`key ${i}`), async () => {
      order.push(i)
      await new Promise((ok) => setImmediate(ok))
      return key
    }),
  )
  assert.equal((await Promise.all(found)).length, 60)
  assert.deepEqual(
    order,
    Array.from({ length: 60 }, (_, i) => i),
  )
})

test('10,000 valid keys are cached, and the least recently used is evicted first', async () => {
  const { authenticate } = createBadKeys({ most: 1, steady: () => 0 })
  for (let i = 0; i <= 10_000; i++) await authenticate(asking(`key ${i}`), async () => ({ ...key, id: `${i}` }))
  await assert.rejects(
    authenticate(asking('bad'), () => Promise.reject(new Problem('key_invalid'))),
    { code: 'key_invalid' },
  )
  await assert.rejects(
    authenticate(asking('key 0'), async () => key),
    { code: 'too_many_failures' },
  )
  assert.equal(await authenticate(asking('key 1'), async () => key), key)
  assert.equal(await authenticate(asking('key 10000'), async () => key), key)
})

test('each replica allows its part of the failures, and a lock-out holds when the number of replicas shrinks', async () => {
  let replicas = 3
  const { authenticate } = createBadKeys({ most: 10, replicas: () => replicas, steady: () => 0 })
  const fail = (code: string) =>
    assert.rejects(
      authenticate(asking('bad'), () => Promise.reject(new Problem('key_invalid'))),
      { code },
    )
  for (let i = 0; i < 2; i++) await fail('key_invalid')
  replicas = 20
  await fail('key_invalid')
  await fail('too_many_failures')
  replicas = 1
  await fail('too_many_failures')
})

test('a lock-out ends after a minute, even if failures continue', () => {
  let now = 0
  const lockOut = createLockOut({ now: () => now, mostFailures: 2 })
  for (now = 0; now < 2_000; now += 1_000) lockOut.failed(here)
  for (; now < 61_000; now += 10_000) lockOut.failed(here)
  now = 61_000
  assert.equal(lockOut.waitOf(here), 0)
})
