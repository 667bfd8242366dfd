// Older shapes that the platform still serves. They are never a fallback for another route.
import { id, integer, known, list, one, page, picture, record, resource, stamp, text, to } from './define.ts'
import { reviewStates } from './parameters.ts'

const purchaseImage = resource({
  name: 'LegacyPurchaseImage',
  type: 'inAppPurchaseImages',
  attributes: {
    fileSize: integer('Size in bytes.'),
    fileName: text('File name.'),
    sourceFileChecksum: text('Checksum that the uploader gave.'),
    assetToken: text('Token of the delivered file.'),
    imageAsset: picture(
      { templateUrl: text(), width: integer(), height: integer() },
      'The address of the image, which is never downloaded.',
    ),
    uploadOperations: list(
      record({
        method: text(),
        url: text(),
        length: integer(),
        offset: integer(),
        requestHeaders: list(record({ name: text(), value: text() })),
      }),
      'Recorded metadata of the upload; reading performs none of it.',
    ),
    state: known(['AWAITING_UPLOAD', 'UPLOAD_COMPLETE', 'FAILED', ...reviewStates], 'State of the image.'),
  },
  links: { inAppPurchaseId: to('inAppPurchase', 'inAppPurchases', 'state', 'In-app purchase it belongs to.') },
})

export const getLegacyPurchaseImage = one({
  path: '/legacy/purchase-images/{purchaseImageId}',
  group: 'legacy',
  summary: 'Read the image of an in-app purchase, in the older shape',
  from: { read: '/v1/inAppPurchaseImages/{purchaseImageId}' },
  neverCached: 'signed addresses',
  returns: purchaseImage,
  reviewed: stamp('4.4.1', '2026-11-21', 'ffb843868a85ed22'),
  example: '/legacy/purchase-images/7c94d0e5-3a1b-4e68-92f7-0d0000000013',
})

const subscriptionLocalization = resource({
  name: 'LegacySubscriptionLocalization',
  type: 'subscriptionLocalizations',
  attributes: {
    name: text('Name in this locale.'),
    locale: text('Locale.'),
    description: text('Description in this locale.'),
    state: known(reviewStates, 'State of the localization.'),
  },
  links: { subscriptionId: to('subscription', 'subscriptions', 'state', 'Subscription it belongs to.') },
})

export const getLegacySubscriptionLocalization = one({
  path: '/legacy/subscriptions/{subscriptionId}/localizations/{locale}',
  group: 'legacy',
  summary: 'Read the localization of a subscription in one locale, in the older shape',
  from: {
    resolve: {
      locale: '/v1/subscriptions/{subscriptionId}/subscriptionLocalizations',
      type: 'subscriptionLocalizations',
    },
    read: '/v1/subscriptionLocalizations/{localizationId}',
    parent: { subscriptionId: 'subscriptionId' },
  },
  returns: subscriptionLocalization,
  reviewed: stamp('4.4.1', '2026-11-21', '02d33b4c0565f724'),
  example: '/legacy/subscriptions/6746005009/localizations/en-US',
})

export const getLegacyEncryptionDeclarationAppId = id({
  path: '/legacy/encryption-declarations/{encryptionDeclarationId}/app/id',
  group: 'legacy',
  summary: 'Read the id of the app of an encryption declaration',
  about: 'An empty relation is `{"id": null}`.',
  from: { read: '/v1/appEncryptionDeclarations/{encryptionDeclarationId}/relationships/app' },
  type: 'apps',
  reviewed: stamp('4.4.1', '2026-11-21', 'f146473166feea9b'),
  example: '/legacy/encryption-declarations/1f3e5d7c-9b0a-4827-96c5-0e0000000029/app/id',
})

export const listLegacySubscriptionLocalizations = page({
  path: '/legacy/subscriptions/{subscriptionId}/localizations',
  group: 'legacy',
  summary: 'List the localizations of a subscription, in the older shape',
  from: {
    read: '/v1/subscriptions/{subscriptionId}/subscriptionLocalizations',
    parent: { subscriptionId: 'subscriptionId' },
  },
  returns: subscriptionLocalization,
  reviewed: stamp('4.4.1', '2026-11-22', '6151485cf83df0ec'),
  example: '/legacy/subscriptions/6746005009/localizations?fields=locale,name,state',
})

export const listLegacyPurchaseImages = page({
  path: '/legacy/in-app-purchases/{inAppPurchaseId}/images',
  group: 'legacy',
  summary: 'List the images of an in-app purchase, in the older shape',
  from: { read: '/v2/inAppPurchases/{inAppPurchaseId}/images', parent: { inAppPurchaseId: 'inAppPurchaseId' } },
  neverCached: 'signed addresses',
  returns: purchaseImage,
  reviewed: stamp('4.4.1', '2026-11-22', 'f8ff4cd9e9d1f17e'),
  example: '/legacy/in-app-purchases/6745000001/images?fields=fileName,state,imageAsset',
})
