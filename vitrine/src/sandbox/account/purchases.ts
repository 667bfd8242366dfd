// In-app purchases with their images, versions, localizations, offer codes and custom codes.
import { flagshipId, sampleApps } from './apps.ts'
import { sampleDay, hexDigest, imageAsset, sampleInstant, pick, range, row, uploadOperations, uuid } from './rows.ts'
import { automationId, marketerId } from './nominations.ts'

const mainOfferCodeId = '4b81e7c6-90d2-4f3a-b5e8-0f0000000010'
const mainImageId = '7c94d0e5-3a1b-4e68-92f7-0d0000000013'
const mainVersionId = 'd0c2e4f6-7a8b-4930-b1c2-0d0000000024'

const purchases = sampleApps.flatMap((app, appIndex) =>
  range(app.id === flagshipId ? 27 : appIndex % 4).map((number) => ({
    id: String(6_745_000_001 + appIndex * 100 + number),
    app,
    number,
  })),
)
const firstPurchaseId = '6745000001'

const purchaseRows = purchases.map(({ id, app, number }) =>
  row('inAppPurchases', id, {
    referenceName: `Harbour pack ${number + 1}`,
    name: `Harbour pack ${number + 1}`,
    productId: `${app.bundleId}.pack.${number + 1}`,
    inAppPurchaseType: pick(['CONSUMABLE', 'NON_CONSUMABLE', 'NON_RENEWING_SUBSCRIPTION'], number),
    state: pick(['APPROVED', 'READY_TO_SUBMIT', 'MISSING_METADATA'], number),
    familySharable: number % 2 === 1,
    contentHosting: false,
    apps: [app.id],
  }),
)

// The second image is still awaited: no token, no asset, and its upload operations are open.
const purchaseImageRows = [mainImageId, uuid('purchase image awaited')].map((id, index) =>
  row('inAppPurchaseImages', id, {
    fileSize: 524_288 + index,
    fileName: `pack-${index + 1}.png`,
    sourceFileChecksum: index === 0 ? hexDigest(id).slice(0, 32) : null,
    assetToken: index === 0 ? `PurpleSource221/v4/${hexDigest(id).slice(0, 12)}` : null,
    imageAsset: index === 0 ? imageAsset(id, 1024, 1024) : null,
    uploadOperations: uploadOperations(id, [262_144, 262_144 + index]),
    state: pick(['APPROVED', 'AWAITING_UPLOAD'], index),
    inAppPurchase: firstPurchaseId,
  }),
)

const purchaseVersionRows = [mainVersionId, uuid('purchase version 2')].map((id, index) =>
  row('inAppPurchaseVersions', id, {
    version: index + 1,
    state: pick(['APPROVED', 'PREPARE_FOR_SUBMISSION'], index),
    inAppPurchase: firstPurchaseId,
    image: index === 0 ? mainImageId : null,
  }),
)

const locales = ['en-US', 'de-DE', 'ja', 'fr-FR', 'es-MX', 'zh-Hans', 'ar-SA', 'ko']

const purchaseLocalizationRows = locales.map((locale) =>
  row('inAppPurchaseLocalizations', uuid(`purchase localization ${locale}`), {
    name: `Harbour pack (${locale})`,
    locale,
    description: null,
    state: 'APPROVED',
    inAppPurchaseV2: firstPurchaseId,
    version: mainVersionId,
  }),
)

const purchaseOfferCodeRows = [mainOfferCodeId, uuid('purchase offer code empty')].map((id, index) =>
  row('inAppPurchaseOfferCodes', id, {
    name: pick(['Harbour festival', 'Unused'], index),
    customerEligibilities: ['NON_SPENDER', 'ACTIVE_SPENDER'],
    productionCodeCount: 2500,
    sandboxCodeCount: 0,
    active: index === 0,
    purchase: firstPurchaseId,
  }),
)

const codes = ['HARBOUR', 'FESTIVAL26', 'LIGHTHOUSE', 'ANCHOR', 'DRIFTWOOD', 'KEEL', 'MAINSAIL', 'BUOY', 'PELICAN']

const purchaseCustomCodeRows = codes.map((code, number) => {
  const isActive = number % 3 !== 2
  return row('inAppPurchaseOfferCodeCustomCodes', uuid(`purchase custom code ${code}`), {
    customCode: code,
    numberOfCodes: 100 * (number + 1),
    createdDate: sampleInstant(650 + number, 'pacific'),
    expirationDate: number % 2 === 0 ? sampleDay(150 + number) : null,
    active: isActive,
    createdByActor: pick([marketerId, automationId], number),
    deactivatedByActor: isActive ? null : marketerId,
    offerCode: mainOfferCodeId,
  })
})

export const rows = [
  ...purchaseRows,
  ...purchaseImageRows,
  ...purchaseVersionRows,
  ...purchaseLocalizationRows,
  ...purchaseOfferCodeRows,
  ...purchaseCustomCodeRows,
]
