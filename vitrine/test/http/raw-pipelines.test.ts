import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal, type RawResult } from '../../../base/test/raw-client.ts'
import { pagePath, startRaw } from '../support/raw-service.ts'

const statuses = ({ answers }: RawResult) => answers.map(({ status }) => status)

test('a hundred pipelined requests are answered in order', async (t) => {
  const { say, get, open } = await startRaw(t)
  const heard = await say(
    Array.from({ length: 100 }, (_, i) => get(i % 3 === 0 ? `/v1/x${i}` : `${pagePath}?limit=${i}`)).join(''),
    { answers: 100 },
  )
  assert.deepEqual(
    statuses(heard),
    Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? 404 : 200)),
  )
  assert.equal(heard.rest, '')
  await sleep(30)
  assert.equal(await open(), 0)
})

test('F183: of more than a hundred unanswered requests on one socket a hundred are answered, then it is closed', async (t) => {
  const { say, get, open, platform, service } = await startRaw(t)
  const codes = Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? 404 : i % 3 === 1 ? 200 : 400))
  const urlOf = (i: number) => [`/v1/x${i}`, `${pagePath}?limit=${1 + (i % 200)}`, `${pagePath}?limit=x${i}`][i % 3]
  const bytes = codes.map((_, i) => get(String(urlOf(i)))).join('')
  for (const behind of ['', 'garbage\r\n\r\n', get('/healthz', 'Expect: wonders\r\n')]) {
    const heard = await say(bytes + behind, { answers: 1_001, mostMs: 5_000 })
    const told = statuses(heard)
    assert.ok(told.length >= 100, `${told.length} answers`)
    assert.deepEqual(told, codes.slice(0, told.length))
    for (const { headers } of heard.answers) assert.ok(headers.get('x-request-id'))
    assert.deepEqual([heard.rest, heard.closed], ['', true])
    assert.equal(heard.answers.at(-1)?.headers.get('connection'), 'close')
  }
  await sleep(30)
  assert.equal(await open(), 0)
  // those of a thousand that arrived while the first were answered
  assert.ok(platform.calls.length < 3 * 333)
  assert.equal((await service.ask('/healthz')).status, 200)
})

test('a thousand requests on one socket are answered in order if each batch waits for the one before', async (t) => {
  const { get, service, open } = await startRaw(t)
  const socket = connect({ port: service.port, host: '127.0.0.1', noDelay: true })
  let text = ''
  socket.on('data', (part) => (text += part.toString('latin1')))
  const count = () => text.split('HTTP/1.1 ').length - 1
  for (let batch = 1; batch <= 20; batch++) {
    socket.write(Array.from({ length: 50 }, (_, i) => get(i % 2 ? '/healthz' : '/v1/nothing')).join(''))
    for (let i = 0; i < 500 && count() < batch * 50; i++) await sleep(5)
  }
  const told = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  assert.deepEqual(
    told,
    Array.from({ length: 1_000 }, (_, i) => (i % 2 ? 200 : 404)),
  )
  assert.equal(await open(), 1)
  socket.destroy()
})

test('garbage after valid requests is rejected after they are answered', async (t) => {
  const { say, get } = await startRaw(t)
  const good = get(pagePath)
  for (const [what, garbage] of Object.entries({
    words: 'garbage\r\n\r\n',
    TLS: '\x16\x03\x01\x00',
    NUL: '\0\0\0\0\r\n\r\n',
  }))
    for (const count of [1, 3])
      await t.test(`${what} behind ${count}`, async () => {
        const heard = await say(good.repeat(count) + garbage, { answers: count + 2, mostMs: 1_000 })
        assert.deepEqual(statuses(heard), [...Array.from({ length: count }, () => 200), 400])
        assert.deepEqual([heard.rest, heard.closed], ['', true])
        checkRefusal(heard.answers.at(-1)!)
      })
})
