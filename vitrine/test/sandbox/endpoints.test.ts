// Every read answers for the sandbox's well-known ids. Paths, types and counts are typed by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Caller, type Linkage, type Resource, withSandbox } from './sandbox-client.ts'

// path, type of the rows, number of rows
const listings: [string, string, number][] = [
  ['/v1/apps', 'apps', 24],
  [
    '/v2/appStoreVersionExperiments/9b7d2e10-61f4-4c0b-8a51-0e0000000004/appStoreVersionExperimentTreatments',
    'appStoreVersionExperimentTreatments',
    7,
  ],
  ['/v1/apps/6446998001/betaFeedbackScreenshotSubmissions', 'betaFeedbackScreenshotSubmissions', 64],
  [
    '/v1/appCustomProductPageVersions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/appCustomProductPageLocalizations',
    'appCustomProductPageLocalizations',
    5,
  ],
  ['/v1/appAssetLibraryVideos/10877402008/placements', 'appAssetLibraryPlacements', 8],
  ['/v1/subscriptions/6746005009/offerCodes', 'subscriptionOfferCodes', 12],
  [
    '/v1/inAppPurchaseOfferCodes/4b81e7c6-90d2-4f3a-b5e8-0f0000000010/customCodes',
    'inAppPurchaseOfferCodeCustomCodes',
    9,
  ],
  [
    '/v1/appClipDefaultExperiences/e6f0a3b8-1d25-4c97-8f60-0a0000000011/appClipDefaultExperienceLocalizations',
    'appClipDefaultExperienceLocalizations',
    8,
  ],
  ['/v1/appInfos/0b5c7d12-6e3f-4a80-9c41-0c0000000012/territoryAgeRatings', 'territoryAgeRatings', 175],
  ['/v1/winBackOffers/6742001014/prices', 'winBackOfferPrices', 48],
  ['/v1/subscriptions/6746005009/subscriptionLocalizations', 'subscriptionLocalizations', 4],
  ['/v1/appEvents/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations', 'appEventLocalizations', 4],
  ['/v1/apps/6446998001/buildUploads', 'buildUploads', 1],
  ['/v1/apps/6446998001/appEvents', 'appEvents', 1],
  ['/v1/apps/6446998001/customerReviews', 'customerReviews', 3],
  ['/v1/appEncryptionDeclarations', 'appEncryptionDeclarations', 2],
  ['/v1/apps/6446998001/appStoreVersions', 'appStoreVersions', 14],
  ['/v1/apps/6446998001/appInfos', 'appInfos', 2],
  ['/v1/reviewSubmissions?filter[app]=6446998001', 'reviewSubmissions', 1],
  ['/v1/builds?filter[app]=6446998001', 'builds', 4],
  ['/v1/apps/6446998001/backgroundAssets', 'backgroundAssets', 2],
  ['/v1/apps/6446998001/appStoreVersionExperimentsV2', 'appStoreVersionExperiments', 2],
  ['/v1/apps/6446998001/appCustomProductPages', 'appCustomProductPages', 1],
  ['/v1/apps/6446998001/appClips', 'appClips', 1],
  ['/v1/nominations?filter[state]=DRAFT,SUBMITTED', 'nominations', 2],
  ['/v1/apps/6446998001/subscriptionGroups', 'subscriptionGroups', 1],
  ['/v1/subscriptionGroups/21560001/subscriptions', 'subscriptions', 2],
  ['/v1/subscriptions/6746005009/winBackOffers', 'winBackOffers', 1],
  ['/v1/apps/6446998001/inAppPurchasesV2', 'inAppPurchases', 27],
  ['/v2/inAppPurchases/6745000001/versions', 'inAppPurchaseVersions', 2],
  ['/v2/inAppPurchases/6745000001/offerCodes', 'inAppPurchaseOfferCodes', 2],
  ['/v2/inAppPurchases/6745000001/images', 'inAppPurchaseImages', 2],
  ['/v1/apps/6446998001/relationships/appInfos', 'appInfos', 2],
  ['/v1/apps/6446998001/relationships/inAppPurchasesV2', 'inAppPurchases', 27],
  ['/v1/apps/6446998001/relationships/appStoreVersions', 'appStoreVersions', 14],
  [
    '/v1/inAppPurchaseVersions/d0c2e4f6-7a8b-4930-b1c2-0d0000000024/relationships/localizations',
    'inAppPurchaseLocalizations',
    8,
  ],
  ['/v1/buildUploads/86f4a2c0-9e1d-4b35-87d6-0b0000000025/relationships/buildUploadFiles', 'buildUploadFiles', 8],
]

// path, type, one attribute with its value
const singles: [string, string, string, unknown][] = [
  ['/v1/appEvents/3f0c1b52-8a64-4e5e-9d10-0e0000000003', 'appEvents', 'badge', 'LIVE_EVENT'],
  ['/v1/buildUploadFiles/c2a8f6d4-0b3e-4f7a-9e21-0b0000000006', 'buildUploadFiles', 'uti', 'com.apple.ipa'],
  ['/v1/inAppPurchaseImages/7c94d0e5-3a1b-4e68-92f7-0d0000000013', 'inAppPurchaseImages', 'state', 'APPROVED'],
  ['/v1/nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016', 'nominations', 'type', 'APP_ENHANCEMENTS'],
  ['/v1/backgroundAssets/b8e2f4a6-5c7d-4190-93eb-0b0000000017', 'backgroundAssets', 'usedBytes', 4294967296123],
  [
    '/v1/subscriptionOfferCodeOneTimeUseCodes/f3a5b7c9-8d0e-4213-a4b5-0c0000000019',
    'subscriptionOfferCodeOneTimeUseCodes',
    'environment',
    'PRODUCTION',
  ],
  ['/v1/subscriptions/6746005009/promotedPurchase', 'promotedPurchases', 'state', 'APPROVED'],
  ['/v1/customerReviewResponses/00000028-b08c-4014-829e-0c0000000028', 'customerReviewResponses', 'state', 'PUBLISHED'],
]

