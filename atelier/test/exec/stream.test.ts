import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { LineWriter } from '../../src/exec/stream.ts'

async function openStream(
  t: TestContext,
  stallMs?: number,
): Promise<{ lines: LineWriter; answer: IncomingMessage; res: ServerResponse }> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const asked = once(server, 'request')
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  const answered = once(request, 'response')
  const [, res] = (await asked) as [IncomingMessage, ServerResponse]
  const lines = new LineWriter(res, stallMs)
  await lines.send({ type: 'start' })
  const [answer] = await answered
  return { lines, answer, res }
}

/** 50,000 characters, and more bytes than the answer's buffer holds */
const data = 'ö'.repeat(50_000)

test('lines of text that is not ASCII are sent to their end', async (t) => {
  const { lines, answer } = await openStream(t)
  const count = 200
  const sent = (async () => {
    for (let n = 0; n < count; n++) await lines.send({ data })
    lines.end({ type: 'end' })
  })()
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += piece
  await sent
  const expected = [{ type: 'start' }, ...Array.from({ length: count }, () => ({ data })), { type: 'end' }]
  assert.deepEqual(text.trimEnd().split('\n').map((line) => JSON.parse(line)), expected) // prettier-ignore
})

test('a reader who stands still is waited for until the writer is told to hurry, or the reader is gone', async (t) => {
  for (const release of [
    (lines: LineWriter) => lines.hurry(),
    (_: LineWriter, answer: IncomingMessage) => answer.destroy(),
  ]) {
    // prettier-ignore
    const { lines, answer } = await openStream(t)
    answer.pause()
    let [begun, taken] = [0, 0]
    const limit = 300
    const sent = (async () => {
      while (taken < limit) {
        begun++
        await lines.send({ data })
        taken++
      }
    })()
    let before = -1
    await until(() => {
      const stands = begun === before && begun > taken
      before = begun
      return stands
    })
    assert.ok(taken < limit)
    release(lines, answer)
    await sent
    lines.close()
  }
})

test('output after a hurry is sent only while its reader takes it, and the last line is always sent', async (t) => {
  const { lines, answer, res } = await openStream(t)
  answer.pause()
  lines.hurry()
  while (!res.writableNeedDrain) await lines.send({ data })
  const waiting = res.writableLength
  for (let n = 0; n < 100; n++) await lines.send({ data })
  assert.equal(res.writableLength, waiting)
  lines.end({ type: 'end' })
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += piece
  assert.deepEqual(JSON.parse(text.trimEnd().split('\n').at(-1)!), { type: 'end' })
})

test('a watched reader who takes nothing for a minute loses the connection; one who goes on does not', async (t) => {
  const { lines, answer, res } = await openStream(t, 60_000)
  answer.pause()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let taken = 0
  const sent = (async () => {
    for (let n = 0; n < 200 && !res.destroyed; n++) {
      await lines.send({ data })
      taken++
    }
  })()
  const standsStill = async () => {
    let before = -1
    await until(() => {
      const isSame = taken === before
      before = taken
      return isSame && res.writableNeedDrain
    })
  }
  await standsStill()
  t.mock.timers.tick(59_000)
  const earlier = taken
  answer.resume()
  await until(() => taken > earlier)
  answer.pause()
  await standsStill()
  t.mock.timers.tick(59_000)
  assert.equal(res.destroyed, false)
  t.mock.timers.tick(1_000)
  assert.equal(res.destroyed, true)
  await sent
  lines.close()
})
