// Win-back offers and their prices, which are nothing but two linkages each.
import { jsonId, row } from './rows.ts'
import { mainSubscriptionId } from './subscriptions.ts'
import { pricePointId, pricePointRow, territoryCodes } from './territories.ts'

const offerIds = ['6742001014', '6742001015']
const territories = territoryCodes.filter((_, index) => index % 4 === 0).concat('CAN', 'DEU', 'JPN', 'USA')

const winBackOfferRows = offerIds.map((id, index) =>
  row('winBackOffers', id, {
    referenceName: index === 0 ? 'Come back to the coast' : 'Second wind',
    offerId: `win-back-${index + 1}`,
    duration: 'THREE_MONTHS',
    offerMode: 'PAY_UP_FRONT',
    periodCount: 1,
    startDate: '2026-03-01',
    priority: 'HIGH',
    promotionIntent: 'NOT_PROMOTED',
  }),
)

const pricedOffers = offerIds.map((offer, index) => ({
  offer,
  places: index === 0 ? [...new Set(territories)] : ['CAN', 'USA'],
}))

const winBackPriceRows = pricedOffers.flatMap(({ offer, places }) =>
  places.map((territory) =>
    row('winBackOfferPrices', jsonId({ o: offer, t: territory, p: '10019' }), {
      territory,
      subscriptionPricePoint: pricePointId(mainSubscriptionId, territory, 19),
      winBackOffer: offer,
    }),
  ),
)

const pricePointRows = [...new Set(territories)]
  .map((territory) => pricePointRow(mainSubscriptionId, territory, 19))
  .concat(['USA', 'CAN', 'DEU', 'JPN', 'FRA'].map((territory) => pricePointRow(mainSubscriptionId, territory, 9)))

export const rows = [...winBackOfferRows, ...winBackPriceRows, ...pricePointRows]
