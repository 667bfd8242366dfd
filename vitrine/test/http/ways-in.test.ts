// Lists for all parents, linkages of one resource, and filters with rules of their own: what only routes beyond the contract do.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startOverSandbox, startScripted } from '../support/service.ts'

const ofAllApps = [
  ['/builds', '/v1/builds'],
  ['/review-submissions', '/v1/reviewSubmissions'],
  ['/encryption-declarations', '/v1/appEncryptionDeclarations'],
] as const

test('a list for all apps is asked for one app, and an absent app is 404, not an empty list', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  for (const [path, endpoint] of ofAllApps) {
    assert.equal((await service.ask(`/apps/1${path}`)).status, 404, path)
    assert.ok(
      sandbox.asked.every(({ url }) => !url.startsWith(endpoint)),
      path,
    )
    assert.equal((await service.ask(`/apps/6446998001${path}`)).status, 200, path)
    const { searchParams } = new URL(sandbox.asked.at(-1)?.url ?? '', 'http://platform')
    assert.equal(searchParams.get('filter[app]'), '6446998001', path)
  }
})

test('an id with a comma never reaches a filter, where it would name two apps', async (t) => {
  const { service, platform, close } = await startScripted((_, res) => send(res, { data: { type: 'apps', id: '1,2' } }))
  t.after(close)
  for (const [path] of ofAllApps) assert.equal((await service.ask(`/apps/1,2${path}`)).status, 404, path)
  assert.deepEqual(
    platform.calls.filter(({ query }) => query.has('filter[app]')),
    [],
  )
})

test('a build of another app among the builds of one is refused', async (t) => {
  const build = {
    type: 'builds',
    id: 'b1',
    attributes: {},
    relationships: { app: { data: { type: 'apps', id: '2' } } },
  }
  const script = ({ path }: Call) =>
    path === '/v1/builds' ? { data: [build], links: {} } : { data: { type: 'apps', id: '1' } }
  const { service, close } = await startScripted((call, res) => send(res, script(call)))
  t.after(close)
  assert.equal((await service.ask('/apps/1/builds')).status, 502)
})

const bundles = (ids: readonly string[], meta?: object) => ({
  data: {
    type: 'builds',
    id: 'b1',
    relationships: { buildBundles: { data: ids.map((id) => ({ type: 'buildBundles', id })), ...(meta && { meta }) } },
  },
  links: {},
})

test('the bundles of a build come in pages, each from one call for all of them', async (t) => {
  const { service, platform, close } = await startScripted((_, res) =>
    send(res, bundles(['a', 'b', 'c'], { paging: { total: 3, limit: 50 } })),
  )
  t.after(close)
  const path = '/builds/b1/build-bundles/ids?limit=2'
  const { json: first } = await service.ask(path)
  assert.deepEqual(first.items, ['a', 'b'])
  const { json: second } = await service.ask(`${path}&cursor=${first.nextCursor}`)
  assert.deepEqual(second, { items: ['c'], nextCursor: null })
  assert.equal(platform.calls.length, 2)
  assert.deepEqual(Object.fromEntries(platform.calls[1]?.query ?? []), {
    'fields[builds]': 'buildBundles',
    include: 'buildBundles',
    'fields[buildBundles]': 'bundleType',
    'limit[buildBundles]': '50',
  })
})

test('bundles that the platform does not give, or gives in part, are refused and never a short list', async (t) => {
  const answers = [
    { data: { type: 'builds', id: 'b1' }, links: {} },
    { data: { type: 'builds', id: 'b1', relationships: { buildBundles: { links: {} } } }, links: {} },
    bundles(['a'], { paging: { total: 51, limit: 50 } }),
    bundles(['a'], { paging: { total: 1, limit: 50, nextCursor: 'x' } }),
    { ...bundles([]), data: { type: 'builds', id: 'b2', relationships: { buildBundles: { data: [] } } } },
  ]
  for (const answer of answers) {
    const { service, close } = await startScripted((_, res) => send(res, answer))
    t.after(close)
    const { status, json } = await service.ask('/builds/b1/build-bundles/ids')
    assert.deepEqual([status, json.error.code], [502, 'upstream_malformed'], JSON.stringify(answer))
  }
  const { service, close } = await startScripted((_, res) => send(res, bundles([])))
  t.after(close)
  assert.deepEqual((await service.ask('/builds/b1/build-bundles/ids')).json, { items: [], nextCursor: null })
})

test('nominations are asked for in every state if the caller names none', async (t) => {
  const { service, platform, close } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  t.after(close)
  assert.equal((await service.ask('/featuring-nominations')).status, 200)
  assert.equal((await service.ask('/featuring-nominations?state=DRAFT')).status, 200)
  assert.deepEqual(
    platform.calls.map(({ query }) => query.get('filter[state]')),
    ['DRAFT,SUBMITTED,ARCHIVED', 'DRAFT'],
  )
})

test('a filter for whether there is something takes one value', async (t) => {
  const { service, platform, close } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  t.after(close)
  const path = '/apps/1/customer-reviews?hasPublishedResponse='
  assert.equal((await service.ask(`${path}false`)).status, 200)
  assert.equal(platform.calls[0]?.query.get('exists[publishedResponse]'), 'false')
  for (const value of ['true,false', 'true,true', 'yes']) {
    const { status, json } = await service.ask(path + value)
    assert.deepEqual([status, json.error.code, json.error.param], [400, 'value_not_allowed', 'hasPublishedResponse'])
  }
  assert.equal(platform.calls.length, 1)
})

test('reviews name their responses unasked, and submissions the version in review', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const { json: reviews } = await service.ask('/apps/6446998001/customer-reviews?sort=createdDate')
  assert.deepEqual(
    reviews.items.map(({ responseId }: { responseId: string | null }) => responseId),
    ['00000028-b08c-4014-829e-0c0000000028', '00000028-b08c-4014-829e-0c0000000029', null],
  )
  const { json: submissions } = await service.ask('/apps/6446998001/review-submissions')
  assert.match(submissions.items[0].appStoreVersionForReviewId, /^[\da-f-]{36}$/)
  assert.ok(!('submittedByActorId' in submissions.items[0]))
})

test('a refusal of the app of such a list is the refusal of the list', async (t) => {
  const { service, close } = await startScripted((_, res) => refuse(res, 403, 'FORBIDDEN_ERROR'))
  t.after(close)
  const { status, json } = await service.ask('/apps/1/builds')
  assert.deepEqual([status, json.error.type], [403, 'upstream_forbidden'])
})
