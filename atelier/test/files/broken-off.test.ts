// An engine that took a whole request and gives no reply, as one does that is removing the container.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test, { type TestContext } from 'node:test'
import { createEngine } from '../../src/engine/create-engine.ts'
import { createFiles } from '../../src/files/files.ts'
import { usual, usualTarget } from './rig.ts'

const stateOf = (mode: number) => Buffer.from(JSON.stringify({ size: 0, mode, mtime: '2026-01-01T00:00:00Z' })).toString('base64') // prettier-ignore
const folderState = stateOf(2 ** 31 + 0o755)

async function silentEngine(t: TestContext, isSilent: (method: string) => boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  const asked = Promise.withResolvers<void>()
  const server = createServer((req, res) => {
    const { method = '', url = '' } = req
    if (isSilent(method)) {
      req.resume().once('end', asked.resolve)
      return
    }
    const isFolder = new URL(url, 'http://engine').searchParams.get('path') === '/tmp'
    if (method === 'HEAD' && isFolder) res.setHeader('x-docker-container-path-stat', folderState)
    res.statusCode = method === 'HEAD' && !isFolder ? 404 : 200
    res.end(JSON.stringify({ Id: 'x', Version: '20.10', Config: {}, State: {} }))
  })
  const socket = join(folder, 'engine.sock')
  server.listen(socket)
  await once(server, 'listening')
  const engine = createEngine({ socket, instance: 'test', runtime: null })
  t.after(() => {
    engine.close()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return { engine, asked: asked.promise }
}

for (const [what, method] of [
  ['has sent its whole file', 'PUT'],
  ['looks for its place', 'HEAD'],
] as const)
  // prettier-ignore
  test(`a write that ${what} ends with its container, without a reply of the engine`, async (t) => {
    const { engine, asked } = await silentEngine(t, (one) => one === method)
    const files = createFiles({ engine, limits: usual })
    const ended = new AbortController()
    const target = { ...usualTarget, container: 'ct_1', path: '/tmp/f' }
    const options = { mode: 0o644, createParents: false, ifAbsent: false }
    const written = files.putFile(target, Readable.from([Buffer.from('x')]), 1, options, ended.signal)
    written.catch(() => undefined)
    await asked
    ended.abort(new Error('the container is gone'))
    await assert.rejects(written)
  })
