// Reads of what is sold: subscriptions, in-app purchases, offers and codes.
import { endpoint } from './endpoint.ts'

export const commerceEndpoints = [
  endpoint('collection', '/v1/subscriptions/{id}/offerCodes', {
    filters: { territory: null },
    fields: `subscriptionOfferCodes subscriptions subscriptionOfferCodeOneTimeUseCodes subscriptionOfferCodeCustomCodes
      subscriptionOfferCodePrices`,
    include: 'subscription oneTimeUseCodes customCodes prices',
    limits: 'oneTimeUseCodes customCodes prices',
  }),
  endpoint('collection', '/v1/subscriptions/{id}/subscriptionLocalizations', {
    fields: 'subscriptionLocalizations subscriptions',
    include: 'subscription',
  }),
  endpoint('single', '/v1/subscriptionLocalizations/{id}', {
    fields: 'subscriptionLocalizations subscriptions',
    include: 'subscription',
  }),
  endpoint('single', '/v1/subscriptions/{id}/promotedPurchase', {
    fields: 'promotedPurchases inAppPurchases subscriptions',
    include: 'inAppPurchaseV2 subscription',
  }),
  endpoint('single', '/v1/subscriptionOfferCodeOneTimeUseCodes/{id}', {
    fields: 'subscriptionOfferCodeOneTimeUseCodes subscriptionOfferCodes',
    include: 'offerCode',
  }),
  endpoint('collection', '/v1/inAppPurchaseOfferCodes/{id}/customCodes', {
    fields: 'inAppPurchaseOfferCodeCustomCodes actors',
    include: 'createdByActor deactivatedByActor',
  }),
  endpoint('single', '/v1/inAppPurchaseImages/{id}', {
    fields: 'inAppPurchaseImages inAppPurchases',
    include: 'inAppPurchase',
  }),
  endpoint('linkages', '/v1/inAppPurchaseVersions/{id}/relationships/localizations'),
  endpoint('collection', '/v1/winBackOffers/{id}/prices', {
    filters: { territory: null },
    fields: 'winBackOfferPrices territories subscriptionPricePoints',
    include: 'territory subscriptionPricePoint',
  }),
]
