// NUL in whatever the store is asked for, and parameters whose names are encoded, on both stores.
import assert from 'node:assert/strict'
import test from 'node:test'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { openUsedRig } from '../service-rig.ts'

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  test(
    `NUL is refused or found nowhere, and no failure: ${kind}`,
    { skip: kind === 'PostgreSQL' && noPostgres },
    async (t) => {
      const fresh = kind === 'SQLite' ? undefined : await freshDatabase()
      const { call, key } = await openUsedRig(t, fresh && { store: fresh.url })
      if (fresh) t.after(fresh.drop)
      const form = 'application/x-www-form-urlencoded'
      const answers = [
        await call('GET', '/containers?name=%00', { key }),
        await call('GET', '/images?name=a%00', { key }),
        await call('GET', '/containers?id=ct_%00', { key }),
        await call('GET', '/images/img_%00', { key }),
        await call('POST', '/containers', { key, body: { image: 'a\0' } }),
        await call('POST', '/containers', { key, body: { image: 'img_\0' } }),
        await call('POST', '/images', { key, body: { name: 'i', dockerfile: 'FROM a\0' } }),
        await call('POST', '/containers/exec', { key, body: { containerId: 'ct_\0', command: ['true'] } }),
        await call('POST', '/auth/login', { body: { email: 'a\0@b.c', password: 'a password' } }),
        await call('POST', '/auth/login', { body: 'email=a%00&password=%00', headers: { 'content-type': form } }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400, 400, 400, 404, 404, 404, 400, 404, 401, 401],
      )
    },
  )

test('a repeated parameter counts by its name, however that is encoded', async (t) => {
  const { call, create, key } = await openUsedRig(t)
  const { body } = await create({ labels: { a: '1', b: '2' } })
  await create({ labels: { a: '1' } })
  for (const query of ['label=a%3D1&label=b%3D2', '%6cabel=a%3D1&label=b%3D2', '%6Cabe%6c=b%3D2']) {
    const found = await call('GET', `/containers?${query}`, { key })
    assert.deepEqual(
      found.body.items?.map(({ id }: { id: string }) => id),
      [body.id],
      query,
    )
  }
  for (const query of ['%6cimit=1&limit=1', '%zz=1', '%6cabel=', 'label']) {
    const { status } = await call('GET', `/containers?${query}`, { key })
    assert.equal(status, 400, query)
  }
})
