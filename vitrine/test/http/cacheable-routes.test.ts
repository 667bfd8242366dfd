import assert from 'node:assert/strict'
import test from 'node:test'
import type { Field } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { startOverSandbox } from '../support/service.ts'

const never = [
  'listBetaFeedbackSubmissions',
  'getBuildUploadFile',
  'getLegacyPurchaseImage',
  'listLegacyPurchaseImages',
  'listCustomerReviews',
]
const remembered = [
  'listApps',
  'getPerformanceOverview',
  'getEvent',
  'listExperimentTreatments',
  'listProductPagePlacements',
  'listLibraryVideoPlacements',
  'listSubscriptionOfferCodes',
  'listPurchaseCustomCodes',
  'listAppClipExperienceLocalizations',
  'listTerritoryAgeRatings',
  'listWinBackOfferPrices',
  'getLegacySubscriptionLocalization',
  'getFeaturingNomination',
  'getBackgroundAsset',
  'listProductPagePlacementIds',
  'getSubscriptionCodeBatch',
  'listEventScreenshotIds',
  'listInAppPurchaseIds',
  'listProductPageScreenshotSetIds',
  'getPromotedPurchase',
  'listPurchaseLocalizationIds',
  'listBuildUploadFileIds',
  'listAppVersionIds',
  'getAppClipDomainDebugStatus',
  'getCustomerReviewResponse',
  'getLegacyEncryptionDeclarationAppId',
  'getApp',
  'listAppVersions',
  'listBuilds',
  'listBuildBundleIds',
  'listBuildUploads',
  'listEvents',
  'listEventLocalizations',
  'listExperiments',
  'listProductPages',
  'listProductPageVersions',
  'listProductPageLocalizations',
  'listSubscriptionGroups',
  'listSubscriptions',
  'listLegacySubscriptionLocalizations',
  'listWinBackOffers',
  'listSubscriptionCodeBatches',
  'listInAppPurchases',
  'listInAppPurchaseVersions',
  'listPurchaseOfferCodes',
  'listAppClips',
  'listAppClipExperiences',
  'listAppInfos',
  'listFeaturingNominations',
  'listBackgroundAssets',
  'listEncryptionDeclarations',
  'listReviewSubmissions',
  'listWebhookDeliveries',
]

test('exactly the listed routes are cached, and the others never are', async (t) => {
  assert.deepEqual([...remembered, ...never].sort(), routes.map(({ operation }) => operation).sort())
  const { service, sandbox, close } = await startOverSandbox({ file: { cacheSeconds: 60 } })
  t.after(close)
  for (const { operation, example } of routes) {
    const first = await service.ask(example)
    assert.equal(first.status, 200, operation)
    const before = sandbox.asked.length
    const second = await service.ask(example)
    const isKept = remembered.includes(operation)
    assert.equal(sandbox.asked.length === before, isKept, operation)
    // a busy machine may take seconds for the second request
    const [status, left] = isKept ? [/^vitrine; hit; ttl=[56]\d$/, /^private, max-age=[56]\d$/] : [/^$/, /^no-store$/]
    assert.match(String(second.headers['cache-status'] ?? ''), status, operation)
    assert.match(String(second.headers['cache-control']), left, operation)
    if (isKept) assert.equal(second.text, first.text, operation)
  }
})

test('no cacheable route documents an e-mail address of a tester, the name of a customer or a signed link', () => {
  const namesIn = (fields: Readonly<Record<string, Field>> = {}): string[] =>
    Object.entries(fields).flatMap(([name, { properties, items }]) => [
      name,
      ...namesIn(properties),
      ...namesIn(items?.properties),
    ])
  const telling = ['email', 'comment', 'screenshots', 'url', 'uploadOperations', 'assetToken', 'reviewerNickname']
  const holders = routes.filter(({ returns }) => namesIn(returns?.attributes).some((name) => telling.includes(name)))
  // the address of a product page is public
  assert.deepEqual(holders.map(({ operation }) => operation).sort(), [...never, 'listProductPages'].sort())
})
