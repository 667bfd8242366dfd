// Groups of subscriptions, and the subscriptions in them.
import { any, flag, integer, known, listed, page, resource, stamp, text, to, wordsOf } from './define.ts'

const states = wordsOf(
  `MISSING_METADATA READY_TO_SUBMIT WAITING_FOR_REVIEW IN_REVIEW DEVELOPER_ACTION_NEEDED PENDING_BINARY_APPROVAL APPROVED
  DEVELOPER_REMOVED_FROM_SALE REMOVED_FROM_SALE REJECTED`,
)

export const listSubscriptionGroups = page({
  path: '/apps/{appId}/subscription-groups',
  group: 'commerce',
  summary: 'List the subscription groups of an app',
  from: { read: '/v1/apps/{appId}/subscriptionGroups' },
  filters: {
    referenceName: any('Only with these names inside the team.'),
    subscriptionState: listed(states, 'Only with a subscription in these states.', 'subscriptions.state'),
  },
  sort: ['referenceName'],
  returns: resource({
    name: 'SubscriptionGroup',
    type: 'subscriptionGroups',
    attributes: { referenceName: text('Name inside the team.') },
  }),
  reviewed: stamp('4.4.1', '2026-11-22', 'de04fbeeff6e5ccb'),
  example: '/apps/6446998001/subscription-groups?subscriptionState=APPROVED',
})

const subscription = resource({
  name: 'Subscription',
  type: 'subscriptions',
  attributes: {
    name: text('Name inside the team.'),
    productId: text('Product identifier in the app.'),
    familySharable: flag('Whether a family can share it.'),
    state: known(states, 'State of the subscription.'),
    subscriptionPeriod: known(
      ['ONE_WEEK', 'ONE_MONTH', 'TWO_MONTHS', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR'],
      'Length of one period.',
    ),
    reviewNote: text('Note for the review.'),
    groupLevel: integer('Level of service in its group; 1 is the highest.'),
  },
  links: {
    appStoreReviewScreenshotId: to(
      'appStoreReviewScreenshot',
      'subscriptionAppStoreReviewScreenshots',
      'fileSize',
      'Screenshot for the review.',
    ),
    groupId: to('group', 'subscriptionGroups', 'referenceName', 'Group it belongs to.'),
    promotedPurchaseId: to('promotedPurchase', 'promotedPurchases', 'state', 'Its promotion.'),
  },
})

export const listSubscriptions = page({
  path: '/subscription-groups/{subscriptionGroupId}/subscriptions',
  group: 'commerce',
  summary: 'List the subscriptions of a group',
  from: {
    read: '/v1/subscriptionGroups/{subscriptionGroupId}/subscriptions',
    parent: { groupId: 'subscriptionGroupId' },
  },
  filters: {
    productId: any('Only with these product identifiers.'),
    name: any('Only with these names.'),
    state: listed(states, 'Only in these states.'),
  },
  sort: ['name'],
  returns: subscription,
  reviewed: stamp('4.4.1', '2026-11-22', 'f752cce9f943f20d'),
  example: '/subscription-groups/21560001/subscriptions?sort=name',
})