async function localizationIds(get: Caller['get'], path: string): Promise<Map<unknown, string>> {
  const { body } = await get(path)
  return new Map(body.data.map((each) => [each.attributes['locale'], each.id]))
}

test('every list answers with rows of its type and their number', async () => {
  await withSandbox(async ({ get }) => {
    for (const [path, type, total] of listings) {
      const { status, body } = await get<Linkage[]>(path)
      assert.equal(status, 200, path)
      assert.equal(body.meta.paging.total, total, path)
      assert.deepEqual([...new Set(body.data.map((each) => each.type))], [type], path)
    }
  })
})

test('every single read answers with its resource', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    for (const [path, type, attribute, value] of singles) {
      const { status, body } = await get<Resource>(path)
      assert.equal(status, 200, path)
      assert.equal(body.data.type, type)
      assert.deepEqual(body.data.attributes[attribute], value)
      assert.equal(body.links.self, `${sandbox.url}${path}`)
    }
  })
})

test('the event and product page localizations lead on to their linkages', async () => {
  await withSandbox(async ({ get }) => {
    const event = await localizationIds(get, '/v1/appEvents/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations')
    assert.deepEqual([...event.keys()], ['en-US', 'de-DE', 'ja', 'fr-FR'])
    const shots = await get(`/v1/appEventLocalizations/${event.get('en-US')}/relationships/appEventScreenshots`)
    assert.equal(shots.body.meta.paging.total, 4)
    const pages = await localizationIds(
      get,
      '/v1/appCustomProductPageVersions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/appCustomProductPageLocalizations',
    )
    assert.deepEqual([...pages.keys()], ['en-US', 'de-DE', 'ja', 'fr-FR', 'es-MX'])
    for (const id of pages.values()) {
      const path = `/v1/appCustomProductPageLocalizations/${id}`
      const placements = await get(`${path}/placements`)
      const linkages = await get(`${path}/relationships/placements`)
      const sets = await get(`${path}/relationships/appScreenshotSets`)
      assert.ok(placements.body.data.length >= 3)
      assert.deepEqual(
        linkages.body.data,
        placements.body.data.map(({ type, id: placement }) => ({ type, id: placement })),
      )
      assert.ok(sets.body.data.length >= 2)
    }
  })
})

test('each subscription localization can be read by itself', async () => {
  await withSandbox(async ({ get }) => {
    const all = await localizationIds(get, '/v1/subscriptions/6746005009/subscriptionLocalizations')
    assert.deepEqual([...all.keys()], ['en-US', 'de-DE', 'ja', 'zh-Hans'])
    for (const [locale, id] of all) {
      const { body } = await get<Resource>(`/v1/subscriptionLocalizations/${id}`)
      assert.equal(body.data.attributes['locale'], locale)
    }
  })
})

test('an absent to-one target is 200 with null', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const path = '/v1/subscriptions/6746005010/promotedPurchase'
    const { status, body } = await get(path)
    assert.equal(status, 200)
    assert.deepEqual(body, { data: null, links: { self: `${sandbox.url}${path}` } })
  })
})

test('a to-one linkage names its app, or null', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const owner = '/v1/appEncryptionDeclarations/1f3e5d7c-9b0a-4827-96c5-0e00000000'
    const present = await get(`${owner}29/relationships/app`)
    assert.deepEqual(present.body, {
      data: { type: 'apps', id: '6446998001' },
      links: { self: `${sandbox.url}${owner}29/relationships/app`, related: `${sandbox.url}${owner}29/app` },
    })
    assert.equal((await get(`${owner}30/relationships/app`)).body.data, null)
  })
})

test('the App Clip domains show a failure among successes', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get<Resource>(
      '/v1/buildBundles/2e9c7b5a-4f38-4d06-a1e2-0b0000000027/appClipDomainDebugStatus',
    )
    const domains = body.data.attributes['domains'] as { isValid: boolean; errorCode: string | null }[]
    assert.deepEqual(
      domains.map((each) => each.errorCode),
      [null, null, 'CANNOT_REACH_AASA_FILE', 'TLS_ERROR'],
    )
  })
})

test('a list for all apps is refused without the filter that the platform requires', async () => {
  await withSandbox(async ({ get }) => {
    for (const [path, parameter] of [
      ['/v1/reviewSubmissions', 'filter[app]'],
      ['/v1/nominations?filter[type]=APP_LAUNCH', 'filter[state]'],
    ] as const) {
      const { status, text } = await get(path)
      assert.equal(status, 400, path)
      const [{ code, source }] = JSON.parse(text).errors
      assert.deepEqual([code, source], ['PARAMETER_ERROR.REQUIRED', { parameter }])
    }
  })
})

test('a build names its bundles when they are included', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get<Resource>('/v1/builds/79baa388-43ff-46d2-98dd-e5ec90dfc538?include=buildBundles')
    assert.deepEqual(body.data.relationships['buildBundles']?.meta, { paging: { total: 2, limit: 10 } })
    assert.deepEqual(
      body.included.map(({ attributes }) => attributes['bundleType']),
      ['APP_CLIP', 'APP'],
    )
  })
})
