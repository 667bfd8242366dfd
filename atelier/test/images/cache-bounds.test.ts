// What is kept for later builds, and for how long: bounds, age, accounts, settings. Over an engine in memory.
import assert from 'node:assert/strict'
import test from 'node:test'
import { EngineError } from '../../src/engine/port.ts'
import { makeId } from '../../src/ids.ts'
import { openCacheRig } from './cache-rig.ts'

const day = 24 * 60 * 60_000
const runs = (...words: readonly string[]) => `FROM base\n${words.map((word) => `RUN ["say","${word}"]`).join('\n')}`
const names = async (rig: Awaited<ReturnType<typeof openCacheRig>>) => (await rig.kept()).map(({ id }) => id)

test('the least recently used go first, and what is larger than the bound is not kept', async (t) => {
  let at = 1
  // each step holds 1,000 bytes
  const rig = await openCacheRig(t, { bounds: { checkpoints: 3, bytes: 3_500 }, now: () => at++ })
  await rig.build(runs('a', 'b'))
  await rig.build(runs('c'))
  assert.deepEqual((await rig.build(runs('a'))).cached, [2])
  await rig.build(runs('d'))
  assert.equal((await rig.kept()).length, 3)
  assert.deepEqual((await rig.build(runs('a', 'b'))).cached, [2])
  assert.deepEqual((await rig.build(runs('c'))).cached, [])
  await rig.assertAccounted()
  const small = await openCacheRig(t, { bounds: { checkpoints: 3, bytes: 999 } })
  await small.build(runs('a'))
  const off = await openCacheRig(t, { bounds: { checkpoints: 0, bytes: 10_000 } })
  await off.build(runs('a'))
  for (const { kept, engine } of [small, off]) {
    assert.deepEqual(await kept(), [])
    assert.equal(engine.images.size, 1)
  }
})

test('what no build used for seven days goes with the next sweep', async (t) => {
  let at = 0
  const rig = await openCacheRig(t, { now: () => at })
  await rig.build(runs('a'))
  at = 1
  await rig.build(runs('b'))
  at = 6 * day
  assert.deepEqual((await rig.build(runs('a'))).cached, [2])
  const [used] = await names(rig)
  at = 7 * day + 1
  await rig.process.images.reconcile()
  assert.deepEqual(await names(rig), [used])
  await rig.assertAccounted()
  at = 13 * day
  await rig.process.images.reconcile()
  assert.deepEqual(await names(rig), [])
  await rig.assertAccounted()
})

test('a base image that was replaced takes what stands on it along', async (t) => {
  const rig = await openCacheRig(t)
  await rig.build(runs('a'))
  const { images } = rig.process.store
  const [base] = (await images.living()).filter(({ account }) => account === null)
  await images.addBase({ ...base!, id: makeId('img'), engineId: 'sha256:newer', createdAt: 9 })
  assert.deepEqual((await rig.build(runs('a'))).cached, [])
  assert.equal((await rig.kept()).length, 2)
  await rig.process.images.reconcile()
  assert.deepEqual((await rig.kept()).map(({ base: stood }) => stood), ['sha256:newer']) // prettier-ignore
  await rig.assertAccounted()
})

test('an account sees nothing of what another one built, and its removals touch nothing of it', async (t) => {
  const rig = await openCacheRig(t)
  const other = makeId('acc')
  const { image } = await rig.build(runs('a', 'b'))
  const foreign = await rig.build(runs('a', 'b'), other)
  assert.deepEqual(foreign.cached, [])
  const keys = async (account: string) => (await rig.kept(account)).map(({ key }) => key)
  assert.equal(new Set([...(await keys(rig.account)), ...(await keys(other))]).size, 4)
  await rig.process.images.delete(rig.account, image.id)
  assert.deepEqual([(await rig.kept()).length, (await rig.kept(other)).length], [0, 2])
  assert.deepEqual((await rig.build(runs('a', 'b'), other)).cached, [2, 3])
  await rig.assertAccounted()
})

test('what the engine refuses to remove, or to make, is tried again or left out', async (t) => {
  const rig = await openCacheRig(t)
  await rig.build(runs('a'))
  const [row] = await rig.kept()
  rig.engine.faults.set('removeImage', new EngineError('image_in_use'))
  assert.equal(await rig.process.checkpoints.drop(row!.id), false)
  rig.engine.faults.set('removeImage', new EngineError('unavailable'))
  await rig.process.images.reconcile()
  assert.deepEqual((await rig.kept()).map(({ status }) => status), ['evicted']) // prettier-ignore
  assert.deepEqual((await rig.build(runs('a'))).cached, [])
  await rig.process.images.reconcile()
  await rig.assertAccounted()
  rig.engine.faults.set('checkpoint', new EngineError('no_space'))
  assert.deepEqual((await rig.build(runs('c', 'd'))).cached, [])
  assert.deepEqual((await rig.build(runs('c', 'd'))).cached, [2, 3])
  rig.engine.lastingFaults.set('size', new EngineError('timeout'))
  await rig.build(runs('e'))
  rig.engine.lastingFaults.delete('size')
  assert.deepEqual((await rig.build(runs('e'))).cached, [])
  await rig.assertAccounted()
})

test('an image of the engine with the name of a checkpoint and without a row goes', async (t) => {
  const rig = await openCacheRig(t)
  await rig.build(runs('a'))
  rig.engine.images.set(makeId('chk'), 'sha256:made-x')
  await rig.process.images.reconcile()
  await rig.assertAccounted()
})

test('no more than eight checkpoints stand on top of each other', async (t) => {
  const rig = await openCacheRig(t)
  for (let n = 1; n <= 10; n++) {
    const { cached } = await rig.build(runs(...Array.from({ length: n }, (_, i) => `step ${i}`)))
    assert.equal(cached.length, Math.min(n - 1, 8))
  }
  assert.deepEqual((await rig.kept()).map(({ depth }) => depth), [1, 2, 3, 4, 5, 6, 7, 8]) // prettier-ignore
})
