// The contract's routes, typed a second time by hand: nothing here is read from the catalogue, so that the two can disagree.
// Long because it is a table; one row a route: path | shape | filters | sort | fields | linkages and values of the path | platform endpoint | stamp.

import { wayInParts } from './way-in-rows.ts'

export interface Row {
  readonly operation: string
  readonly path: string
  readonly shape: 'one' | 'page' | 'ids' | 'id'
  readonly group: string
  readonly filters: readonly string[]
  readonly sort: readonly string[]
  readonly fields: readonly string[]
  /** other members of the answer beside `id` */
  readonly others: readonly string[]
  readonly endpoint: string
  readonly version: string
}

const words = (text: string): string[] => text.split(' ').filter(Boolean)

const placementFilters =
  'placementType placementGroup state image appEventLocalization appStoreVersionLocalization appStoreVersionExperimentTreatmentLocalization id'
const placementFields = 'mediaType placementType placementGroup createdDate lastModifiedDate state stateDetails'
const placementSort = 'createdDate lastModifiedDate placementGroupPosition'
const feedbackFields =
  'createdDate comment email deviceModel osVersion locale timeZone architecture connectionType pairedVendorWatch appUptimeInMilliseconds diskBytesAvailable diskBytesTotal batteryPercentage screenWidthInPoints screenHeightInPoints appPlatform devicePlatform deviceFamily buildBundleId screenshots'

export type Parts = readonly [
  operation: string,
  group: string,
  shape: Row['shape'],
  path: string,
  endpoint: string,
  rest?: { filters?: string; sort?: string; fields?: string; others?: string; version?: string },
]

