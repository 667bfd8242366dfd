// Keys for some apps: they read what hangs below these, and everything else is as if it were not there.
import assert from 'node:assert/strict'
import test from 'node:test'
import { appScopeOf } from '../../src/catalogue/ownership.ts'
import { routes } from '../../src/catalogue/index.ts'
import { planOf } from '../../src/commands/explain.ts'
import { explainProof } from '../../src/engine/explain.ts'
import { agentOverHttp } from '../agents/scene.ts'
import { startCaching } from '../support/caching-service.ts'
import { type Call, refuse, type Script, send } from '../support/scripted-platform.ts'
import { type Answer, startOverSandbox, startScripted } from '../support/service.ts'

const flagship = '6446998001'
const other = '6446998002'
const code = ({ status, json }: Answer) => `${status} ${json?.error?.code ?? 'ok'}`

/** every path parameter that no chain leads to, typed by hand */
const unprovable = ['libraryVideoId', 'featuringNominationId']

test('every route has a chain from the apps, is the list of apps, or says why it is refused', () => {
  for (const route of routes) {
    const { anchor, chain, refused } = appScopeOf(route)
    const [first] = route.path.match(/(?<=\{)\w+/) ?? []
    const isRefused = first === undefined ? route.path !== '/apps' : unprovable.includes(first)
    assert.equal(refused !== undefined, isRefused, route.operation)
    if (isRefused) continue
    assert.equal(anchor, first)
    let parent = 'appId'
    for (const link of chain) {
      assert.equal(link.parent, parent, route.operation)
      assert.ok(`${link.list} ${Object.values(link.asked ?? {}).join(' ')}`.includes(`{${parent}}`), link.list)
      parent = link.child
    }
    if (anchor !== undefined) assert.equal(parent, anchor)
  }
})

test('below its app a key reads what a key for all apps reads, and below another one nothing', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const [mine, foreign] = [await service.issue({ apps: [flagship] }), await service.issue({ apps: [other] })]
  for (const route of routes) {
    const { operation, example, path } = route
    if (path === '/apps') continue
    const { refused } = appScopeOf(route)
    const [all, own, none] = await Promise.all([service.key, mine, foreign].map((key) => service.ask(example, { key })))
    assert.ok(all && own && none)
    if (refused !== undefined) {
      for (const answer of [own, none]) assert.equal(code(answer), '403 route_not_for_apps', operation)
      assert.equal(own.json.error.message, refused)
      continue
    }
    assert.equal(own.status, all.status, `${operation}: ${own.text}`)
    const unsealed = ({ json }: Answer) => ({ ...json, ...(json.nextCursor && { nextCursor: 'sealed' }) })
    assert.deepEqual(unsealed(own), unsealed(all), operation)
    assert.equal(code(none), '404 resource_not_found', operation)
  }
})

test('the list of apps is cut to those of the key, in honest pages', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const apps = [flagship, other, '6446998003', '1']
  const key = await service.issue({ apps })
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const paged = cursor === '' ? '' : `&cursor=${cursor}`
    const { status, json }: Answer = await service.ask(`/apps?limit=2&sort=name${paged}`, { key })
    assert.equal(status, 200)
    found.push(...json.items.map(({ id }: { id: string }) => id))
    cursor = json.nextCursor
  }
  assert.deepEqual(found.toSorted(), apps.slice(0, 3))
  for (const name of ['id', '%69d', 'i%64']) {
    const narrowed = await service.ask(`/apps?${name}=${other}%2C6446998004,${other}`, { key })
    assert.deepEqual(
      narrowed.json.items.map(({ id }: { id: string }) => id),
      [other],
    )
  }
  const calls = sandbox.asked.length
  assert.deepEqual((await service.ask('/apps?%69d=6446998004', { key })).json, { items: [], nextCursor: null })
  assert.equal(code(await service.ask('/apps?id=6446998004&limti=5', { key })), '400 unknown_parameter')
  assert.equal(code(await service.ask('/apps?id=6446998004&cursor=abc', { key })), '400 cursor_invalid')
  const { nextCursor: own } = (await service.ask('/apps?limit=2', { key })).json
  assert.equal(code(await service.ask(`/apps?id=6446998004&cursor=${own}`, { key })), '400 cursor_mismatch')
  assert.equal(sandbox.asked.length, calls + 1)
  const { nextCursor } = (await service.ask('/apps?limit=2&sort=name')).json
  assert.equal(code(await service.ask(`/apps?limit=2&sort=name&cursor=${nextCursor}`, { key })), '400 cursor_mismatch')
})

