import assert from 'node:assert/strict'
import test from 'node:test'
import { readContext, turns } from './read-context.ts'
import { begin } from './queue.ts'

test('a fixed number of calls run at once, and the others wait', async () => {
  const { governor, order, enter, leave } = begin(2)
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name)
  await turns()
  assert.deepEqual(order, ['a1', 'a2'])
  assert.deepEqual([governor.state().running, governor.state().waiting], [2, 2])
  await leave()
  await leave()
  assert.deepEqual(order, ['a1', 'a2', 'a3', 'a4'])
  await leave()
  await leave()
  assert.deepEqual([governor.state().running, governor.state().waiting], [0, 0])
})

test('facade keys take turns, however many requests one of them has waiting', async () => {
  const { order, enter, leave } = begin(1)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) enter(name)
  await turns()
  for (let i = 0; i < 7; i++) await leave()
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('first answers run before later pages, and later pages never take all places', async () => {
  const { order, enter, leave } = begin(2)
  enter('a-page1', { patient: true })
  enter('a-page2', { patient: true })
  enter('a-page3', { patient: true })
  await turns()
  assert.deepEqual(order, ['a-page1'])
  enter('a-first')
  await turns()
  assert.deepEqual(order, ['a-page1', 'a-first'])
  enter('a-first2')
  await turns()
  await leave()
  assert.deepEqual(order, ['a-page1', 'a-first', 'a-first2'])
})

test('with a single place, later pages get it too', async () => {
  const { order, enter, leave } = begin(1)
  enter('a-page1', { patient: true })
  enter('a-page2', { patient: true })
  await turns()
  await leave()
  assert.deepEqual(order, ['a-page1', 'a-page2'])
})

test('a caller who disconnects while waiting gives up their turn, and no other turn is lost', async () => {
  const { governor, order, enter, leave } = begin(1)
  const end = new AbortController()
  enter('a1')
  enter('a2', { signal: end.signal })
  enter('a3')
  await turns()
  end.abort(new DOMException('deadline', 'TimeoutError'))
  await turns()
  assert.deepEqual(order, ['a1', 'a2 upstream_timeout'])
  await leave()
  assert.deepEqual(order.at(-1), 'a3')
  assert.equal(governor.state().waiting, 0)
  enter('a4', { signal: end.signal })
  await turns()
  assert.equal(order.at(-1), 'a4 upstream_timeout', 'one who has left already does not begin')
})

test('leaving twice frees one place', async () => {
  const { governor } = begin(1)
  const { leave } = await governor.enter(readContext())
  leave(true)
  leave(true)
  assert.equal(governor.state().running, 0)
})

test('a request that would wait beyond its deadline is rejected at once, with the expected wait', async () => {
  const { governor, order, enter, clock } = begin()
  governor.quota.refused(30, clock.steady())
  enter('a1', { endsAt: clock.steady() + 25_000 })
  await turns()
  assert.deepEqual(order, ['a1 upstream_rate_limited 30'])
})

test('a request that can wait long enough is queued', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { governor, order, enter, clock } = begin()
  governor.quota.refused(3, clock.steady())
  enter('a1', { endsAt: clock.steady() + 25_000 })
  await turns()
  assert.deepEqual(order, [])
  clock.pass(3_000)
  t.mock.timers.tick(3_000)
  await turns()
  assert.deepEqual(order, ['a1'])
})

test('waiting requests are rejected too when the platform reports that no quota is left', async () => {
  const { governor, order, enter, leave, clock } = begin(1)
  const endsAt = clock.steady() + 25_000
  enter('a1', { endsAt })
  enter('b1', { endsAt })
  await turns()
  governor.quota.refused(600, clock.steady())
  await leave()
  assert.deepEqual(order, ['a1', 'b1 upstream_rate_limited 600'])
})

test('beyond 512 waiting requests of one facade key the next is rejected, and other keys are unaffected', async () => {
  const { order, enter, leave, shed } = begin(1)
  for (let i = 0; i <= 513; i++) enter(`a${i}`)
  enter('b1')
  await turns()
  assert.deepEqual(order.toSorted(), ['a0', 'a513 too_busy 1'])
  assert.equal(shed(), 1)
  await leave()
  await leave()
  assert.deepEqual(order.slice(2), ['a1', 'b1'])
})

test('a trial call of the operator does not wait, and is counted', async () => {
  const { governor, order, enter, clock } = begin(1)
  governor.quota.refused(600, clock.steady())
  governor.heard({ hour: { limit: 100, remaining: 50 } }, 0)
  enter('a1', { trial: true })
  await turns()
  assert.deepEqual(order, ['a1'])
  assert.equal(governor.state().hour?.remaining, 49)
})
