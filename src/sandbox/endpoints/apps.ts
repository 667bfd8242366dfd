// Reads of apps and what hangs directly under them: app infos, versions, reviews, background assets, declarations.
import { endpoint } from './endpoint.ts'
import { appStoreStates, appVersionStates, platforms, reviewSubmissionStates } from './values.ts'

export const appEndpoints = [
  endpoint('collection', '/v1/apps', {
    filters: {
      name: null,
      bundleId: null,
      sku: null,
      'appStoreVersions.appStoreState': appStoreStates,
      'appStoreVersions.platform': platforms,
      'appStoreVersions.appVersionState': appVersionStates,
      'reviewSubmissions.state': reviewSubmissionStates,
      'reviewSubmissions.platform': platforms,
      appStoreVersions: null,
      id: null,
    },
    exists: 'gameCenterEnabledVersions',
    sort: 'name bundleId sku',
    fields: `apps appEncryptionDeclarations buildIcons ciProducts betaGroups appStoreVersions preReleaseVersions
      betaAppLocalizations builds betaLicenseAgreements betaAppReviewDetails appInfos appClips endUserLicenseAgreements
      inAppPurchases subscriptionGroups gameCenterEnabledVersions appCustomProductPages promotedPurchases appEvents
      reviewSubmissions subscriptionGracePeriods gameCenterDetails appStoreVersionExperiments
      androidToIosAppMappingDetails`,
    include: `appEncryptionDeclarations appStoreIcon ciProduct betaGroups appStoreVersions preReleaseVersions
      betaAppLocalizations builds betaLicenseAgreement betaAppReviewDetail appInfos appClips endUserLicenseAgreement
      inAppPurchases subscriptionGroups gameCenterEnabledVersions appCustomProductPages inAppPurchasesV2
      promotedPurchases appEvents reviewSubmissions subscriptionGracePeriod gameCenterDetail
      appStoreVersionExperimentsV2 androidToIosAppMappingDetails`,
    limits: `androidToIosAppMappingDetails appClips appCustomProductPages appEncryptionDeclarations appEvents appInfos
      appStoreVersionExperimentsV2 appStoreVersions betaAppLocalizations betaGroups builds gameCenterEnabledVersions
      inAppPurchases inAppPurchasesV2 preReleaseVersions promotedPurchases reviewSubmissions subscriptionGroups`,
  }),
  endpoint('bare', '/v1/apps/{id}/performanceOverviews', { filters: { deviceType: null } }),
  endpoint('linkages', '/v1/apps/{id}/relationships/appInfos'),
  endpoint('linkages', '/v1/apps/{id}/relationships/inAppPurchasesV2'),
  endpoint('linkages', '/v1/apps/{id}/relationships/appStoreVersions'),
  endpoint('collection', '/v1/appInfos/{id}/territoryAgeRatings', {
    fields: 'territoryAgeRatings territories',
    include: 'territory',
  }),
  endpoint('single', '/v1/backgroundAssets/{id}', {
    fields: 'backgroundAssets apps backgroundAssetVersions',
    include: 'app appStoreVersion internalBetaVersion externalBetaVersion',
  }),
  endpoint('single', '/v1/customerReviewResponses/{id}', {
    fields: 'customerReviewResponses customerReviews',
    include: 'review',
  }),
  endpoint('collection', '/v1/apps/{id}/customerReviews', {
    filters: { territory: null, rating: null, reviewTerritory: null },
    exists: 'publishedResponse',
    sort: 'rating createdDate',
    fields: 'customerReviews customerReviewResponses territories',
    include: 'response reviewTerritory',
  }),
  endpoint('collection', '/v1/appEncryptionDeclarations', {
    filters: { platform: platforms, app: null, builds: null },
    fields: 'appEncryptionDeclarations apps builds',
    include: 'app builds',
    limits: 'builds',
  }),
  endpoint('linkage', '/v1/appEncryptionDeclarations/{id}/relationships/app'),
]
