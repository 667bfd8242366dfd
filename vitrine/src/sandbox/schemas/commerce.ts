// The platform's in-app purchase, subscription and offer resources: the names of their attributes and relationships.
import type { ResourceText } from './resource.ts'

export const commerceSchemas: Readonly<Record<string, ResourceText>> = {
  inAppPurchaseImages: {
    attributes: 'fileSize fileName sourceFileChecksum assetToken imageAsset uploadOperations state',
    one: 'inAppPurchase:inAppPurchases',
  },
  inAppPurchaseAppStoreReviewScreenshots: { attributes: 'fileSize fileName imageAsset assetDeliveryState' },
  inAppPurchaseAvailabilities: { attributes: 'availableInNewTerritories' },
  inAppPurchaseContents: { attributes: 'fileName fileSize url lastModifiedDate' },
  inAppPurchasePriceSchedules: { oneLinked: 'baseTerritory:territories' },
  inAppPurchaseLocalizations: {
    attributes: 'name locale description state',
    one: 'inAppPurchaseV2:inAppPurchases version:inAppPurchaseVersions',
  },
  inAppPurchaseOfferCodeCustomCodes: {
    attributes: 'customCode numberOfCodes createdDate expirationDate active',
    one: 'createdByActor:actors deactivatedByActor:actors',
  },
  inAppPurchaseOfferCodes: {
    attributes: 'name customerEligibilities productionCodeCount sandboxCodeCount active',
    many: `oneTimeUseCodes:inAppPurchaseOfferCodeOneTimeUseCodes customCodes:inAppPurchaseOfferCodeCustomCodes
      prices:inAppPurchaseOfferPrices`,
  },
  inAppPurchaseVersions: {
    attributes: 'version state',
    one: 'inAppPurchase:inAppPurchases',
    oneLinked: 'image:inAppPurchaseImages',
    many: 'images:inAppPurchaseImages localizations:inAppPurchaseLocalizations',
  },
  inAppPurchases: {
    attributes: `referenceName productId inAppPurchaseType state name reviewNote familySharable contentHosting`,
    oneLinked: `content:inAppPurchaseContents appStoreReviewScreenshot:inAppPurchaseAppStoreReviewScreenshots
      promotedPurchase:promotedPurchases iapPriceSchedule:inAppPurchasePriceSchedules
      inAppPurchaseAvailability:inAppPurchaseAvailabilities`,
    many: `inAppPurchaseLocalizations pricePoints:inAppPurchasePricePoints images:inAppPurchaseImages
      offerCodes:inAppPurchaseOfferCodes versions:inAppPurchaseVersions`,
    manyBare: 'apps',
    version: 'v2',
  },
  promotedPurchases: {
    attributes: 'visibleForAllUsers enabled state',
    one: 'inAppPurchaseV2:inAppPurchases subscription:subscriptions',
  },
  subscriptionAppStoreReviewScreenshots: { attributes: 'fileSize fileName imageAsset assetDeliveryState' },
  subscriptionGracePeriods: { attributes: 'optIn sandboxOptIn duration renewalType' },
  subscriptionGroups: {
    attributes: 'referenceName',
    many: 'subscriptions subscriptionGroupLocalizations versions:subscriptionGroupVersions',
  },
  subscriptionLocalizations: { attributes: 'name locale description state', one: 'subscription:subscriptions' },
  subscriptionOfferCodeCustomCodes: {
    attributes: 'customCode numberOfCodes createdDate expirationDate active',
    one: 'offerCode:subscriptionOfferCodes',
  },
  subscriptionOfferCodeOneTimeUseCodes: {
    attributes: 'numberOfCodes createdDate expirationDate active environment',
    one: 'offerCode:subscriptionOfferCodes',
    linked: 'values:subscriptionOfferCodeOneTimeUseCodeValues',
  },
  subscriptionOfferCodePrices: { one: 'territory:territories subscriptionPricePoint:subscriptionPricePoints' },
  subscriptionOfferCodes: {
    attributes: `name customerEligibilities offerEligibility duration offerMode numberOfPeriods totalNumberOfCodes
      productionCodeCount sandboxCodeCount active autoRenewEnabled targetSubscriptionPlanType`,
    one: 'subscription:subscriptions',
    many: `oneTimeUseCodes:subscriptionOfferCodeOneTimeUseCodes customCodes:subscriptionOfferCodeCustomCodes
      prices:subscriptionOfferCodePrices`,
  },
  subscriptionPricePoints: {
    attributes: 'customerPrice proceeds proceedsYear2',
    one: 'territory:territories',
    linked: 'equalizations adjustedEqualizations',
  },
  subscriptions: {
    attributes: 'name productId familySharable state subscriptionPeriod reviewNote groupLevel',
    one: 'group:subscriptionGroups',
    oneLinked: `appStoreReviewScreenshot:subscriptionAppStoreReviewScreenshots promotedPurchase:promotedPurchases
      subscriptionAvailability:subscriptionAvailabilities`,
    many: `subscriptionLocalizations introductoryOffers:subscriptionIntroductoryOffers
      promotionalOffers:subscriptionPromotionalOffers offerCodes:subscriptionOfferCodes
      prices:subscriptionPrices winBackOffers images:subscriptionImages
      planAvailabilities:subscriptionPlanAvailabilities versions:subscriptionVersions`,
    linked: 'pricePoints',
  },
  winBackOfferPrices: { one: 'territory:territories subscriptionPricePoint:subscriptionPricePoints' },
  winBackOffers: {
    attributes: `referenceName offerId duration offerMode periodCount
      customerEligibilityPaidSubscriptionDurationInMonths
      customerEligibilityTimeSinceLastSubscribedInMonths customerEligibilityWaitBetweenOffersInMonths
      startDate endDate priority promotionIntent targetSubscriptionPlanType`,
    many: 'prices:winBackOfferPrices',
  },
}
