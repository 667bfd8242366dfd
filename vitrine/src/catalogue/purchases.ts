// In-app purchases and what is promoted of them.
import { flag, ids, known, one, resource, stamp, to } from './define.ts'

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
