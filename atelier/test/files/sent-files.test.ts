import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import test, { type TestContext } from 'node:test'
import { writeTar } from '../../src/files/write-tar.ts'
import { openUsedRig } from '../service-rig.ts'

const size = 3_000_000
const plain = { mode: 0o644, modifiedAt: new Date(0), linkTarget: null }

/** a service whose engine has one file, and gives its first bytes */
async function openWithFile(t: TestContext, content: Buffer, givenBytes = Infinity) {
  const opened = await openUsedRig(t)
  const { body } = await opened.create()
  const { engine } = opened.rig.service.core
  const isFile = (path: string) => path === '/f'
  engine.stat = (_, path) => Promise.resolve({ ...plain, type: isFile(path) ? 'file' : 'directory', size })
  engine.getArchive = async () => {
    const parts: Uint8Array[] = []
    const item = { ...plain, path: 'f', type: 'file', size, body: content } as const
    for await (const part of writeTar([item], { uid: 0, gid: 0 })) parts.push(part)
    const whole = Buffer.concat(parts).subarray(0, givenBytes)
    const chunks = Array.from({ length: Math.ceil(whole.length / 65_536) }, (_, i) =>
      Buffer.concat([whole.subarray(i * 65_536, (i + 1) * 65_536)]),
    )
    return Readable.from(chunks, { objectMode: false })
  }
  return { ...opened, path: `/containers/files?containerId=${body.id}&path=/f` }
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

test('a file is sent byte for byte', async (t) => {
  const content = Buffer.from(randomBytes(size / 2).toString('hex'))
  const { call, key, path } = await openWithFile(t, content)
  const answer = await call('GET', path, { key })
  assert.deepEqual([answer.status, answer.headers['content-length']], [200, String(size)])
  assert.equal(sha256(answer.text), sha256(content))
})

test('a file that the engine breaks off does not look whole to its caller, and the service goes on', async (t) => {
  const { call, key, path } = await openWithFile(t, Buffer.alloc(size), size / 2)
  await assert.rejects(call('GET', path, { key }))
  assert.equal((await call('GET', '/containers', { key })).status, 200)
})

test('a caller that leaves in the middle of a file harms nobody', async (t) => {
  const { call, key, path } = await openWithFile(t, Buffer.alloc(size))
  for (let i = 0; i < 5; i++) {
    const leaves = AbortSignal.timeout(i * 5)
    await call('GET', path, { key, signal: leaves }).catch(() => undefined)
  }
  assert.equal((await call('GET', path, { key })).text.length, size)
})
