import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Atelier } from '../../client/atelier.ts'
import { all, failureOf } from './scene.ts'
import { onService } from './engine-rig.ts'

onService('files and trees go in and out byte for byte, whole or as streams', async ({ url, key }) => {
  const atelier = new Atelier({ url, key })
  const { id: containerId } = await atelier.createContainer({ image: 'base' })
  const bytes = randomBytes(300_000)
  const written = await atelier.putFile({ containerId, path: '/home/u/in/a.bin', createParents: true }, bytes)
  assert.equal(written.sizeBytes, bytes.length)
  const file = await atelier.readFile({ containerId, path: '/home/u/in/a.bin' })
  assert.deepEqual([file.sizeBytes, file.mode], [bytes.length, '0644'])
  assert.ok(bytes.equals(await file.bytes()))
  const copy = { containerId, path: '/home/u/in/b.bin', mode: '0600', sizeBytes: bytes.length }
  await atelier.putFile(copy, (await atelier.readFile({ containerId, path: '/home/u/in/a.bin' })).body)
  const tree = await atelier.readFileTree({ containerId, path: '/home/u/in' })
  await atelier.putFileTree({ containerId, path: '/home/u/out', createParents: true }, tree.body)
  const command = ['sh', '-c', 'cd /home/u && cmp in/a.bin out/a.bin && cmp in/a.bin out/b.bin && ls -l out/b.bin']
  const { exitCode, stdout } = await atelier.runCommand({ containerId, command })
  assert.equal(exitCode, 0)
  assert.match(stdout, /^-rw-------/)
  const lost = await failureOf(atelier.readFile({ containerId, path: '/home/u/none' }))
  assert.equal(lost.type, 'file_not_found')
  // what is not read leaves nothing behind that would delay the end
  await (await atelier.readFile({ containerId, path: '/home/u/in/a.bin' })).body.cancel()
  await atelier.deleteContainer({ id: containerId, graceSeconds: 0 })
})

onService('an image is built from files or a context, and its log is followed to the end', async ({ url, key }) => {
  const atelier = new Atelier({ url, key })
  const dockerfile = 'FROM base\nCOPY a.txt /a.txt\nRUN cat /a.txt'
  const files = [{ path: 'a.txt', contentBase64: Buffer.from('from a file\n').toString('base64') }]
  const { id } = await atelier.createImage({ name: 'one', dockerfile, files })
  const events = await all(atelier.readImageLog({ id, follow: true }))
  assert.deepEqual(events.at(-1), { type: 'end', status: 'ready' })
  assert.ok(events.some((event) => event.type === 'log' && event.data.includes('from a file')))
  const { id: containerId } = await atelier.createContainer({ image: 'base' })
  await atelier.putFile({ containerId, path: '/home/u/c/a.txt', createParents: true }, 'from a context\n')
  for (const isStream of [true, false]) {
    const { body } = await atelier.readFileTree({ containerId, path: '/home/u/c' })
    const context = isStream ? body : await new Response(body).blob()
    // of a cached step the log has no output
    const built = await atelier.createImageWithContext({ name: `two-${isStream}`, dockerfile, noCache: true }, context)
    const log = await all(atelier.readImageLog({ id: built.id, follow: true }))
    assert.ok(log.some((event) => event.type === 'log' && event.data.includes('from a context')))
    await atelier.deleteImage({ id: built.id })
  }
  await atelier.deleteImage({ id })
  await atelier.deleteContainer({ id: containerId, graceSeconds: 0 })
})
