// Reads of what the store shows: events, experiments, custom product pages, library assets, App Clips, nominations.
import { endpoint } from './endpoint.ts'
import { eventStates, placementStates, placementTypes } from './values.ts'

const placementRead = {
  sort: 'createdDate lastModifiedDate placementGroupPosition',
  fields: `appAssetLibraryPlacements appAssetLibraryImages appAssetLibraryVideos appEventLocalizations
    appStoreVersionLocalizations appCustomProductPageLocalizations appStoreVersionExperimentTreatmentLocalizations`,
  include: `image video appEventLocalization appStoreVersionLocalization appCustomProductPageLocalization
    appStoreVersionExperimentTreatmentLocalization`,
}

const placementFilters = {
  placementType: placementTypes,
  placementGroup: null,
  state: placementStates,
  image: null,
  appEventLocalization: null,
  appStoreVersionLocalization: null,
  appStoreVersionExperimentTreatmentLocalization: null,
  id: null,
}

export const marketingEndpoints = [
  endpoint('collection', '/v1/apps/{id}/appEvents', {
    filters: { eventState: eventStates, id: null },
    fields: 'appEvents appEventLocalizations',
    include: 'localizations',
    limits: 'localizations',
  }),
  endpoint('single', '/v1/appEvents/{id}', {
    fields: 'appEvents appEventLocalizations',
    include: 'localizations',
    limits: 'localizations',
  }),
  endpoint('collection', '/v1/appEvents/{id}/localizations', {
    fields: 'appEventLocalizations appEvents appEventScreenshots appEventVideoClips',
    include: 'appEvent appEventScreenshots appEventVideoClips',
    limits: 'appEventScreenshots appEventVideoClips',
  }),
  endpoint('linkages', '/v1/appEventLocalizations/{id}/relationships/appEventScreenshots'),
  endpoint('collection', '/v2/appStoreVersionExperiments/{id}/appStoreVersionExperimentTreatments', {
    fields: `appStoreVersionExperimentTreatments appStoreVersionExperiments
      appStoreVersionExperimentTreatmentLocalizations`,
    include: `appStoreVersionExperiment appStoreVersionExperimentV2 appStoreVersionExperimentTreatmentLocalizations`,
    limits: 'appStoreVersionExperimentTreatmentLocalizations',
  }),
  endpoint('collection', '/v1/appCustomProductPageVersions/{id}/appCustomProductPageLocalizations', {
    filters: { locale: null },
    fields: `appCustomProductPageLocalizations appCustomProductPageVersions appScreenshotSets appPreviewSets appKeywords`,
    include: 'appCustomProductPageVersion appScreenshotSets appPreviewSets searchKeywords',
    limits: 'appScreenshotSets appPreviewSets searchKeywords',
  }),
  endpoint('collection', '/v1/appCustomProductPageLocalizations/{id}/placements', {
    filters: { ...placementFilters, video: null },
    ...placementRead,
  }),
  endpoint('linkages', '/v1/appCustomProductPageLocalizations/{id}/relationships/placements'),
  endpoint('linkages', '/v1/appCustomProductPageLocalizations/{id}/relationships/appScreenshotSets'),
  endpoint('collection', '/v1/appAssetLibraryVideos/{id}/placements', {
    filters: { ...placementFilters, appCustomProductPageLocalization: null },
    ...placementRead,
  }),
  endpoint('collection', '/v1/appClipDefaultExperiences/{id}/appClipDefaultExperienceLocalizations', {
    filters: { locale: null },
    fields: 'appClipDefaultExperienceLocalizations appClipDefaultExperiences appClipHeaderImages',
    include: 'appClipDefaultExperience appClipHeaderImage',
  }),
  endpoint('single', '/v1/nominations/{id}', {
    fields: 'nominations apps actors appEvents territories',
    include: 'relatedApps createdByActor lastModifiedByActor submittedByActor inAppEvents supportedTerritories',
    limits: 'inAppEvents relatedApps supportedTerritories:200',
  }),
]
