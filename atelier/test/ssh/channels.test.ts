// What a client can do that OpenSSH's does not show: channels, terminals, and reading slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../base/test/until.ts'
import { exec, onEveryGateway } from './rig.ts'

async function textOf(channel: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of channel) text += piece.toString()
  return text
}

onEveryGateway('a terminal has the size that the client tells, and changes it', async (rig) => {
  const client = await rig.connect(await rig.open(await rig.make()))
  const wait = 'until [ "$(stty size)" = "44 120" ]; do sleep 0.1; done'
  const channel = await exec(client, `sleep 1; stty size; ${wait}; stty size; echo $TERM; test -t 2 && echo err >&2`, {
    pty: { cols: 91, rows: 33, term: 'xterm-256color' },
  })
  let text = ''
  channel.on('data', (piece: Buffer) => (text += piece.toString()))
  await until(() => text.includes('33 91'))
  const closed = once(channel, 'close')
  for (let rows = 1; rows <= 44; rows++) channel.setWindow(rows, 120, 0, 0)
  await closed
  assert.match(text, /44 120\r\nxterm-256color\r\nerr\r\n/)
  client.end()
})

onEveryGateway('an exit shows its status, and the signal where there was one', async (rig) => {
  const client = await rig.connect(await rig.open(await rig.make()))
  for (const [script, ends] of [
    ['exit 7', [[7]]],
    ['kill -TERM $$', [[null, 'SIGTERM']]],
    ['kill -9 $$', [[null, 'SIGKILL']]],
  ] as const) {
    const channel = await exec(client, script)
    const seen: unknown[][] = []
    channel.on('exit', (...end: unknown[]) => seen.push(end.slice(0, 2))).resume()
    await once(channel, 'close')
    assert.deepEqual(seen, ends)
  }
  client.end()
})

onEveryGateway('a connection has four channels at once, and closing one kills its command', async (rig) => {
  const container = await rig.make()
  const client = await rig.connect(await rig.open(container))
  const channels = await Promise.all([1, 2, 3, 4].map((at) => exec(client, `sleep 111${at}`)))
  await until(() => rig.alive(container, 'sleep 1114'))
  await assert.rejects(exec(client, 'true'), /Channel open failure/)
  channels[0]?.close()
  await until(async () => !(await rig.alive(container, 'sleep 1111')), 5_000)
  assert.ok(await rig.alive(container, 'sleep 1112'))
  assert.equal(await textOf(await exec(client, 'echo room')), 'room\n')
  client.end()
})

onEveryGateway('a session has sixteen connections at once', async (rig) => {
  const session = await rig.open(await rig.make())
  const clients = await Promise.all(Array.from({ length: 16 }, () => rig.connect(session)))
  await assert.rejects(rig.connect(session), /authentication methods failed/)
  clients[0]?.end()
  await until(() => rig.events.some(({ kind }) => kind === 'ssh_closed'))
  clients.push(await rig.connect(session))
  for (const client of clients) client.end()
})

onEveryGateway(
  'a reader that stands still slows the command; later it gets every byte of both streams',
  async (rig) => {
    const client = await rig.connect(await rig.open(await rig.make({ limits: { diskMiB: 64 } })))
    const part = 'head -c 30000000 /dev/zero'
    const channel = await exec(client, `${part}; ${part} >&2; ${part}; ${part} >&2; echo done >/tmp/done`)
    const before = process.memoryUsage().rss
    await pause(2_000)
    assert.ok(process.memoryUsage().rss - before < 48 * 2 ** 20, `${process.memoryUsage().rss - before} bytes more`)
    assert.equal(await textOf(await exec(client, 'cat /tmp/done')), '')
    const bytes = { stdout: 0, stderr: 0 }
    channel.on('data', (piece: Buffer) => (bytes.stdout += piece.length))
    channel.stderr.on('data', (piece: Buffer) => (bytes.stderr += piece.length))
    await once(channel, 'close')
    assert.deepEqual(bytes, { stdout: 60_000_000, stderr: 60_000_000 })
    client.end()
  },
)

onEveryGateway('a command that stands still slows the client; later it gets every byte', async (rig) => {
  const client = await rig.connect(await rig.open(await rig.make()))
  const channel = await exec(client, 'sleep 2; wc -c')
  const piece = Buffer.alloc(1_000_000)
  for (let at = 0; at < 20; at++) channel.write(piece)
  channel.end()
  assert.equal((await textOf(channel)).trim(), '20000000')
  client.end()
})

onEveryGateway('no forwarding, other subsystem or second command is granted', async (rig) => {
  const client = await rig.connect(await rig.open(await rig.make()))
  const refuses = (ask: (done: (error: unknown) => void) => void) =>
    new Promise<void>((ok, fail) => ask((error) => (error ? ok() : fail(new Error('it was granted')))))
  await refuses((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', rig.port, done))
  await refuses((done) => client.forwardIn('127.0.0.1', 0, done))
  await refuses((done) => client.openssh_forwardOutStreamLocal('/tmp/s', done))
  await refuses((done) => client.openssh_forwardInStreamLocal('/tmp/s', done))
  await refuses((done) => client.subsys('sftp-server', done))
  await refuses((done) => client.subsys('netconf', done))
  await refuses((done) => client.exec('true', { x11: true }, done))
  assert.equal(await textOf(await exec(client, 'echo on')), 'on\n')
  client.end()
})
