// F33 to F37, F39: the platform is silent or slow. The limits are set low, and each test checks which limit ended the wait.
// F38, F40 and F41 are in slow-platform.test.ts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { answerOf, type RawScript, repeat, respond, startRawPlatform } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { faults, healthyAgain } from './fault.ts'

const document = JSON.stringify(page.healthy)
const healthy = respond(answerOf(document))
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const half = `${start}content-length: ${document.length}\r\n\r\n${document.slice(0, 30)}`

const late = { status: 504, type: 'upstream_error', code: 'upstream_timeout', retryAfter: null } as const
const unavailable = { status: 503, type: 'upstream_error', code: 'upstream_unavailable' } as const
const malformed = { status: 502, type: 'upstream_error', code: 'upstream_malformed' } as const

/** one byte after the other */
const drips =
  (text: string, everyMs: number): RawScript =>
  (socket) => {
    let at = 0
    const timer = setInterval(
      () => (at < text.length ? socket.write(text.charAt(at++)) : clearInterval(timer)),
      everyMs,
    )
    socket.once('close', () => clearInterval(timer))
  }

/** far below the deadline, so that this limit ends the call */
const limited = (limit: 'headersMs' | 'idleMs') =>
  ({ timeoutMs: 9_000, withinMs: 6_000, options: { file: { upstream: { [limit]: 200 } } } }) as const

const slowHead = `${start}content-length: ${document.length}\r\n\r\n`

faults([
  {
    id: 'F33',
    fault: 'the headers never come, until the deadline',
    raw: () => {},
    timeoutMs: 600,
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F33',
    fault: 'the headers never come, until their own limit',
    raw: () => {},
    ...limited('headersMs'),
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F34',
    fault: 'headers byte by byte, until the deadline',
    raw: drips(slowHead, 50),
    timeoutMs: 600,
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F34',
    fault: 'headers byte by byte, until their own limit, which no byte sets back',
    raw: drips(slowHead, 150),
    ...limited('headersMs'),
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F34',
    fault: 'fields for ever, until their own limit',
    raw: (socket) => {
      socket.write(start)
      repeat(socket, 'x-a: b\r\n', 100)
    },
    ...limited('headersMs'),
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F35',
    fault: 'a body byte by byte, below the idle limit, until the deadline',
    raw: (socket) => {
      socket.write(`${start}content-length: 9000\r\n\r\n`)
      repeat(socket, ' ', 50)
    },
    timeoutMs: 1_500,
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F35',
    fault: 'small chunks for ever, until the deadline',
    raw: (socket) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, '1\r\n \r\n', 20)
    },
    timeoutMs: 600,
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F36',
    fault: 'the body stops half way, until the deadline',
    raw: respond(half),
    timeoutMs: 600,
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F36',
    fault: 'the body stops half way, until the idle limit',
    raw: respond(half),
    ...limited('idleMs'),
    expect: { ...late, calls: 1 },
  },
  {
    id: 'F37',
    fault:
      'the first try takes more than half of the time and then fails before its headers: nothing is left for another',
    raw: (socket) => void setTimeout(() => socket.resetAndDestroy(), 2_400),
    timeoutMs: 4_000,
    withinMs: 3_700,
    expect: { ...unavailable, calls: 1 },
  },
  {
    id: 'F37',
    fault: 'the first try takes more than half of the time and then fails mid-body: nothing is left for another',
    raw: (socket) => {
      socket.write(half)
      setTimeout(() => socket.resetAndDestroy(), 2_400)
    },
    timeoutMs: 4_000,
    withinMs: 3_700,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F37',
    fault: 'the first try fails when there is time for another, which hangs: the deadline ends that',
    raw: [(socket) => void socket.resetAndDestroy(), () => {}],
    timeoutMs: 900,
    expect: { ...late, calls: 2 },
  },
])

const pathOf = (number: number): string => page.path.replace('s1', `s${number}`)

/** 20 kB a second: a document behind this many spaces */
const slowly =
  (spaces: number): RawScript =>
  (socket) => {
    const body = ' '.repeat(spaces) + document
    socket.write(`${start}content-length: ${body.length}\r\n\r\n`)
    let at = 0
    const timer = setInterval(() => {
      socket.write(body.slice(at, at + 400))
      at += 400
      if (at >= body.length) clearInterval(timer)
    }, 20)
    socket.once('close', () => clearInterval(timer))
  }

faults([
  {
    id: 'F39',
    fault: '20 kB a second, and a small page',
    raw: slowly(8_000),
    timeoutMs: 10_000,
    expect: { status: 200, json: page.answer, calls: 1 },
  },
  {
    id: 'F39',
    fault: '20 kB a second, and a page of 2 MB',
    raw: slowly(2_000_000),
    timeoutMs: 1_000,
    expect: { ...late, calls: 1 },
  },
])

test('F39: a platform answer at 20 kB a second delays no other request', async (t) => {
  const platform = await startRawPlatform((socket, request) =>
    (request.includes('/s0/') ? slowly(2_000_000) : healthy)(socket, request),
  )
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 3_000 } } })
  t.after(() => service.close().then(platform.close))
  let isSlowOver = false
  const slow = service.ask(pathOf(0)).finally(() => (isSlowOver = true))
  for (let i = 1; i <= 20; i++) assert.deepEqual((await service.ask(pathOf(i))).json, page.answer)
  assert.equal(isSlowOver, false)
  assert.equal((await slow).status, 504)
})

test('F33 F36: no socket is left after an answer was given up', async (t) => {
  const platform = await startRawPlatform(() => {})
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 500 } } })
  t.after(() => service.close().then(platform.close))
  assert.equal((await service.ask(page.path)).status, 504)
  platform.script = respond(half)
  assert.equal((await service.ask(page.path)).status, 504)
  for (const { status } of await Promise.all(Array.from({ length: 20 }, (_, i) => service.ask(pathOf(i)))))
    assert.equal(status, 504)
  const endsAt = performance.now() + 5_000
  while (platform.sockets.size > 0 && performance.now() < endsAt) await sleep(20)
  assert.equal(platform.sockets.size, 0)
  await healthyAgain({ service, heal: () => void (platform.script = healthy) })
})
