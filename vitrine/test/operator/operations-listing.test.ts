import assert from 'node:assert/strict'
import test from 'node:test'
import type { Field } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { type OperationForm, formsOf } from '../../src/derive/forms.ts'
import { targetOf, without } from './explorer-reads.ts'
import { startManager } from './manager.ts'

const forms = formsOf(routes)
const formOf = (operation: string): OperationForm =>
  forms.find((one) => one.operation === operation) ?? assert.fail(operation)

test('the listing has a form for each route that is served, in the order of the contract', async (t) => {
  const { ask } = await startManager(t)
  const { status, json } = await ask('GET', '/operations')
  assert.equal(status, 200)
  assert.deepEqual(json.items, forms)
  assert.deepEqual(
    json.items.map((one: OperationForm) => [one.operation, one.group, one.path, one.isList]),
    routes.map(({ operation, group, path, shape }) => [operation, group, path, shape === 'page' || shape === 'ids']),
  )
})

test('a form holds everything that a page needs', () => {
  const { parameters, fields, ...rest } = formOf('listTerritoryAgeRatings')
  const pattern = String.raw`^(?!(?:[^]*\/)?\.\.?(?:\/|$))[^\p{Cc}\p{Cs}]+$`
  assert.deepEqual(rest, {
    operation: 'listTerritoryAgeRatings',
    group: 'apps',
    summary: 'List the age ratings of an app info by territory',
    description: '',
    path: '/apps/{appId}/app-infos/{appInfoId}/territory-age-ratings',
    isList: true,
    ids: [
      { name: 'appId', description: 'The app, by the id that List apps returns.', pattern, from: 'listApps' },
      { name: 'appInfoId', description: 'The app info. It must belong to the app.', pattern, from: 'listAppInfos' },
    ],
    example: {
      ids: { appId: '6446998001', appInfoId: '0b5c7d12-6e3f-4a80-9c41-0c0000000012' },
      query: { limit: '3' },
    },
  })
  assert.deepEqual(
    parameters.map((one) => without(one, 'description')),
    [
      { name: 'fields', kind: 'fields', required: false, values: ['appStoreAgeRating'], unique: true, most: 1 },
      { name: 'limit', kind: 'integer', required: false, minimum: 1, maximum: 200, standard: '50' },
      { name: 'cursor', kind: 'cursor', required: false, pattern: String.raw`^[\w-]+$` },
    ],
  )
  assert.deepEqual(fields, [
    { name: 'appStoreAgeRating', description: 'Age rating in this territory.', type: 'string', kind: 'attribute' },
    { name: 'territoryId', description: 'Territory, by its three-letter code.', type: 'string', kind: 'linkage' },
  ])
  const apps = new Map(formOf('listApps').parameters.map((one) => [one.name, one]))
  const sort = without(apps.get('sort') ?? {}, 'description')
  const values = ['name', '-name', 'bundleId', '-bundleId', 'sku', '-sku']
  assert.deepEqual(sort, { name: 'sort', kind: 'choices', required: false, values, unique: true, most: 3 })
  assert.deepEqual(
    [apps.get('name')?.kind, apps.get('name')?.values, apps.get('versionPlatform')?.kind],
    ['texts', undefined, 'choices'],
  )
  assert.deepEqual(apps.get('versionPlatform')?.values, ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'])
})

test("the forms say which operation lists the ids that the contract's routes need", () => {
  const told = forms
    .slice(0, 29)
    .flatMap(({ operation, ids }) => ids.flatMap(({ name, from }) => (from ? [`${operation} ${name} ${from}`] : [])))
  assert.deepEqual(
    told,
    `getPerformanceOverview appId listApps
getEvent eventId listEvents
listExperimentTreatments experimentId listExperiments
listBetaFeedbackSubmissions appId listApps
getBuildUploadFile buildUploadFileId listBuildUploadFileIds
listProductPagePlacements pageVersionId listProductPageVersions
listSubscriptionOfferCodes subscriptionId listSubscriptions
listPurchaseCustomCodes purchaseOfferCodeId listPurchaseOfferCodes
listAppClipExperienceLocalizations experienceId listAppClipExperiences
listTerritoryAgeRatings appId listApps
listTerritoryAgeRatings appInfoId listAppInfos
getLegacyPurchaseImage purchaseImageId listLegacyPurchaseImages
listWinBackOfferPrices winBackOfferId listWinBackOffers
getLegacySubscriptionLocalization subscriptionId listSubscriptions
getFeaturingNomination featuringNominationId listFeaturingNominations
getBackgroundAsset backgroundAssetId listBackgroundAssets
listProductPagePlacementIds pageVersionId listProductPageVersions
getSubscriptionCodeBatch subscriptionCodeBatcheId listSubscriptionCodeBatches
listEventScreenshotIds eventId listEvents
listInAppPurchaseIds appId listApps
listProductPageScreenshotSetIds pageVersionId listProductPageVersions
getPromotedPurchase subscriptionId listSubscriptions
listPurchaseLocalizationIds purchaseVersionId listInAppPurchaseVersions
listBuildUploadFileIds buildUploadId listBuildUploads
listAppVersionIds appId listApps
getAppClipDomainDebugStatus buildBundleId listBuildBundleIds
getLegacyEncryptionDeclarationAppId encryptionDeclarationId listEncryptionDeclarations`.split('\n'),
  )
})

/** every field of an answer, with those inside it */
const within = (field: Field): Field[] => [
  field,
  ...(field.items ? within(field.items) : []),
  ...Object.values(field.properties ?? {}).flatMap(within),
]

test('the forms say which fields hold images, and every record with a size and an address is one', () => {
  assert.deepEqual(
    forms.flatMap(({ operation, fields }) =>
      fields.flatMap(({ name, image }) => (image ? [[operation, name, image]] : [])),
    ),
    [
      ['listExperimentTreatments', 'appIcon', 'template'],
      ['listBetaFeedbackSubmissions', 'screenshots', 'list'],
      ['getLegacyPurchaseImage', 'imageAsset', 'template'],
      ['listBuilds', 'iconAssetToken', 'template'],
      ['listLegacyPurchaseImages', 'imageAsset', 'template'],
    ],
  )
  const records = routes.flatMap(({ returns }) => Object.values(returns?.attributes ?? {})).flatMap(within)
  for (const { kind, properties: inside = {}, picture = false } of records) {
    const isPicture = 'templateUrl' in inside || ('url' in inside && 'width' in inside && 'height' in inside)
    assert.equal(picture, kind === 'object' && isPicture, JSON.stringify(inside))
  }
})

test('fields that a form calls images hold addresses in the answers of the sandbox', async (t) => {
  const { ask } = await startManager(t)
  for (const { operation, path, fields, example } of forms) {
    const pictures = fields.filter(({ image }) => image !== undefined)
    if (pictures.length === 0) continue
    const { body } = (
      await ask('POST', '/read', { body: { connection: 'acme', target: targetOf(path, example.ids, {}) } })
    ).json
    const items = body.items ?? [body]
    for (const { name, image } of pictures) {
      const values = items.flatMap((item: any) => item[name] ?? [])
      assert.ok(values.length > 0, operation)
      for (const value of values) {
        assert.match(
          image === 'template' ? value.templateUrl : value.url,
          /^https:\/\/(assets|feedback)\.example\.com\//,
        )
        assert.equal(image === 'template', /\{w\}x\{h\}\w*\.\{f\}$/.test(value.templateUrl ?? ''))
      }
    }
  }
})

test('the example of each form is answered by the sandbox', async (t) => {
  const { ask } = await startManager(t)
  for (const { operation, path, example } of forms) {
    const target = targetOf(path, example.ids, example.query)
    const { json } = await ask('POST', '/read', { body: { connection: 'acme', target } })
    assert.deepEqual([json.operation, json.status], [operation, 200], target)
  }
})
