// The lookups of each route and the platform's name of every filter: typed by hand, by operation.
// Nothing here is read from the catalogue. A route that is not listed has no lookup or no filter.

import { wayInFilters, wayInLookups } from './way-in-links.ts'

const pageLocalization = {
  locale: '/v1/appCustomProductPageVersions/{pageVersionId}/appCustomProductPageLocalizations',
  type: 'appCustomProductPageLocalizations',
}

export const lookups: Readonly<Record<string, object>> = {
  ...wayInLookups,
  getPerformanceOverview: {
    bare: {
      mediaType: 'application/vnd.apple.xcode-overview+json',
      id: 'appId',
      named: ['appMetadata', 'appId'],
    },
  },
  listExperimentTreatments: { parent: { appStoreVersionExperimentId: 'experimentId' } },
  listProductPagePlacements: {
    resolve: pageLocalization,
    parent: { appCustomProductPageLocalization: 'localizationId' },
  },
  listLibraryVideoPlacements: { parent: { video: 'libraryVideoId' } },
  listSubscriptionOfferCodes: { parent: { subscriptionId: 'subscriptionId' } },
  listAppClipExperienceLocalizations: { parent: { experienceId: 'experienceId' } },
  listTerritoryAgeRatings: {
    guard: { child: 'appInfoId', isIn: '/v1/apps/{appId}/relationships/appInfos', type: 'appInfos' },
  },
  getLegacySubscriptionLocalization: {
    resolve: {
      locale: '/v1/subscriptions/{subscriptionId}/subscriptionLocalizations',
      type: 'subscriptionLocalizations',
    },
    parent: { subscriptionId: 'subscriptionId' },
  },
  listProductPagePlacementIds: { resolve: pageLocalization },
  listEventScreenshotIds: {
    resolve: { locale: '/v1/appEvents/{eventId}/localizations', type: 'appEventLocalizations' },
  },
  listProductPageScreenshotSetIds: { resolve: pageLocalization },
  getPromotedPurchase: { parent: { subscriptionId: 'subscriptionId' }, mayBeAbsent: true },
  getAppClipDomainDebugStatus: { mayBeAbsent: true },
}

const placementFilters = `
  placementType               -> filter[placementType]
  placementGroup              -> filter[placementGroup]
  state                       -> filter[state]
  image                       -> filter[image]
  appEventLocalization        -> filter[appEventLocalization]
  appStoreVersionLocalization -> filter[appStoreVersionLocalization]
  appStoreVersionExperimentTreatmentLocalization -> filter[appStoreVersionExperimentTreatmentLocalization]
  id                          -> filter[id]`

export const filters: Readonly<Record<string, string>> = {
  ...wayInFilters,
  listApps: `
    name            -> filter[name]
    bundleId        -> filter[bundleId]
    sku             -> filter[sku]
    versionPlatform -> filter[appStoreVersions.platform]
    reviewPlatform  -> filter[reviewSubmissions.platform]
    versionState    -> filter[appStoreVersions.appVersionState]
    reviewState     -> filter[reviewSubmissions.state]
    versionId       -> filter[appStoreVersions]
    id              -> filter[id]`,
  getPerformanceOverview: `
    deviceType -> filter[deviceType]`,
  listBetaFeedbackSubmissions: `
    deviceModel             -> filter[deviceModel]
    osVersion               -> filter[osVersion]
    appPlatform             -> filter[appPlatform]
    devicePlatform          -> filter[devicePlatform]
    buildId                 -> filter[build]
    build.preReleaseVersion -> filter[build.preReleaseVersion]
    tester                  -> filter[tester]`,
  listProductPagePlacements: `${placementFilters}
    video -> filter[video]`,
  listLibraryVideoPlacements: `${placementFilters}
    appCustomProductPageLocalization -> filter[appCustomProductPageLocalization]`,
  listSubscriptionOfferCodes: `
    territory -> filter[territory]`,
  listAppClipExperienceLocalizations: `
    locale -> filter[locale]`,
  listWinBackOfferPrices: `
    territory -> filter[territory]`,
}
