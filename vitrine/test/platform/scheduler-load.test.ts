import assert from 'node:assert/strict'
import test from 'node:test'
import type { ReadContext } from '../../src/platform/port.ts'
import { readContext, turns } from './read-context.ts'
import { begin } from './queue.ts'

test('a turn without a platform call costs no quota', async () => {
  const { governor } = begin()
  governor.heard({ hour: { limit: 100, remaining: 50 } }, 0)
  const turn = await governor.enter(readContext())
  assert.equal(governor.state().hour?.remaining, 49)
  turn.leave(false)
  assert.equal(governor.state().hour?.remaining, 50)
})

test('a call with less time left than a call takes is rejected, and its turn goes to one that can finish', async () => {
  const { governor, order, enter, leave, clock } = begin(2)
  governor.answered(1_000)
  enter('a1')
  enter('a2')
  await turns()
  enter('a3', { endsAt: clock.steady() + 3_000 })
  enter('a4', { endsAt: clock.steady() + 9_000 })
  await turns()
  clock.pass(2_500)
  await leave()
  assert.deepEqual(order, ['a1', 'a2', 'a3 upstream_rate_limited 1', 'a4'])
})

test('with no call in progress, the next request may try, however long calls have taken', async () => {
  const { governor, order, enter, clock } = begin(2)
  governor.answered(60_000)
  enter('a1', { endsAt: clock.steady() + 1_000 })
  await turns()
  assert.deepEqual(order, ['a1'])
})

test('a request is rejected at once if its queue is too long for its deadline', async () => {
  const { governor, order, enter, clock } = begin(1)
  governor.answered(1_000)
  for (let i = 0; i < 5; i++) enter(`a${i}`)
  await turns()
  enter('a9', { endsAt: clock.steady() + 3_000 })
  await turns()
  assert.deepEqual(order, ['a0', 'a9 upstream_rate_limited 4'])
  enter('b1', { endsAt: clock.steady() + 4_000 })
  await turns()
  assert.equal(order.length, 2, 'a row of another facade key is shorter')
})

test("a call that two facade keys wait for runs at the first one's turn", async () => {
  const { governor, order, enter, leave } = begin(1)
  const joined: ((other: ReadContext) => void)[] = []
  for (const name of ['a1', 'a2', 'a3']) enter(name)
  enter('a-shared', { onJoin: (listener) => void joined.push(listener) })
  await turns()
  joined[0]?.(readContext({ who: 'b' }))
  await turns()
  assert.equal(governor.state().waiting, 3)
  await leave()
  await leave()
  assert.deepEqual(order, ['a1', 'a2', 'a-shared'])
  await leave()
  await leave()
  assert.equal(order.at(-1), 'a3')
  assert.deepEqual([governor.state().running, governor.state().waiting], [0, 0])
})

test('after a 429 one call runs, and the others follow when it succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { governor, order, enter, leave, clock } = begin(3)
  governor.quota.refused(1, clock.steady())
  for (const name of ['a1', 'a2', 'a3']) enter(name)
  clock.pass(1_000)
  t.mock.timers.tick(1_000)
  await turns()
  assert.deepEqual(order, ['a1'])
  governor.quota.welcome()
  await leave()
  assert.deepEqual(order, ['a1', 'a2', 'a3'])
})
