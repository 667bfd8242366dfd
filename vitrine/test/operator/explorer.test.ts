import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { compareEndpoints, readOf, startExplorer } from './explorer-reads.ts'
import { startManager } from './manager.ts'

test('each route answers the operator byte for byte as it answers a key', async (t) => {
  const manager = await startManager(t)
  assert.ok(routes.length >= 29)
  const codes = await compareEndpoints(
    manager,
    routes.map(({ example }) => example),
  )
  assert.deepEqual(new Set(codes), new Set(['ok']))
})

test('each route without a query answers both alike, also with linkages', async (t) => {
  const targets = routes.map(({ example }) => example.split('?', 1)[0] ?? '')
  for (const connection of [{}, { linkage: 'asked' }]) {
    const codes = await compareEndpoints(await startManager(t, { connection }), targets)
    assert.deepEqual(new Set(codes), new Set(['ok']))
  }
})

const long = 'x'.repeat(5_000)

const badQueries: readonly (readonly [query: string, code: string])[] = [
  ['limti=5', 'unknown_parameter'],
  ['filter[name]=x', 'unknown_parameter'],
  ['__proto__=x', 'unknown_parameter'],
  ['limit=5&limit=5', 'repeated_parameter'],
  ['limit=', 'empty_parameter'],
  ['name=a,,b', 'empty_parameter'],
  ['fields', 'empty_parameter'],
  ['name=%', 'malformed_query'],
  ['name=%ff', 'malformed_query'],
  ...['limit=0', 'limit=201', 'limit=05', 'limit=1e2', 'limit=+5', 'limit=-1', 'limit=5.0'].map(
    (query) => [query, 'value_not_allowed'] as const,
  ),
  ['sort=size', 'value_not_allowed'],
  ['sort=name,-name', 'value_not_allowed'],
  ['fields=name,name', 'value_not_allowed'],
  ['fields=Name', 'value_not_allowed'],
  ['versionPlatform=ANDROID', 'value_not_allowed'],
  ['name=a%00b', 'value_not_allowed'],
  [`name=${long}`, 'request_too_long'],
  ['cursor=abc', 'cursor_invalid'],
  [`cursor=${'A'.repeat(80)}`, 'cursor_invalid'],
  ['cursor=%2e%2e', 'cursor_invalid'],
]

test('every kind of wrong query is refused as at the public endpoint, and costs no call', async (t) => {
  const manager = await startManager(t)
  const { sandbox } = manager
  const before = sandbox.asked.length
  const codes = await compareEndpoints(
    manager,
    badQueries.map(([query]) => `/apps?${query}`),
  )
  assert.deepEqual(
    codes,
    badQueries.map(([, code]) => code),
  )
  assert.equal(sandbox.asked.length, before)
})

test('a cursor of one endpoint works at the other, both ways and to the end', async (t) => {
  const manager = await startManager(t)
  const read = readOf(manager)
  const ids: string[] = []
  let cursor = ''
  for (let here = true; cursor !== null; here = !here) {
    const target: string = `/apps?limit=1${cursor && `&cursor=${cursor}`}`
    const page: any = here ? JSON.parse((await read(target)).body) : (await manager.service.ask(target)).json
    ids.push(...page.items.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  }
  const whole = (await manager.service.ask('/apps?limit=200')).json.items.map(({ id }: { id: string }) => id)
  assert.ok(ids.length > 3)
  assert.deepEqual(ids, whole)
  const { nextCursor } = JSON.parse((await read('/apps?limit=1')).body)
  const elsewhere = [
    `/apps?limit=1&sort=sku&cursor=${nextCursor}`,
    `/apps/6446998001/versions/ids?cursor=${nextCursor}`,
  ]
  assert.deepEqual(await compareEndpoints(manager, elsewhere), ['cursor_mismatch', 'cursor_mismatch'])
  assert.deepEqual(await compareEndpoints(manager, [`/apps?cursor=${nextCursor}`], 'other'), ['cursor_mismatch'])
})

test('numbers beyond the precision of JavaScript keep their digits', async (t) => {
  const number = '9223372036854775807'
  const attributes = `{"appUptimeInMilliseconds":9007199254740993,"diskBytesTotal":${number}}`
  const data = `{"data":[{"type":"betaFeedbackScreenshotSubmissions","id":"f1","attributes":${attributes}}],"links":{}}`
  const { read, service } = await startExplorer(t, (_, res) => send(res, data))
  const target = '/apps/1/beta-feedback-screenshot-submissions'
  const { body } = await read(target)
  assert.match(body, /"appUptimeInMilliseconds":9007199254740993,/)
  assert.match(body, new RegExp(`"diskBytesTotal":${number},`))
  assert.equal(body, (await service.ask(target)).text)
})

test('markup, quotes and unpaired surrogates of the platform pass unchanged', async (t) => {
  const name = '"},"body":{"items":[]}} </script><img src=x onerror=alert(1)> \u2028\u0000 \\ud83d'
  const data = [{ ...page.healthy.data[0], attributes: { name } }]
  const { read, service } = await startExplorer(t, (_, res) => send(res, { data, links: {} }))
  const { answer, body } = await read(page.path)
  assert.equal(body, (await service.ask(page.path)).text)
  assert.equal(answer.json.body.items[0].name, name)
})
