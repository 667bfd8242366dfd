// The lists of ids that lead from an app down to what hangs below it.
import { endpoint } from './endpoint.ts'

const below: Readonly<Record<string, string>> = {
  '/v1/apps': `appEvents appStoreVersionExperimentsV2 backgroundAssets buildUploads builds appCustomProductPages
    subscriptionGroups appClips`,
  '/v1/appCustomProductPages': 'appCustomProductPageVersions',
  '/v1/subscriptionGroups': 'subscriptions',
  '/v1/subscriptions': 'offerCodes winBackOffers',
  '/v1/subscriptionOfferCodes': 'oneTimeUseCodes',
  '/v1/appClips': 'appClipDefaultExperiences',
  '/v2/inAppPurchases': 'versions offerCodes images',
}

export const linkages = Object.entries(below).flatMap(([owner, relations]) =>
  relations.split(/\s+/).map((relation) => endpoint('linkages', `${owner}/{id}/relationships/${relation}`)),
)
