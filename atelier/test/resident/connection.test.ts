// What stays and what ends when a connection is lost and another comes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { type Client, openResident, whole } from './client.ts'
import { frame, helloFrame, startPayload } from './frames.ts'

const keep = 4
const padding = Buffer.alloc(65_536 + 16)

/** a file that a script waits for with `waitFor` */
function signalFile(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'resident-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'go')
  return { waitFor: `while ! [ -e ${file} ]; do sleep 0.01; done`, go: () => writeFileSync(file, '') }
}

const idsIn = (payload: Buffer): number[] =>
  Array.from({ length: payload.readUInt32BE(18) }, (_, i) => payload.readUInt32BE(22 + 4 * i))

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
const processOf = async (client: Client, command: number) =>
  (await client.next(command, 'started')).payload.readUInt32BE()

test('HELLO answers the nonce, the version and the place, and PING its bytes', async (t) => {
  const client = openResident(t)
  const nonce = randomBytes(16)
  const { payload } = await client.hello(nonce)
  assert.deepEqual(payload, Buffer.concat([nonce, Buffer.from([1, 0, 0, 0, 0, 0])]))
  client.send(8, 0, Buffer.from('12345678'))
  assert.equal((await client.next(0, 'pong')).payload.toString(), '12345678')
})

test('a new connection finds KEEP commands, and the others are ended before it is answered', async (t) => {
  const client = openResident(t)
  const { waitFor, go } = signalFile(t)
  client.start(1, ['sh', '-c', 'trap "" TERM HUP; (sleep 1000 &); sleep 1000'])
  client.start(2, ['sh', '-c', `head -c 200000 /dev/zero; ${waitFor}; exit 12`], { flags: keep, credit: 10 })
  client.start(3, ['sleep', '1000'], { flags: keep })
  const ids = [await processOf(client, 1), await processOf(client, 2), await processOf(client, 3)]
  assert.deepEqual(idsIn((await client.hello()).payload), [2, 3])
  assert.deepEqual(ids.map(isRunning), [false, true, true])
  // its output is dropped, so that it can go on
  go()
  assert.equal((await client.next(2, 'exit')).payload.readUInt32BE() >> 8, 12)
  client.start(1, ['echo', 'again'])
  assert.equal((await whole(client, 1)).stdout, 'again\n')
  client.send(7, 3)
  await client.next(3, 'killed')
  assert.ok(!isRunning(ids[2]!))
})

const start = frame(2, 7, startPayload(['sleep', '1000', 'x'.repeat(3000)], { env: ['A=b'] }))
const cuts: readonly [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a type', start.subarray(0, 1)],
  ['half a head', start.subarray(0, 6)],
  ['a head', start.subarray(0, 9)],
  ['half of a START', start.subarray(0, 500)],
  ['nearly a START', start.subarray(0, -1)],
  ['the head of the longest frame', frame(3, 9, Buffer.alloc(65_536)).subarray(0, 9)],
  ['the longest frame without its last byte', frame(3, 9, Buffer.alloc(65_536)).subarray(0, -1)],
  ['a part of a START', frame(12, 8, start)],
  ['half of a HELLO', helloFrame(randomBytes(16)).subarray(0, 15)],
]

test('after a cut in the middle of a frame, padding and HELLO begin anew', async (t) => {
  const client = openResident(t)
  for (const [name, bytes] of cuts) {
    client.child.stdin!.write(Buffer.concat([bytes, padding]))
    assert.deepEqual(idsIn((await client.hello()).payload), [], name)
    client.frames.length = 0
    client.start(1, ['echo', name])
    assert.equal((await whole(client, 1)).stdout, `${name}\n`)
  }
})

test('a START larger than a frame comes in parts', async (t) => {
  const client = openResident(t)
  const argument = 'y'.repeat(100_000)
  const sendParts = (command: number, payload: Buffer, step = 65_536) => {
    let at = 0
    for (; at + step < payload.length; at += step) client.send(12, command, payload.subarray(at, at + step))
    client.send(2, command, payload.subarray(at))
  }
  sendParts(1, startPayload(['sh', '-c', 'echo ${#1} ${#2} $#', 'sh', argument, ...Array<string>(9000).fill('z')]))
  assert.equal((await whole(client, 1)).stdout, '100000 1 9001\n')
  sendParts(2, startPayload(['sh', '-c', 'echo ${#LONG}'], { env: [`LONG=${argument}`] }), 1000)
  assert.equal((await whole(client, 2)).stdout, '100000\n')
  sendParts(3, startPayload(['true', 'y'.repeat(200_000)]))
  assert.deepEqual(await whole(client, 3).then(({ value, errno }) => [value, errno]), [2, 7])
  sendParts(4, startPayload(['true', ...Array<string>(12).fill(argument)]))
  assert.deepEqual(await whole(client, 4).then(({ value, errno }) => [value, errno]), [3, 7])
  client.start(5, ['true'])
  assert.equal((await whole(client, 5)).value, 0)
})

test('an id in use, id 0 and a second start are refused, and KILL of what is gone is answered', async (t) => {
  const client = openResident(t)
  client.start(1, ['sleep', '1000'])
  await client.next(1, 'started')
  for (const id of [1, 0]) {
    client.start(id, ['true'])
    assert.deepEqual((await client.next(id, 'failed')).payload, Buffer.from([4, 0, 0, 0, 17]))
  }
  for (const id of [1, 1, 99]) {
    client.send(7, id)
    await client.next(id, 'killed')
  }
  assert.equal((await client.next(1, 'exit')).payload.readUInt32BE(), 9)
})

for (const [name, end] of [
  ['the end of its input', (client: Client) => client.child.stdin!.end()],
  ['SIGTERM', (client: Client) => client.child.kill('SIGTERM')],
  ['the end of its reader', (client: Client) => client.child.stdout!.destroy()],
  ['an impossible length', (client: Client) => client.child.stdin!.write(Buffer.alloc(9, 255))],
] as const)
  test(`${name} ends what is not KEEP; the resident ends after the rest`, async (t) => {
    const client = openResident(t)
    const { waitFor, go } = signalFile(t)
    client.start(1, ['sh', '-c', 'trap "" TERM; setsid sleep 1000 & while :; do echo; sleep 0.01; done'])
    client.start(2, ['sh', '-c', `head -c 200000 /dev/zero; ${waitFor}`], { flags: keep })
    client.start(3, ['sh', '-c', `(${waitFor}) & echo $!`])
    const ids = [await processOf(client, 1), await processOf(client, 2)]
    const left = Number((await whole(client, 3)).stdout)
    end(client)
    await until(() => !isRunning(ids[0]!))
    assert.deepEqual([ids[1]!, left].map(isRunning), [true, true])
    const ended = once(client.child, 'exit')
    go()
    const [code] = (await ended) as [number]
    assert.equal(code, name === 'an impossible length' ? 1 : 0)
    assert.deepEqual([ids[1]!, left].map(isRunning), [false, false])
  })