const parts: readonly Parts[] = [
  [
    ...(['listApps', 'apps', 'page', '/apps', '/v1/apps'] as const),
    {
      filters: 'name bundleId sku versionPlatform reviewPlatform versionState reviewState versionId id',
      sort: 'name bundleId sku',
      fields:
        'accessibilityUrl name bundleId sku primaryLocale isOrEverWasMadeForKids subscriptionStatusUrl subscriptionStatusUrlVersion subscriptionStatusUrlForSandbox subscriptionStatusUrlVersionForSandbox contentRightsDeclaration streamlinedPurchasingEnabled',
      others:
        'appStoreIconId ciProductId betaLicenseAgreementId betaAppReviewDetailId endUserLicenseAgreementId subscriptionGracePeriodId gameCenterDetailId',
    },
  ],
  [
    'getPerformanceOverview',
    'performance',
    'one',
    '/apps/{appId}/performance-overviews',
    '/v1/apps/{appId}/performanceOverviews',
    {
      filters: 'deviceType',
      others: 'version appMetadata insights categories signatures telemetryIdentifier',
      version: '4.5.1',
    },
  ],
  [
    'getEvent',
    'marketing',
    'one',
    '/events/{eventId}',
    '/v1/appEvents/{eventId}',
    {
      fields:
        'referenceName badge eventState deepLink purchaseRequirement primaryLocale priority purpose territorySchedules archivedTerritorySchedules',
    },
  ],
  [
    'listExperimentTreatments',
    'marketing',
    'page',
    '/experiments/{experimentId}/treatments',
    '/v2/appStoreVersionExperiments/{experimentId}/appStoreVersionExperimentTreatments',
    { fields: 'name appIcon appIconName promotedDate', others: 'appStoreVersionExperimentId' },
  ],
  [
    'listBetaFeedbackSubmissions',
    'feedback',
    'page',
    '/apps/{appId}/beta-feedback-screenshot-submissions',
    '/v1/apps/{appId}/betaFeedbackScreenshotSubmissions',
    {
      filters: 'deviceModel osVersion appPlatform devicePlatform buildId build.preReleaseVersion tester',
      sort: 'createdDate',
      fields: feedbackFields,
      others: 'appId buildId testerId',
    },
  ],
  [
    'getBuildUploadFile',
    'builds',
    'one',
    '/build-upload-files/{buildUploadFileId}',
    '/v1/buildUploadFiles/{buildUploadFileId}',
    { fields: 'assetDeliveryState assetToken assetType fileName fileSize sourceFileChecksums uploadOperations uti' },
  ],
  [
    'listProductPagePlacements',
    'marketing',
    'page',
    '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements',
    '/v1/appCustomProductPageLocalizations/{localizationId}/placements',
    { filters: `${placementFilters} video`, sort: placementSort, fields: placementFields, version: '4.5.1' },
  ],
  [
    'listLibraryVideoPlacements',
    'marketing',
    'page',
    '/library-videos/{libraryVideoId}/placements',
    '/v1/appAssetLibraryVideos/{libraryVideoId}/placements',
    {
      filters: `${placementFilters} appCustomProductPageLocalization`,
      sort: placementSort,
      fields: placementFields,
      version: '4.5.1',
    },
  ],
  [
    'listSubscriptionOfferCodes',
    'commerce',
    'page',
    '/subscriptions/{subscriptionId}/offer-codes',
    '/v1/subscriptions/{subscriptionId}/offerCodes',
    {
      filters: 'territory',
      fields:
        'name customerEligibilities offerEligibility duration offerMode numberOfPeriods totalNumberOfCodes productionCodeCount sandboxCodeCount active autoRenewEnabled targetSubscriptionPlanType',
      others: 'subscriptionId',
    },
  ],
  [
    'listPurchaseCustomCodes',
    'commerce',
    'page',
    '/purchase-offer-codes/{purchaseOfferCodeId}/custom-codes',
    '/v1/inAppPurchaseOfferCodes/{purchaseOfferCodeId}/customCodes',
    {
      fields: 'customCode numberOfCodes createdDate expirationDate active',
      others: 'createdByActorId deactivatedByActorId',
    },
  ],
  [
    'listAppClipExperienceLocalizations',
    'marketing',
    'page',
    '/app-clip-default-experiences/{experienceId}/localizations',
    '/v1/appClipDefaultExperiences/{experienceId}/appClipDefaultExperienceLocalizations',
    { filters: 'locale', fields: 'locale subtitle', others: 'experienceId appClipHeaderImageId' },
  ],
  [
    'listTerritoryAgeRatings',
    'apps',
    'page',
    '/apps/{appId}/app-infos/{appInfoId}/territory-age-ratings',
    '/v1/appInfos/{appInfoId}/territoryAgeRatings',
    { fields: 'appStoreAgeRating', others: 'appId appInfoId territoryId' },
  ],
  [
    'getLegacyPurchaseImage',
    'legacy',
    'one',
    '/legacy/purchase-images/{purchaseImageId}',
    '/v1/inAppPurchaseImages/{purchaseImageId}',
    {
      fields: 'fileSize fileName sourceFileChecksum assetToken imageAsset uploadOperations state',
      others: 'inAppPurchaseId',
    },
  ],
  [
    'listWinBackOfferPrices',
    'commerce',
    'page',
    '/win-back-offers/{winBackOfferId}/prices',
    '/v1/winBackOffers/{winBackOfferId}/prices',
    { filters: 'territory', others: 'territoryId subscriptionPricePointId' },
  ],
  [
    'getLegacySubscriptionLocalization',
    'legacy',
    'one',
    '/legacy/subscriptions/{subscriptionId}/localizations/{locale}',
    '/v1/subscriptionLocalizations/{localizationId}',
    { fields: 'name locale description state', others: 'subscriptionId' },
  ],
  [
    'getFeaturingNomination',
    'marketing',
    'one',
    '/featuring-nominations/{featuringNominationId}',
    '/v1/nominations/{featuringNominationId}',
    {
      fields:
        'name type description createdDate lastModifiedDate submittedDate state publishStartDate publishEndDate deviceFamilies locales supplementalMaterialsUris hasInAppEvents launchInSelectMarketsFirst notes preOrderEnabled',
      others: 'createdByActorId lastModifiedByActorId submittedByActorId',
    },
  ],
  [
    'getBackgroundAsset',
    'builds',
    'one',
    '/background-assets/{backgroundAssetId}',
    '/v1/backgroundAssets/{backgroundAssetId}',
    {
      fields: 'archived assetPackIdentifier createdDate usedBytes',
      others: 'appId versionId internalBetaVersionId externalBetaVersionId',
    },
  ],
  [
    'listProductPagePlacementIds',
    'marketing',
    'ids',
    '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements/ids',
    '/v1/appCustomProductPageLocalizations/{localizationId}/relationships/placements',
    { version: '4.5.1' },
  ],
  [
    'getSubscriptionCodeBatch',
    'commerce',
    'one',
    '/subscription-code-batches/{subscriptionCodeBatcheId}',
    '/v1/subscriptionOfferCodeOneTimeUseCodes/{subscriptionCodeBatcheId}',
    { fields: 'numberOfCodes createdDate expirationDate active environment', others: 'offerCodeId' },
  ],
  [
    'listEventScreenshotIds',
    'marketing',
    'ids',
    '/events/{eventId}/localizations/{locale}/event-screenshots/ids',
    '/v1/appEventLocalizations/{localizationId}/relationships/appEventScreenshots',
  ],
  [
    'listInAppPurchaseIds',
    'commerce',
    'ids',
    '/apps/{appId}/in-app-purchases/ids',
    '/v1/apps/{appId}/relationships/inAppPurchasesV2',
  ],
  [
    'listProductPageScreenshotSetIds',
    'marketing',
    'ids',
    '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/screenshot-sets/ids',
    '/v1/appCustomProductPageLocalizations/{localizationId}/relationships/appScreenshotSets',
  ],
  [
    'getPromotedPurchase',
    'commerce',
    'one',
    '/subscriptions/{subscriptionId}/promoted-purchase',
    '/v1/subscriptions/{subscriptionId}/promotedPurchase',
    { fields: 'visibleForAllUsers enabled state', others: 'purchaseId subscriptionId' },
  ],
  [
    'listPurchaseLocalizationIds',
    'commerce',
    'ids',
    '/purchase-versions/{purchaseVersionId}/localizations/ids',
    '/v1/inAppPurchaseVersions/{purchaseVersionId}/relationships/localizations',
  ],
  [
    'listBuildUploadFileIds',
    'builds',
    'ids',
    '/build-uploads/{buildUploadId}/build-upload-files/ids',
    '/v1/buildUploads/{buildUploadId}/relationships/buildUploadFiles',
  ],
  ['listAppVersionIds', 'apps', 'ids', '/apps/{appId}/versions/ids', '/v1/apps/{appId}/relationships/appStoreVersions'],
  [
    'getAppClipDomainDebugStatus',
    'builds',
    'one',
    '/build-bundles/{buildBundleId}/app-clip-domain-debug-status',
    '/v1/buildBundles/{buildBundleId}/appClipDomainDebugStatus',
    { others: 'domains lastUpdatedDate' },
  ],
  [
    'getCustomerReviewResponse',
    'reviews',
    'one',
    '/customer-review-responses/{responseId}',
    '/v1/customerReviewResponses/{responseId}',
    { fields: 'responseBody lastModifiedDate state', others: 'reviewId' },
  ],
  [
    'getLegacyEncryptionDeclarationAppId',
    'legacy',
    'id',
    '/legacy/encryption-declarations/{encryptionDeclarationId}/app/id',
    '/v1/appEncryptionDeclarations/{encryptionDeclarationId}/relationships/app',
  ],
]

const rowOf = ([operation, group, shape, path, endpoint, rest = {}]: Parts): Row => ({
  operation,
  group,
  shape,
  path,
  endpoint,
  filters: words(rest.filters ?? ''),
  sort: words(rest.sort ?? ''),
  fields: words(rest.fields ?? ''),
  others: words(rest.others ?? ''),
  version: rest.version ?? '4.4.1',
})

/** the contract's routes, in its order */
export const contractRows = parts.map(rowOf)

export const rows: readonly Row[] = [...contractRows, ...wayInParts.map(rowOf)]
