import assert from 'node:assert/strict'
import test from 'node:test'
import { createReadiness } from '../../src/readiness.ts'
import { openRig } from '../service-rig.ts'

test('one look at store and engine serves all who ask for readiness within a second', async (t) => {
  let now = Date.now()
  const rig = await openRig(t, { now: () => now })
  const pings = () => rig.service.events.filter((one) => one.kind === 'engine_called' && one.call === 'ping').length
  const ask = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => rig.call('GET', '/readyz')))
    return new Set(answers.map(({ status }) => status))
  }
  assert.deepEqual([await ask(40), pings()], [new Set([200]), 1])
  rig.engine.leave()
  now += 999
  assert.deepEqual([await ask(40), pings()], [new Set([200]), 1])
  now += 1
  assert.deepEqual([await ask(40), pings()], [new Set([503]), 2])
  // a clock that was ahead
  now -= 60 * 60_000
  rig.engine.comeBack()
  assert.deepEqual([await ask(1), pings()], [new Set([200]), 3])
})

test('while a look takes long, all wait for that one', async () => {
  let now = 0
  let looks = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => (looks++, promise)
  const ready = createReadiness({ store: { check }, engine: { ping: check }, now: () => now } as never)
  const first = ready()
  now += 60_000
  const second = ready()
  resolve()
  assert.deepEqual(
    await Promise.all([first, second]),
    [1, 2].map(() => ({ store: 'ok', engine: 'ok' })),
  )
  assert.equal(looks, 2, 'the store and the engine, once each')
})
