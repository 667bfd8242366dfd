import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { freeChunk, pipeFreeing, sendFreeing } from '../../src/engine/free-chunks.ts'

const size = 65_536
const chunks = (count: number) => Array.from({ length: count }, (_, i) => Buffer.alloc(size, i + 1))

/** a sink that keeps copies of what it was given, and answers a write when it is told to */
function slowSink() {
  const taken: Buffer[] = []
  const waiting: ((error?: Error) => void)[] = []
  const write = (chunk: Buffer, _: string, done: (error?: Error | null) => void) => {
    taken.push(Buffer.from(chunk))
    waiting.push(done)
  }
  return { sink: new Writable({ highWaterMark: 2 * size, write }), taken, waiting }
}

const turn = () => new Promise((ok) => setImmediate(ok))

test('a chunk with memory of its own has no bytes left', () => {
  const chunk = Buffer.alloc(size, 'x')
  freeChunk(chunk)
  assert.deepEqual([chunk.length, chunk.buffer.byteLength], [0, 0])
})

test('a part of a larger memory, a small chunk and shared memory are left alone', () => {
  const whole = Buffer.alloc(size, 'x')
  const others = [whole.subarray(0, size - 1), Buffer.from('small'), Buffer.from(new SharedArrayBuffer(size))]
  for (const chunk of others) {
    const before = chunk.length
    freeChunk(chunk)
    assert.equal(chunk.length, before)
  }
  assert.ok(whole.every((byte) => byte === 0x78))
})

test('a chunk is freed once its write is done, and not before', async () => {
  const all = chunks(2)
  const { sink, taken, waiting } = slowSink()
  pipeFreeing(Readable.from(all), sink)
  await until(() => waiting.length > 0)
  assert.equal(all[0]?.length, size)
  waiting.shift()?.()
  await until(() => waiting.length > 0)
  assert.deepEqual([all[0]?.length, all[1]?.length], [0, size])
  assert.deepEqual(taken, chunks(2))
})

test('a chunk whose write failed keeps its bytes', async () => {
  const [chunk] = chunks(1)
  const { sink, waiting } = slowSink()
  const failed = new Error('failed')
  const errors: unknown[] = []
  sink.on('error', (error) => errors.push(error))
  pipeFreeing(Readable.from([chunk]), sink)
  await until(() => waiting.length > 0)
  waiting.shift()?.(failed)
  await until(() => errors.length > 0)
  assert.deepEqual([chunk?.length, errors], [size, [failed]])
})

test('a source waits for a slow sink, and its end ends the sink', async () => {
  const { sink, taken, waiting } = slowSink()
  let given = 0
  const source = new Readable({
    highWaterMark: size,
    read() {
      given += 1
      this.push(given > 20 ? null : Buffer.alloc(size, given))
    },
  })
  const sent = sendFreeing(source, sink)
  for (let i = 0; i < 50; i++) await turn()
  assert.ok(given < 6, `${given}`)
  await until(() => {
    waiting.shift()?.()
    return sink.writableFinished
  })
  await sent
  assert.deepEqual(taken, chunks(20))
})

test('a source that breaks off destroys its sink, and its error is thrown', async () => {
  const { sink } = slowSink()
  const broken = new Error('broken')
  const source = new Readable({ read: () => undefined })
  const sent = sendFreeing(source, sink)
  source.destroy(broken)
  await assert.rejects(sent, broken)
  assert.ok(sink.destroyed)
})

test('a source whose sink goes, or has gone, is destroyed', async () => {
  for (const isGone of [false, true]) {
    const { sink } = slowSink()
    const source = new Readable({ read: () => undefined })
    if (isGone) sink.destroy()
    const sent = sendFreeing(source, sink)
    sink.destroy()
    await assert.rejects(sent)
    assert.ok(source.destroyed)
  }
})
