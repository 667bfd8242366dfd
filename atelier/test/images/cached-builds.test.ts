// Steps from the cache on both real engines: when they are taken, when they are not, and that images are the same with them.
import assert from 'node:assert/strict'
import { makeId } from '../../src/ids.ts'
import { onEveryEngine } from '../engines.ts'
import { text, withRig } from './build-rig.ts'

/** another one each time that it runs */
const mark = 'cat /proc/sys/kernel/random/uuid'
const isCaching = { isCaching: true }

onEveryEngine('steps before a changed file come from the cache, and the rest is made anew', (at) =>
  withRig(at, async (rig) => {
    const lines = `FROM base\nRUN ${mark} > /one\nENV A=1\nCOPY f /f\nRUN cat /f > /two; ${mark} >> /two\nLABEL a=b`
    const build = (content: string, more = {}) => rig.ready(lines, { files: [text('f', content)], ...more })
    const look = async (image: Parameters<typeof rig.within>[0]) =>
      (await rig.within(image, 'cat /one /two')).trim().split('\n')
    const first = await build('A\n')
    const changed = await build('B\n')
    const same = await build('B\n')
    assert.deepEqual([await rig.cachedIn(first), await rig.cachedIn(changed), await rig.cachedIn(same)], [[], [2], [2, 4, 5]]) // prettier-ignore
    const [one, two, three] = [await look(first), await look(changed), await look(same)]
    assert.deepEqual([two[0], two[1], three], [one[0], 'B', two])
    assert.notEqual(two[2], one[2])
    const fresh = await build('B\n', { noCache: true })
    const later = await build('B\n')
    assert.deepEqual([await rig.cachedIn(fresh), await rig.cachedIn(later)], [[], [2, 4, 5]])
    const four = await look(fresh)
    assert.notEqual(four[0], one[0])
    assert.deepEqual(await look(later), four)
    const foreign = await build('B\n', { account: makeId('acc') })
    assert.deepEqual(await rig.cachedIn(foreign), [])
    assert.notEqual((await look(foreign))[0], four[0])
  }, isCaching), { timeoutMs: 240_000 }) // prettier-ignore

onEveryEngine('a step that fails is not kept, and those before it are', (at) =>
  withRig(at, async (rig) => {
    for (const cached of [[], [2, 3]]) {
      const image = await rig.build('FROM base\nWORKDIR /w\nRUN echo x > f\nRUN cat f; exit 3')
      assert.deepEqual([image.error?.type, image.error?.step], ['step_failed', 4])
      assert.deepEqual(await rig.cachedIn(image), cached)
    }
    const missing = await rig.build('FROM base\nWORKDIR /w\nCOPY nothing /x\nRUN true')
    assert.deepEqual([missing.error?.type, missing.error?.step], ['copy_failed', 3])
    assert.deepEqual(await rig.cachedIn(missing), [2])
  }, isCaching), { timeoutMs: 240_000 }) // prettier-ignore

onEveryEngine('builds of the same steps at once all get ready, and keep each step once', (at) =>
  withRig(at, async (rig) => {
    const lines = 'FROM base\nRUN echo one > /one\nRUN cat /one /one > /two'
    const images = await Promise.all([1, 2, 3].map(() => rig.ready(lines)))
    for (const image of images) assert.equal(await rig.within(image, 'cat /two'), 'one\none\n')
    const rows = await rig.store.checkpoints.all()
    assert.deepEqual(rows.map(({ status }) => status), ['ready', 'ready']) // prettier-ignore
    assert.equal(new Set(rows.map(({ key }) => key)).size, 2)
    await rig.assertNothingLeft(...images, ...rows)
  }, isCaching), { timeoutMs: 240_000 }) // prettier-ignore
