import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

/** what is in the temporary folder of the service, without the rig's own */
function ownTemporaryFolder(t: TestContext): () => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-names-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  t.after(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  })
  return () => readdirSync(folder).filter((name) => !name.startsWith('atelier-rig-'))
}

test('a service that is killed in a build leaves nothing in the temporary folder', async (t) => {
  const names = ownTemporaryFolder(t)
  const { call, key, rig } = await openUsedRig(t)
  const files = [{ path: 'a', contentBase64: 'YQ==' }]
  const body = { name: 'mine', dockerfile: 'FROM base\nRUN ["hang"]', files }
  const { status, body: image } = await call('POST', '/images', { key, body })
  assert.equal(status, 202)
  await until(async () => (await call('GET', `/images/${image.id}`, { key })).body.status === 'building')
  assert.deepEqual(names(), [])
  await rig.restart()
  assert.deepEqual(names(), [])
})
