// The reads of the contract's routes and of the doctor: of apps, of builds and what testers send back, of what the store shows, of what is sold.
import { endpoint } from './endpoint.ts'
import {
  appStoreStates,
  appVersionStates,
  eventStates,
  placementStates,
  placementTypes,
  platforms,
  reviewSubmissionStates,
} from './values.ts'

const placementRead = {
  closed: { placementType: placementTypes, state: placementStates },
  sort: 'createdDate lastModifiedDate placementGroupPosition',
  include: `image video appEventLocalization appStoreVersionLocalization appCustomProductPageLocalization
    appStoreVersionExperimentTreatmentLocalization`,
}

const placementFilters = `placementGroup image appEventLocalization appStoreVersionLocalization
  appStoreVersionExperimentTreatmentLocalization id`

export const endpoints = [
  endpoint('collection', '/v1/apps', {
    open: 'name bundleId sku appStoreVersions id',
    closed: {
      'appStoreVersions.appStoreState': appStoreStates,
      'appStoreVersions.platform': platforms,
      'appStoreVersions.appVersionState': appVersionStates,
      'reviewSubmissions.state': reviewSubmissionStates,
      'reviewSubmissions.platform': platforms,
    },
    exists: 'gameCenterEnabledVersions',
    sort: 'name bundleId sku',
    include: `appEncryptionDeclarations appStoreIcon ciProduct betaGroups appStoreVersions preReleaseVersions
      betaAppLocalizations builds betaLicenseAgreement betaAppReviewDetail appInfos appClips endUserLicenseAgreement
      inAppPurchases subscriptionGroups gameCenterEnabledVersions appCustomProductPages inAppPurchasesV2
      promotedPurchases appEvents reviewSubmissions subscriptionGracePeriod gameCenterDetail
      appStoreVersionExperimentsV2 androidToIosAppMappingDetails`,
  }),
  endpoint('bare', '/v1/apps/{id}/performanceOverviews', { open: 'deviceType' }),
  endpoint('linkages', '/v1/apps/{id}/relationships/appInfos'),
  endpoint('linkages', '/v1/apps/{id}/relationships/inAppPurchasesV2'),
  endpoint('linkages', '/v1/apps/{id}/relationships/appStoreVersions'),
  endpoint('collection', '/v1/appInfos/{id}/territoryAgeRatings', { include: 'territory' }),
  endpoint('single', '/v1/backgroundAssets/{id}', {
    include: 'app appStoreVersion internalBetaVersion externalBetaVersion',
  }),
  endpoint('single', '/v1/customerReviewResponses/{id}', { include: 'review' }),
  endpoint('collection', '/v1/apps/{id}/customerReviews', {
    open: 'territory rating reviewTerritory',
    exists: 'publishedResponse',
    sort: 'rating createdDate',
    include: 'response reviewTerritory',
  }),
  endpoint('collection', '/v1/appEncryptionDeclarations', {
    open: 'app builds',
    closed: { platform: platforms },
    include: 'app builds appEncryptionDeclarationDocument',
  }),
  endpoint('linkage', '/v1/appEncryptionDeclarations/{id}/relationships/app'),
  endpoint('collection', '/v1/apps/{id}/betaFeedbackScreenshotSubmissions', {
    open: 'deviceModel osVersion build build.preReleaseVersion tester',
    closed: { appPlatform: platforms, devicePlatform: platforms },
    sort: 'createdDate',
    include: 'build tester',
  }),
  endpoint('collection', '/v1/apps/{id}/buildUploads', {
    open: 'cfBundleShortVersionString cfBundleVersion state',
    closed: { platform: platforms },
    sort: 'cfBundleVersion uploadedDate',
    include: 'build assetFile assetDescriptionFile assetSpiFile',
  }),
  endpoint('single', '/v1/buildUploadFiles/{id}'),
  endpoint('linkages', '/v1/buildUploads/{id}/relationships/buildUploadFiles'),
  endpoint('single', '/v1/buildBundles/{id}/appClipDomainDebugStatus'),
  endpoint('collection', '/v1/apps/{id}/appEvents', {
    open: 'id',
    closed: { eventState: eventStates },
    include: 'localizations',
  }),
  endpoint('single', '/v1/appEvents/{id}', { include: 'localizations' }),
  endpoint('collection', '/v1/appEvents/{id}/localizations', {
    include: 'appEvent appEventScreenshots appEventVideoClips',
  }),
  endpoint('linkages', '/v1/appEventLocalizations/{id}/relationships/appEventScreenshots'),
  endpoint('collection', '/v2/appStoreVersionExperiments/{id}/appStoreVersionExperimentTreatments', {
    include: `appStoreVersionExperiment appStoreVersionExperimentV2 appStoreVersionExperimentTreatmentLocalizations`,
  }),
  endpoint('collection', '/v1/appCustomProductPageVersions/{id}/appCustomProductPageLocalizations', {
    open: 'locale',
    include: 'appCustomProductPageVersion appScreenshotSets appPreviewSets searchKeywords',
  }),
  endpoint('collection', '/v1/appCustomProductPageLocalizations/{id}/placements', {
    open: `${placementFilters} video`,
    ...placementRead,
  }),
  endpoint('linkages', '/v1/appCustomProductPageLocalizations/{id}/relationships/placements'),
  endpoint('linkages', '/v1/appCustomProductPageLocalizations/{id}/relationships/appScreenshotSets'),
  endpoint('collection', '/v1/appAssetLibraryVideos/{id}/placements', {
    open: `${placementFilters} appCustomProductPageLocalization`,
    ...placementRead,
  }),
  endpoint('collection', '/v1/appClipDefaultExperiences/{id}/appClipDefaultExperienceLocalizations', {
    open: 'locale',
    include: 'appClipDefaultExperience appClipHeaderImage',
  }),
  endpoint('single', '/v1/nominations/{id}', {
    include: 'relatedApps createdByActor lastModifiedByActor submittedByActor inAppEvents supportedTerritories:200',
  }),
  endpoint('collection', '/v1/subscriptions/{id}/offerCodes', {
    open: 'territory',
    include: 'subscription oneTimeUseCodes customCodes prices',
  }),
  endpoint('collection', '/v1/subscriptions/{id}/subscriptionLocalizations', { include: 'subscription' }),
  endpoint('single', '/v1/subscriptionLocalizations/{id}', { include: 'subscription' }),
  endpoint('single', '/v1/subscriptions/{id}/promotedPurchase', { include: 'inAppPurchaseV2 subscription' }),
  endpoint('single', '/v1/subscriptionOfferCodeOneTimeUseCodes/{id}', { include: 'offerCode' }),
  endpoint('collection', '/v1/inAppPurchaseOfferCodes/{id}/customCodes', {
    include: 'createdByActor deactivatedByActor',
  }),
  endpoint('single', '/v1/inAppPurchaseImages/{id}', { include: 'inAppPurchase' }),
  endpoint('linkages', '/v1/inAppPurchaseVersions/{id}/relationships/localizations'),
  endpoint('collection', '/v1/winBackOffers/{id}/prices', {
    open: 'territory',
    include: 'territory subscriptionPricePoint',
  }),
]
