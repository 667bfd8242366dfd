// In-app purchases, their versions and what is promoted of them.
import { any, flag, ids, integer, known, listed, one, page, resource, stamp, text, to, wordsOf } from './define.ts'

export const listInAppPurchaseIds = ids({
  path: '/apps/{appId}/in-app-purchases/ids',
  group: 'commerce',
  summary: 'List the ids of the in-app purchases of an app',
  from: { read: '/v1/apps/{appId}/relationships/inAppPurchasesV2' },
  type: 'inAppPurchases',
  reviewed: stamp('4.4.1', '2026-11-21', '2a78d349427e8e0b'),
  example: '/apps/6446998001/in-app-purchases/ids?limit=3',
})

const promotedPurchase = resource({
  name: 'PromotedPurchase',
  type: 'promotedPurchases',
  attributes: {
    visibleForAllUsers: flag('Whether everyone sees it on the product page.'),
    enabled: flag('Whether it is promoted.'),
    state: known(['APPROVED', 'IN_REVIEW', 'PREPARE_FOR_SUBMISSION', 'REJECTED'], 'State of the promotion.'),
  },
  links: {
    purchaseId: to('inAppPurchaseV2', 'inAppPurchases', 'state', 'In-app purchase that is promoted.'),
    subscriptionId: to('subscription', 'subscriptions', 'state', 'Subscription that is promoted.'),
  },
})

export const getPromotedPurchase = one({
  path: '/subscriptions/{subscriptionId}/promoted-purchase',
  group: 'commerce',
  summary: 'Read the promoted purchase of a subscription',
  from: {
    read: '/v1/subscriptions/{subscriptionId}/promotedPurchase',
    parent: { subscriptionId: 'subscriptionId' },
    mayBeAbsent: true,
  },
  returns: promotedPurchase,
  reviewed: stamp('4.4.1', '2026-11-21', 'b74bda893e43d192'),
  example: '/subscriptions/6746005009/promoted-purchase',
})

export const listPurchaseLocalizationIds = ids({
  path: '/purchase-versions/{purchaseVersionId}/localizations/ids',
  group: 'commerce',
  summary: 'List the ids of the localizations of an in-app purchase version',
  from: { read: '/v1/inAppPurchaseVersions/{purchaseVersionId}/relationships/localizations' },
  type: 'inAppPurchaseLocalizations',
  reviewed: stamp('4.4.1', '2026-11-21', '74b5347ff971f107'),
  example: '/purchase-versions/d0c2e4f6-7a8b-4930-b1c2-0d0000000024/localizations/ids',
})

const purchaseStates = wordsOf(
  `MISSING_METADATA WAITING_FOR_UPLOAD PROCESSING_CONTENT READY_TO_SUBMIT WAITING_FOR_REVIEW IN_REVIEW
  DEVELOPER_ACTION_NEEDED PENDING_BINARY_APPROVAL APPROVED DEVELOPER_REMOVED_FROM_SALE REMOVED_FROM_SALE REJECTED`,
)

const purchaseTypes = ['CONSUMABLE', 'NON_CONSUMABLE', 'NON_RENEWING_SUBSCRIPTION']

const inAppPurchase = resource({
  name: 'InAppPurchase',
  type: 'inAppPurchases',
  attributes: {
    name: text('Name inside the team.'),
    productId: text('Product identifier in the app.'),
    inAppPurchaseType: known(purchaseTypes, 'Kind of purchase.'),
    state: known(purchaseStates, 'State of the purchase.'),
    reviewNote: text('Note for the review.'),
    familySharable: flag('Whether a family can share it.'),
    contentHosting: flag('Whether the platform hosts its content.'),
  },
  links: {
    contentId: to('content', 'inAppPurchaseContents', 'fileSize', 'Its content.'),
    appStoreReviewScreenshotId: to(
      'appStoreReviewScreenshot',
      'inAppPurchaseAppStoreReviewScreenshots',
      'fileSize',
      'Screenshot for the review.',
    ),
    promotedPurchaseId: to('promotedPurchase', 'promotedPurchases', 'state', 'Its promotion.'),
    iapPriceScheduleId: to('iapPriceSchedule', 'inAppPurchasePriceSchedules', 'baseTerritory', 'Its prices.'),
    inAppPurchaseAvailabilityId: to(
      'inAppPurchaseAvailability',
      'inAppPurchaseAvailabilities',
      'availableInNewTerritories',
      'Territories it is sold in.',
    ),
  },
})

export const listInAppPurchases = page({
  path: '/apps/{appId}/in-app-purchases',
  group: 'commerce',
  summary: 'List the in-app purchases of an app',
  from: { read: '/v1/apps/{appId}/inAppPurchasesV2' },
  filters: {
    productId: any('Only with these product identifiers.'),
    name: any('Only with these names.'),
    state: listed(purchaseStates, 'Only in these states.'),
    inAppPurchaseType: listed(purchaseTypes, 'Only of these kinds.'),
  },
  sort: ['name', 'inAppPurchaseType'],
  returns: inAppPurchase,
  reviewed: stamp('4.4.1', '2026-11-22', 'b3ebe33140727a02'),
  example: '/apps/6446998001/in-app-purchases?limit=2&state=APPROVED',
})

const versionStates = wordsOf(
  `PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REPLACED_WITH_NEW_VERSION
  REJECTED DEVELOPER_REJECTED`,
)

const purchaseVersion = resource({
  name: 'InAppPurchaseVersion',
  type: 'inAppPurchaseVersions',
  attributes: {
    version: integer('Number of the version.'),
    state: known(versionStates, 'State of the version.'),
  },
  links: {
    inAppPurchaseId: to('inAppPurchase', 'inAppPurchases', 'state', 'In-app purchase it belongs to.'),
    imageId: to('image', 'inAppPurchaseImages', 'fileSize', 'Its image.'),
  },
})

export const listInAppPurchaseVersions = page({
  path: '/in-app-purchases/{inAppPurchaseId}/versions',
  group: 'commerce',
  summary: 'List the versions of an in-app purchase',
  from: { read: '/v2/inAppPurchases/{inAppPurchaseId}/versions', parent: { inAppPurchaseId: 'inAppPurchaseId' } },
  filters: { state: listed(versionStates, 'Only in these states.') },
  returns: purchaseVersion,
  reviewed: stamp('4.4.1', '2026-11-22', 'a1914a1b8f35cdb9'),
  example: '/in-app-purchases/6745000001/versions',
})
