import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test from 'node:test'
import { LightAbort } from '../../../base/core/abort.ts'
import { until } from '../../../base/test/until.ts'
import { createRelay, type RelayOptions } from '../../src/files/relay.ts'
import { collect } from './tars.ts'

const callerStalled = new Error('the source stands still')
const readerStalled = new Error('the reader stands still')

const relayOf = (source: Readable, more: Partial<RelayOptions> = {}) =>
  createRelay(source, {
    sizeBytes: 6,
    surplusBytes: 0,
    after: Buffer.alloc(0),
    bufferBytes: 1_000_000,
    stallMs: 60_000,
    signal: new LightAbort(),
    sourceStalled: () => callerStalled,
    readerStalled: () => readerStalled,
    hasReader: () => true,
    ...more,
  })

const bytes = (...parts: readonly string[]) => Readable.from(parts.map((part) => Buffer.from(part)))
/** gives what it is told to, and never ends by itself */
const open = () => new Readable({ read: () => undefined })

const text = async (stream: Readable) => (await collect(stream)).toString()

test('all bytes come in order, and after them what was to follow', async () => {
  const noted: string[] = []
  const note = (chunk: Buffer) => void noted.push(chunk.toString())
  const { stream, arrived } = relayOf(bytes('ab', 'cd', 'ef'), { after: Buffer.from('!'), note })
  assert.equal(await text(stream), 'abcdef!')
  await arrived
  assert.deepEqual(noted, ['ab', 'cd', 'ef'])
})

test('an empty source is only what follows it', async () => {
  const { stream, arrived } = relayOf(bytes(), { sizeBytes: 0, after: Buffer.from('!') })
  assert.equal(await text(stream), '!')
  await arrived
})

test('a surplus is dropped as far as it is allowed, wherever the chunks are cut', async () => {
  for (const parts of [['abcdefXY'], ['abcde', 'fXY'], ['abcdef', 'X', 'Y']]) {
    const noted: string[] = []
    const note = (chunk: Buffer) => void noted.push(chunk.toString())
    const { stream } = relayOf(bytes(...parts), { surplusBytes: 2, note })
    assert.equal(await text(stream), 'abcdef')
    assert.equal(noted.join(''), 'abcdef')
  }
})

test('a source that is too long or too short does not look whole', async () => {
  for (const parts of [['abcdefX'], ['abcde']]) {
    const { stream, arrived } = relayOf(bytes(...parts))
    await assert.rejects(text(stream), RangeError)
    await assert.rejects(arrived, RangeError)
  }
})

test('a source waits while enough has come for a reader that takes nothing', async () => {
  let given = 0
  const read = function (this: Readable) {
    given += 1
    this.push(Buffer.alloc(1000))
  }
  const source = new Readable({ highWaterMark: 1000, read })
  const { stream } = relayOf(source, { sizeBytes: 1_000_000, bufferBytes: 10_000 })
  await until(() => source.isPaused())
  assert.ok(given <= 13, `${given}`)
  const before = given
  stream.read(stream.readableLength)
  await until(() => given > before)
  // the rest of a source is dropped, and this one has no end
  source.destroy()
})

test('it ends with its signal, before and after its beginning, and leaves the source open', async () => {
  const reason = new Error('the caller left')
  for (const isEarly of [true, false]) {
    const source = open()
    const signal = new LightAbort()
    if (isEarly) signal.abort(reason)
    const { stream, arrived } = relayOf(source, { signal })
    if (!isEarly) signal.abort(reason)
    await assert.rejects(text(stream), reason)
    await assert.rejects(arrived, reason)
    assert.equal(source.destroyed, false)
  }
})

test('a source that breaks off, or had done so, breaks the stream off', async () => {
  const broken = new Error('broken')
  for (const [error, isEarly] of [[broken, false], [broken, true], [undefined, false], [undefined, true]] as const) {
    const source = open().on('error', () => undefined)
    if (isEarly) {
      source.destroy(error)
      await until(() => source.closed)
    }
    const { stream } = relayOf(source)
    if (!isEarly) source.destroy(error)
    await assert.rejects(text(stream), error ?? /broke off/)
  }
}) // prettier-ignore

test('a reader that leaves lets the owner of the source read to its end', async () => {
  const source = open()
  const { stream, arrived } = relayOf(source)
  source.push('ab')
  stream.destroy()
  await assert.rejects(arrived)
  source.push('cdefgh')
  source.push(null)
  await until(() => source.readableEnded)
})

test('who stands still is named: the source, or the reader once there is one', async () => {
  const silent = relayOf(open(), { stallMs: 50 })
  await assert.rejects(text(silent.stream), callerStalled)
  let hasReader = false
  const source = open()
  const { stream, arrived } = relayOf(source, { stallMs: 50, hasReader: () => hasReader })
  source.push('abcdef')
  source.push(null)
  await arrived
  hasReader = true
  await assert.rejects(new Promise((_, no) => stream.once('error', no)), readerStalled)
})
