// Images that the engine lost: after a prune, or while its storage is not mounted.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { examineImages } from '../../src/doctor/engine-content.ts'
import { serveOn } from '../client/engine-rig.ts'
import { onEveryEngine } from '../engines.ts'
import { call, openUsedRig } from '../service-rig.ts'

const lostError = { type: 'engine_error', message: 'The engine no longer has this image.', step: null }

async function openScene(t: TestContext) {
  const scene = await openUsedRig(t)
  const { key, rig } = scene
  const stateOf = async (id: string) => (await rig.call('GET', `/images/${id}`, { key })).body
  async function build(name: string): Promise<string> {
    const { body, text } = await rig.call('POST', '/images', { key, body: { name, dockerfile: 'FROM base\nENV A=1' } })
    assert.ok(body.id, text)
    await until(async () => (await stateOf(body.id)).status === 'ready')
    return body.id
  }
  const told = (id: string) =>
    rig.service.events.flatMap((event) => ('imageId' in event && event.imageId === id ? [event.kind] : []))
  return { ...scene, stateOf, build, told }
}

test('an image that the engine lost becomes failed when it is used, with its reason, and counts no more', async (t) => {
  const { engine, build, stateOf, create, told, rig, key } = await openScene(t)
  const id = await build('mine')
  engine.images.delete(id)
  for (const image of [id, id]) {
    const { status, body } = await create({ image })
    assert.deepEqual([status, body.error.type, body.error.details], [409, 'image_not_ready', { status: 'failed' }])
    assert.equal(body.error.retryable, undefined)
    assert.match(body.error.message, /Its `error` says why/)
  }
  const { status, error } = await stateOf(id)
  assert.deepEqual([status, error], ['failed', lostError])
  assert.deepEqual(
    told(id).filter((kind) => kind !== 'build_ended'),
    ['image_lost'],
  )
  const { usage } = (await rig.call('GET', '/subscription/config', { key })).body.current
  assert.deepEqual([usage.images, usage.containers], [0, 0])
  // its name is free
  await build('mine')
  assert.equal((await create({ image: 'mine' })).status, 201)
  const findings = await examineImages(
    { images: async () => engine.images },
    await rig.service.core.store.images.living(),
  )
  assert.match(findings.map(({ problem }) => problem).join(), /no longer has 1 image of accounts/)
})

test('a reconciliation finds lost images, and makes them ready when the engine has them again', async (t) => {
  const { engine, build, stateOf, create, told, rig } = await openScene(t)
  const [first, second] = [await build('first'), await build('second')]
  const kept = new Map(engine.images)
  engine.images.clear()
  await rig.restart()
  await until(async () => (await stateOf(first)).status === 'failed' && (await stateOf(second)).status === 'failed')
  // another image has the name of the second one meanwhile
  const other = await build('second')
  for (const [id, engineId] of kept) engine.images.set(id, engineId)
  await rig.restart()
  await until(async () => (await stateOf(first)).status === 'ready')
  assert.deepEqual([(await stateOf(first)).error, told(first)], [null, ['image_regained']])
  assert.equal((await create({ image: first })).status, 201)
  assert.deepEqual([(await stateOf(second)).status, (await stateOf(other)).status], ['failed', 'ready'])
})

test('an engine that does not answer, or says nothing clear, loses no image', async (t) => {
  const { engine, build, stateOf, create } = await openScene(t)
  const id = await build('mine')
  engine.leave()
  assert.equal((await create({ image: id })).status, 503)
  engine.comeBack()
  assert.equal((await create({ image: id })).status, 201)
  assert.equal((await stateOf(id)).status, 'ready')
})

onEveryEngine('an image that was removed behind the back of the service becomes failed when it is used', async (at) => {
  const { url, key, close } = await serveOn(at)
  try {
    const made = await call(url, 'POST', '/images', { key, body: { name: 'mine', dockerfile: 'FROM base\nENV A=1' } })
    const stateOf = async () => (await call(url, 'GET', `/images/${made.body.id}`, { key })).body
    await until(async () => (await stateOf()).status === 'ready')
    await at.engine.removeImage(made.body.id)
    const { status, body } = await call(url, 'POST', '/containers', { key, body: { image: 'mine' } })
    assert.deepEqual([status, body.error.type], [409, 'image_not_ready'])
    const { status: now, error } = await stateOf()
    assert.deepEqual([now, error], ['failed', lostError])
  } finally {
    await close()
  }
})
