import assert from 'node:assert/strict'
import test from 'node:test'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { pathNames } from '../../src/catalogue/parameters.ts'
import { type WayStep, wayTo } from '../../src/catalogue/ways.ts'
import { agentOverHttp } from '../agents/scene.ts'
import { startOverSandbox } from '../support/service.ts'

const named = (operation: string): Route =>
  routes.find((route) => route.operation === operation) ?? assert.fail(operation)
const written = (steps: readonly WayStep[] = []) =>
  steps.map(({ gives, operation, field }) => `${gives} ${operation} ${field}`)

test('the way to a route is the reads that give its ids, in order, without what is given', () => {
  assert.deepEqual(written(wayTo(named('listTerritoryAgeRatings'), routes)), [
    'appId listApps id',
    'appInfoId listAppInfos id',
  ])
  assert.deepEqual(written(wayTo(named('listTerritoryAgeRatings'), routes, ['appId'])), ['appInfoId listAppInfos id'])
  assert.deepEqual(written(wayTo(named('listEventScreenshotIds'), routes)), [
    'appId listApps id',
    'eventId listEvents id',
    'locale listEventLocalizations locale',
  ])
  assert.deepEqual(written(wayTo(named('getCustomerReviewResponse'), routes)), [
    'appId listApps id',
    'responseId listCustomerReviews responseId',
  ])
  assert.deepEqual(wayTo(named('listApps'), routes), [])
  assert.equal(wayTo(named('listLibraryVideoPlacements'), routes), undefined)
})

const filled = (route: Route, ids: Readonly<Record<string, string>>): string =>
  pathNames(route).reduce((path, name) => path.replace(`{${name}}`, encodeURIComponent(ids[name] ?? '')), route.path)

test('every route of the contract but library videos is reached on the sandbox from the connection alone', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  /** follows the first rows that lead on */
  async function walk(
    route: Route,
    steps: readonly WayStep[],
    ids: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const [step, ...rest] = steps
    if (!step) return (await service.ask(filled(route, ids))).status === 200
    const { status, json } = await service.ask(`${filled(named(step.operation), ids)}?limit=10`)
    if (status !== 200) return false
    for (const item of json.items) {
      const value = typeof item === 'string' ? item : item[step.field]
      if (typeof value === 'string' && (await walk(route, rest, { ...ids, [step.gives]: value }))) return true
    }
    return false
  }
  for (const route of routes.filter(({ isBeyond }) => !isBeyond)) {
    const way = wayTo(route, routes)
    if (route.operation === 'listLibraryVideoPlacements') assert.equal(way, undefined)
    else assert.ok(way && (await walk(route, way, {})), route.operation)
  }
})

test('an agent that finds an operation is told how to get the ids that it needs', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const { call } = await agentOverHttp(t, service)
  const { said } = await call('find_operations', { query: 'age ratings by territory' })
  assert.equal(said.rows[0].operation, 'listTerritoryAgeRatings')
  assert.deepEqual(said.rows[0].way, ['appId: listApps → id', 'appInfoId: listAppInfos → id'])
  assert.deepEqual(said.rows[0].needs, { appId: 'listApps', appInfoId: 'listAppInfos' })
})
