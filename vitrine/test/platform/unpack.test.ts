// Small bodies are unpacked at once, and large ones on another thread: both give the same, and refuse the same.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { release, unpack } from '../../src/platform/call/body.ts'
import { Problem } from '../../src/problems.ts'

const KiB = 1024
const MiB = 1024 * KiB
const isMalformed = (error: unknown) => error instanceof Problem && error.code === 'upstream_malformed'

/** gzip that says a size of its own in its end */
function claiming(document: Buffer, size: number): Buffer {
  const packed = gzipSync(document)
  packed.writeUInt32LE(size, packed.length - 4)
  return packed
}

for (const [what, document] of [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from('1')],
  ['as much as is unpacked at once', Buffer.alloc(MiB, 'x')],
  ['a byte more', Buffer.alloc(MiB + 1, 'x')],
  ['the most', Buffer.alloc(8 * MiB, 'x')],
  ['what packs badly, at once', randomBytes(200 * KiB)],
  ['what packs badly, on another thread', randomBytes(300 * KiB)],
] as const)
  test(`${what} is unpacked whole, in one part or in several`, async () => {
    const packed = gzipSync(document)
    const middle = packed.length >> 1
    assert.ok(document.equals(await unpack([packed])))
    assert.ok(document.equals(await unpack([packed.subarray(0, middle), packed.subarray(middle)])))
  })

for (const size of [10, 2 * MiB]) {
  const document = Buffer.alloc(size, 'x')
  const packed = gzipSync(document)
  const wrongSum = Buffer.from(packed)
  wrongSum.writeUInt8(packed.readUInt8(packed.length - 6) ^ 1, packed.length - 6)
  for (const [what, body] of [
    ['cut off', packed.subarray(0, -9)],
    ['with a wrong sum', wrongSum],
    ['with a wrong length', claiming(document, size + 1)],
    ['without its head', deflateRawSync(document)],
    ['empty', Buffer.alloc(0)],
  ] as const)
    test(`a body of ${size} bytes ${what} is refused`, () => assert.rejects(unpack([body]), isMalformed))
}

test('more than the most is refused', () =>
  assert.rejects(unpack([gzipSync(Buffer.alloc(8 * MiB + 1, 'x'))]), isMalformed))

test('at once is in one step, whatever the parts', async () => {
  const text = Buffer.from(JSON.stringify(Array.from({ length: 60_000 }, (_, at) => at)))
  const packed = gzipSync(text)
  for (const parts of [[packed], [packed.subarray(0, 9), packed.subarray(9)]]) {
    const unpacked = await unpack(parts)
    assert.ok(unpacked.equals(text))
    // several steps are joined in a buffer of exactly that size
    assert.equal(unpacked.buffer.byteLength, text.length + 1)
  }
})

test('a trailer that says something else is found out', async () => {
  const packed = gzipSync('{"data":[]}')
  for (const length of [0, 10, 12, 2 ** 20, 2 ** 32 - 1]) {
    const other = Buffer.from(packed)
    other.writeUInt32LE(length, other.length - 4)
    await assert.rejects(unpack([other]), { code: 'upstream_malformed' }, `${length}`)
  }
  const twice = Buffer.concat([gzipSync('1'.repeat(100_000)), gzipSync('2')])
  assert.equal((await unpack([twice])).toString(), `${'1'.repeat(100_000)}2`)
})

test('memory of its own is given back, and memory that other buffers share is not', async () => {
  const half = Buffer.poolSize / 2
  for (const bytes of [100, half - 2, half - 1, half, 130 * KiB, 2 * MiB]) {
    const other = Buffer.from('another')
    const whole = Buffer.alloc(bytes, 'x')
    // two members are put together from parts
    for (const packed of [gzipSync(whole), Buffer.concat([gzipSync(whole.subarray(1)), gzipSync('x')])]) {
      const unpacked = await unpack([packed])
      assert.equal(unpacked.length, bytes)
      release(unpacked)
      assert.equal(unpacked.length, bytes >= half ? 0 : bytes)
      assert.equal(other.toString(), 'another')
    }
  }
})
