import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'node:test'
import { LightAbort } from '../../../base/core/abort.ts'
import { EngineError } from '../../src/engine/port.ts'
import { createFiles } from '../../src/files/files.ts'
import { archiveOf, type Behaviour, mebibytes, oneCallAtATime } from './one-call-at-a-time.ts'
import { growthOf, refusal, usual, usualTarget } from './rig.ts'
import { collect, dir, file, tar } from './tars.ts'

const options = { mode: 0o644, createParents: false, ifAbsent: false }
const at = (path: string) => ({ ...usualTarget, container: 'ct_1', path })

function filesWith(behaviour: Behaviour = {}, stallMs = 60_000) {
  const target = oneCallAtATime(behaviour)
  return { ...target, files: createFiles({ engine: target.engine, limits: { ...usual, stallMs } }), signal: new LightAbort() }
} // prettier-ignore

test('a tree is looked for first, then written in batches of 4 MiB, and larger files by themselves', async () => {
  const { files, signal, sizes, content } = filesWith()
  const small = Array.from({ length: 12 }, (_, i) => file(`s${i}`, Buffer.alloc(1_000_000)))
  const parts = [...small, dir('d'), file('d/big', Buffer.alloc(5_000_000)), file('last', '1')]
  await files.putTree(at('/tmp'), Readable.from([tar(...parts)]), { createParents: false }, signal)
  assert.deepEqual([content.size, content.get('d/big'), content.get('last')], [14, 5_000_000, 1])
  assert.equal(sizes.length, 5)
  assert.ok(sizes.every((size) => size < 5_300_000))
})

test('an error in the middle of a batch leaves the batch unwritten', async () => {
  const { files, signal, sizes } = filesWith()
  const act = files.putTree(at('/tmp'), Readable.from([tar(file('good'), file('good'))]), { createParents: false }, signal)
  await assert.rejects(act, refusal('invalid_archive', { reason: 'duplicate', entry: 'good' }))
  assert.deepEqual(sizes, [])
}) // prettier-ignore

test('the body of a refused request can still be read by its owner', async () => {
  const { files, signal } = filesWith()
  const body = Readable.from([Buffer.concat([tar(file('a')), Buffer.alloc(3000, 'x')]), Buffer.from('more')], { objectMode: false }) // prettier-ignore
  await assert.rejects(files.putTree(at('/tmp'), body, { createParents: false }, signal), refusal('invalid_archive'))
  assert.equal(body.destroyed, false)
  body.resume()
  await new Promise((ok) => body.once('end', ok))
})

test('a caller that sends nothing more ends the transfer, whatever the size', async () => {
  for (const size of [1000, 5_000_000]) {
    const { files, signal } = filesWith({}, 200)
    const body = new Readable({ read: () => undefined })
    body.push(Buffer.alloc(500))
    await assert.rejects(files.putFile(at('/tmp/f'), body, size, options, signal), refusal('request_timeout'))
    assert.equal(body.destroyed, false)
  }
})

test('a caller that sends slowly, but goes on, is waited for', async () => {
  const { files, signal, content } = filesWith({}, 300)
  async function* slow() {
    for (let i = 0; i < 6; i++) {
      await sleep(100)
      yield Buffer.alloc(1_000_000)
    }
  }
  await files.putFile(at('/tmp/f'), Readable.from(slow(), { objectMode: false }), 6_000_000, options, signal)
  assert.equal(content.get('f'), 6_000_000)
})

test('an engine that takes nothing more ends the transfer', async () => {
  const read = (tar: Readable) => new Promise<void>((_, no) => tar.once('error', no).once('readable', () => undefined))
  const { files, signal } = filesWith({ read }, 200)
  const body = Readable.from(mebibytes(8), { objectMode: false })
  const isTimeout = (error: unknown) => error instanceof EngineError && error.fault === 'timeout'
  await assert.rejects(files.putFile(at('/tmp/f'), body, 8 * 2 ** 20, options, signal), isTimeout)
})

