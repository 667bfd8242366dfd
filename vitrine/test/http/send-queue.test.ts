import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Exchange } from '../../../base/web/exchange.ts'
import { sendSoon } from '../../../base/web/send-queue.ts'
import { Problem } from '../../src/problems.ts'

/** what was sent, in order */
function recorder() {
  const sent: string[] = []
  const soon = (body: string) => {
    const res = { end: (text: string) => void sent.push(text) } as unknown as ServerResponse
    sendSoon({ res, body, encoding: 'latin1' })
  }
  return { sent, soon }
}

test('answers of one turn of the event loop are sent together at its end', async () => {
  const { sent, soon } = recorder()
  soon('a')
  soon('b')
  await Promise.resolve()
  soon('c')
  assert.deepEqual(sent, [])
  await setImmediate()
  assert.deepEqual(sent, ['a', 'b', 'c'])
  soon('d')
  await setImmediate()
  assert.deepEqual(sent, ['a', 'b', 'c', 'd'])
})

test('the first of many answers does not wait for all of them', async () => {
  const { sent, soon } = recorder()
  const names = Array.from({ length: 40 }, (_, number) => String(number))
  for (const name of names) soon(name)
  assert.deepEqual(sent, names.slice(0, 32))
  await setImmediate()
  assert.deepEqual(sent, names)
})

class PlainExchange extends Exchange {
  protected ended() {}
}

test('a failure after an answer does not change it, and one within a stream closes the connection', async (t) => {
  const server = createServer((req, res) => {
    const exchange = new PlainExchange(req, res, {
      from: '',
      record: { operation: 'test' },
      stopping: () => false,
    })
    if (req.url === '/stream') exchange.startBody([])
    else exchange.send(200, 'whole')
    exchange.refuse(new Problem('internal_error'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), 'whole')
  await assert.rejects(fetch(`${url}/stream`).then((stream) => stream.text()))
})
