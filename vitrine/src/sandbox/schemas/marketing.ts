// The platform's event, experiment, product page, asset library, App Clip and nomination resources: the names of their attributes and relationships.
import type { ResourceText } from './resource.ts'

export const marketingSchemas: Readonly<Record<string, ResourceText>> = {
  appEvents: {
    attributes: `referenceName badge eventState deepLink purchaseRequirement primaryLocale priority purpose
      territorySchedules archivedTerritorySchedules`,
    many: 'localizations:appEventLocalizations',
  },
  appEventLocalizations: {
    attributes: 'locale name shortDescription longDescription',
    one: 'appEvent:appEvents',
    many: 'appEventScreenshots appEventVideoClips',
    linked: 'placements:appAssetLibraryPlacements',
  },
  appEventScreenshots: {
    attributes: `fileSize fileName imageAsset assetToken uploadOperations assetDeliveryState appEventAssetType`,
    one: 'appEventLocalization:appEventLocalizations',
  },
  appEventVideoClips: {
    attributes: `fileSize fileName previewFrameTimeCode videoUrl previewFrameImage previewImage uploadOperations
      assetDeliveryState videoDeliveryState appEventAssetType`,
    one: 'appEventLocalization:appEventLocalizations',
  },
  appStoreVersionExperiments: {
    attributes: 'name platform trafficProportion state reviewRequired startDate endDate',
    one: 'app:apps latestControlVersion:appStoreVersions appStoreVersion:appStoreVersions',
    many: 'appStoreVersionExperimentTreatments',
    manyBare: 'controlVersions:appStoreVersions',
    version: 'v2',
  },
  appStoreVersionExperimentTreatments: {
    attributes: 'name appIcon appIconName promotedDate',
    one: `appStoreVersionExperiment:appStoreVersionExperiments
      appStoreVersionExperimentV2:appStoreVersionExperiments`,
    many: 'appStoreVersionExperimentTreatmentLocalizations',
  },
  appStoreVersionExperimentTreatmentLocalizations: {
    attributes: 'locale',
    one: 'appStoreVersionExperimentTreatment:appStoreVersionExperimentTreatments',
    many: 'appScreenshotSets appPreviewSets',
    linked: 'placements:appAssetLibraryPlacements',
  },
  appCustomProductPages: { attributes: 'name url visible', one: 'app:apps', many: 'appCustomProductPageVersions' },
  appCustomProductPageVersions: {
    attributes: 'version state deepLink',
    one: 'appCustomProductPage:appCustomProductPages',
    many: 'appCustomProductPageLocalizations',
  },
  appCustomProductPageLocalizations: {
    attributes: 'locale promotionalText',
    one: 'appCustomProductPageVersion:appCustomProductPageVersions',
    many: 'appScreenshotSets appPreviewSets searchKeywords:appKeywords',
    linked: 'placements:appAssetLibraryPlacements',
  },
  appScreenshotSets: {
    attributes: 'screenshotDisplayType',
    one: `appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    many: 'appScreenshots',
  },
  appPreviewSets: {
    attributes: 'previewType',
    one: `appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    many: 'appPreviews',
  },
  appKeywords: {},
  appAssetLibraryImages: {
    attributes: `category createdDate lastModifiedDate fileName fileSize imageAsset referenceName specId state
      stateDetails uploadOperations`,
    linked: 'placements:appAssetLibraryPlacements',
  },
  appAssetLibraryVideos: {
    attributes: `category createdDate lastModifiedDate fileName fileSize previewFrameImage previewFrameTimeCode
      referenceName specId state stateDetails uploadOperations videoAsset`,
    linked: 'placements:appAssetLibraryPlacements',
  },
  appAssetLibraryPlacements: {
    attributes: 'mediaType placementType placementGroup createdDate lastModifiedDate state stateDetails',
    one: `appEventLocalization:appEventLocalizations appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    unasked: 'image:appAssetLibraryImages video:appAssetLibraryVideos',
  },
  appClips: {
    attributes: 'bundleId',
    one: 'app:apps',
    many: 'appClipDefaultExperiences',
    linked: 'appClipAdvancedExperiences',
  },
  appClipDefaultExperiences: {
    attributes: 'action',
    one: 'appClip:appClips',
    oneLinked: `releaseWithAppStoreVersion:appStoreVersions appClipAppStoreReviewDetail:appClipAppStoreReviewDetails`,
    many: 'appClipDefaultExperienceLocalizations',
  },
  appClipAppStoreReviewDetails: {
    attributes: 'invocationUrls',
    one: 'appClipDefaultExperience:appClipDefaultExperiences',
  },
  appClipDefaultExperienceLocalizations: {
    attributes: 'locale subtitle',
    one: 'appClipDefaultExperience:appClipDefaultExperiences',
    oneLinked: 'appClipHeaderImage:appClipHeaderImages',
  },
  appClipHeaderImages: {
    attributes: 'fileSize fileName sourceFileChecksum imageAsset uploadOperations assetDeliveryState',
    one: 'appClipDefaultExperienceLocalization:appClipDefaultExperienceLocalizations',
  },
  nominations: {
    attributes: `name type description createdDate lastModifiedDate submittedDate state publishStartDate
      publishEndDate deviceFamilies locales supplementalMaterialsUris hasInAppEvents
      launchInSelectMarketsFirst notes preOrderEnabled`,
    one: 'createdByActor:actors lastModifiedByActor:actors submittedByActor:actors',
    manyBare: 'relatedApps:apps inAppEvents:appEvents supportedTerritories:territories',
  },
}
