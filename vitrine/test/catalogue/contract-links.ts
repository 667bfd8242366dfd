// Where the contract's linkages come from, typed by hand, by operation: facade field <- platform relation, its type.
// `<- path` is a field whose value is the path parameter of the same name. Nothing here is read from the catalogue.

import { wayInLinks, wayInTypes } from './way-in-links.ts'

export const links: Readonly<Record<string, string>> = {
  ...wayInLinks,
  listApps: `
    appStoreIconId            <- appStoreIcon             buildIcons
    ciProductId               <- ciProduct                ciProducts
    betaLicenseAgreementId    <- betaLicenseAgreement     betaLicenseAgreements
    betaAppReviewDetailId     <- betaAppReviewDetail      betaAppReviewDetails
    endUserLicenseAgreementId <- endUserLicenseAgreement  endUserLicenseAgreements
    subscriptionGracePeriodId <- subscriptionGracePeriod  subscriptionGracePeriods
    gameCenterDetailId        <- gameCenterDetail         gameCenterDetails`,
  listExperimentTreatments: `
    appStoreVersionExperimentId <- appStoreVersionExperimentV2 appStoreVersionExperiments`,
  listBetaFeedbackSubmissions: `
    buildId  <- build  builds
    testerId <- tester betaTesters
    appId    <- path`,
  listSubscriptionOfferCodes: `
    subscriptionId <- subscription subscriptions`,
  listPurchaseCustomCodes: `
    createdByActorId     <- createdByActor     actors
    deactivatedByActorId <- deactivatedByActor actors`,
  listAppClipExperienceLocalizations: `
    experienceId         <- appClipDefaultExperience appClipDefaultExperiences
    appClipHeaderImageId <- appClipHeaderImage       appClipHeaderImages`,
  listTerritoryAgeRatings: `
    territoryId <- territory territories
    appId       <- path
    appInfoId   <- path`,
  getLegacyPurchaseImage: `
    inAppPurchaseId <- inAppPurchase inAppPurchases`,
  listWinBackOfferPrices: `
    territoryId              <- territory              territories
    subscriptionPricePointId <- subscriptionPricePoint subscriptionPricePoints`,
  getLegacySubscriptionLocalization: `
    subscriptionId <- subscription subscriptions`,
  getFeaturingNomination: `
    createdByActorId      <- createdByActor      actors
    lastModifiedByActorId <- lastModifiedByActor actors
    submittedByActorId    <- submittedByActor    actors`,
  getBackgroundAsset: `
    appId                 <- app                 apps
    versionId             <- appStoreVersion     backgroundAssetVersions
    internalBetaVersionId <- internalBetaVersion backgroundAssetVersions
    externalBetaVersionId <- externalBetaVersion backgroundAssetVersions`,
  getSubscriptionCodeBatch: `
    offerCodeId <- offerCode subscriptionOfferCodes`,
  getPromotedPurchase: `
    purchaseId     <- inAppPurchaseV2 inAppPurchases
    subscriptionId <- subscription    subscriptions`,
  getCustomerReviewResponse: `
    reviewId <- review customerReviews`,
}

/** Words in names of the platform's fields that are personal, secret or long: a link never asks for one. */
export const unasked = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'nickname',
  'apiKey',
  'password',
  'demoAccountName',
  'token',
  'url',
  'note',
  'agreementText',
  'title',
  'body',
  'comment',
  'devices',
  'operations',
  'asset',
  'checksum',
]

/** The platform's type of what each route returns, or of its ids. Route 2 is a document without one. */
export const types: Readonly<Record<string, string>> = {
  ...wayInTypes,
  listApps: 'apps',
  getPerformanceOverview: 'xcodeOverview',
  getEvent: 'appEvents',
  listExperimentTreatments: 'appStoreVersionExperimentTreatments',
  listBetaFeedbackSubmissions: 'betaFeedbackScreenshotSubmissions',
  getBuildUploadFile: 'buildUploadFiles',
  listProductPagePlacements: 'appAssetLibraryPlacements',
  listLibraryVideoPlacements: 'appAssetLibraryPlacements',
  listSubscriptionOfferCodes: 'subscriptionOfferCodes',
  listPurchaseCustomCodes: 'inAppPurchaseOfferCodeCustomCodes',
  listAppClipExperienceLocalizations: 'appClipDefaultExperienceLocalizations',
  listTerritoryAgeRatings: 'territoryAgeRatings',
  getLegacyPurchaseImage: 'inAppPurchaseImages',
  listWinBackOfferPrices: 'winBackOfferPrices',
  getLegacySubscriptionLocalization: 'subscriptionLocalizations',
  getFeaturingNomination: 'nominations',
  getBackgroundAsset: 'backgroundAssets',
  listProductPagePlacementIds: 'appAssetLibraryPlacements',
  getSubscriptionCodeBatch: 'subscriptionOfferCodeOneTimeUseCodes',
  listEventScreenshotIds: 'appEventScreenshots',
  listInAppPurchaseIds: 'inAppPurchases',
  listProductPageScreenshotSetIds: 'appScreenshotSets',
  getPromotedPurchase: 'promotedPurchases',
  listPurchaseLocalizationIds: 'inAppPurchaseLocalizations',
  listBuildUploadFileIds: 'buildUploadFiles',
  listAppVersionIds: 'appStoreVersions',
  getAppClipDomainDebugStatus: 'appClipDomainStatuses',
  getCustomerReviewResponse: 'customerReviewResponses',
  getLegacyEncryptionDeclarationAppId: 'apps',
}
