// The feed of what changed: the deliveries of all webhooks of an app, over the sandbox, whose webhooks hold secrets.
import assert from 'node:assert/strict'
import test from 'node:test'
import { rows } from '../../src/sandbox/account/webhooks.ts'
import { startOverSandbox } from '../support/service.ts'

const { service, sandbox, close } = await startOverSandbox()
test.after(close)

const flagship = '6446998001'
const feed = `/apps/${flagship}/webhook-deliveries`

const webhooksOf = (app: string) => rows.filter(({ type, values }) => type === 'webhooks' && values['app'] === app)
const deliveriesOf = (app: string) =>
  webhooksOf(app)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id }) => rows.filter(({ type, values }) => type === 'webhookDeliveries' && values['webhook'] === id))

type Item = Record<string, string>

async function walk(query: string, key?: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, json } = await service.ask(`${feed}?${query}${cursor && `&cursor=${cursor}`}`, key ? { key } : {})
    assert.equal(status, 200, JSON.stringify(json))
    items.push(...json.items)
    cursor = json.nextCursor
  }
  return items
}

test('the feed holds every delivery of every webhook of the app once, each with its event', async () => {
  const all = deliveriesOf(flagship)
  assert.equal(all.length, 49)
  for (const limit of [7, 50, 200]) {
    const items = await walk(`limit=${limit}`)
    assert.deepEqual(
      items.map(({ id, webhookId, eventId }) => [id, webhookId, eventId]),
      all.map(({ id, values }) => [id, values['webhook'], values['event']]),
    )
    for (const { eventId, eventType, eventPayload = '' } of items) {
      const { data } = JSON.parse(eventPayload)
      assert.equal(data.id, eventId)
      assert.equal(data.type.replaceAll(/[A-Z]/g, (c: string) => `_${c}`).toUpperCase(), eventType)
    }
  }
})

test('addresses, answers and errors of receivers are neither asked for nor returned, with any selection', async () => {
  const before = sandbox.asked.length
  const texts = [
    JSON.stringify(await walk('limit=200')),
    JSON.stringify(await walk('limit=200&fields=deliveryState,eventType')),
  ]
  for (const text of texts)
    assert.doesNotMatch(text, /hooks\.example|token=|session=|errorMessage|"request"|"response"/)
  for (const { url } of sandbox.asked.slice(before))
    assert.doesNotMatch(decodeURIComponent(url), /errorMessage|request|response|[=,]url/)
  for (const name of ['request', 'response', 'errorMessage', 'url'])
    assert.equal((await service.ask(`${feed}?fields=${name}`)).status, 400, name)
})

test('the filters are those of the platform, over all webhooks', async () => {
  const at = (item: Item) => Date.parse(item['createdDate'] ?? '')
  const [from, before] = ['2026-02-01T00:00:00Z', '2026-02-05T12:00:00Z']
  const all = await walk('limit=200')
  const inside = all.filter((item) => at(item) >= Date.parse(from) && at(item) < Date.parse(before))
  assert.ok(inside.length > 10 && inside.length < all.length)
  assert.deepEqual(await walk(`limit=4&createdFrom=${from}&createdBefore=${before}`), inside)
  assert.deepEqual(
    await walk('deliveryState=FAILED,PENDING'),
    all.filter(({ deliveryState }) => deliveryState !== 'SUCCEEDED'),
  )
  assert.deepEqual(await walk('createdFrom=2030-01-01T00:00:00Z'), [])
})

test('a wrong filter is refused by name, whether here or by the platform', async () => {
  const asked = sandbox.asked.length
  for (const [query, param] of [
    ['deliveryState=LOST', 'deliveryState'],
    [`createdFrom=2026-01-01T00:00:00Z,2026-01-02T00:00:00Z`, 'createdFrom'],
    ['createdSince=2026-01-01', 'createdSince'],
  ] as const) {
    const { status, json } = await service.ask(`${feed}?${query}`)
    assert.deepEqual([status, json.error.param], [400, param])
  }
  assert.equal(sandbox.asked.length, asked)
  const { status, json } = await service.ask(`${feed}?createdBefore=soon`)
  assert.deepEqual([status, json.error.type, json.error.param], [400, 'invalid_query', 'createdBefore'])
})

test('a key reads the feed of its apps, with the group, and of no other', async () => {
  const lantern = '6446998002'
  const ofLantern = await service.issue({ apps: [lantern], groups: ['apps'] })
  const own = await service.ask(`/apps/${lantern}/webhook-deliveries`, { key: ofLantern })
  assert.equal(own.status, 200, JSON.stringify(own.json))
  assert.deepEqual(
    own.json.items.map(({ id }: Item) => id),
    deliveriesOf(lantern).map(({ id }) => id),
  )
  assert.equal((await service.ask(feed, { key: ofLantern })).status, 404)
  assert.equal((await service.ask(feed, { key: await service.issue({ groups: ['builds'] }) })).status, 403)
  assert.equal((await service.ask('/apps/1/webhook-deliveries')).status, 404)
})
