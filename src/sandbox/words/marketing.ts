// The platform's event, experiment, product page, asset library, App Clip and nomination resources: the names of their attributes and relationships.
// Values belong to the studio; which reads exist belongs to the endpoint tables.
import { resource } from './resource.ts'

export const marketingWords = {
  appEvents: resource({
    attributes: `referenceName badge eventState deepLink purchaseRequirement primaryLocale priority purpose
      territorySchedules archivedTerritorySchedules`,
    many: 'localizations:appEventLocalizations',
  }),
  appEventLocalizations: resource({
    attributes: 'locale name shortDescription longDescription',
    one: 'appEvent:appEvents',
    many: 'appEventScreenshots appEventVideoClips',
    linked: 'placements:appAssetLibraryPlacements',
  }),
  appEventScreenshots: resource({
    attributes: `fileSize fileName imageAsset assetToken uploadOperations assetDeliveryState appEventAssetType`,
    one: 'appEventLocalization:appEventLocalizations',
  }),
  appEventVideoClips: resource({
    attributes: `fileSize fileName previewFrameTimeCode videoUrl previewFrameImage previewImage uploadOperations
      assetDeliveryState videoDeliveryState appEventAssetType`,
    one: 'appEventLocalization:appEventLocalizations',
  }),
  appStoreVersionExperiments: resource({
    attributes: 'name platform trafficProportion state reviewRequired startDate endDate',
    one: 'app:apps latestControlVersion:appStoreVersions appStoreVersion:appStoreVersions',
    many: 'appStoreVersionExperimentTreatments',
    manyBare: 'controlVersions:appStoreVersions',
    version: 'v2',
  }),
  appStoreVersionExperimentTreatments: resource({
    attributes: 'name appIcon appIconName promotedDate',
    one: `appStoreVersionExperiment:appStoreVersionExperiments
      appStoreVersionExperimentV2:appStoreVersionExperiments`,
    many: 'appStoreVersionExperimentTreatmentLocalizations',
  }),
  appStoreVersionExperimentTreatmentLocalizations: resource({
    attributes: 'locale',
    one: 'appStoreVersionExperimentTreatment:appStoreVersionExperimentTreatments',
    many: 'appScreenshotSets appPreviewSets',
    linked: 'placements:appAssetLibraryPlacements',
  }),
  appCustomProductPages: resource({
    attributes: 'name url visible',
    one: 'app:apps',
    many: 'appCustomProductPageVersions',
  }),
  appCustomProductPageVersions: resource({
    attributes: 'version state deepLink',
    one: 'appCustomProductPage:appCustomProductPages',
    many: 'appCustomProductPageLocalizations',
  }),
  appCustomProductPageLocalizations: resource({
    attributes: 'locale promotionalText',
    one: 'appCustomProductPageVersion:appCustomProductPageVersions',
    many: 'appScreenshotSets appPreviewSets searchKeywords:appKeywords',
    linked: 'placements:appAssetLibraryPlacements',
  }),
  appScreenshotSets: resource({
    attributes: 'screenshotDisplayType',
    one: `appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    many: 'appScreenshots',
  }),
  appPreviewSets: resource({
    attributes: 'previewType',
    one: `appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    many: 'appPreviews',
  }),
  appKeywords: resource({}),
  appAssetLibraryImages: resource({
    attributes: `category createdDate lastModifiedDate fileName fileSize imageAsset referenceName specId state
      stateDetails uploadOperations`,
    linked: 'placements:appAssetLibraryPlacements',
  }),
  appAssetLibraryVideos: resource({
    attributes: `category createdDate lastModifiedDate fileName fileSize previewFrameImage previewFrameTimeCode
      referenceName specId state stateDetails uploadOperations videoAsset`,
    linked: 'placements:appAssetLibraryPlacements',
  }),
  appAssetLibraryPlacements: resource({
    attributes: 'mediaType placementType placementGroup createdDate lastModifiedDate state stateDetails',
    one: `appEventLocalization:appEventLocalizations appStoreVersionLocalization:appStoreVersionLocalizations
      appCustomProductPageLocalization:appCustomProductPageLocalizations
      appStoreVersionExperimentTreatmentLocalization:appStoreVersionExperimentTreatmentLocalizations`,
    unasked: 'image:appAssetLibraryImages video:appAssetLibraryVideos',
  }),
  appClips: resource({
    attributes: 'bundleId',
    one: 'app:apps',
    many: 'appClipDefaultExperiences',
    linked: 'appClipAdvancedExperiences',
  }),
  appClipDefaultExperiences: resource({
    attributes: 'action',
    one: 'appClip:appClips',
    oneLinked: `releaseWithAppStoreVersion:appStoreVersions appClipAppStoreReviewDetail:appClipAppStoreReviewDetails`,
    many: 'appClipDefaultExperienceLocalizations',
  }),
  appClipDefaultExperienceLocalizations: resource({
    attributes: 'locale subtitle',
    one: 'appClipDefaultExperience:appClipDefaultExperiences',
    oneLinked: 'appClipHeaderImage:appClipHeaderImages',
  }),
  appClipHeaderImages: resource({
    attributes: 'fileSize fileName sourceFileChecksum imageAsset uploadOperations assetDeliveryState',
    one: 'appClipDefaultExperienceLocalization:appClipDefaultExperienceLocalizations',
  }),
  nominations: resource({
    attributes: `name type description createdDate lastModifiedDate submittedDate state publishStartDate
      publishEndDate deviceFamilies locales supplementalMaterialsUris hasInAppEvents
      launchInSelectMarketsFirst notes preOrderEnabled`,
    one: 'createdByActor:actors lastModifiedByActor:actors submittedByActor:actors',
    manyBare: 'relatedApps:apps inAppEvents:appEvents supportedTerritories:territories',
  }),
} as const
