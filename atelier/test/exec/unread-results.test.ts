// Callers who do not read the results of their commands.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const mebibyte = 1024 * 1024
const control = '\x01'.repeat(mebibyte)

type UsedRig = Awaited<ReturnType<typeof openUsedRig>>

/** starts a command whose caller reads nothing, lets it put out the text, and ends it */
async function leaveUnread(t: TestContext, rig: UsedRig, container: string, text: string): Promise<Socket> {
  const body = JSON.stringify({ containerId: container, command: ['hang'] })
  const { hostname, port } = new URL(rig.rig.service.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  socket.write(
    `POST /containers/exec HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${rig.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await until(() => rig.engine.commandsOf(container).length > 0)
  const [command] = rig.engine.commandsOf(container)
  command?.say(text)
  command?.end(0)
  await until(() => rig.engine.commandsOf(container).length === 0)
  return socket
}

const run = (rig: UsedRig, containerId: string, more: object = {}) =>
  rig.call('POST', '/containers/exec', {
    key: rig.key,
    body: { containerId, command: ['say', 'hello'], ...more },
  })

test('a command has its place until its result is read or its caller is gone', async (t) => {
  const rig = await openUsedRig(t)
  const { id } = (await rig.create()).body
  const callers: Socket[] = []
  for (let i = 0; i < 8; i++) callers.push(await leaveUnread(t, rig, id, control))
  const refused = await run(rig, id)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.type, 'exec_limit')
  for (const one of callers) one.destroy()
  await until(async () => (await run(rig, id)).status === 200)
})

test('results that are not read fill no more memory than an account may hold; the next command is not started', async (t) => {
  const rig = await openUsedRig(t, { settings: { limits: { execs: 1_000, execsPerContainer: 1_000 } } })
  const { id } = (await rig.create()).body
  const before = process.memoryUsage()
  const callers: Socket[] = []
  // a kernel may take a result of one byte for each, and none of six
  for (let i = 0; i < 62; i++) callers.push(await leaveUnread(t, rig, id, control))
  assert.equal((await run(rig, id)).status, 200, 'there is room for the largest result')
  callers.push(await leaveUnread(t, rig, id, control))
  const started = rig.engine.calls.filter((name) => name === 'exec').length
  const refused = await run(rig, id)
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.type, 'no_capacity')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(rig.engine.calls.filter((name) => name === 'exec').length, started)
  assert.equal((await run(rig, id, { maxOutputBytes: 1_000 })).status, 200, 'a small result fits')
  const { heapUsed, external } = process.memoryUsage()
  const grown = heapUsed + external - before.heapUsed - before.external
  // the outputs, a piece of each, and not their escaped forms of 378 MiB
  assert.ok(grown < 160 * mebibyte, `${(grown / mebibyte).toFixed()} MiB`)
  for (const one of callers) one.destroy()
  await until(async () => (await run(rig, id)).status === 200)
})

test('a long result is the same in pieces as a short one at once', async (t) => {
  const rig = await openUsedRig(t)
  const { id } = (await rig.create()).body
  const text = `"\\\x01\n${'öß😀'.repeat(9)}`
  for (const outputEncoding of ['utf8', 'base64'] as const)
    for (const times of [1, 20_000]) {
      const said = text.repeat(times).slice(0, 900_000)
      const asked = run(rig, id, { command: ['hang'], outputEncoding })
      await until(() => rig.engine.commandsOf(id).length > 0)
      const [command] = rig.engine.commandsOf(id)
      command?.say(said)
      command?.end(0)
      const { status, headers, body } = await asked
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      const kept = Buffer.from(said).subarray(0, mebibyte)
      assert.equal(body.stdoutTruncated, Buffer.byteLength(said) > mebibyte)
      assert.ok(body.stdout === kept.toString(outputEncoding))
      const names =
        'execId,exitCode,signal,timedOut,oomKilled,durationMs,stdout,stderr,stdoutTruncated,stderrTruncated,outputEncoding'
      assert.deepEqual(Object.keys(body), names.split(','))
    }
})

test('a long result behind another answer of its socket waits for it', async (t) => {
  const rig = await openUsedRig(t)
  const { id } = (await rig.create()).body
  const { hostname, port } = new URL(rig.rig.service.url)
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  const head = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${rig.key}\r\nContent-Type: application/json\r\n`
  const request = (command: string) => {
    const body = JSON.stringify({ containerId: id, command: ['hang', command] })
    return `POST /containers/exec HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
  }
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
  socket.write(request('first') + request('second'))
  const commandOf = (name: string) => rig.engine.commandsOf(id).find(({ template }) => template.argv[1] === name)
  await until(() => commandOf('first') !== undefined && commandOf('second') !== undefined)
  const second = commandOf('second')
  second?.say(control)
  second?.end(0)
  await until(() => commandOf('second') === undefined)
  assert.equal(socket.destroyed, false)
  commandOf('first')?.end(3)
  await until(() => text.includes('"exitCode":3') && text.endsWith('\r\n0\r\n\r\n'))
})

test('the input of commands under way counts, and is free again with their answers', async (t) => {
  const rig = await openUsedRig(t, { settings: { limits: { execs: 1_000, execsPerContainer: 1_000 } } })
  const { id } = (await rig.create()).body
  const leave = new AbortController()
  const stdin = 'x'.repeat(mebibyte)
  const body = JSON.stringify({ containerId: id, command: ['hang'], stdin, timeoutSeconds: 600 })
  const fits = Math.floor((64 * mebibyte) / body.length)
  const ask = () => rig.call('POST', '/containers/exec', { key: rig.key, body, signal: leave.signal })
  const asked = Array.from({ length: fits }, () => ask().catch(() => undefined))
  await until(() => rig.engine.commandsOf(id).length === fits)
  const refused = await ask()
  assert.deepEqual([refused.status, refused.body.error.type], [503, 'no_capacity'])
  assert.equal((await run(rig, id)).status, 200, 'a small body fits')
  leave.abort()
  await Promise.all(asked)
  await until(async () => (await run(rig, id, { stdin })).status === 200)
})
