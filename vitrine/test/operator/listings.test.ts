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
  assert.deepEqual(await find('without=keys'), ['connections.create denied', 'connections.create done'])
  assert.deepEqual(await find('without=connections&limit=1'), ['keys.create done'])
  const [denied] = (await ask('GET', '/audit?outcome=denied')).json.items
  assert.deepEqual([denied.target, denied.details], ['studio', { code: 'connection_exists' }])
})

test('the audit is searched by time, in dates and in times ago', async (t) => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const { ask } = await startManager(t, { now: () => now })
  for (const name of ['a', 'b', 'c']) {
    await ask('POST', '/keys', { body: { name, connections: ['*'] } })
    now += 3_600_000
  }
  const find = async (query: string) => {
    const { json, text } = await ask('GET', `/audit?act=keys&who=${encodeURIComponent(fingerprint)}&${query}`)
    assert.ok(json.items, text)
    return json.items.map(({ details }: any) => details.name)
  }
  assert.deepEqual(await find('since=2h'), ['c', 'b'], 'from two hours ago on, that moment included')
  assert.deepEqual(await find('until=2h'), ['a'])
  assert.deepEqual(await find('since=3h&until=60m'), ['b', 'a'])
  assert.deepEqual(await find('since=2026-11-20T13:00Z&until=2026-11-21'), ['c', 'b'])
  assert.deepEqual(await find('since=2026-11-20T14:00:00.000%2B01:00'), ['c', 'b'])
  assert.deepEqual(await find('since=2026-11-21'), [])
  const first = (await ask('GET', '/audit?since=1d&limit=1')).json
  const next = await ask('GET', `/audit?limit=9&cursor=${first.nextCursor}`)
  assert.deepEqual([next.status, next.json.items.length], [200, 3], 'a cursor is good for another window')
})

test('an invalid time is refused with the expected format', async (t) => {
  const { ask } = await startManager(t)
  const refused = async (query: string) => {
    const { status, json } = await ask('GET', `/audit?${query}`)
    return [status, json.error.code, json.error.param, json.error.message]
  }
  for (const text of ['yesterday', '1w', '-1h', '24', '2026-02-30', '2026-11-20T12', '1h '])
    assert.deepEqual(await refused(`since=${encodeURIComponent(text)}`), [
      400,
      'value_not_allowed',
      'since',
      '"since" is not usable. Only lines from this moment on: a time such as 24h, 30m or 7d, which means ago, or a date such as 2027-01-31 or 2027-01-31T12:00Z.',
    ])
  assert.equal((await refused('until=x'))[2], 'until')
  for (const query of ['since=1h&until=2h', 'since=2026-01-01&until=2026-01-01'])
    assert.deepEqual((await refused(query)).slice(1), ['value_not_allowed', 'since', '"since" is not before "until".'])
  assert.equal((await refused('since='))[1], 'empty_parameter')
})

test('the vault shows how many credentials each master key encrypts', async (t) => {
  const { ask } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  const { json } = await ask('GET', '/vault')
  assert.deepEqual(json, { writes: 'm1', masterKeys: [{ id: 'm1', given: true, wraps: 1 }] })
})
