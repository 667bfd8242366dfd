import assert from 'node:assert/strict'
import test from 'node:test'
import { type Call, refuse, type Script, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const path = '/apps/a1/app-infos/i9/territory-age-ratings'
const isList = ({ path: asked }: Call): boolean => asked === '/v1/apps/a1/relationships/appInfos'

/** the app's own list, in pages of ids */
const owning =
  (...pages: string[][]): Script =>
  (call, res) => {
    if (!isList(call))
      return send(res, {
        data: [{ type: 'territoryAgeRatings', id: 'r1', attributes: { appStoreAgeRating: 'L' } }],
        links: {},
      })
    const at = Number(call.query.get('cursor') ?? 0)
    const next = at + 1 < pages.length ? { next: `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}` } : {}
    return send(res, { data: (pages[at] ?? []).map((id) => ({ type: 'appInfos', id })), links: next })
  }

test('an app info of the app is read in two calls, and every item names it', async () => {
  const { service, platform, close } = await startScripted(owning(['i1', 'i9']))
  const { status, json } = await service.ask(path)
  assert.equal(status, 200)
  assert.deepEqual(json.items, [{ id: 'r1', appStoreAgeRating: 'L', appId: 'a1', appInfoId: 'i9' }])
  assert.equal(platform.calls.length, 2)
  await close()
})

test('an app info on a later page of the list is found', async () => {
  const { service, platform, close } = await startScripted(owning(['i1'], [], ['i9']))
  assert.equal((await service.ask(path)).status, 200)
  assert.equal(platform.calls.length, 4)
  await close()
})

test('an app info of another app is absent, and its ratings are never read', async () => {
  for (const pages of [[[]], [['i1'], ['i99', 'I9', 'i9 ']]]) {
    const { service, platform, close } = await startScripted(owning(...pages))
    const { status, json } = await service.ask(path)
    assert.equal(status, 404)
    assert.equal(json.error.type, 'resource_not_found')
    assert.ok(platform.calls.every(isList))
    await close()
  }
})

test('nothing is read if the list cannot be read', async () => {
  const refusals: [number, number, string][] = [
    [403, 403, 'upstream_forbidden'],
    [404, 404, 'resource_not_found'],
    [500, 502, 'upstream_error'],
  ]
  for (const [theirs, ours, type] of refusals) {
    const { service, platform, close } = await startScripted((_, res) => refuse(res, theirs, 'X'))
    const { status, json } = await service.ask(path)
    assert.deepEqual([status, json.error.type], [ours, type])
    assert.equal(new Set(platform.calls.map((call) => call.path)).size, 1, 'and the child is not asked for')
    await close()
  }
})

test('a resource that names another parent is rejected', async () => {
  const offer = (parent: string | null) => ({
    data: [
      {
        type: 'subscriptionOfferCodes',
        id: 'o1',
        attributes: {},
        relationships: { subscription: { data: parent && { type: 'subscriptions', id: parent } } },
      },
    ],
    links: {},
  })
  for (const [parent, status] of [
    ['s1', 200],
    ['s2', 502],
  ] as const) {
    const { service, close } = await startScripted((_, res) => send(res, offer(parent)))
    const answer = await service.ask('/subscriptions/s1/offer-codes')
    assert.equal(answer.status, status)
    if (status === 200) assert.deepEqual(answer.json.items, [{ id: 'o1', subscriptionId: 's1' }])
    // a selection does not return the linkage, but is still checked against it
    assert.equal((await service.ask('/subscriptions/s1/offer-codes?fields=name')).status, status)
    await close()
  }
})
