import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRaw } from '../support/raw-service.ts'

/** writes, reads nothing, and resets the connection */
async function writeAndReset(port: number, bytes: string, afterMs: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  await new Promise<void>((ok) => socket.once('connect', () => ok()))
  socket.write(bytes)
  await sleep(afterMs)
  socket.resetAndDestroy()
}

test('a reset after a CONNECT request affects only its caller', async (t) => {
  const { service, open } = await startRaw(t)
  const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const path of ['/v1/a', '/readyz', '/openapi.json'])
    for (const count of [1, 5, 40])
      for (const afterMs of [0, 2, 5])
        await writeAndReset(
          service.port,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count) + tunnel,
          afterMs,
        )
  assert.equal((await service.ask('/healthz')).status, 200)
  while ((await open()) > 0) await sleep(10)
})

test('a pipelined request with Expect is rejected in its turn and leaves no socket open', async (t) => {
  const { say, open } = await startRaw(t)
  const plain = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const expecting = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n'
  for (const bytes of [
    plain + expecting + plain,
    plain + plain + expecting,
    plain + expecting.replace('100-continue', 'x'),
  ]) {
    const { answers, closed } = await say(bytes, { answers: 3 })
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses, [...Array.from({ length: statuses.length - 1 }, () => 200), 417])
    assert.ok(closed)
  }
  while ((await open()) > 0) await sleep(10)
})

test('requests behind an Upgrade are not answered, because the parser drops them, and the socket is closed', async (t) => {
  const { say } = await startRaw(t)
  const upgrade = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const { answers, closed } = await say(`${upgrade}GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n`, {
    answers: 2,
    mostMs: 2_000,
  })
  assert.equal(answers.length, 1)
  assert.equal(answers[0]?.headers.get('connection'), 'close')
  assert.ok(closed)
})
