import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { createBadKeys } from '../../src/http/bad-keys.ts'
import { createLockOut } from '../../src/http/lock-out.ts'
import type { Key } from '../../src/keys/keys.ts'
import { Problem } from '../../src/problem.ts'
import { askAt, manyAddresses } from '../ground/callers.ts'
import { send } from '../ground/scripted-platform.ts'
import { startScripted, tester } from '../ground/service.ts'

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
    const { status, json } = await askAt(service.port, from, { key })
    return status === 200 ? '200' : `${status} ${json.error.code}`
  }
  const fail = async (times = most) => {
    for (let i = 0; i < times; i++) assert.equal(await code(here, `wrong-${i}`), '401 key_invalid')
  }
  return { service, shift, code, fail }
}

test('a network that sends bad keys is not heard for a minute, and nobody else notices', manyAddresses, async (t) => {
  const { service, shift, code, fail } = await start(t)
  await fail()
  const fresh = await service.issue()
  for (const from of [here, neighbour]) {
    const { status, headers, json } = await askAt(service.port, from, { key: 'wrong' })
    assert.deepEqual([status, json.error.type, json.error.code], [429, 'rate_limited', 'too_many_failures'])
    assert.equal(json.error.retryable, true)
    assert.ok(Number(headers['retry-after']) > 30 && Number(headers['retry-after']) <= 60)
  }
  assert.equal(await code(here, fresh), '429 too_many_failures', 'the store is not asked')
  assert.equal(await code(here), '401 key_missing', 'who brings no key hears so')
  assert.equal(await code(elsewhere, 'wrong'), '401 key_invalid')
  assert.equal(await code(elsewhere, fresh), '200')
  assert.equal(await code(here, fresh), '200', 'good lately, wherever that was')
  shift.now = 3_600_000
  assert.equal(await code(here, 'wrong'), '429 too_many_failures', 'setting the clock frees nobody')
  shift.steady = 61_000
  assert.equal(await code(here, 'wrong'), '401 key_invalid')
  assert.equal(await code(here, await service.issue()), '200')
})

test('a key that was good lately is heard amid a flood, and looked at in full', manyAddresses, async (t) => {
  const { service, code, fail } = await start(t)
  assert.equal(await code(neighbour, service.key), '200')
  await fail()
  const flood = Array.from({ length: 300 }, (_, i) => code(here, `wrong-${i}`))
  for (let i = 0; i < 30; i++) assert.equal(await code(here, service.key), '200')
  assert.deepEqual(new Set(await Promise.all(flood)), new Set(['429 too_many_failures']))
  await service.house.keys.revoke(service.key.split('_')[2] ?? '', tester)
  assert.equal(await code(here, service.key), '401 key_invalid', 'revoked is revoked')
  assert.equal(await code(here, service.key), '429 too_many_failures', 'and not good lately any more')
})

test('requests without a key, and failures that are not about the key, are not counted', async (t) => {
  const { service, code, fail } = await start(t)
  await fail(most - 1)
  for (let i = 0; i < 40; i++) {
    assert.equal(await code(here), '401 key_missing')
    const { status } = await askAt(service.port, here, { key: service.key, path: '/v1/nothing' })
    assert.equal(status, 404)
  }
  assert.equal(await code(here, await service.issue()), '200', 'one failure is still free')
  assert.equal(await code(here, 'wrong'), '401 key_invalid')
  assert.equal(await code(here, await service.issue()), '429 too_many_failures')
})

test('failures that are a minute apart add up to nothing', async (t) => {
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

const key = { id: 'one' } as Key
const asking = (authorization: string) => ({ authorization, from: here })

test('what is not heard costs the store nothing, and what is heard costs it one look', async () => {
  let asked = 0
  const { hear } = createBadKeys({ most: 5, steady: () => 0 })
  const refuse = (code: 'key_invalid' | 'store_unavailable') => async () => {
    asked++
    throw new Problem(code)
  }
  const good = async () => {
    asked++
    return key
  }
  for (let i = 0; i < 50; i++)
    await assert.rejects(hear(asking('good'), refuse('store_unavailable')), { code: 'store_unavailable' })
  assert.equal(await hear(asking('good'), good), key, 'a store that fails is nobody’s bad key')
  for (let i = 0; i < 5; i++)
    await assert.rejects(hear(asking(`bad ${i}`), refuse('key_invalid')), { code: 'key_invalid' })
  asked = 0
  for (let i = 0; i < 50; i++)
    await assert.rejects(hear(asking(`bad ${i}`), refuse('key_invalid')), { code: 'too_many_failures' })
  assert.equal(asked, 0)
  await assert.rejects(hear(asking('good'), refuse('store_unavailable')), { code: 'store_unavailable' })
  assert.equal(await hear(asking('good'), good), key, 'it was good before the store failed')
  assert.equal(asked, 2)
})

test('10,000 good keys are remembered, and the one that was used longest ago is forgotten first', async () => {
  const { hear } = createBadKeys({ most: 1, steady: () => 0 })
  for (let i = 0; i <= 10_000; i++) await hear(asking(`key ${i}`), async () => key)
  await assert.rejects(
    hear(asking('bad'), () => Promise.reject(new Problem('key_invalid'))),
    { code: 'key_invalid' },
  )
  await assert.rejects(
    hear(asking('key 0'), async () => key),
    { code: 'too_many_failures' },
  )
  assert.equal(await hear(asking('key 1'), async () => key), key)
  assert.equal(await hear(asking('key 10000'), async () => key), key)
})

test('of several replicas each bears its part of the failures, and who is locked out stays so when they grow fewer', async () => {
  let replicas = 3
  const { hear } = createBadKeys({ most: 10, replicas: () => replicas, steady: () => 0 })
  const fail = (code: string) =>
    assert.rejects(
      hear(asking('bad'), () => Promise.reject(new Problem('key_invalid'))),
      { code },
    )
  for (let i = 0; i < 2; i++) await fail('key_invalid')
  replicas = 20
  await fail('key_invalid')
  await fail('too_many_failures')
  replicas = 1
  await fail('too_many_failures')
})

test('a lock-out ends a minute after it began, whatever fails meanwhile', () => {
  let now = 0
  const lockOut = createLockOut({ now: () => now, mostFailures: 2 })
  for (now = 0; now < 2_000; now += 1_000) lockOut.failed(here)
  for (; now < 61_000; now += 10_000) lockOut.failed(here)
  now = 61_000
  assert.equal(lockOut.waitOf(here), 0)
})