/** each listing holds `own-` and its path; everything else exists */
const listed: Script = ({ url }, res) => {
  const { pathname } = new URL(url, 'http://platform')
  if (pathname === '/v1/apps/1/relationships/appEvents')
    return send(res, { data: [{ type: 'appEvents', id: 'mine' }], links: {} })
  const [, , type = '', id = ''] = pathname.split('/')
  return send(res, { data: { type, id, attributes: {} } })
}

const pathsOf = (calls: readonly Call[]) => calls.map(({ url }) => url.split('?', 1)[0])

test('an id of another app and one that does not exist are one answer after the same calls', async (t) => {
  const { platform, service, close } = await startScripted(listed)
  t.after(close)
  const key = await service.issue({ apps: ['1'] })
  const answers = []
  for (const id of ['of-another-app', 'nothing']) {
    const { status, json } = await service.ask(`/events/${id}`, { key, headers: { 'cache-control': 'no-cache' } })
    answers.push([status, { ...json.error, requestId: '' }])
  }
  assert.deepEqual(answers[0], answers[1])
  assert.equal(answers[0]?.[0], 404)
  assert.deepEqual(
    pathsOf(platform.calls),
    Array.from({ length: 2 }, () => '/v1/apps/1/relationships/appEvents'),
  )
  for (const path of ['/apps/2/versions/ids', '/apps/2/performance-overviews'])
    assert.equal(code(await service.ask(path, { key })), '404 resource_not_found')
  assert.equal(code(await service.ask('/events/nothing?limti=5', { key })), '400 unknown_parameter')
  assert.equal(platform.calls.length, 2, 'another app is refused without a call, and a wrong query before a proof')
})

test('a listing is remembered for a minute, by key and connection alike, and a cached answer needs the proof', async (t) => {
  const { platform, service, ask, pass } = await startCaching(t)
  platform.script = listed
  const [mine, foreign] = [await service.issue({ apps: ['1'] }), await service.issue({ apps: ['2'] })]
  assert.equal(code(await ask('/events/mine')), '200 ok')
  assert.equal(code(await ask('/events/mine', { key: mine })), '200 ok')
  const hit = await ask('/events/mine', { key: mine })
  assert.match(String(hit.headers['cache-status']), /hit/)
  assert.equal(platform.calls.length, 2, 'the answer, and the listing')
  platform.script = (call, res) =>
    call.url.includes('/apps/2/') ? send(res, { data: [], links: {} }) : listed(call, res)
  const headers = { 'if-none-match': String(hit.headers['etag']) }
  assert.equal(code(await ask('/events/mine', { key: foreign, headers })), '404 resource_not_found')
  assert.equal(code(await ask('/v1/connections/other/events/mine', { key: mine })), '200 ok')
  assert.equal(platform.calls.length, 5, 'another connection has listings of its own')
  pass(61)
  assert.equal(code(await ask('/events/mine', { key: mine })), '200 ok')
  assert.equal(platform.calls.length, 7)
})

test('a listing that fails or breaks off is a failure, and not an absence', async (t) => {
  const { platform, service, close } = await startScripted((_, res) => refuse(res, 403, 'FORBIDDEN_ERROR'))
  t.after(close)
  const key = await service.issue({ apps: ['1'] })
  assert.equal(code(await service.ask('/events/mine', { key })), '403 upstream_forbidden')
  platform.script = (_, res) => send(res, { data: [], links: {}, meta: { paging: { total: 3, limit: 200 } } })
  assert.equal(code(await service.ask('/events/mine', { key })), '502 upstream_malformed')
  const linkTo = (url: string) => ({ next: `${url}&cursor=two` })
  const [a, b] = ['a', 'b'].map((id) => ({ type: 'appEvents', id }))
  platform.script = ({ url, query }, res) =>
    send(res, { data: [a, b], links: query.has('cursor') ? {} : linkTo(url), meta: { paging: { total: 3 } } })
  const hidden = await service.ask('/events/mine', { key })
  assert.equal(code(hidden), '502 upstream_malformed', 'a repeated page hides what it should have held')
  platform.script = (_, res) => refuse(res, 404, 'NOT_FOUND')
  assert.equal(
    code(await service.ask('/events/mine', { key })),
    '404 resource_not_found',
    'the app is not in this account',
  )
})

