import assert from 'node:assert/strict'
import test from 'node:test'
import { errand, turns } from './errands.ts'
import { begin } from './queue.ts'

test('so many at once, and the others wait', async () => {
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

test('first answers go before later pages, and never all places hold pages', async () => {
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

test('with one place only, pages get it too', async () => {
  const { order, enter, leave } = begin(1)
  enter('a-page1', { patient: true })
  enter('a-page2', { patient: true })
  await turns()
  await leave()
  assert.deepEqual(order, ['a-page1', 'a-page2'])
})

test('who leaves while he waits gives up his turn, and nobody loses one by it', async () => {
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
  const { leave } = await governor.enter(errand())
  leave(true)
  leave(true)
  assert.equal(governor.state().running, 0)
})

test('who would wait beyond his time is told at once, and for how long it would be', async () => {
  const { governor, order, enter, clock } = begin()
  governor.quota.refused(30, clock.steady())
  enter('a1', { endsAt: clock.steady() + 25_000 })
  await turns()
  assert.deepEqual(order, ['a1 upstream_rate_limited 30'])
})

test('who can wait long enough does', async (t) => {
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

test('those who wait learn it too when the platform says that nothing is left', async () => {
  const { governor, order, enter, leave, clock } = begin(1)
  const endsAt = clock.steady() + 25_000
  enter('a1', { endsAt })
  enter('b1', { endsAt })
  await turns()
  governor.quota.refused(600, clock.steady())
  await leave()
  assert.deepEqual(order, ['a1', 'b1 upstream_rate_limited 600'])
})

test('beyond 512 of one facade key the next is turned away, and other keys are not', async () => {
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

test('a trial waits for nobody, and is counted', async () => {
  const { governor, order, enter, clock } = begin(1)
  governor.quota.refused(600, clock.steady())
  governor.heard({ hour: { limit: 100, remaining: 50 } }, 0)
  enter('a1', { trial: true })
  await turns()
  assert.deepEqual(order, ['a1'])
  assert.equal(governor.state().hour?.remaining, 49)
})
