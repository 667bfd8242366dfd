// All routes: those of the contract in its order, then those that lead to the ids which they need. The name on the left is
// the operation's name everywhere.
import * as appClips from './app-clips.ts'
import * as apps from './apps.ts'
import * as backgroundAssets from './background-assets.ts'
import * as buildUploads from './build-uploads.ts'
import * as builds from './builds.ts'
import { contents } from './define.ts'
import * as encryption from './encryption-declarations.ts'
import * as events from './events.ts'
import * as experiments from './experiments.ts'
import * as feedback from './feedback.ts'
import * as legacy from './legacy.ts'
import * as nominations from './nominations.ts'
import * as offerCodes from './offer-codes.ts'
import * as performance from './performance.ts'
import * as placements from './placements.ts'
import * as productPages from './product-pages.ts'
import * as purchases from './purchases.ts'
import * as reviews from './reviews.ts'
import * as subscriptions from './subscriptions.ts'
import * as versions from './versions.ts'
import * as webhooks from './webhooks.ts'
import * as winBackOffers from './win-back-offers.ts'

export const contract = {
  listApps: apps.listApps, // 1
  getPerformanceOverview: performance.getPerformanceOverview, // 2
  getEvent: events.getEvent, // 3
  listExperimentTreatments: experiments.listExperimentTreatments, // 4
  listBetaFeedbackSubmissions: feedback.listBetaFeedbackSubmissions, // 5
  getBuildUploadFile: buildUploads.getBuildUploadFile, // 6
  listProductPagePlacements: placements.listProductPagePlacements, // 7
  listLibraryVideoPlacements: placements.listLibraryVideoPlacements, // 8
  listSubscriptionOfferCodes: offerCodes.listSubscriptionOfferCodes, // 9
  listPurchaseCustomCodes: offerCodes.listPurchaseCustomCodes, // 10
  listAppClipExperienceLocalizations: appClips.listAppClipExperienceLocalizations, // 11
  listTerritoryAgeRatings: apps.listTerritoryAgeRatings, // 12
  getLegacyPurchaseImage: legacy.getLegacyPurchaseImage, // 13
  listWinBackOfferPrices: winBackOffers.listWinBackOfferPrices, // 14
  getLegacySubscriptionLocalization: legacy.getLegacySubscriptionLocalization, // 15
  getFeaturingNomination: nominations.getFeaturingNomination, // 16
  getBackgroundAsset: backgroundAssets.getBackgroundAsset, // 17
  listProductPagePlacementIds: placements.listProductPagePlacementIds, // 18
  getSubscriptionCodeBatch: offerCodes.getSubscriptionCodeBatch, // 19
  listEventScreenshotIds: events.listEventScreenshotIds, // 20
  listInAppPurchaseIds: purchases.listInAppPurchaseIds, // 21
  listProductPageScreenshotSetIds: productPages.listProductPageScreenshotSetIds, // 22
  getPromotedPurchase: purchases.getPromotedPurchase, // 23
  listPurchaseLocalizationIds: purchases.listPurchaseLocalizationIds, // 24
  listBuildUploadFileIds: buildUploads.listBuildUploadFileIds, // 25
  listAppVersionIds: apps.listAppVersionIds, // 26
  getAppClipDomainDebugStatus: appClips.getAppClipDomainDebugStatus, // 27
  getCustomerReviewResponse: reviews.getCustomerReviewResponse, // 28
  getLegacyEncryptionDeclarationAppId: legacy.getLegacyEncryptionDeclarationAppId, // 29
}

/** beyond the contract: where the ids of its routes come from */
export const waysIn = {
  getApp: apps.getApp, // 30
  listAppVersions: versions.listAppVersions, // 31
  listBuilds: builds.listBuilds, // 32
  listBuildBundleIds: builds.listBuildBundleIds, // 33
  listBuildUploads: buildUploads.listBuildUploads, // 34
  listEvents: events.listEvents, // 35
  listEventLocalizations: events.listEventLocalizations, // 36
  listExperiments: experiments.listExperiments, // 37
  listProductPages: productPages.listProductPages, // 38
  listProductPageVersions: productPages.listProductPageVersions, // 39
  listProductPageLocalizations: productPages.listProductPageLocalizations, // 40
  listSubscriptionGroups: subscriptions.listSubscriptionGroups, // 41
  listSubscriptions: subscriptions.listSubscriptions, // 42
  listLegacySubscriptionLocalizations: legacy.listLegacySubscriptionLocalizations, // 43
  listWinBackOffers: winBackOffers.listWinBackOffers, // 44
  listSubscriptionCodeBatches: offerCodes.listSubscriptionCodeBatches, // 45
  listInAppPurchases: purchases.listInAppPurchases, // 46
  listInAppPurchaseVersions: purchases.listInAppPurchaseVersions, // 47
  listPurchaseOfferCodes: offerCodes.listPurchaseOfferCodes, // 48
  listLegacyPurchaseImages: legacy.listLegacyPurchaseImages, // 49
  listAppClips: appClips.listAppClips, // 50
  listAppClipExperiences: appClips.listAppClipExperiences, // 51
  listAppInfos: versions.listAppInfos, // 52
  listFeaturingNominations: nominations.listFeaturingNominations, // 53
  listBackgroundAssets: backgroundAssets.listBackgroundAssets, // 54
  listCustomerReviews: reviews.listCustomerReviews, // 55
  listEncryptionDeclarations: encryption.listEncryptionDeclarations, // 56
  listReviewSubmissions: versions.listReviewSubmissions, // 57
  listWebhookDeliveries: webhooks.listWebhookDeliveries, // 58
}

export const definitions = { ...contract, ...waysIn }

export const routes = contents(contract, waysIn)
