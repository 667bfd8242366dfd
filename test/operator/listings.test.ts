import assert from 'node:assert/strict'
import test from 'node:test'
import { account, fingerprint, startManager } from './manager.ts'

test('listings come in pages that hold each item once, in order', async (t) => {
  const { ask } = await startManager(t)
  for (const id of ['b', 'studio', 'Z', '9'])
    await ask('POST', '/connections', { body: { id, ...account, check: false } })
  for (let i = 0; i < 6; i++) await ask('POST', '/keys', { body: { name: `key ${i}`, connections: ['*'] } })
  const walk = async (path: string, limit: number): Promise<any[]> => {
    const items: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { status, json, text } = await ask('GET', `${path}limit=${limit}${more}`)
      assert.equal(status, 200, text)
      assert.ok(json.items.length <= limit)
      items.push(...json.items)
      cursor = json.nextCursor
    }
    return items
  }
  for (const limit of [1, 2, 3, 7, 200]) {
    const connections = (await walk('/connections?', limit)).map(({ id, kind }) => `${id} ${kind}`)
    const managed = ['acme managed', 'other managed', 'solo managed']
    assert.deepEqual(connections, [...['9', 'Z', 'b', 'studio'].map((id) => `${id} hosted`), ...managed].sort())
    const keys: string[] = (await walk('/keys?', limit)).map(({ id }) => id)
    assert.deepEqual([keys.length, new Set(keys).size, [...keys].sort()], [7, 7, keys])
    const seqs = (await walk('/audit?', limit)).map(({ seq }) => seq)
    assert.deepEqual(
      seqs,
      Array.from({ length: 11 }, (_, i) => 11 - i),
    )
  }
  assert.equal((await ask('GET', '/connections')).json.nextCursor, null)
})

test('the audit is searched by act, target, actor and outcome', async (t) => {
  const { ask } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  await ask('POST', '/keys', { body: { name: 'x', connections: ['studio'] } })
  const find = async (query: string) =>
    (await ask('GET', `/audit?${query}`)).json.items.map(({ act, outcome }: any) => `${act} ${outcome}`)
  assert.deepEqual(await find('act=connections'), ['connections.create denied', 'connections.create done'])
  assert.deepEqual(await find('act=keys.create&who=cli%3Atester'), ['keys.create done'])
  assert.deepEqual(await find('outcome=denied'), ['connections.create denied'])
  assert.deepEqual(await find('target=studio&outcome=done'), ['connections.create done'])
  assert.deepEqual(await find(`who=${encodeURIComponent(fingerprint)}&act=keys`), ['keys.create done'])
  const [denied] = (await ask('GET', '/audit?outcome=denied')).json.items
  assert.deepEqual([denied.target, denied.details], ['studio', { code: 'connection_exists' }])
})

test('the vault tells which master key wraps how many credentials', async (t) => {
  const { ask } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const { json } = await ask('GET', '/vault')
  assert.deepEqual(json, { writes: 'm1', masterKeys: [{ id: 'm1', given: true, wraps: 1 }] })
})