/** the one build of the app, with these bundles */
const withBundles =
  (bundles: object): Script =>
  ({ path }, res) =>
    path === '/v1/builds'
      ? send(res, { data: [{ type: 'builds', id: 'b', relationships: { buildBundles: bundles } }], links: {} })
      : send(res, { data: { type: 'appClipDomainStatuses', id: 's', attributes: {} } })

test('a relationship that a listing cuts short, or that names no resource, is a failure', async (t) => {
  const { platform, service, close } = await startScripted(() => {})
  t.after(close)
  const key = await service.issue({ apps: ['1'] })
  const mine = { type: 'buildBundles', id: 'mine' }
  const cases: [bundles: object, id: string, expected: string][] = [
    [{ data: [mine], meta: { paging: { total: 51, limit: 50 } } }, 'fifty-first', '502 upstream_malformed'],
    [{ data: [mine], meta: { paging: { nextCursor: 'c', limit: 50 } } }, 'fifty-first', '502 upstream_malformed'],
    [{ data: [{ type: 'buildBundles' }] }, 'undefined', '502 upstream_malformed'],
    [{ data: [{ type: 'apps', id: 'other' }] }, 'other', '502 upstream_malformed'],
    [{ data: 'mine' }, 'mine', '502 upstream_malformed'],
    [{}, 'mine', '502 upstream_malformed'],
    [{ data: [] }, 'mine', '404 resource_not_found'],
    [{ data: [mine], meta: { paging: { total: 1, limit: 50 } } }, 'mine', '200 ok'],
  ]
  const headers = { 'cache-control': 'no-cache' }
  for (const [bundles, id, expected] of cases) {
    platform.script = withBundles(bundles)
    const answer = await service.ask(`/build-bundles/${id}/app-clip-domain-debug-status`, { key, headers })
    assert.equal(code(answer), expected, JSON.stringify(bundles))
  }
})

test('a proof costs the budget of the key, and its explanation names each listing', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ apps: [flagship], platformCallsPerHour: 9 })
  const route = routes.find(({ operation }) => operation === 'listSubscriptionOfferCodes')
  assert.ok(route)
  const answer = await service.ask(route.example, { key })
  assert.match(String(answer.headers['ratelimit']), /"platform-calls";r=6/)
  assert.deepEqual(
    explainProof(planOf(route.example).route).map(({ get, looksFor }) => [get, looksFor]),
    [
      ['/v1/apps/{appId}/relationships/subscriptionGroups', 'subscriptionGroupId'],
      ['/v1/subscriptionGroups/{subscriptionGroupId}/relationships/subscriptions', 'subscriptionId'],
    ],
  )
  assert.throws(() => planOf('/library-videos/1/placements', { apps: true }), { code: 'route_not_for_apps' })
})

test('an agent finds no operation that its apps exclude, and whoami names the apps', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ apps: [flagship] })
  const { call } = await agentOverHttp(t, { url: service.url, key })
  const found = (await call('find_operations')).text
  assert.ok(found.includes('getEvent') && !found.includes('getFeaturingNomination'))
  const read = { operation: 'listApps', connection: 'acme' }
  assert.deepEqual(
    (await call('read_all', read)).said.rows.map(({ id }: { id: string }) => id),
    [flagship],
  )
  const described = await call('describe_operation', { operation: 'getFeaturingNomination' })
  assert.equal(described.said.error.code, 'route_not_for_apps')
  const params = { appId: other }
  assert.equal(
    (await call('read', { operation: 'listAppVersionIds', connection: 'acme', params })).said.error.code,
    'resource_not_found',
  )
  assert.deepEqual((await service.ask('/v1/whoami', { key })).json.apps, [flagship])
})
