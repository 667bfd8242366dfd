import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import type { ApiExchange } from '../../src/api/exchange.ts'
import { collectBody } from '../../src/api/request-body.ts'

/** what happens in which order when bodies of this size end at once: a letter for each body, and `.` for a turn of the loop */
async function orderOf(bytes: number, count: number): Promise<string> {
  let order = ''
  const sources = Array.from({ length: count }, () =>
    Object.assign(new PassThrough({ highWaterMark: 2 * bytes }), { headers: {} }),
  )
  const bodies = sources.map(async (req) => {
    const exchange = { req, record: { accountId: 'acc' }, from: '::1', onClose() {} } as unknown as ApiExchange
    assert.equal((await collectBody(exchange, bytes)).length, bytes)
    order += 'b'
  })
  let isOver = false
  const turn = () => {
    order += '.'
    if (!isOver) setImmediate(turn)
  }
  for (const source of sources) source.end(Buffer.alloc(bytes))
  setImmediate(turn)
  await Promise.all(bodies)
  isOver = true
  return order
}

test('large bodies that end at once are given on in a turn of the event loop each', async () => {
  assert.match(await orderOf(65_537, 8), /^\.*(b\.+){7}b\.*$/)
})

test('usual bodies wait for no turn', async () => {
  assert.match(await orderOf(65_536, 8), /b{8}/)
})
