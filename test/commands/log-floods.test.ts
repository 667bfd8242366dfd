import assert from 'node:assert/strict'
import test from 'node:test'
import { createLog } from '../../src/commands/log.ts'
import { answered, outlet } from '../ground/outlet.ts'

test('an overload is one line a second for each reason, with the number of all', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const to = outlet()
  const log = createLog('problems', to.out)
  const told = () => to.events().map(({ kind, reason, count }) => [kind, reason, count])
  for (let i = 0; i < 1_000; i++) log({ kind: 'shed', reason: 'requests' })
  log({ kind: 'shed', reason: 'memory' })
  for (let i = 0; i < 10; i++) log({ kind: 'crowded', from: `10.0.0.${i}`, sockets: 1_000 })
  const first = [
    ['shed', 'requests', 1],
    ['shed', 'memory', 1],
    ['crowded', undefined, 1],
  ]
  assert.deepEqual(told(), first)
  t.mock.timers.tick(999)
  assert.deepEqual(told(), first)
  t.mock.timers.tick(1)
  assert.deepEqual(told().slice(3), [
    ['shed', 'requests', 999],
    ['crowded', undefined, 9],
  ])
  assert.equal(to.events().at(-1).from, '10.0.0.9')
  log({ kind: 'shed', reason: 'requests' })
  assert.equal(told().length, 5, 'the second that has begun is still one line')
  t.mock.timers.tick(1_000)
  assert.deepEqual(told().at(-1), ['shed', 'requests', 1])
  t.mock.timers.tick(5_000)
  assert.equal(told().length, 6)
  log({ kind: 'shed', reason: 'requests' })
  assert.equal(told().length, 7)
})

test('lines that nobody reads are dropped, and the number of them is the first that is read next', async () => {
  const to = outlet()
  const log = createLog('all', to.out)
  to.seen.shut = true
  const sent = 20_000
  for (let i = 0; i < sent; i++) log(answered(200, { requestId: `req_${i}` }))
  assert.ok(to.out.writableLength > 1024 * 1024 && to.out.writableLength < 1.1 * 1024 * 1024)
  to.open()
  await new Promise<void>((ok) => setImmediate(ok))
  log(answered(200, { requestId: 'req_last' }))
  const events = to.events()
  const at = events.findIndex(({ kind }) => kind === 'dropped')
  assert.equal(events[at].lines, sent - at)
  assert.deepEqual(
    events.map(({ requestId }) => requestId),
    [...Array.from({ length: at }, (_, i) => `req_${i}`), undefined, 'req_last'],
  )
})

test('the number of dropped lines does not wait for another event', async () => {
  const to = outlet()
  const log = createLog('all', to.out)
  to.seen.shut = true
  for (let i = 0; i < 10_000; i++) log(answered(200))
  to.open()
  for (let i = 0; i < 20; i++) await new Promise<void>((ok) => setImmediate(ok))
  const events = to.events()
  assert.equal(events.at(-1).kind, 'dropped')
  assert.equal(events.at(-1).lines, 10_000 - (events.length - 1))
})

test('an unknown member of the platform is told once', () => {
  const to = outlet()
  const log = createLog('all', to.out)
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['one', 'two'] })
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['two'] })
  log({ kind: 'drift', connection: 'acme', type: 'builds', members: ['two'] })
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['two', 'three'] })
  assert.deepEqual(
    to.events().map(({ type, members }) => [type, members]),
    [
      ['apps', ['one', 'two']],
      ['builds', ['two']],
      ['apps', ['three']],
    ],
  )
})
