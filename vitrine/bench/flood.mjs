// One flood in a process of its own, from 127.0.0.1: `node flood.mjs KIND PORT SECONDS COUNT`. Prints what came of it as JSON.
import { request, Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const [kind, ...numbers] = process.argv.slice(2)
const [port, seconds, count] = numbers.map(Number)
const endsAt = performance.now() + seconds * 1_000
const goesOn = () => performance.now() < endsAt
const told = { opened: 0, closed: 0, most: 0 }

function open() {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.on('connect', () => {
    told.opened++
    told.most = Math.max(told.most, told.opened - told.closed)
  })
  socket.on('close', () => told.closed++)
  return socket.resume()
}

/** a header that never ends, one byte a second, and a new socket for each that is closed */
async function drip() {
  const sockets = new Set()
  while (goesOn()) {
    for (let i = 0; i < 250 && sockets.size < count; i++) {
      const socket = open()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.write('GET /v1/whoami HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
      const drops = setInterval(() => socket.writable && socket.write('s'), 1_000)
      socket.once('close', () => clearInterval(drops))
    }
    await wait(50)
  }
  return sockets
}

/** `count` sockets a second, closed as soon as they are open */
async function openAndClose() {
  for (const beganAt = performance.now(); goesOn(); await wait(5))
    while (told.opened < ((performance.now() - beganAt) / 1_000) * count && goesOn()) {
      const socket = open()
      await new Promise((ok) => socket.once('connect', ok).once('close', ok))
      if (told.opened % 2) socket.resetAndDestroy()
      else socket.destroy()
    }
  return []
}

/** `count` bad keys a second at most, over 64 sockets */
async function guess() {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const statuses = {}
  const key = () => `vtr_live_${Math.random().toString(36).slice(2, 14)}_wrong`
  const one = () =>
    new Promise((ok) => {
      const headers = { authorization: `Bearer ${key()}` }
      const req = request({ agent, host: '127.0.0.1', port, path: '/v1/whoami', headers }, (res) => {
        statuses[res.statusCode] = (statuses[res.statusCode] ?? 0) + 1
        res.resume().once('end', ok)
      })
      req.once('error', ok)
      req.end()
    })
  const each = async () => {
    while (goesOn()) await Promise.all([one(), wait(64_000 / count)])
  }
  await Promise.all(Array.from({ length: 64 }, each))
  agent.destroy()
  Object.assign(told, { statuses })
  return []
}

process.stdout.write('begun\n')
const left = await { drip, openAndClose, guess }[kind]()
const before = told.opened - told.closed
const until = performance.now() + 15_000
while (told.opened > told.closed && performance.now() < until) await wait(20)
const allClosedMs = Math.round(15_000 - (until - performance.now()))
for (const socket of left) socket.destroy()
process.stdout.write(`${JSON.stringify({ ...told, atTheEnd: before, allClosedMs })}\n`)
