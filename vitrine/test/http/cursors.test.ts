import assert from 'node:assert/strict'
import test from 'node:test'
import { type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { startScripted, startService } from '../support/service.ts'

/** a list that always has a next page */
const endless: Script = (call, res) => {
  const at = Number(call.query.get('cursor')?.replace('THEIRS', '') ?? 0)
  const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=THEIRS${at + 1}`
  send(res, { data: [{ type: 'apps', id: `app${at}`, attributes: {} }], links: { next } })
}

const hour = 3_600_000

test('a cursor is valid only for the list that returned it', async (t) => {
  const { service, platform, close } = await startScripted(endless)
  t.after(close)
  const first = '/v1/connections/acme/apps?name=a,b&sort=-name'
  const cursor: string = (await service.ask(first)).json.nextCursor
  const asked = platform.calls.length
  const others = [
    `/v1/connections/acme/apps?cursor=${cursor}`,
    `/v1/connections/acme/apps?name=a,b&cursor=${cursor}`,
    `/v1/connections/acme/apps?name=b,a&sort=-name&cursor=${cursor}`,
    `/v1/connections/acme/apps?name=a,b&sort=name&cursor=${cursor}`,
    `/v1/connections/acme/apps?name=a,b&sku=a&sort=-name&cursor=${cursor}`,
    `/v1/connections/other/apps?name=a,b&sort=-name&cursor=${cursor}`,
    `/v1/connections/acme/apps/x/versions/ids?cursor=${cursor}`,
  ]
  for (const other of others) {
    const { status, json } = await service.ask(other)
    assert.deepEqual(
      [status, json.error.type, json.error.code, json.error.param],
      [400, 'invalid_query', 'cursor_mismatch', 'cursor'],
    )
  }
  assert.equal(platform.calls.length, asked)
  const next = await service.ask(`/v1/connections/acme/apps?cursor=${cursor}&fields=name&limit=7&sort=-name&name=a,b`)
  assert.equal(next.status, 200)
  assert.equal(platform.calls.at(-1)?.query.get('cursor'), 'THEIRS1')
  assert.equal(platform.calls.at(-1)?.query.get('filter[name]'), 'a,b')
})

test('a cursor reveals nothing of the platform, and no two are alike', async (t) => {
  const { service, close } = await startScripted(endless)
  t.after(close)
  const [a, b] = [(await service.ask('/apps')).json.nextCursor, (await service.ask('/apps')).json.nextCursor]
  assert.notEqual(a, b)
  assert.match(a, /^[\w-]+$/)
  assert.doesNotMatch(Buffer.from(a, 'base64url').toString('latin1'), /THEIRS/)
})

test('every altered cursor is rejected without a platform call', async (t) => {
  const { service, platform, close } = await startScripted(endless)
  t.after(close)
  const cursor: string = (await service.ask('/apps')).json.nextCursor
  const bytes = Buffer.from(cursor, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 3) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    const { status, json } = await service.ask(`/apps?cursor=${flipped.toString('base64url')}`)
    assert.deepEqual([status, json.error.code], [400, 'cursor_invalid'])
  }
  for (const odd of [
    `${cursor}=`,
    `${cursor}A`,
    cursor.slice(1),
    `${cursor}%0A`,
    `${cursor}+`,
    'null',
    '..',
    'A'.repeat(6_000),
  ])
    assert.equal((await service.ask(`/apps?cursor=${odd}`)).status, 400, odd.slice(0, 20))
  assert.equal(platform.calls.length, 1)
})

test('a cursor lives for 24 hours, and is not bound to the key that made it', async (t) => {
  let now = Date.UTC(2026, 10, 21)
  const { service, close } = await startScripted(endless, { now: () => now })
  t.after(close)
  const key = await service.issue()
  const cursor: string = (await service.ask('/apps', { key })).json.nextCursor
  now += 23.9 * hour
  assert.equal((await service.ask(`/apps?cursor=${cursor}`)).status, 200)
  now += 0.2 * hour
  const { status, json } = await service.ask(`/apps?cursor=${cursor}`)
  assert.deepEqual([status, json.error.code], [400, 'cursor_expired'])
})

test('a platform whose next links form a cycle is detected within one lap', async (t) => {
  const circle: Script = (call, res) => {
    const at = ['A', 'B', 'C'].indexOf(call.query.get('cursor') ?? '')
    const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=${['A', 'B', 'C'][(at + 1) % 3]}`
    send(res, { data: [], links: { next } })
  }
  const { service, platform, close } = await startScripted(circle)
  t.after(close)
  let answer = await service.ask('/apps')
  while (answer.status === 200) {
    assert.ok(answer.json.nextCursor, 'an empty page with a successor is not the end')
    answer = await service.ask(`/apps?cursor=${answer.json.nextCursor}`)
  }
  assert.deepEqual([answer.status, answer.json.error.code], [502, 'upstream_malformed'])
  assert.equal(platform.calls.length, 4)
})

test('F185: paging continues after a restart', async (t) => {
  const platform = await startScriptedPlatform(endless)
  const before = await startService(platform.url)
  t.after(() => platform.close())
  const cursor: string = (await before.ask('/apps')).json.nextCursor
  await before.running.close()
  const after = await startService(platform.url, { folder: before.folder })
  assert.equal((await after.ask(`/apps?cursor=${cursor}`)).status, 200)
  await after.close()
})
