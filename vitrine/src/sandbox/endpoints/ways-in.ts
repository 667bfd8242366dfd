// The reads that lead to the ids of the others: lists below an app, a group, a page, a purchase, an App Clip.
import { endpoint } from './endpoint.ts'
import {
  appVersionStates,
  experimentStates,
  pageVersionStates,
  platforms,
  purchaseStates,
  purchaseVersionStates,
  reviewSubmissionStates,
  subscriptionStates,
} from './values.ts'

const ofApps = [
  endpoint('single', '/v1/apps/{id}', {
    include: `appStoreIcon ciProduct betaLicenseAgreement betaAppReviewDetail endUserLicenseAgreement
      subscriptionGracePeriod gameCenterDetail`,
  }),
  endpoint('collection', '/v1/apps/{id}/appStoreVersions', {
    open: 'versionString id',
    closed: { platform: platforms, appVersionState: appVersionStates },
    include: `app build appStoreVersionPhasedRelease gameCenterAppVersion routingAppCoverage appStoreReviewDetail
      appStoreVersionSubmission appClipDefaultExperience alternativeDistributionPackage`,
  }),
  endpoint('collection', '/v1/apps/{id}/appInfos', {
    include: `app ageRatingDeclaration primaryCategory primarySubcategoryOne primarySubcategoryTwo secondaryCategory
      secondarySubcategoryOne secondarySubcategoryTwo`,
  }),
  endpoint('collection', '/v1/apps/{id}/webhooks', { include: 'app' }),
  endpoint('collection', '/v1/webhooks/{id}/deliveries', {
    closed: { deliveryState: ['SUCCEEDED', 'FAILED', 'PENDING'] },
    dates: 'createdDateGreaterThanOrEqualTo createdDateLessThan',
    include: 'event',
  }),
  endpoint('collection', '/v1/reviewSubmissions', {
    open: 'app',
    required: 'app',
    closed: { platform: platforms, state: reviewSubmissionStates },
    include: 'app appStoreVersionForReview submittedByActor lastUpdatedByActor',
  }),
]

const ofBuilds = [
  endpoint('collection', '/v1/builds', {
    open: `version expired usesNonExemptEncryption preReleaseVersion.version preReleaseVersion app betaGroups
      appStoreVersion id`,
    closed: {
      processingState: ['PROCESSING', 'FAILED', 'INVALID', 'VALID'],
      'betaAppReviewSubmission.betaReviewState': ['WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED', 'APPROVED'],
      'preReleaseVersion.platform': platforms,
      buildAudienceType: ['INTERNAL_ONLY', 'APP_STORE_ELIGIBLE'],
    },
    exists: 'usesNonExemptEncryption',
    sort: 'version uploadedDate preReleaseVersion',
    include: `preReleaseVersion appEncryptionDeclaration betaAppReviewSubmission app buildBetaDetail appStoreVersion
      buildBundles buildUpload`,
  }),
  endpoint('single', '/v1/builds/{id}', { include: 'buildBundles' }),
  endpoint('collection', '/v1/apps/{id}/backgroundAssets', {
    open: 'archived assetPackIdentifier versions.locale',
    closed: { 'versions.platforms': platforms },
    sort: 'assetPackIdentifier createdDate',
    include: 'app appStoreVersion internalBetaVersion externalBetaVersion',
  }),
]

const ofTheStore = [
  endpoint('collection', '/v1/apps/{id}/appStoreVersionExperimentsV2', {
    closed: { state: experimentStates },
    include: 'app latestControlVersion',
  }),
  endpoint('collection', '/v1/apps/{id}/appCustomProductPages', { open: 'visible', include: 'app' }),
  endpoint('collection', '/v1/appCustomProductPages/{id}/appCustomProductPageVersions', {
    closed: { state: pageVersionStates },
    include: 'appCustomProductPage',
  }),
  endpoint('collection', '/v1/apps/{id}/appClips', { open: 'bundleId', include: 'app' }),
  endpoint('collection', '/v1/appClips/{id}/appClipDefaultExperiences', {
    exists: 'releaseWithAppStoreVersion',
    include: 'appClip releaseWithAppStoreVersion appClipAppStoreReviewDetail',
  }),
  endpoint('collection', '/v1/nominations', {
    open: 'hasInAppEvents relatedApps',
    closed: { type: ['APP_LAUNCH', 'APP_ENHANCEMENTS', 'NEW_CONTENT'], state: ['DRAFT', 'SUBMITTED', 'ARCHIVED'] },
    required: 'state',
    sort: 'lastModifiedDate publishStartDate publishEndDate name type',
    include: 'createdByActor lastModifiedByActor submittedByActor',
  }),
]

const ofCommerce = [
  endpoint('collection', '/v1/apps/{id}/subscriptionGroups', {
    open: 'referenceName',
    closed: { 'subscriptions.state': subscriptionStates },
    sort: 'referenceName',
  }),
  endpoint('collection', '/v1/subscriptionGroups/{id}/subscriptions', {
    open: 'productId name',
    closed: { state: subscriptionStates },
    sort: 'name',
    include: 'appStoreReviewScreenshot group promotedPurchase',
  }),
  endpoint('collection', '/v1/subscriptions/{id}/winBackOffers'),
  endpoint('collection', '/v1/subscriptionOfferCodes/{id}/oneTimeUseCodes', { include: 'offerCode' }),
  endpoint('collection', '/v1/apps/{id}/inAppPurchasesV2', {
    open: 'productId name',
    closed: {
      state: purchaseStates,
      inAppPurchaseType: ['CONSUMABLE', 'NON_CONSUMABLE', 'NON_RENEWING_SUBSCRIPTION'],
    },
    sort: 'name inAppPurchaseType',
    include: 'content appStoreReviewScreenshot promotedPurchase iapPriceSchedule inAppPurchaseAvailability',
  }),
  endpoint('collection', '/v2/inAppPurchases/{id}/versions', {
    closed: { state: purchaseVersionStates },
    include: 'inAppPurchase image',
  }),
  endpoint('collection', '/v2/inAppPurchases/{id}/offerCodes', { open: 'territory' }),
  endpoint('collection', '/v2/inAppPurchases/{id}/images', { include: 'inAppPurchase' }),
]

export const waysIn = [...ofApps, ...ofBuilds, ...ofTheStore, ...ofCommerce]
