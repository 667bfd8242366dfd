import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createLog } from '../../src/commands/log.ts'
import { gathering } from '../../../base/watch/log-stream.ts'
import { answered, createOutputStream } from '../support/output-stream.ts'

/** a stream that counts its writes */
function counted(isTTY = false) {
  const to = createOutputStream(isTTY)
  const count = { writes: 0 }
  const write = to.out.write.bind(to.out)
  to.out.write = (text: string) => {
    count.writes++
    return write(text)
  }
  return { ...to, count }
}

test('lines of one turn leave in one write, whole and in their order', async () => {
  const to = counted()
  const log = createLog('all', gathering(to.out))
  for (let i = 0; i < 50; i++) log(answered(200, { requestId: `req_${i}` }))
  await turn()
  log(answered(200, { requestId: 'req_50' }))
  await turn()
  assert.equal(to.count.writes, 2)
  assert.deepEqual(
    to.events().map(({ requestId }) => requestId),
    Array.from({ length: 51 }, (_, i) => `req_${i}`),
  )
})

test('what is gathered counts as unread, and more than 64 kB of it is not kept back', () => {
  const to = counted()
  const out = gathering(to.out)
  out.write('x'.repeat(1_000))
  assert.equal(out.writableLength, 1_000)
  for (let i = 0; i < 100; i++) out.write('x'.repeat(1_000))
  assert.ok(to.count.writes === 1 && to.seen.text.length > 64 * 1024)
})

test('what is left when the process ends is written then', () => {
  const to = counted()
  const before = process.listeners('exit')
  const out = gathering(to.out)
  out.write('last\n')
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0)
  assert.equal(to.seen.text, 'last\n')
})

test('at a terminal each line is written as it comes', () => {
  const to = counted(true)
  assert.equal(gathering(to.out), to.out)
})