test('a caller that reads nothing more ends the transfer, and the engine is let go', async () => {
  const archive = archiveOf('read', 20)
  const { files, signal } = filesWith({ archive: () => archive, size: 20 * 2 ** 20 }, 200)
  const { body, sizeBytes } = await files.getFile(at('/read'), signal)
  assert.equal(sizeBytes, 20 * 2 ** 20)
  body.read(1)
  await assert.rejects(new Promise((_, no) => body.once('error', no)), refusal('request_timeout'))
  await sleep(20)
  assert.ok(archive.destroyed)
})

test('an engine that gives nothing more ends the transfer', async () => {
  const whole = await collect(archiveOf('read', 2))
  const archive = new Readable({ read: () => undefined })
  archive.push(whole.subarray(0, 1_500_000))
  const { files, signal } = filesWith({ archive: () => archive, size: 2 * 2 ** 20 }, 200)
  const { body } = await files.getFile(at('/read'), signal)
  await assert.rejects(collect(body), (error: unknown) => error instanceof EngineError && error.fault === 'timeout')
})

test('a file that breaks off before it is read harms nothing else', async () => {
  const { files, signal } = filesWith({ archive: () => archiveOf('read', 2), size: 2 * 2 ** 20 })
  const { body } = await files.getFile(at('/read'), signal)
  signal.abort(new Error('the caller is gone'))
  await sleep(20)
  assert.ok(body.destroyed)
})

test('a file that the engine cuts short does not look whole', async () => {
  const whole = await collect(archiveOf('read', 2))
  const { files, signal } = filesWith({
    archive: () => Readable.from([whole.subarray(0, 1_500_000)]),
    size: 2 * 2 ** 20,
  })
  const { body } = await files.getFile(at('/read'), signal)
  await assert.rejects(collect(body))
})

test('a file whose size is another after it was written is no success', async () => {
  const { files, signal, content } = filesWith({ read: async (tar) => void (await collect(tar), content.set('f', 3)) })
  const act = files.putFile(at('/tmp/f'), Readable.from([Buffer.from('four')]), 4, options, signal)
  await assert.rejects(act, (error: unknown) => error instanceof EngineError && error.fault === 'failed')
})

test('a full disk, and a directory that went meanwhile, are told as such', async () => {
  for (const [fault, code] of [['no_space', 'disk_full'], ['path_gone', 'parent_not_found']] as const) {
    const { files, signal } = filesWith({ read: () => Promise.reject(new EngineError(fault)) })
    for (const size of [4, 8 * 2 ** 20]) {
      const body = size === 4 ? Readable.from([Buffer.from('four')]) : Readable.from(mebibytes(8), { objectMode: false })
      await assert.rejects(files.putFile(at('/tmp/f'), body, size, options, signal), refusal(code))
    }
  }
}) // prettier-ignore

test('256 MiB in and out, as a file and as a tree, take less than 64 MiB more memory', async () => {
  const size = 256 * 2 ** 20
  const archive = () => archiveOf('tmp/read', 256)
  const { files, signal, content } = filesWith({ archive, size })
  const body = () => Readable.from(mebibytes(256), { objectMode: false })
  const drain = async (stream: Readable) => {
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length
    assert.ok(bytes >= size)
  }
  const works = [
    () => files.putFile(at('/tmp/f'), body(), size, options, signal),
    async () => drain((await files.getFile(at('/read'), signal)).body),
    () => files.putTree(at('/tmp'), archiveOf('t', 256), { createParents: false }, signal),
    async () => drain(await files.getTree({ ...at('/tmp') }, signal)),
  ]
  for (const work of works) {
    const growth = await growthOf(work)
    assert.ok(growth < 64, `${Math.round(growth)} MiB`)
  }
  assert.deepEqual([content.get('f'), content.get('t')], [size, size])
})
