import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { called } from '../history/history-scene.ts'
import { until } from '../../../base/test/until.ts'
import { begin, makeUp, play, tickMs, wholeOf } from './live-scene.ts'

test('one snapshot serves all listeners, and none is made without listeners', async (t) => {
  const scene = makeUp(3)
  const { join } = begin(t, scene.parts)
  await sleep(3 * tickMs)
  assert.equal(scene.looks, 0)
  const all = await Promise.all(Array.from({ length: 10 }, () => join()))
  assert.equal(scene.looks, 1)
  await until(() => scene.looks === 5)
  scene.held.tell(called({ connection: 'c1' }))
  await until(() => all.every(({ heard }) => heard.at(-1) === 'cards c1'))
  for (const { heard } of all)
    assert.deepEqual(heard, ['service', 'cards c0,c1,c2', `whole ${wholeOf(scene, 3)}`, 'cards c1'])
  for (const one of all) one.leave()
  const looks = scene.looks
  await sleep(4 * tickMs)
  assert.ok(scene.looks <= looks + 1, 'one that was under way comes to its end')
  const before = scene.looks
  const again = await join()
  assert.equal(scene.looks, before + 1, 'and who comes later is told from a new look')
  assert.deepEqual(again.heard.slice(0, 2), ['service', 'cards c0,c1,c2'])
})

test('a slow listener gets one event at a time, misses states in between, and then has the current one', async (t) => {
  const scene = makeUp(250)
  const { join, live } = begin(t, scene.parts)
  const quick = await join()
  const slow = play()
  slow.isSlow = true
  ;(await live.open(() => true))(slow)
  assert.equal(slow.heard.length, 0, 'the greeting is on its way')
  slow.take()
  assert.deepEqual(slow.heard, ['service'])
  slow.take()
  assert.equal(slow.heard.length, 2)
  scene.held.tell(called({ connection: 'c7' }))
  await until(() => quick.heard.at(-1) === 'cards c7')
  scene.ids = scene.ids.filter((id) => id !== 'c9')
  await until(() => quick.heard.some((one) => one.startsWith('removed')))
  await sleep(5 * tickMs)
  assert.equal(slow.heard.length, 2, 'nothing is sent to a listener that does not read')
  slow.isSlow = false
  slow.take()
  const rest = slow.heard.slice(2)
  assert.deepEqual(
    rest.map((one: string) => one.split(' ', 1)[0]),
    ['cards', 'cards', 'whole', 'service', 'removed', 'cards'],
  )
  assert.deepEqual(rest.slice(-2), ['removed {"ids":["c9"]}', 'cards c7'])
})

test('a connection that was removed and added again is sent as present', async (t) => {
  const scene = makeUp(2)
  const one = await begin(t, scene.parts).join()
  scene.ids = ['c0']
  await until(() => one.heard.includes('removed {"ids":["c1"]}'))
  scene.ids = ['c0', 'c1']
  await until(() => one.heard.at(-1) === 'cards c1' || one.heard.at(-2) === 'cards c1')
  const late = await begin(t, scene.parts).join()
  assert.deepEqual(late.heard.slice(0, 2), ['service', 'cards c0,c1'])
})

test('while the store is down, the known connections stay and the service is not ready', async (t) => {
  const scene = makeUp(2)
  const { join, failures } = begin(t, scene.parts)
  const one = await join()
  scene.isDown = true
  scene.ready = false
  await until(() => one.heard.length === 4)
  assert.equal(one.heard[3], 'service')
  scene.held.tell(called({ connection: 'c0' }))
  await until(() => one.heard.at(-1) === 'cards c0')
  assert.ok(one.heard.every((told) => !told.startsWith('removed')))
  assert.deepEqual(failures, [])
  scene.ids = ['c0']
  scene.isDown = false
  await until(() => one.heard.some((told) => told.startsWith('removed')))
})

test('a listener is refused if the first snapshot fails, and the next one is served', async (t) => {
  const scene = makeUp(2)
  const { join } = begin(t, scene.parts)
  scene.isDown = true
  await assert.rejects(join(), { code: 'store_unavailable' })
  scene.isDown = false
  assert.equal((await join()).heard.length, 3)
})

test('a defect in a snapshot is reported, and the next snapshot is made', async (t) => {
  const scene = makeUp(1)
  const { join, failures } = begin(t, scene.parts)
  const one = await join()
  const { connections } = scene.parts
  const { opened } = connections
  const fail = () => {
    throw new TypeError('a defect')
  }
  Object.assign(connections, { opened: fail })
  await until(() => failures.length === 2)
  Object.assign(connections, { opened })
  scene.held.tell(called({ connection: 'c0' }))
  await until(() => one.heard.at(-1) === 'cards c0')
})

test('a listener whose credential ended is disconnected with the reason at the next snapshot, and others go on', async (t) => {
  const scene = makeUp(1)
  const { join } = begin(t, scene.parts)
  let isLetIn = true
  const [one, other] = [await join(() => isLetIn), await join()]
  isLetIn = false
  await until(() => one.hasEnded)
  assert.equal(one.heard.at(-1), 'bye {"reason":"session_ended"}')
  scene.held.tell(called({ connection: 'c0' }))
  await until(() => other.heard.at(-1) === 'cards c0')
})

test('listeners who leave free their places, and too many at once are refused', async (t) => {
  const scene = makeUp(1)
  const { join } = begin(t, scene.parts, { most: 3 })
  for (let round = 0; round < 50; round++) {
    const all = await Promise.all(Array.from({ length: 5 }, () => join()))
    const refused = all.filter(({ heard }) => heard.at(-1) === 'bye {"reason":"too_many"}')
    assert.deepEqual([refused.length, all.filter(({ heard }) => heard.length === 3).length], [2, 3])
    for (const one of all) one.leave()
  }
})

test('a listener who comes and goes during a snapshot leaves one timer, not two', async (t) => {
  const scene = makeUp(1)
  const { connections } = scene.parts
  const { ids } = connections
  let release = () => {}
  let isHeld = false
  Object.assign(connections, {
    ids: async () => {
      if (isHeld) await new Promise<void>((ok) => (release = ok))
      return ids()
    },
  })
  const { join } = begin(t, scene.parts)
  const one = await join()
  isHeld = true
  await sleep(2 * tickMs)
  const opened = join()
  one.leave()
  isHeld = false
  release()
  await opened
  const before = scene.looks
  await sleep(10 * tickMs)
  assert.ok(scene.looks - before <= 11, `${scene.looks - before} looks`)
  assert.ok(scene.looks - before >= 2)
})

test('listeners get heartbeats', async (t) => {
  const scene = makeUp(1)
  const { join } = begin(t, scene.parts, { beatMs: 5 })
  const one = await join()
  const beat = `beat ${JSON.stringify({ at: new Date(scene.held.at).toISOString() })}`
  await until(() => one.heard.filter((told) => told === beat).length >= 3)
})

test('at the end, present and new listeners get the message that the service stops', async (t) => {
  const scene = makeUp(1)
  const { live, join } = begin(t, scene.parts)
  const one = await join()
  const opening = live.open(() => true)
  live.close()
  assert.equal(one.heard.at(-1), 'bye {"reason":"stopping"}')
  for (const late of [play(), await join()]) {
    if (late.heard.length === 0) (await opening)(late)
    assert.deepEqual(late.heard, ['bye {"reason":"stopping"}'])
  }
})
