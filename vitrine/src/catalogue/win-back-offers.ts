// Prices of win-back offers, which are links to a territory and a price point.
import { any, page, resource, stamp, to } from './define.ts'

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
  returns: winBackOfferPrice,
  reviewed: stamp('4.4.1', '2026-11-21', 'aa072bda20a94aec'),
  example: '/win-back-offers/6742001014/prices?limit=3',
})
