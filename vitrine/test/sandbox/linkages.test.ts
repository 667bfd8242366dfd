// The fields of a resource: relationships with and without include, sparse fields, null attributes.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Resource, withSandbox } from './sandbox-client.ts'

const feedback = '/v1/apps/6446998001/betaFeedbackScreenshotSubmissions'
const prices = '/v1/winBackOffers/6742001014/prices'

test('without include a to-one relationship without a link is missing', async () => {
  await withSandbox(async ({ get }) => {
    const price = (await get(`${prices}?limit=1`)).body.data[0]
    assert.deepEqual(Object.keys(price ?? {}), ['type', 'id', 'links'])
    const submission = (await get(`${feedback}?limit=1`)).body.data[0]
    assert.equal(submission?.relationships, undefined)
  })
})

test('without include a relationship with a link shows its links only', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const app = (await get('/v1/apps?limit=1')).body.data[0]
    assert.equal(app?.relationships['appStoreIcon'], undefined)
    assert.deepEqual(app?.relationships['appInfos'], {
      links: {
        self: `${sandbox.url}/v1/apps/6446998001/relationships/appInfos`,
        related: `${sandbox.url}/v1/apps/6446998001/appInfos`,
      },
    })
    assert.ok(Object.values(app.relationships).every((each) => each.data === undefined))
  })
})

test('include supplies the linkage and the related resource, null where there is none', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get(`${feedback}?include=tester&fields[betaTesters]=firstName&limit=5`)
    assert.deepEqual(
      body.data.map((each) => (each.relationships['tester']?.data === null ? null : 'tester')),
      ['tester', 'tester', 'tester', null, 'tester'],
    )
    assert.equal(body.included.length, 4)
    assert.deepEqual(body.included[0]?.attributes, { firstName: 'Ada' })
    assert.equal(body.data[0]?.relationships['build'], undefined)
  })
})

test('an included to-many relationship shows ten linkages by default', async () => {
  await withSandbox(async ({ get }) => {
    const path = '/v1/nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016?include=relatedApps&fields[apps]=name'
    const ten = await get<Resource>(path)
    const related = ten.body.data.relationships['relatedApps']
    assert.deepEqual(related?.meta, { paging: { total: 12, limit: 10 } })
    assert.equal([related.data].flat().length, 10)
    assert.equal(ten.body.included.length, 10)
    const all = await get<Resource>(`${path}&limit[relatedApps]=12`)
    assert.equal(all.body.included.length, 12)
  })
})

test('fields leaves exactly the named attributes and relationships', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get(`${feedback}?fields[betaFeedbackScreenshotSubmissions]=comment,tester&limit=1`)
    assert.deepEqual(body.data[0]?.attributes, { comment: 'The chart jumps back to today when I rotate the phone.' })
    assert.equal(body.data[0]?.relationships, undefined)
    const included = await get(
      `${feedback}?fields[betaFeedbackScreenshotSubmissions]=comment,tester&include=tester,build&limit=1`,
    )
    assert.deepEqual(Object.keys(included.body.data[0]?.relationships ?? {}), ['tester'])
  })
})

test('an attribute without a value is null', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get('/v1/apps?filter[id]=6446998002')
    assert.equal(body.data[0]?.attributes['subscriptionStatusUrl'], null)
    assert.equal(Object.keys(body.data[0]?.attributes ?? {}).length, 12)
  })
})

test('a placement names its image or its video without being asked, never both', async () => {
  await withSandbox(async ({ get }) => {
    const pages = await get(
      '/v1/appCustomProductPageVersions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/appCustomProductPageLocalizations',
    )
    const { body } = await get(`/v1/appCustomProductPageLocalizations/${pages.body.data[0]?.id}/placements`)
    for (const placement of body.data) {
      const kind = placement.attributes['mediaType'] === 'VIDEO' ? 'video' : 'image'
      assert.deepEqual(Object.keys(placement.relationships), [kind])
    }
  })
})

test('supplied linkages give every to-one relationship its data, and can be switched off', async () => {
  await withSandbox(
    async ({ get, sandbox }) => {
      const price = (await get(`${prices}?filter[territory]=USA`)).body.data[0]
      assert.deepEqual(price?.relationships['territory'], { data: { type: 'territories', id: 'USA' } })
      const submission = (await get(`${feedback}?limit=4`)).body.data[3]
      assert.deepEqual(submission?.relationships['tester'], { data: null })
      sandbox.setSupplyLinkages(false)
      assert.equal((await get(`${prices}?limit=1`)).body.data[0]?.relationships, undefined)
    },
    { supplyLinkages: true },
  )
})

test('every resource of every single read can be included', async () => {
  await withSandbox(async ({ get }) => {
    const reads = [
      '/v1/backgroundAssets/b8e2f4a6-5c7d-4190-93eb-0b0000000017?include=app,appStoreVersion,internalBetaVersion,externalBetaVersion',
      '/v1/subscriptions/6746005009/promotedPurchase?include=subscription,inAppPurchaseV2',
      '/v1/customerReviewResponses/00000028-b08c-4014-829e-0c0000000028?include=review',
      '/v1/inAppPurchaseImages/7c94d0e5-3a1b-4e68-92f7-0d0000000013?include=inAppPurchase',
      '/v1/subscriptionOfferCodeOneTimeUseCodes/f3a5b7c9-8d0e-4213-a4b5-0c0000000019?include=offerCode',
      '/v1/appEvents/3f0c1b52-8a64-4e5e-9d10-0e0000000003?include=localizations',
    ]
    const counts = []
    for (const path of reads) counts.push((await get<Resource>(path)).body.included.length)
    assert.deepEqual(counts, [3, 1, 1, 1, 1, 4])
  })
})
