import assert from 'node:assert/strict'
import test from 'node:test'
import type { Database } from '../../../base/store/sql.ts'
import { makeId } from '../../src/ids.ts'
import { openUsedRig } from '../service-rig.ts'

/** each question to the store from now on, with the number of rows that it gave */
function recordAnswers(db: Database): unknown[] {
  const answers: unknown[] = []
  const { all, one } = db
  db.all = async (text, values) => {
    const rows = await all(text, values)
    answers.push([text, rows.length])
    return rows
  }
  db.one = async (text, values) => {
    const row = await one(text, values)
    answers.push([text, row !== undefined])
    return row
  }
  return answers
}

test("another account's object is absent: the same status and the same body as for an id that never was", async (t) => {
  const ssh = { listen: '127.0.0.1:0', hostKeyFile: 'host_key' }
  const { call, create, rig, key } = await openUsedRig(t, { settings: { ssh } })
  const { text: other } = await rig.key(await rig.account())
  const { body: mine } = await create({ name: 'mine' })
  const own = makeId('img')
  const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }
  const image = { id: own, account: mine.account, name: 'secret', status: 'ready', error: null, sizeBytes: 1 } as const
  const times = { createdAt: 1, finishedAt: 1, deletedAt: null, base: null, engineId: 'x' }
  const { rows } = { rows: rig.service.core.store.images }
  const { account } = (await rig.service.core.keys.authenticate(`Bearer ${key}`)) ?? { account: '' }
  assert.equal(await rows.add({ ...image, ...times, config, account }, { images: 9, imageBytes: 999 }), 'added')
  const ways = [
    (id: string) => call('GET', `/containers?id=${id}`, { key: other }),
    (id: string) => call('DELETE', `/containers?id=${id}`, { key: other }),
    (id: string) => call('POST', '/containers/exec', { key: other, body: { containerId: id, command: ['say'] } }),
    (id: string) => call('GET', `/containers/files?containerId=${id}&path=/x`, { key: other }),
    (id: string) => call('POST', '/containers/ssh', { key: other, body: { containerId: id } }),
  ]
  const imageWays = [
    (id: string) => call('GET', `/images/${id}`, { key: other }),
    (id: string) => call('DELETE', `/images/${id}`, { key: other }),
    (id: string) => call('GET', `/images/${id}/logs`, { key: other }),
    (id: string) => call('POST', '/containers', { key: other, body: { image: id } }),
  ]
  const answers = recordAnswers(rig.service.core.store.db)
  const shown = ({ status, body }: { status: number; body: any }) => [status, { ...body.error, requestId: '' }]
  const tries = [
    ...ways.map((way) => [way, mine.id as string, makeId('ct')] as const),
    ...imageWays.map((way) => [way, own, makeId('img')] as const),
  ]
  for (const [index, [way, theirs, absent]] of tries.entries()) {
    assert.deepEqual(shown(await way(theirs)), shown(await way(absent)), `way ${index}`)
    // what the store is asked, and how many rows it gives, would tell by the time that it takes
    answers.length = 0
    await way(theirs)
    const forTheirs = answers.splice(0)
    await way(absent)
    assert.deepEqual(forTheirs, answers, `way ${index}`)
    assert.ok(answers.length > 1, `way ${index}: ${JSON.stringify(answers)}`)
  }
  const byName = await call('POST', '/containers', { key: other, body: { image: 'secret' } })
  assert.deepEqual(byName.body.error.type, 'image_not_found')
  for (const path of [
    '/containers',
    '/containers?name=mine',
    '/containers?status=running,deleted',
    '/images?scope=own',
  ])
    assert.deepEqual((await call('GET', path, { key: other })).body.items, [], path)
  const { body: usage } = await call('GET', '/subscription/config', { key: other })
  assert.deepEqual(usage.current.usage, { containers: 0, memoryMiB: 0, cpu: 0, images: 0 })
  // a name is the account's own
  assert.equal((await call('POST', '/containers', { key: other, body: { image: 'base', name: 'mine' } })).status, 201)
})

test("nobody waits for the end of another account's deletion", async (t) => {
  const { call, create, rig, key } = await openUsedRig(t)
  const { text: other } = await rig.key(await rig.account())
  const { body: mine } = await create()
  const { engine } = rig.service.core
  const { remove } = engine
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  engine.remove = async (id) => {
    asked.resolve()
    await held.promise
    return remove(id)
  }
  const deletion = call('DELETE', `/containers?id=${mine.id}`, { key })
  await asked.promise
  assert.equal((await call('DELETE', `/containers?id=${mine.id}`, { key: other })).status, 404)
  held.resolve()
  assert.equal((await deletion).status, 200)
})

test('a cursor is bound to its account, its list and its filters, and may change its limit', async (t) => {
  let now = Date.now()
  const { call, create, rig, account, key } = await openUsedRig(t, { now: () => now })
  for (let n = 0; n < 5; n++) await create({ labels: { team: 'a' } })
  const { text: second } = await rig.key(account)
  const { text: other } = await rig.key(await rig.account())
  const first = await call('GET', '/containers?limit=2&label=team%3Da', { key })
  const cursor = encodeURIComponent(first.body.nextCursor)
  const list = async (query: string, by = key) => call('GET', `/containers?${query}`, { key: by })
  const same = await list(`cursor=${cursor}&limit=3&label=team%3Da`, second)
  assert.deepEqual([same.status, same.body.items.length, same.body.nextCursor], [200, 3, null])
  const ids = [...first.body.items, ...same.body.items].map(({ id }: { id: string }) => id)
  assert.equal(new Set(ids).size, 5)
  for (const [query, by] of [
    [`cursor=${cursor}&label=team%3Da`, other],
    [`cursor=${cursor}`, key],
    [`cursor=${cursor}&label=team%3Db`, key],
    [`cursor=${cursor}&label=team%3Da&status=running`, key],
    [`cursor=${cursor.slice(0, -2)}&label=team%3Da`, key],
    [`cursor=${cursor}A&label=team%3Da`, key],
    [`cursor=${cursor}%3D&label=team%3Da`, key],
  ] as const) {
    const { status, body } = await list(query, by)
    assert.deepEqual([status, body.error?.type, body.error?.details.field], [400, 'invalid_request', 'cursor'], query)
  }
  now += 24 * 60 * 60_000
  assert.equal((await list(`cursor=${cursor}&label=team%3Da`)).status, 400)
})
