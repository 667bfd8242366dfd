import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { send } from '../support/scripted-platform.ts'
import { startOverSandbox, startScripted } from '../support/service.ts'

const asset = (relationships: unknown, attributes: object = { archived: false, usedBytes: 7, novelty: 1 }) => ({
  data: { type: 'backgroundAssets', id: 'b1', attributes, relationships },
})

test('a linkage is present if the platform supplies it, null if it is empty, and absent if there are only links', async () => {
  const { service, close } = await startScripted((_, res) =>
    send(
      res,
      asset({
        app: { data: { type: 'apps', id: 'a1' } },
        appStoreVersion: { data: null },
        internalBetaVersion: { links: { related: 'https://x.example' } },
        somethingNew: { data: { type: 'x', id: 'y' } },
      }),
    ),
  )
  const { json } = await service.ask('/background-assets/b1')
  assert.deepEqual(json, { id: 'b1', archived: false, usedBytes: 7, appId: 'a1', versionId: null })
  await close()
})

test('platform calls ask for exactly the documented fields, never with include', async () => {
  const { service, platform, close } = await startScripted((_, res) => send(res, asset({})))
  await service.ask('/background-assets/b1')
  assert.equal(
    platform.calls[0]?.query.get('fields[backgroundAssets]'),
    'archived,assetPackIdentifier,createdDate,usedBytes,app,appStoreVersion,internalBetaVersion,externalBetaVersion',
  )
  assert.ok(!platform.calls[0]?.query.has('include'))
  await close()
})

test('with fields, exactly the selected attributes are requested and returned, even if the platform sends more', async () => {
  const { service, platform, close } = await startScripted((_, res) =>
    send(res, asset({ app: { data: { type: 'apps', id: 'a1' } } })),
  )
  const { json } = await service.ask('/background-assets/b1?fields=usedBytes')
  assert.deepEqual(json, { id: 'b1', usedBytes: 7 })
  assert.equal(platform.calls[0]?.query.get('fields[backgroundAssets]'), 'usedBytes')
  await close()
})

test('members unknown to the catalogue are left out and counted', async () => {
  const { service, close } = await startScripted((_, res) => send(res, asset({})))
  const { json } = await service.ask('/background-assets/b1')
  assert.ok(!('novelty' in json))
  assert.deepEqual(
    service.events.find(({ kind }) => kind === 'drift'),
    { kind: 'drift', connection: 'acme', type: 'backgroundAssets', members: ['novelty'] },
  )
  await close()
})

test('answers use the neutral terms of the contract, and platform calls use those of the platform', async () => {
  const feedback = {
    type: 'betaFeedbackScreenshotSubmissions',
    id: 'f1',
    attributes: { pairedAppleWatch: 'Watch6,1', deviceFamily: 'APPLE_WATCH', comment: 'APPLE_TV', email: null },
  }
  const { service, platform, close } = await startScripted((_, res) => send(res, { data: [feedback], links: {} }))
  const { json } = await service.ask(
    '/apps/a1/beta-feedback-screenshot-submissions?fields=pairedVendorWatch,deviceFamily,comment',
  )
  assert.deepEqual(json.items, [
    { id: 'f1', comment: 'APPLE_TV', pairedVendorWatch: 'Watch6,1', deviceFamily: 'VENDOR_WATCH' },
  ])
  assert.equal(
    platform.calls[0]?.query.get('fields[betaFeedbackScreenshotSubmissions]'),
    'pairedAppleWatch,deviceFamily,comment',
  )
  await close()
})

test('exactly the routes whose rows say nothing without them ask for linkages by default, by id alone', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const asked: Record<string, string> = {}
  for (const { operation, example, shape } of routes) {
    const answer = await service.ask(example.split('?', 1)[0] ?? '')
    assert.equal(answer.status, 200, operation)
    const { searchParams } = new URL(sandbox.asked.at(-1)?.url ?? '', 'http://platform')
    const include = searchParams.get('include')
    if (include === null || shape === 'ids') continue
    const fields = [...searchParams].filter(([name]) => name.startsWith('fields['))
    const own = fields.slice(1).map(([name, value]) => `${name}=${value}`)
    asked[operation] = [include, ...own].join(' ')
  }
  assert.deepEqual(asked, {
    listTerritoryAgeRatings: 'territory fields[territories]=currency',
    listWinBackOfferPrices:
      'territory,subscriptionPricePoint fields[territories]=currency fields[subscriptionPricePoints]=customerPrice',
    listCustomerReviews: 'response fields[customerReviewResponses]=state',
    listReviewSubmissions: 'appStoreVersionForReview fields[appStoreVersions]=platform',
    // not by id alone: the platform has no endpoint for the event
    listWebhookDeliveries: 'event fields[webhookEvents]=eventType,createdDate,ping,payload',
  })
  const { json } = await service.ask(
    '/apps/6446998001/app-infos/0b5c7d12-6e3f-4a80-9c41-0c0000000012/territory-age-ratings',
  )
  assert.match(json.items[0].territoryId, /^[A-Z]{3}$/)
})

test('with the linkages setting on, every route with documented linkages returns those that the platform has', async (t) => {
  const { service, sandbox, close } = await startOverSandbox({ connection: { linkage: 'asked' } })
  t.after(close)
  for (const { operation, example, returns } of routes.filter((r) => Object.keys(r.returns?.links ?? {}).length > 0))
    await t.test(operation, async () => {
      const path = example.split('?', 1)[0] ?? ''
      const { status, json } = await service.ask(path)
      assert.equal(status, 200)
      for (const name of Object.keys(returns?.links ?? {}))
        assert.ok(name in (json.items?.[0] ?? json), `${name} is absent`)
      assert.match(sandbox.asked.at(-1)?.url ?? '', /include=/)
      const selected = Object.keys(returns?.attributes ?? {})[0]
      if (selected === undefined) return
      await service.ask(`${path}?fields=${selected}`)
      assert.doesNotMatch(sandbox.asked.at(-1)?.url ?? '', /include=/)
    })
})
