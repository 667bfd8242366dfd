import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

type Used = Awaited<ReturnType<typeof openUsedRig>>

/** every engine object has a living row, and every living row an object; nothing is half-way */
async function untilAccounted({ engine, rig }: Used) {
  const { containers } = rig.service.core.store
  await until(async () => {
    const rows = await containers.living()
    const wanted = rows.filter(({ status }) => status !== 'failed').map(({ id }) => id)
    const isHalfWay = rows.some(({ status }) => status === 'creating')
    return !isHalfWay && wanted.toSorted().join() === [...engine.containers.keys()].toSorted().join()
  })
}

for (const when of ['before', 'after'] as const) {
  test(`killed ${when} each step of a creation, the service leaves nothing unaccounted`, async (t) => {
    const used = await openUsedRig(t, { settings: { limits: { containers: 1 } } })
    let step = 1
    for (let isDone = false; !isDone; step++) {
      const headers = { 'idempotency-key': `k${step}` }
      const wish = { key: used.key, headers, body: { image: 'base', name: 'one', command: ['run'] } }
      const died = used.rig.service.process.arm(step, when).then(() => 'died' as const)
      const stop = new AbortController()
      const answer = used.call('POST', '/containers', { ...wish, signal: stop.signal }).catch(() => undefined)
      isDone = (await Promise.race([died, answer])) !== 'died'
      stop.abort()
      await used.rig.restart()
      await untilAccounted(used)
      // the same request again: never "in progress", and never a second container
      const again = await used.call('POST', '/containers', wish)
      assert.equal(again.status, 201, `step ${step}: ${again.text}`)
      const { body } = await used.call('GET', '/containers', { key: used.key })
      assert.deepEqual(body.items.map(({ status }: { status: string }) => status), ['running'], `step ${step}`) // prettier-ignore
      assert.equal((await used.call('DELETE', `/containers?id=${body.items[0].id}`, { key: used.key })).status, 200)
      assert.equal(used.engine.containers.size, 0)
    }
    assert.ok(step > 6, `${step} steps`)
  })

  test(`killed ${when} each step of a deletion, the service leaves nothing unaccounted`, async (t) => {
    const used = await openUsedRig(t)
    let step = 1
    for (let isDone = false; !isDone; step++) {
      const { body: made } = await used.create()
      const died = used.rig.service.process.arm(step, when).then(() => 'died' as const)
      const stop = new AbortController()
      const given = { key: used.key, signal: stop.signal }
      const answer = used.call('DELETE', `/containers?id=${made.id}`, given).catch(() => undefined)
      isDone = (await Promise.race([died, answer])) !== 'died'
      stop.abort()
      await used.rig.restart()
      await untilAccounted(used)
      const { body } = await used.call('GET', `/containers?id=${made.id}`, { key: used.key })
      const { status, statusReason } = body.items[0]
      assert.ok(['running null', 'exited main_exited', 'failed engine_lost', 'deleted user_deleted'].includes(`${status} ${statusReason}`), `${status} ${statusReason}`) // prettier-ignore
      const deleted = await used.call('DELETE', `/containers?id=${made.id}`, { key: used.key })
      assert.equal(deleted.body.status, 'deleted')
      const repeated = await used.call('DELETE', `/containers?id=${made.id}`, { key: used.key })
      assert.deepEqual(repeated.body, deleted.body)
      assert.equal(used.engine.containers.size, 0)
    }
    assert.ok(step > 3, `${step} steps`)
  })
}

test('commands that ran for a caller are ended after a restart; detached ones go on', async (t) => {
  const used = await openUsedRig(t)
  const { body: made } = await used.create()
  const run = (body: object) =>
    used.call('POST', '/containers/exec', { key: used.key, body: { containerId: made.id, command: ['hang'], ...body } })
  const { body: detached } = await run({ detach: true })
  const lost = [run({}), run({ user: '7:7' })].map((one) => one.catch(() => undefined))
  await until(() => used.engine.commandsOf(made.id).length === 3)
  await used.rig.restart()
  await until(() => used.engine.commandsOf(made.id).length === 1)
  assert.deepEqual(used.engine.commandsOf(made.id).map(({ id }) => id), [detached.execId]) // prettier-ignore
  assert.deepEqual((await used.rig.service.core.store.commands.of(made.id)).map(({ id }) => id), [detached.execId]) // prettier-ignore
  await Promise.all(lost)
})
