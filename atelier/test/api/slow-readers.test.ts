import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { longestMs, watchReader } from '../../../base/web/slow-readers.ts'

const bytes = 16 * 1024 * 1024

/** an answer that its caller does not read */
async function openAnswer(t: TestContext): Promise<{ caller: Socket; socket: Socket; res: ServerResponse }> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  t.after(() => caller.destroy())
  caller.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  res.end(Buffer.alloc(bytes))
  return { caller, socket: req.socket, res }
}

test('a reader below the lowest rate loses its connection after the time for the size of the answer', async (t) => {
  const { socket, res } = await openAnswer(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  watchReader(socket, res, bytes)
  t.mock.timers.tick(30_000 + bytes / 4 - 1)
  assert.equal(socket.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(socket.destroyed, true)
})

test('an answer that was read is timed no more, and the next one of its socket has its own time', async (t) => {
  const { caller, socket, res } = await openAnswer(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  watchReader(socket, res, bytes)
  assert.equal(socket.timeout, 1_000)
  const closed = once(res, 'close')
  caller.resume()
  await closed
  assert.notEqual(socket.timeout, 1_000)
  t.mock.timers.tick(longestMs(bytes))
  assert.equal(socket.destroyed, false)
})

test('at least 4 KiB a second are expected after half a minute', () => {
  assert.equal(longestMs(0), 30_000)
  assert.equal(longestMs(1_200_000), 330_000)
})
