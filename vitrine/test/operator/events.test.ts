import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { fine, listen, many, names, quickly, streamsOf } from './listener.ts'
import { account, exchange, startManager, startManagerOver } from './manager.ts'

test('a listener gets the service, all cards and the event `whole`, and then only changes', async (t) => {
  const { ask, service, port } = await startManagerOver(t, fine, { pace: quickly })
  const listener = await listen(t, port)
  assert.equal(listener.status, 200)
  assert.equal(listener.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(listener.headers['cache-control'], 'no-store')
  assert.match(String(listener.headers['x-request-id']), /^req_/)
  await listener.until('all is told', () => names(listener).includes('whole'))
  assert.deepEqual(names(listener), ['service', 'cards', 'whole'])
  assert.equal(listener.told[2]?.data.count, 3)
  const overview = (await ask('GET', '/overview')).json
  assert.deepEqual([...listener.cards.values()], overview.items)
  assert.deepEqual({ ...listener.told[0]?.data, uptimeSec: 0 }, { ...overview.service, uptimeSec: 0 })

  await service.ask(page.path)
  await listener.until('the call is told', () => listener.cards.get('acme').hour.calls === 1)
  // a call under way may be sent before its end
  for (const { name, data } of listener.told.slice(3))
    assert.deepEqual([name, data.items.map(({ id }: any) => id)], ['cards', ['acme']])
  const before = listener.told.length
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  await listener.until('the new one is told', () => listener.cards.has('studio'))
  assert.deepEqual(new Set(names(listener).slice(before)), new Set(['cards', 'service']))
  await ask('DELETE', '/connections/studio')
  await listener.until('its end is told', () => !listener.cards.has('studio'))
  assert.deepEqual(listener.told.find(({ name }) => name === 'removed')?.data, { ids: ['studio'] })
  const count = listener.told.length
  await sleep(400)
  assert.equal(listener.told.length, count, 'where nothing changes, nothing is told')
})

test('five hundred connections are sent in events of at most a hundred, and all again after reconnecting', async (t) => {
  const { port } = await startManagerOver(t, fine, { file: { connections: many(500) } })
  for (let round = 0; round < 2; round++) {
    const listener = await listen(t, port)
    await listener.until('all is told', () => names(listener).includes('whole'))
    assert.deepEqual(names(listener), ['service', ...Array.from({ length: 5 }, () => 'cards'), 'whole'])
    assert.ok(listener.told.every(({ name, data }) => name !== 'cards' || data.items.length <= 100))
    assert.equal(listener.cards.size, 500)
    assert.equal(listener.told.at(-1)?.data.count, 500)
    listener.leave()
  }
})

test('all listeners get the same, whenever they came', async (t) => {
  const { service, port } = await startManagerOver(t, fine, { pace: quickly })
  const first = await listen(t, port)
  await first.until('all is told', () => names(first).includes('whole'))
  for (let i = 1; i < 4; i++) await service.ask(`${page.path}?limit=${i}`)
  const second = await listen(t, port)
  for (const each of [first, second]) await each.until('three', () => each.cards.get('acme')?.hour.calls === 3)
  assert.deepEqual([...first.cards], [...second.cards])
})

test('a stream is one line of the log when it ends, and its length is in no latency', async (t) => {
  const { ask, service, port } = await startManagerOver(t, fine)
  const listener = await listen(t, port)
  await listener.until('all is told', () => names(listener).includes('whole'))
  assert.deepEqual(streamsOf(service.events), [])
  await sleep(300)
  listener.leave()
  while (streamsOf(service.events).length === 0) await sleep(5)
  const { kind, operation, status, stream, durationMs } = streamsOf(service.events)[0]
  assert.deepEqual(
    { kind, operation, status, stream },
    { kind: 'answered', operation: 'streamEvents', status: 200, stream: true },
  )
  assert.ok(durationMs >= 300)
  const { text } = await ask('GET', '/metrics')
  assert.match(text, /^vitrine_requests_total\{operation="streamEvents",outcome="ok"\} 1$/m)
  assert.doesNotMatch(text, /vitrine_request_seconds_count\{operation="streamEvents"\}/)
  assert.deepEqual((await ask('GET', '/health')).json.operations, [])
})

test('a stream is refused like any request, and HEAD opens none', async (t) => {
  const { ask, service, port } = await startManagerOver(t, fine)
  assert.equal((await ask('GET', '/events', { token: null })).json.error.code, 'operator_token_missing')
  assert.equal((await ask('GET', '/events?x=1')).json.error.code, 'unknown_parameter')
  assert.equal((await ask('GET', '/events', { body: {} })).json.error.code, 'content_not_allowed')
  const other = await ask('POST', '/events')
  assert.deepEqual([other.status, other.headers['allow']], [405, 'GET, HEAD'])
  const head = await exchange(port, 'HEAD', '/operator/v1/events')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.ok(streamsOf(service.events).every(({ stream }) => stream === undefined))
})

test('a stream is refused if the state cannot be read', async (t) => {
  const { ask, service } = await startManager(t)
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(`${service.folder}/v.db`)
  db.exec('ALTER TABLE connections RENAME TO hidden')
  try {
    const { status, json } = await ask('GET', '/events')
    assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
  } finally {
    db.exec('ALTER TABLE hidden RENAME TO connections')
    db.close()
  }
})
