import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const diskMiB = 64
const tooMany = (diskMiB + 1) * 1024 * 1024

test('a container that holds too much is deleted after its commands, which have four seconds to end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { rig, engine, create, key } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const found = async (id: string) => (await rig.call('GET', `/containers?id=${id}`, { key })).body.items[0]
  const begin = async () => {
    const { body } = await create({ limits: { diskMiB } })
    const id: string = body.id
    const answer = rig.call('POST', '/containers/exec', { key, body: { containerId: id, command: ['hang'] } })
    await until(() => engine.commandsOf(id).length === 1)
    return { id, answer }
  }
  const [short, long, small] = [await begin(), await begin(), await begin()]
  engine.sizes
    .set(short.id, tooMany)
    .set(long.id, tooMany)
    .set(small.id, tooMany - 1024 * 1024)
  const from = performance.now()
  t.mock.timers.tick(8_000)
  await until(() => engine.calls.includes('sizes'))
  assert.equal((await found(short.id)).status, 'running')

  engine.commandsOf(short.id)[0]?.end(7)
  const { status, body } = await short.answer
  assert.equal(status, 200)
  assert.equal(body.exitCode, 7)
  await until(async () => (await found(short.id)).status === 'deleted')
  assert.equal((await found(short.id)).statusReason, 'disk_limit')

  const cut = await long.answer
  assert.equal(cut.status, 502)
  assert.equal(cut.body.error.details.reason, 'disk_limit')
  assert.ok(performance.now() - from >= 3_900)
  await until(async () => (await found(long.id)).status === 'deleted')
  assert.equal((await found(small.id)).status, 'running')
  engine.commandsOf(small.id)[0]?.end(0)
  assert.equal((await small.answer).status, 200)
})

test('a container whose size cannot be determined twice in a row is deleted, and each time is reported', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { rig, engine, create, key } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const found = async (id: string) => (await rig.call('GET', `/containers?id=${id}`, { key })).body.items[0]
  const [once, twice] = [(await create()).body.id, (await create()).body.id]
  const sweep = async () => {
    const before = engine.calls.filter((name) => name === 'sizes').length
    const swept = rig.service.events.filter(({ kind }) => kind === 'swept').length
    t.mock.timers.tick(8_000)
    await until(() => engine.calls.filter((name) => name === 'sizes').length > before)
    await until(() =>
      rig.service.events.slice(swept).some((event) => event.kind === 'swept' && event.sweep === 'sizes'),
    )
  }
  engine.sizes.set(once, null).set(twice, null)
  await sweep()
  assert.equal((await found(twice)).status, 'running')
  engine.sizes.set(once, 5)
  await sweep()
  assert.equal((await found(twice)).statusReason, 'disk_limit')
  engine.sizes.set(once, null)
  await sweep()
  assert.equal((await found(once)).status, 'running')
  const unknown = rig.service.events.flatMap((event) => (event.kind === 'size_unknown' ? [event.containerId] : []))
  const times = (id: string) => unknown.filter((one) => one === id).length
  assert.deepEqual([times(once), times(twice), unknown.length], [2, 2, 4])
})
