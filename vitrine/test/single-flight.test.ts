import assert from 'node:assert/strict'
import test from 'node:test'
import { Holder } from '../../base/core/holder.ts'
import type { ReadContext } from '../src/platform/port.ts'
import { SingleFlight } from '../src/platform/single-flight.ts'
import { Problem } from '../src/problems.ts'
import { createClock, readContext, turns } from './platform/read-context.ts'

function begin() {
  let shared = 0
  const clock = createClock()
  const flights = new SingleFlight(clock.steady, () => shared++)
  const begun: { context: ReadContext; land: (document: unknown) => void; crash: (error: unknown) => void }[] = []
  const start = (one: ReadContext) =>
    new Promise<Holder<unknown>>((ok, crash) => {
      begun.push({ context: one, land: (document) => ok(new Holder(document)), crash })
    })
  return {
    flights,
    clock,
    begun,
    shared: () => shared,
    join: (name: string, one: ReadContext) => flights.join(name, one, start).then((result) => result.take()),
  }
}

const leaver = (wish: Partial<ReadContext> = {}) => {
  const end = new AbortController()
  return {
    one: readContext({ signal: end.signal, ...wish }),
    leave: () => end.abort(new DOMException('x', 'TimeoutError')),
  }
}

test('a hundred equal reads are one call, and all get its document', async () => {
  const { begun, join, shared } = begin()
  const reads = Array.from({ length: 100 }, () => join('x', readContext()))
  assert.equal(begun.length, 1)
  begun[0]?.land('document')
  assert.deepEqual(new Set(await Promise.all(reads)), new Set(['document']))
  assert.equal(shared(), 99)
})

test('a result is let go once all who still wait have taken it', async () => {
  const flights = new SingleFlight(
    () => 0,
    () => {},
  )
  const result = new Holder('document')
  const { promise, resolve } = Promise.withResolvers<Holder<string>>()
  const [first, second, third] = [leaver(), leaver(), leaver()]
  const [left, ...stay] = [first, second, third].map(({ one }) => flights.join('x', one, () => promise))
  first.leave()
  await assert.rejects(left ?? promise)
  resolve(result)
  for (const read of stay) assert.equal((await read).take(), 'document')
  assert.throws(() => result.peek(), /have taken/)
})

test('reads of another name, and later ones, are calls of their own', async () => {
  const { begun, join } = begin()
  const first = join('x', readContext())
  void join('y', readContext())
  assert.equal(begun.length, 2)
  begun[0]?.land(1)
  await first
  void join('x', readContext())
  assert.equal(begun.length, 3)
})

test('who leaves takes nothing from those who stay; the last one ends the call', async () => {
  const { begun, join } = begin()
  const [first, second] = [leaver(), leaver()]
  const left = assert.rejects(join('x', first.one), (e) => e instanceof Problem && e.code === 'upstream_timeout')
  const stays = join('x', second.one)
  first.leave()
  await left
  assert.equal(begun[0]?.context.signal.aborted, false)
  begun[0]?.land('document')
  assert.equal(await stays, 'document')

  const third = leaver()
  const alone = assert.rejects(join('x', third.one))
  third.leave()
  await alone
  assert.equal(begun[1]?.context.signal.aborted, true)
})

test('no caller joins a call that is being cancelled', async () => {
  const { begun, join } = begin()
  const first = leaver()
  const left = assert.rejects(join('x', first.one))
  first.leave()
  const later = join('x', readContext())
  assert.equal(begun.length, 2)
  begun[0]?.crash(new Error('given up'))
  begun[1]?.land('document')
  await left
  assert.equal(await later, 'document')
  void join('x', readContext())
  assert.equal(begun.length, 3, 'the end of the first does not unname the second')
})

test('a failure reaches every waiting caller, and no later one', async () => {
  const { begun, join } = begin()
  const reads = [join('x', readContext()), join('x', readContext())]
  const both = Promise.allSettled(reads)
  begun[0]?.crash(new Problem('upstream_failed'))
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  void join('x', readContext())
  assert.equal(begun.length, 2)
})

test('together they have the time of the most patient clock and the haste of the most urgent', async () => {
  const { begun, join } = begin()
  void join('x', readContext({ endsAt: 100, patient: true }))
  assert.deepEqual([begun[0]?.context.endsAt, begun[0]?.context.patient], [100, true])
  const late = leaver({ endsAt: 900, patient: false })
  void join('x', late.one).catch(() => {})
  assert.deepEqual([begun[0]?.context.endsAt, begun[0]?.context.patient], [900, false])
  late.leave()
  await turns()
  assert.deepEqual([begun[0]?.context.endsAt, begun[0]?.context.patient], [100, true])
})

test('who has left already begins nothing', async () => {
  const { begun, join } = begin()
  const { one, leave } = leaver()
  leave()
  await assert.rejects(join('x', one))
  assert.equal(begun.length, 0)
})

test('no caller joins a call that has been under way for three seconds', async () => {
  const { begun, join, clock } = begin()
  void join('x', readContext())
  clock.pass(2_999)
  void join('x', readContext())
  assert.equal(begun.length, 1)
  clock.pass(1)
  void join('x', readContext())
  assert.equal(begun.length, 2)
})

test('a caller of the shared call is notified of each caller that joins it', async () => {
  const { begun, join } = begin()
  void join('x', readContext({ who: 'a' }))
  const heard: string[] = []
  begun[0]?.context.onJoin?.(({ who }) => heard.push(who))
  void join('x', readContext({ who: 'b' }))
  assert.deepEqual(heard, ['b'])
})

test('a late listener is notified of callers that joined before, and not of those that left', async () => {
  const { begun, join } = begin()
  void join('x', readContext({ who: 'a' }))
  void join('x', readContext({ who: 'b' }))
  const gone = leaver({ who: 'c' })
  void join('x', gone.one).catch(() => {})
  gone.leave()
  const heard: string[] = []
  begun[0]?.context.onJoin?.(({ who }) => heard.push(who))
  assert.deepEqual(heard, ['b'])
})

test('those who come to wait for one who joined wait for the call, too', async () => {
  const { begun, join } = begin()
  void join('x', readContext({ who: 'a' }))
  const heard: string[] = []
  begun[0]?.context.onJoin?.(({ who }) => heard.push(who))
  let tell: (other: ReadContext) => void = () => {}
  void join('x', readContext({ who: 'b', onJoin: (listener) => (tell = listener) }))
  tell(readContext({ who: 'c' }))
  assert.deepEqual(heard, ['b', 'c'])
})

test('a key that cannot pay for a call is refused alone: those who share it with another key make it anew, once', async () => {
  const { begun, join } = begin()
  const [poor, one, other] = ['poor', 'one', 'other'].map((who) => readContext({ who }))
  assert.ok(poor && one && other)
  const reads = [join('x', poor), join('x', poor), join('x', one), join('x', other)]
  const outcomes = Promise.allSettled(reads)
  begun[0]?.crash(new Problem('key_budget_spent', { retryAfterSec: 60 }))
  await turns(5)
  assert.deepEqual(
    begun.map(({ context }) => context.who),
    ['poor', 'one'],
  )
  begun[1]?.land('document')
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
  )
})
