// The platform's in-app purchase, subscription and offer resources: the names of their attributes and relationships.
// Values belong to the studio; which reads exist belongs to the endpoint tables.
import { resource } from './resource.ts'

export const commerceWords = {
  inAppPurchaseImages: resource({
    attributes: 'fileSize fileName sourceFileChecksum assetToken imageAsset uploadOperations state',
    one: 'inAppPurchase:inAppPurchases',
  }),
  inAppPurchaseLocalizations: resource({
    attributes: 'name locale description state',
    one: 'inAppPurchaseV2:inAppPurchases version:inAppPurchaseVersions',
  }),
  inAppPurchaseOfferCodeCustomCodes: resource({
    attributes: 'customCode numberOfCodes createdDate expirationDate active',
    one: 'createdByActor:actors deactivatedByActor:actors',
  }),
  inAppPurchaseOfferCodes: resource({
    attributes: 'name customerEligibilities productionCodeCount sandboxCodeCount active',
    many: `oneTimeUseCodes:inAppPurchaseOfferCodeOneTimeUseCodes customCodes:inAppPurchaseOfferCodeCustomCodes
      prices:inAppPurchaseOfferPrices`,
  }),
  inAppPurchaseVersions: resource({
    attributes: 'version state',
    one: 'inAppPurchase:inAppPurchases',
    oneLinked: 'image:inAppPurchaseImages',
    many: 'images:inAppPurchaseImages localizations:inAppPurchaseLocalizations',
  }),
  inAppPurchases: resource({
    attributes: `referenceName productId inAppPurchaseType state name reviewNote familySharable contentHosting`,
    oneLinked: `content:inAppPurchaseContents appStoreReviewScreenshot:inAppPurchaseAppStoreReviewScreenshots
      promotedPurchase:promotedPurchases iapPriceSchedule:inAppPurchasePriceSchedules
      inAppPurchaseAvailability:inAppPurchaseAvailabilities`,
    many: `inAppPurchaseLocalizations pricePoints:inAppPurchasePricePoints images:inAppPurchaseImages
      offerCodes:inAppPurchaseOfferCodes versions:inAppPurchaseVersions`,
    manyBare: 'apps',
    version: 'v2',
  }),
  promotedPurchases: resource({
    attributes: 'visibleForAllUsers enabled state',
    one: 'inAppPurchaseV2:inAppPurchases subscription:subscriptions',
  }),
  subscriptionGracePeriods: resource({
    attributes: 'optIn sandboxOptIn duration renewalType',
  }),
  subscriptionGroups: resource({
    attributes: 'referenceName',
    many: 'subscriptions subscriptionGroupLocalizations versions:subscriptionGroupVersions',
  }),
  subscriptionLocalizations: resource({
    attributes: 'name locale description state',
    one: 'subscription:subscriptions',
  }),
  subscriptionOfferCodeCustomCodes: resource({
    attributes: 'customCode numberOfCodes createdDate expirationDate active',
    one: 'offerCode:subscriptionOfferCodes',
  }),
  subscriptionOfferCodeOneTimeUseCodes: resource({
    attributes: 'numberOfCodes createdDate expirationDate active environment',
    one: 'offerCode:subscriptionOfferCodes',
    linked: 'values:subscriptionOfferCodeOneTimeUseCodeValues',
  }),
  subscriptionOfferCodePrices: resource({
    one: 'territory:territories subscriptionPricePoint:subscriptionPricePoints',
  }),
  subscriptionOfferCodes: resource({
    attributes: `name customerEligibilities offerEligibility duration offerMode numberOfPeriods totalNumberOfCodes
      productionCodeCount sandboxCodeCount active autoRenewEnabled targetSubscriptionPlanType`,
    one: 'subscription:subscriptions',
    many: `oneTimeUseCodes:subscriptionOfferCodeOneTimeUseCodes customCodes:subscriptionOfferCodeCustomCodes
      prices:subscriptionOfferCodePrices`,
  }),
  subscriptionPricePoints: resource({
    attributes: 'customerPrice proceeds proceedsYear2',
    one: 'territory:territories',
    linked: 'equalizations adjustedEqualizations',
  }),
  subscriptions: resource({
    attributes: 'name productId familySharable state subscriptionPeriod reviewNote groupLevel',
    one: 'group:subscriptionGroups',
    oneLinked: `appStoreReviewScreenshot:subscriptionAppStoreReviewScreenshots promotedPurchase:promotedPurchases
      subscriptionAvailability:subscriptionAvailabilities`,
    many: `subscriptionLocalizations introductoryOffers:subscriptionIntroductoryOffers
      promotionalOffers:subscriptionPromotionalOffers offerCodes:subscriptionOfferCodes
      prices:subscriptionPrices winBackOffers images:subscriptionImages
      planAvailabilities:subscriptionPlanAvailabilities versions:subscriptionVersions`,
    linked: 'pricePoints',
  }),
  winBackOfferPrices: resource({
    one: 'territory:territories subscriptionPricePoint:subscriptionPricePoints',
  }),
  winBackOffers: resource({
    attributes: `referenceName offerId duration offerMode periodCount
      customerEligibilityPaidSubscriptionDurationInMonths
      customerEligibilityTimeSinceLastSubscribedInMonths customerEligibilityWaitBetweenOffersInMonths
      startDate endDate priority promotionIntent targetSubscriptionPlanType`,
    many: 'prices:winBackOfferPrices',
  }),
} as const
