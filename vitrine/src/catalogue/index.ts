// All routes in the contract's order. The name on the left is the operation's name everywhere.
import * as appClips from './app-clips.ts'
import * as apps from './apps.ts'
import * as backgroundAssets from './background-assets.ts'
import * as buildUploads from './build-uploads.ts'
import { contents } from './define.ts'
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
import * as winBackOffers from './win-back-offers.ts'

export const definitions = {
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

export const routes = contents(definitions)
