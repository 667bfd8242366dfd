import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../support/process.ts'
import { sendRaw } from '../../../base/test/raw-client.ts'

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`

/** sends that many requests over a few kept connections */
async function askOften(url: string, times: number): Promise<Set<number | undefined>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const statuses = new Set<number | undefined>()
  const ask = () =>
    new Promise<void>((ok, no) =>
      get(url, { agent, headers: { traceparent } }, (res) => {
        statuses.add(res.statusCode)
        res.resume().once('end', ok)
      }).once('error', no),
    )
  let left = times
  const worker = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  agent.destroy()
  return statuses
}

/** starts to read the pipe */
function startReading(t: TestContext, file: string) {
  const reader = spawn('cat', [file])
  const gone = once(reader, 'exit')
  t.after(async () => {
    reader.kill('SIGKILL')
    await gone
  })
  let text = ''
  reader.stdout.on('data', (part: Buffer) => (text += part))
  return () => text
}

test('an unread pipe never blocks the service, and its reader learns how many lines were dropped', async (t) => {
  // opened for reading too, so that it is a pipe without a reader, and not a broken one
  const { url, folder, stop } = await startProgram(t, {
    shell: 'mkfifo log && exec "$0" serve 2<>log',
    stdio: 'ignore',
  })
  const sent = 6_000
  assert.deepEqual(await askOften(`${url}/healthz`, sent), new Set([200]))
  const heard = startReading(t, `${folder}/log`)
  const lines = () =>
    heard()
      .slice(0, heard().lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const isDropped = ({ kind }: { kind: string }) => kind === 'dropped'
  for (const endsAt = Date.now() + 20_000; !lines().some(isDropped); await sleep(20))
    assert.ok(Date.now() < endsAt, 'nothing is said of lost lines')
  const [dropped, ...more] = lines().filter(isDropped)
  assert.deepEqual(more, [])
  const written = lines().filter(({ operation }) => operation === '/healthz').length
  assert.equal(written + dropped.lines, sent)
  assert.ok(dropped.lines > 500 && written > 1_000, `${written} written, ${dropped.lines} dropped`)
  assert.equal(dropped.level, 'warn')

  assert.equal((await fetch(`${url}/healthz`, { headers: { 'x-request-id': 'again' } })).status, 200)
  const before = written
  for (const endsAt = Date.now() + 20_000; ; await sleep(20)) {
    if (lines().filter(({ operation }) => operation === '/healthz').length > before) break
    assert.ok(Date.now() < endsAt, 'the log does not go on')
  }
  assert.equal(await stop(), 0)
})

test('a hostile caller cannot add a line: every line is JSON without control characters', async (t) => {
  const { port, child, stop } = await startProgram(t)
  let text = ''
  child.stderr?.setEncoding('latin1').on('data', (part: string) => (text += part))
  const end = 'Host: localhost\r\nConnection: close\r\n\r\n'
  const evil = '\u001b[2J\u202e","kind":"failed'
  const bytes = (line: string) => Buffer.from(line, 'utf8')
  const requests = [
    `GET /v1/connections/%0d%0a%7b%22kind%22:%22failed%22%7d/apps HTTP/1.1\r\n${end}`,
    `GET /v1/connections/%e2%80%ae%1b%5b2J/apps?x=%22%0a HTTP/1.1\r\n${end}`,
    `GET /errors/%0aforged HTTP/1.1\r\n${end}`,
    bytes(`GET /${evil} HTTP/1.1\r\n${end}`),
    bytes(`GET / HTTP/1.1\r\nX-Request-Id: <script>${evil}\r\nX-Forwarded-For: ${evil}\r\n${end}`),
    bytes(`GET /v1/x HTTP/1.1\r\nAuthorization: Bearer ${evil}abcdefgh\r\ntraceparent: ${evil}\r\n${end}`),
    `GET /v1/x HTTP/1.1\r\nAuthorization: Bearer vtr_live_aaaaaaaaaaaa_${'b'.repeat(43)}_cccccc\r\n${end}`,
    bytes(`${evil} / HTTP/1.1\r\n${end}`),
    bytes(`GET / HTTP/${evil}\r\n${end}`),
    Buffer.concat([
      Buffer.from('GET /'),
      Buffer.from([0, 1, 27, 127, 128, 155, 255]),
      Buffer.from(` HTTP/1.1\r\n${end}`),
    ]),
    `PROPFIND\n{"kind":"failed"} / HTTP/1.1\r\n${end}`,
    bytes(`GET / HTTP/1.1\r\nHost: ${evil}\r\nConnection: close\r\n\r\n`),
  ]
  for (const request of requests) await sendRaw(port, request)
  assert.equal(await stop(), 0)
  const lines = text.trimEnd().split('\n')
  const told = lines.filter((line) => !line.startsWith('There is no ')).map((line) => JSON.parse(line))
  const kinds = told.map(({ kind }) => kind)
  // lines summed up at the end count too
  assert.ok(told.reduce((sum, { count = 1 }) => sum + count, 0) >= requests.length, text)
  assert.deepEqual(
    kinds.filter((kind) => !['started', 'answered', 'refused', 'stopping'].includes(kind)),
    [],
  )
  assert.match(text.replaceAll('\n', ''), /^[\x20-\x7e]+$/)
  assert.doesNotMatch(text, /script|forged|vtr_live|abcdefgh|(?:\[|%5b)2J/)
})
