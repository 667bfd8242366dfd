// What reaches a host byte for byte, and hosts that do not keep to HTTP.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { ask, openProxy, statusOf } from './proxy-rig.ts'

/** a host that tells each byte that came, and says this */
async function openRaw(t: TestContext, answer: string) {
  let heard = ''
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      heard += String(piece)
      if (heard.includes('\r\n\r\n')) socket.write(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

test('the length of a body cannot be taken out by naming it in Connection', async (t) => {
  const target = await openRaw(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  const rig = openProxy(t, { ports: [target.port] })
  const host = `api.example.com:${target.port}`
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: evil.example\r\n\r\n'
  const lines = [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`, 'Connection: close, Content-Length']
  const said = await ask(rig, `${lines.join('\r\n')}\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`)
  assert.equal(statusOf(said), 200)
  assert.match(target.heard(), new RegExp(`\\r\\nContent-Length: ${smuggled.length}\\r\\n`))
})

test('a host that changes the protocol, which nothing asked for, has broken off', async (t) => {
  const target = await openRaw(t, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
  const rig = openProxy(t, { ports: [target.port] })
  const host = `api.example.com:${target.port}`
  const said = await ask(rig, `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  assert.match(said, /502[^]*connection_terminated/)
  await until(() => rig.connections.taken === 0)
})
