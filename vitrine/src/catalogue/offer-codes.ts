// Offer codes of subscriptions with their one-time-use batches, and of in-app purchases with their custom codes.
import { any, date, dateTime, flag, integer, known, list, one, page, personal } from './define.ts'
import { resource, stamp, text, to, wordsOf } from './define.ts'

export const offerDurations = wordsOf(
  `THREE_DAYS ONE_WEEK TWO_WEEKS ONE_MONTH TWO_MONTHS THREE_MONTHS SIX_MONTHS ONE_YEAR`,
)

export const offerModes = ['PAY_AS_YOU_GO', 'PAY_UP_FRONT', 'FREE_TRIAL']

export const planTypes = ['MONTHLY', 'UPFRONT']

const subscriptionOfferCode = resource({
  name: 'SubscriptionOfferCode',
  type: 'subscriptionOfferCodes',
  attributes: {
    name: text('Name inside the team.'),
    customerEligibilities: list(known(['NEW', 'EXISTING', 'EXPIRED']), 'Who may redeem a code.'),
    offerEligibility: known(
      ['STACK_WITH_INTRO_OFFERS', 'REPLACE_INTRO_OFFERS'],
      'How the offer combines with an introductory offer.',
    ),
    duration: known(offerDurations, 'Length of one period.'),
    offerMode: known(offerModes, 'How the offer is paid.'),
    numberOfPeriods: integer('How many periods the offer lasts.'),
    totalNumberOfCodes: integer('Codes created in total.'),
    productionCodeCount: integer('Codes created for production.'),
    sandboxCodeCount: integer("Codes created for the store's sandbox."),
    active: flag('Whether codes can be redeemed.'),
    autoRenewEnabled: flag('Whether the subscription renews after the offer.'),
    targetSubscriptionPlanType: known(planTypes, 'Plan that the offer is for.'),
  },
  links: { subscriptionId: to('subscription', 'subscriptions', 'state', 'Subscription it belongs to.') },
})

export const listSubscriptionOfferCodes = page({
  path: '/subscriptions/{subscriptionId}/offer-codes',
  group: 'commerce',
  summary: 'List the offer codes of a subscription',
  from: { read: '/v1/subscriptions/{subscriptionId}/offerCodes', parent: { subscriptionId: 'subscriptionId' } },
  filters: { territory: any('Only these territories, by three-letter code.') },
  returns: subscriptionOfferCode,
  reviewed: stamp('4.4.1', '2026-11-21', 'fd6f03dce3bbcd42'),
  example: '/subscriptions/6746005009/offer-codes?limit=2',
})

const code = {
  numberOfCodes: integer('Number of codes, or of uses of a custom code.'),
  createdDate: dateTime('When it was created.'),
  expirationDate: date('Last day on which it can be redeemed.'),
  active: flag('Whether it can be redeemed.'),
}

const subscriptionCodeBatch = resource({
  name: 'SubscriptionCodeBatch',
  type: 'subscriptionOfferCodeOneTimeUseCodes',
  attributes: { ...code, environment: known(['PRODUCTION', 'SANDBOX'], 'Environment in which the codes work.') },
  links: { offerCodeId: to('offerCode', 'subscriptionOfferCodes', 'active', 'Offer code it belongs to.') },
})

export const getSubscriptionCodeBatch = one({
  path: '/subscription-code-batches/{subscriptionCodeBatcheId}',
  group: 'commerce',
  summary: 'Read a batch of one-time-use codes',
  from: { read: '/v1/subscriptionOfferCodeOneTimeUseCodes/{subscriptionCodeBatcheId}' },
  returns: subscriptionCodeBatch,
  reviewed: stamp('4.4.1', '2026-11-21', 'ed06da096d51df4a'),
  example: '/subscription-code-batches/f3a5b7c9-8d0e-4213-a4b5-0c0000000019',
})

const purchaseCustomCode = resource({
  name: 'PurchaseCustomCode',
  type: 'inAppPurchaseOfferCodeCustomCodes',
  attributes: { customCode: text('The code that customers enter.'), ...code },
  links: {
    createdByActorId: personal(to('createdByActor', 'actors', 'actorType', 'Who created it.')),
    deactivatedByActorId: personal(to('deactivatedByActor', 'actors', 'actorType', 'Who switched it off.')),
  },
})

export const listPurchaseCustomCodes = page({
  path: '/purchase-offer-codes/{purchaseOfferCodeId}/custom-codes',
  group: 'commerce',
  summary: 'List the custom codes of an in-app purchase offer code',
  from: { read: '/v1/inAppPurchaseOfferCodes/{purchaseOfferCodeId}/customCodes' },
  returns: purchaseCustomCode,
  reviewed: stamp('4.4.1', '2026-11-21', '95af176214bb6522'),
  example: '/purchase-offer-codes/4b81e7c6-90d2-4f3a-b5e8-0f0000000010/custom-codes',
})

export const listSubscriptionCodeBatches = page({
  path: '/subscription-offer-codes/{offerCodeId}/code-batches',
  group: 'commerce',
  summary: 'List the batches of one-time-use codes of a subscription offer code',
  from: { read: '/v1/subscriptionOfferCodes/{offerCodeId}/oneTimeUseCodes', parent: { offerCodeId: 'offerCodeId' } },
  returns: subscriptionCodeBatch,
  reviewed: stamp('4.4.1', '2026-11-22', 'a9a23f289f3f9fdc'),
  example: '/subscription-offer-codes/66f8f693-29ce-40c9-9c83-d38ecb7b8b96/code-batches',
})

const purchaseOfferCode = resource({
  name: 'PurchaseOfferCode',
  type: 'inAppPurchaseOfferCodes',
  attributes: {
    name: text('Name inside the team.'),
    customerEligibilities: list(known(['NON_SPENDER', 'ACTIVE_SPENDER', 'CHURNED_SPENDER']), 'Who may redeem a code.'),
    productionCodeCount: integer('Codes created for production.'),
    sandboxCodeCount: integer("Codes created for the store's sandbox."),
    active: flag('Whether codes can be redeemed.'),
  },
})

export const listPurchaseOfferCodes = page({
  path: '/in-app-purchases/{inAppPurchaseId}/offer-codes',
  group: 'commerce',
  summary: 'List the offer codes of an in-app purchase',
  from: { read: '/v2/inAppPurchases/{inAppPurchaseId}/offerCodes' },
  filters: { territory: any('Only these territories, by three-letter code.') },
  returns: purchaseOfferCode,
  reviewed: stamp('4.4.1', '2026-11-22', 'ecce1623381fc9b1'),
  example: '/in-app-purchases/6745000001/offer-codes?limit=2',
})
