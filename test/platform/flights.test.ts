import assert from 'node:assert/strict'
import test from 'node:test'
import type { Errand } from '../../src/engine/port.ts'
import { createFlights } from '../../src/platform/flights.ts'
import { Problem } from '../../src/problem.ts'
import { createClock, errand, turns } from './errands.ts'

function begin() {
  let shared = 0
  const clock = createClock()
  const flights = createFlights(clock.steady, () => shared++)
  const begun: { errand: Errand; land: (document: unknown) => void; crash: (error: unknown) => void }[] = []
  const start = (one: Errand) =>
    new Promise<unknown>((land, crash) => {
      begun.push({ errand: one, land, crash })
    })
  return {
    flights,
    clock,
    begun,
    shared: () => shared,
    join: (name: string, one: Errand) => flights.join(name, one, start),
  }
}

const leaver = (wish: Partial<Errand> = {}) => {
  const end = new AbortController()
  return { one: errand({ signal: end.signal, ...wish }), leave: () => end.abort(new DOMException('x', 'TimeoutError')) }
}

test('a hundred equal reads are one call, and all get its document', async () => {
  const { begun, join, shared } = begin()
  const reads = Array.from({ length: 100 }, () => join('x', errand()))
  assert.equal(begun.length, 1)
  begun[0]?.land('document')
  assert.deepEqual(new Set(await Promise.all(reads)), new Set(['document']))
  assert.equal(shared(), 99)
})

test('reads of another name, and later ones, are calls of their own', async () => {
  const { begun, join } = begin()
  const first = join('x', errand())
  void join('y', errand())
  assert.equal(begun.length, 2)
  begun[0]?.land(1)
  await first
  void join('x', errand())
  assert.equal(begun.length, 3)
})

test('who leaves takes nothing from those who stay; the last one ends the call', async () => {
  const { begun, join } = begin()
  const [first, second] = [leaver(), leaver()]
  const left = assert.rejects(join('x', first.one), (e) => e instanceof Problem && e.code === 'upstream_timeout')
  const stays = join('x', second.one)
  first.leave()
  await left
  assert.equal(begun[0]?.errand.signal.aborted, false)
  begun[0]?.land('document')
  assert.equal(await stays, 'document')

  const third = leaver()
  const alone = assert.rejects(join('x', third.one))
  third.leave()
  await alone
  assert.equal(begun[1]?.errand.signal.aborted, true)
})

test('nobody joins a call that is being given up', async () => {
  const { begun, join } = begin()
  const first = leaver()
  const left = assert.rejects(join('x', first.one))
  first.leave()
  const later = join('x', errand())
  assert.equal(begun.length, 2)
  begun[0]?.crash(new Error('given up'))
  begun[1]?.land('document')
  await left
  assert.equal(await later, 'document')
  void join('x', errand())
  assert.equal(begun.length, 3, 'the end of the first does not unname the second')
})

test('a failure is everybody’s who waits, and nobody’s after them', async () => {
  const { begun, join } = begin()
  const reads = [join('x', errand()), join('x', errand())]
  const both = Promise.allSettled(reads)
  begun[0]?.crash(new Problem('upstream_failed'))
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  void join('x', errand())
  assert.equal(begun.length, 2)
})

test('together they have the time of the most patient clock and the haste of the most urgent', async () => {
  const { begun, join } = begin()
  void join('x', errand({ endsAt: 100, patient: true }))
  assert.deepEqual([begun[0]?.errand.endsAt, begun[0]?.errand.patient], [100, true])
  const late = leaver({ endsAt: 900, patient: false })
  void join('x', late.one).catch(() => {})
  assert.deepEqual([begun[0]?.errand.endsAt, begun[0]?.errand.patient], [900, false])
  late.leave()
  await turns()
  assert.deepEqual([begun[0]?.errand.endsAt, begun[0]?.errand.patient], [100, true])
})

test('who has left already begins nothing', async () => {
  const { begun, join } = begin()
  const { one, leave } = leaver()
  leave()
  await assert.rejects(join('x', one))
  assert.equal(begun.length, 0)
})

test('nobody joins a call that has been under way for three seconds', async () => {
  const { begun, join, clock } = begin()
  void join('x', errand())
  clock.pass(2_999)
  void join('x', errand())
  assert.equal(begun.length, 1)
  clock.pass(1)
  void join('x', errand())
  assert.equal(begun.length, 2)
})

test('whoever waits for the call hears of those who join it', async () => {
  const { begun, join } = begin()
  void join('x', errand({ who: 'a' }))
  const heard: string[] = []
  begun[0]?.errand.onJoin?.(({ who }) => heard.push(who))
  void join('x', errand({ who: 'b' }))
  assert.deepEqual(heard, ['b'])
})

test('whoever listens late hears of those who have joined before, and not of those who have left', async () => {
  const { begun, join } = begin()
  void join('x', errand({ who: 'a' }))
  void join('x', errand({ who: 'b' }))
  const gone = leaver({ who: 'c' })
  void join('x', gone.one).catch(() => {})
  gone.leave()
  const heard: string[] = []
  begun[0]?.errand.onJoin?.(({ who }) => heard.push(who))
  assert.deepEqual(heard, ['b'])
})

test('those who come to wait for one who joined wait for the call, too', async () => {
  const { begun, join } = begin()
  void join('x', errand({ who: 'a' }))
  const heard: string[] = []
  begun[0]?.errand.onJoin?.(({ who }) => heard.push(who))
  let tell: (other: Errand) => void = () => {}
  void join('x', errand({ who: 'b', onJoin: (listener) => (tell = listener) }))
  tell(errand({ who: 'c' }))
  assert.deepEqual(heard, ['b', 'c'])
})
