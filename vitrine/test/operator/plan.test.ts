import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { planOf } from '../../src/commands/explain.ts'
import { explainPlan } from '../../src/engine/explain.ts'
import { page } from '../support/example-routes.ts'
import { startExplorer, without, withoutChance } from './explorer-reads.ts'
import { startManager } from './manager.ts'

const wanted = (target: string, connection = 'acme') => ({ body: { connection, target } })

/** path and query of the calls made, in the notation of a plan */
function stepOf({ purpose, get, accept }: { purpose: string; get: string; accept: string }) {
  const url = new URL(get, 'http://platform')
  return { purpose, get: url.pathname, query: Object.fromEntries(url.searchParams), accept }
}

test('for each route the plan is what the platform then gets', async (t) => {
  const { ask, sandbox } = await startManager(t)
  for (const { operation, group, example } of routes) {
    const before = sandbox.asked.length
    const plan = await ask('POST', '/plan', wanted(example))
    assert.equal(sandbox.asked.length, before, 'at no call of the platform')
    assert.deepEqual([plan.status, plan.json.operation, plan.json.group], [200, operation, group])
    const { asked } = (await ask('POST', '/read', wanted(example))).json
    // the app that a list belongs to is remembered from one list to the next
    const steps = plan.json.steps.slice(plan.json.steps.length - asked.length)
    const planned = steps.map((step: object) => without(step, 'looksFor'))
    if (steps.length < plan.json.steps.length) assert.match(plan.json.steps[0].purpose, /parent exists/)
    const found = /\/[\w-]{36}(?=\/|$)/
    assert.deepEqual(
      asked.map(stepOf).map((one: any, i: number) => {
        const [name] = /\/\{\w+\}/.exec(planned[i].get) ?? []
        return name === undefined ? one : { ...one, get: one.get.replace(found, name) }
      }),
      planned,
      operation,
    )
  }
})

test('a plan is the one of `vitrine explain`, and the linkage of the connection counts', async (t) => {
  for (const linkage of [false, true]) {
    const { ask } = await startManager(t, linkage ? { connection: { linkage: 'asked' } } : {})
    for (const { example } of routes) {
      const target = example.split('?', 1)[0] ?? ''
      const { steps } = (await ask('POST', '/plan', wanted(target))).json
      assert.deepEqual(steps, explainPlan(planOf(target, { linkage }).plan), target)
    }
    const { steps } = (await ask('POST', '/plan', wanted('/apps'))).json
    assert.equal('include' in steps[0].query, linkage)
  }
})

test('a lookup says what it compares, and its result stays a name in braces', async (t) => {
  const { ask } = await startManager(t)
  const { json } = await ask('POST', '/plan', wanted('/events/e%2F1/localizations/en-US/event-screenshots/ids?limit=3'))
  assert.deepEqual(json, {
    operation: 'listEventScreenshotIds',
    group: 'marketing',
    steps: [
      {
        purpose: 'find the one localization with exactly this locale; every page is read',
        get: '/v1/appEvents/e%2F1/localizations',
        query: { 'fields[appEventLocalizations]': 'locale', limit: '200' },
        accept: 'application/json',
        looksFor: 'en-US',
      },
      {
        purpose: 'read the answer',
        get: '/v1/appEventLocalizations/{localizationId}/relationships/appEventScreenshots',
        query: { limit: '3' },
        accept: 'application/json',
      },
    ],
  })
})

test('a plan is refused like the read at the public endpoint, and the refusal is not audited', async (t) => {
  const { ask, service, sandbox, audit } = await startManager(t)
  const refused: readonly (readonly [target: string, status: number, code: string])[] = [
    ['/apps?limti=5', 400, 'unknown_parameter'],
    ['/apps?limit=5&limit=5', 400, 'repeated_parameter'],
    ['/apps?limit=', 400, 'empty_parameter'],
    ['/apps?name=%', 400, 'malformed_query'],
    ['/apps?limit=0', 400, 'value_not_allowed'],
    ['/apps?cursor=abc', 400, 'cursor_invalid'],
    [`/apps?name=${'x'.repeat(5_000)}`, 400, 'request_too_long'],
    [`/apps/${'x'.repeat(9_000)}/versions/ids`, 414, 'uri_too_long'],
    ['/nothing', 404, 'route_not_found'],
    ['//', 404, 'route_not_found'],
    ['/apps/../x', 404, 'route_not_found'],
    ['/apps/../versions/ids', 404, 'resource_not_found'],
    ['/events/e1/localizations/%2e/event-screenshots/ids', 404, 'localization_not_found'],
  ]
  for (const [target, status, code] of refused) {
    const [here, there] = [await ask('POST', '/plan', wanted(target)), await service.ask(target)]
    assert.deepEqual([here.status, here.json.error.code], [status, code], target)
    assert.equal(withoutChance(here.text), withoutChance(there.text), target)
  }
  const nowhere = await ask('POST', '/plan', wanted('/apps', 'nowhere'))
  assert.deepEqual([nowhere.status, nowhere.json.error.code], [404, 'connection_not_found'])
  const odd = await ask('POST', '/plan', wanted('/apps?name=a b'))
  assert.deepEqual([odd.status, odd.json.error.code], [400, 'malformed_request'])
  assert.deepEqual([sandbox.asked.length, await audit({ outcome: 'denied' })], [0, []])
})

test('a plan of a later page opens its cursor, and refuses that of another list', async (t) => {
  const { ask } = await startManager(t)
  const { nextCursor } = (await ask('POST', '/read', wanted('/apps?limit=1'))).json.body
  const { steps } = (await ask('POST', '/plan', wanted(`/apps?limit=1&cursor=${nextCursor}`))).json
  const { asked } = (await ask('POST', '/read', wanted(`/apps?limit=1&cursor=${nextCursor}`))).json
  assert.deepEqual(steps, asked.map(stepOf))
  assert.ok(steps[0].query.cursor.length > 0)
  const other = await ask('POST', '/plan', wanted(`/apps?sort=name&cursor=${nextCursor}`))
  assert.deepEqual([other.status, other.json.error.code], [400, 'cursor_mismatch'])
})

test('a plan needs no platform, and shows lookups that are cached', async (t) => {
  const { ask, platform } = await startExplorer(t, (_, res) => void res.destroy())
  const { status, json } = await ask('POST', '/plan', wanted(page.path).body)
  assert.deepEqual([status, json.steps.length, platform.calls.length], [200, 1, 0])
})
