// Commands with a terminal.
import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { type Client, openResident, whole } from './client.ts'
import { types } from './frames.ts'

const withTerminal = 2

const outputOf = (client: Client, command: number): string =>
  client.frames
    .filter((one) => one.type === types.output && one.command === command)
    .map(({ payload }) => payload.subarray(1).toString())
    .join('')

const size = (columns: number, rows: number): Buffer =>
  Buffer.from([columns >> 8, columns & 255, rows >> 8, rows & 255])

test('a terminal has a size, is the controlling one, and is named by TERM', async (t) => {
  const client = openResident(t, { env: { PATH: '/usr/bin:/bin' } })
  client.start(1, ['sh', '-c', 'stty size; echo tty >/dev/tty; echo $TERM; test -t 2; echo $?'], {
    flags: withTerminal,
    size: [101, 33],
  })
  const { stdout, value } = await whole(client, 1)
  assert.match(stdout, /^33 101\r\ntty\r\nxterm\r\n0\r\n$/)
  assert.equal(value, 0)
  client.start(2, ['sh', '-c', 'echo $TERM'], { flags: withTerminal, env: ['TERM=vt100'] })
  assert.equal((await whole(client, 2)).stdout, 'vt100\r\n')
})

test('a new size is signalled', async (t) => {
  const client = openResident(t)
  const script = 'trap "stty size; exit 5" WINCH; echo ready; while :; do sleep 0.05; done'
  client.start(1, ['sh', '-c', script], { flags: withTerminal })
  await until(() => outputOf(client, 1).includes('ready'))
  client.send(6, 1, size(300, 200))
  const { stdout, value } = await whole(client, 1)
  assert.match(stdout, /ready\r\n200 300\r\n$/)
  assert.equal(value >> 8, 5)
})

test('Ctrl-C interrupts, and the end of input is the end of the file', async (t) => {
  const client = openResident(t)
  client.start(1, ['cat'], { flags: withTerminal })
  await client.next(1, 'inputCredit')
  client.send(3, 1, Buffer.from('ready\n'))
  // its echo, and cat's
  await until(() => outputOf(client, 1) === 'ready\r\nready\r\n')
  client.send(3, 1, Buffer.from('\x03'))
  assert.equal((await whole(client, 1)).value, 2)
  client.start(2, ['cat'], { flags: withTerminal })
  await client.next(2, 'inputCredit')
  client.send(3, 2, Buffer.from('line\n'))
  client.send(4, 2)
  const { stdout, value } = await whole(client, 2)
  assert.deepEqual([stdout, value], ['line\r\nline\r\n', 0])
})

test('all output of a terminal comes before EXIT, even if something else keeps it open', async (t) => {
  const client = openResident(t)
  client.start(1, ['sh', '-c', 'trap "" HUP; sleep 1000 & seq 1 20000; exit 9'], { flags: withTerminal })
  const { stdout, value } = await whole(client, 1)
  assert.equal(value >> 8, 9)
  assert.ok(stdout.endsWith('19999\r\n20000\r\n'))
  assert.equal(stdout.split('\r\n').length, 20_001)
  client.send(7, 1)
  await client.next(1, 'killed')
})
