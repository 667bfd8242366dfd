// Output and input of commands, whole and within their credit.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Client, openResident, whole } from './client.ts'
import { creditPayload, type Frame, types } from './frames.ts'

const withInput = 1
const mebibyte = 1 << 20

/** gives credit for all that comes, and answers the digest and the size of standard output */
async function readAll(client: Client, command: number) {
  const hash = createHash('sha256')
  let size = 0
  for (;;) {
    const { type, payload } = await client.next(command, 'output', 'exit')
    if (type === types.exit) return { size, digest: hash.digest('hex'), status: payload.readUInt32BE() }
    hash.update(payload.subarray(1))
    size += payload.length - 1
    client.send(5, command, creditPayload(1, payload.length - 1))
  }
}

const sizeOf = (frames: readonly Frame[], stream: number) =>
  frames
    .filter(({ type, payload }) => type === types.output && payload[0] === stream)
    .reduce((sum, { payload }) => sum + payload.length - 1, 0)

/** after its answer, everything that the resident had to say was said */
async function settle(client: Client) {
  for (let i = 0; i < 3; i++) {
    client.send(8, 0, randomBytes(8))
    await client.next(0, 'pong')
    await setImmediate()
  }
}

test('no more output is sent than there is credit for, in each stream of its own', async (t) => {
  const client = openResident(t)
  const script = 'head -c 300000 /dev/zero >&2 & head -c 300000 /dev/zero; wait'
  client.start(1, ['sh', '-c', script], { credit: 1000 })
  await client.next(1, 'started')
  while (sizeOf(client.frames, 1) < 1000 || sizeOf(client.frames, 2) < 1000) await settle(client)
  await settle(client)
  assert.deepEqual([sizeOf(client.frames, 1), sizeOf(client.frames, 2)], [1000, 1000])
  client.send(5, 1, creditPayload(1, 400_000))
  while (sizeOf(client.frames, 1) < 300_000) await settle(client)
  assert.equal(sizeOf(client.frames, 2), 1000)
  client.send(5, 1, creditPayload(2, 400_000))
  assert.equal((await whole(client, 1)).value, 0)
  assert.equal(sizeOf(client.frames, 2), 300_000)
})

test('EXIT waits for the credit of the output before it, and other commands do not', async (t) => {
  const client = openResident(t)
  client.start(1, ['sh', '-c', 'echo 0123456789; exit 4'], { credit: 0 })
  await client.next(1, 'started')
  client.start(2, ['sh', '-c', 'sleep 0.05; echo other'])
  assert.equal((await whole(client, 2)).stdout, 'other\n')
  client.send(5, 1, creditPayload(1, 4))
  await settle(client)
  assert.ok(!client.frames.some(({ type, command }) => type === types.exit && command === 1))
  client.send(5, 1, creditPayload(1, 100))
  const { value, stdout } = await whole(client, 1)
  assert.deepEqual([value >> 8, stdout], [4, '0123456789\n'])
})

test('100 MiB of output come whole', async (t) => {
  const client = openResident(t)
  const seed = 'A'.repeat(64)
  client.start(1, ['sh', '-c', `yes ${seed} | head -c ${100 * mebibyte}`])
  const hash = createHash('sha256')
  const chunk = Buffer.from(`${seed}\n`.repeat(16_384))
  for (let left = 100 * mebibyte; left > 0; left -= chunk.length)
    hash.update(chunk.subarray(0, Math.min(left, chunk.length)))
  assert.deepEqual(await readAll(client, 1), { size: 100 * mebibyte, digest: hash.digest('hex'), status: 0 })
})

/** sends within the credit that comes */
async function sendInput(client: Client, command: number, data: Buffer) {
  for (let credit = 0, at = 0; at < data.length;) {
    credit += (await client.next(command, 'inputCredit')).payload.readUInt32BE()
    for (; credit > 0 && at < data.length;) {
      const part = data.subarray(at, at + Math.min(credit, 65_536))
      client.send(3, command, part)
      at += part.length
      credit -= part.length
    }
  }
}

test('input arrives whole, and its end is the end of the file', async (t) => {
  const client = openResident(t)
  const data = randomBytes(8 * mebibyte)
  client.start(1, ['cat'], { flags: withInput })
  const [result] = await Promise.all([readAll(client, 1), sendInput(client, 1, data).then(() => client.send(4, 1))])
  assert.deepEqual(result, { size: data.length, digest: createHash('sha256').update(data).digest('hex'), status: 0 })
})

test('input that a slow command leaves in the pipe gives no credit until it is taken', async (t) => {
  const client = openResident(t)
  client.start(2, ['sleep', '1000'], { flags: withInput })
  assert.equal((await client.next(2, 'inputCredit')).payload.readUInt32BE(), 65_536)
  client.send(3, 2, Buffer.alloc(65_536))
  let sent = 65_536
  for (let more: Frame | undefined; ;) {
    await settle(client)
    more = client.frames.find(({ type, command }) => type === types.inputCredit && command === 2)
    if (!more) break
    client.frames.splice(client.frames.indexOf(more), 1)
    client.send(3, 2, Buffer.alloc(more.payload.readUInt32BE()))
    sent += more.payload.readUInt32BE()
  }
  // what a pipe and the resident hold
  assert.ok(sent >= 65_536 && sent <= 131_072, `${sent}`)
})

test('a command that leaves input unread keeps its output, and one that closes its input runs on', async (t) => {
  const client = openResident(t)
  const data = randomBytes(4 * mebibyte)
  client.start(1, ['sh', '-c', 'exec <&-; sleep 0.2; head -c 200000 /dev/zero; exit 6'], { flags: withInput })
  await sendInput(client, 1, data)
  assert.deepEqual(await readAll(client, 1).then(({ size, status }) => [size, status >> 8]), [200_000, 6])
  client.start(2, ['sh', '-c', 'head -c 3; head -c 200000 /dev/zero'], { flags: withInput })
  client.send(3, 2, Buffer.from('abcdef'))
  assert.deepEqual(await readAll(client, 2).then(({ size, status }) => [size, status]), [200_003, 0])
})

test('what a command leaves behind does not delay EXIT, and can go on writing', async (t) => {
  const client = openResident(t)
  client.start(1, ['sh', '-c', '(while echo more; do sleep 0.01; done; echo failed >&2) & echo first; echo $!'])
  const { stdout, value } = await whole(client, 1)
  assert.equal(value, 0)
  const id = stdout.split('\n').find((line) => /^\d+$/.test(line))
  client.start(2, ['sh', '-c', `sleep 0.3; kill -0 ${id}`])
  assert.equal((await whole(client, 2)).value, 0)
  client.send(7, 1)
  await client.next(1, 'killed')
  client.start(3, ['kill', '-0', `${id}`])
  assert.notEqual((await whole(client, 3)).value, 0)
})
