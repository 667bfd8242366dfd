// Win-back offers, and their prices, which are links to a territory and a price point.
import { any, date, integer, known, page, record, resource, stamp, text, to } from './define.ts'
import { offerDurations, offerModes, planTypes } from './offer-codes.ts'

const winBackOfferPrice = resource({
  name: 'WinBackOfferPrice',
  type: 'winBackOfferPrices',
  attributes: {},
  links: {
    territoryId: to('territory', 'territories', 'currency', 'Territory, by its three-letter code.'),
    subscriptionPricePointId: to(
      'subscriptionPricePoint',
      'subscriptionPricePoints',
      'customerPrice',
      'Price point of the subscription.',
    ),
  },
})

export const listWinBackOfferPrices = page({
  path: '/win-back-offers/{winBackOfferId}/prices',
  group: 'commerce',
  summary: 'List the prices of a win-back offer',
  from: { read: '/v1/winBackOffers/{winBackOfferId}/prices' },
  filters: { territory: any('Only these territories, by three-letter code.') },
  asks: ['territoryId', 'subscriptionPricePointId'],
  returns: winBackOfferPrice,
  reviewed: stamp('4.4.1', '2026-11-21', 'aa072bda20a94aec'),
  example: '/win-back-offers/6742001014/prices?limit=3',
})

const months = record({ minimum: integer(), maximum: integer() }, 'How long ago customers must have left, in months.')

const winBackOffer = resource({
  name: 'WinBackOffer',
  type: 'winBackOffers',
  attributes: {
    referenceName: text('Name inside the team.'),
    offerId: text('Identifier of the offer in the app.'),
    duration: known(offerDurations, 'Length of one period.'),
    offerMode: known(offerModes, 'How the offer is paid.'),
    periodCount: integer('How many periods the offer lasts.'),
    customerEligibilityPaidSubscriptionDurationInMonths: integer('How long customers must have paid, in months.'),
    customerEligibilityTimeSinceLastSubscribedInMonths: months,
    customerEligibilityWaitBetweenOffersInMonths: integer('Months between two offers to a customer.'),
    startDate: date('First day of the offer.'),
    endDate: date('Last day of the offer.'),
    priority: known(['HIGH', 'NORMAL'], 'Priority among the offers.'),
    promotionIntent: known(['NOT_PROMOTED', 'USE_AUTO_GENERATED_ASSETS'], 'Whether the store promotes it.'),
    targetSubscriptionPlanType: known(planTypes, 'Plan that the offer is for.'),
  },
})

export const listWinBackOffers = page({
  path: '/subscriptions/{subscriptionId}/win-back-offers',
  group: 'commerce',
  summary: 'List the win-back offers of a subscription',
  from: { read: '/v1/subscriptions/{subscriptionId}/winBackOffers' },
  returns: winBackOffer,
  reviewed: stamp('4.4.1', '2026-11-22', '4b0a9a24e414ddf8'),
  example: '/subscriptions/6746005009/win-back-offers?fields=referenceName,offerId,startDate',
})
