// The platform's app, version, territory, review and background asset resources: the names of their attributes and relationships.
import type { ResourceText } from './resource.ts'

export const appSchemas: Readonly<Record<string, ResourceText>> = {
  apps: {
    attributes: `accessibilityUrl name bundleId sku primaryLocale isOrEverWasMadeForKids subscriptionStatusUrl
      subscriptionStatusUrlVersion subscriptionStatusUrlForSandbox subscriptionStatusUrlVersionForSandbox
      contentRightsDeclaration streamlinedPurchasingEnabled`,
    one: 'appStoreIcon:buildIcons',
    oneLinked: `ciProduct:ciProducts betaLicenseAgreement:betaLicenseAgreements
      betaAppReviewDetail:betaAppReviewDetails endUserLicenseAgreement:endUserLicenseAgreements
      subscriptionGracePeriod:subscriptionGracePeriods gameCenterDetail:gameCenterDetails`,
    many: `appEncryptionDeclarations betaGroups appStoreVersions preReleaseVersions betaAppLocalizations builds
      appInfos appClips inAppPurchases subscriptionGroups gameCenterEnabledVersions appCustomProductPages
      inAppPurchasesV2:inAppPurchases promotedPurchases appEvents reviewSubmissions
      appStoreVersionExperimentsV2:appStoreVersionExperiments androidToIosAppMappingDetails`,
    linked: `accessibilityDeclarations betaTesters appTags appPricePoints appPriceSchedule appAvailabilityV2
      perfPowerMetrics customerReviews customerReviewSummarizations alternativeDistributionKey
      analyticsReportRequests marketplaceSearchDetail buildUploads backgroundAssets
      betaFeedbackScreenshotSubmissions betaFeedbackCrashSubmissions searchKeywords webhooks
      performanceOverviews assetLibrary`,
  },
  appInfos: {
    attributes: `appStoreState state appStoreAgeRating australiaAgeRating brazilAgeRating brazilAgeRatingV2
      franceAgeRating koreaAgeRating`,
    one: 'app:apps',
    oneLinked: `ageRatingDeclaration:ageRatingDeclarations primaryCategory:appCategories
      primarySubcategoryOne:appCategories primarySubcategoryTwo:appCategories
      secondaryCategory:appCategories secondarySubcategoryOne:appCategories
      secondarySubcategoryTwo:appCategories`,
    many: 'appInfoLocalizations',
    linked: 'territoryAgeRatings',
  },
  territoryAgeRatings: { attributes: 'appStoreAgeRating', one: 'territory:territories' },
  territories: { attributes: 'currency' },
  appStoreVersions: {
    attributes: `platform versionString appStoreState appVersionState copyright reviewType releaseType
      earliestReleaseDate usesIdfa downloadable createdDate`,
    one: 'app:apps',
    oneLinked: `build:builds appStoreVersionPhasedRelease:appStoreVersionPhasedReleases
      gameCenterAppVersion:gameCenterAppVersions routingAppCoverage:routingAppCoverages
      appStoreReviewDetail:appStoreReviewDetails appStoreVersionSubmission:appStoreVersionSubmissions
      appClipDefaultExperience:appClipDefaultExperiences
      alternativeDistributionPackage:alternativeDistributionPackages`,
    many: `appStoreVersionLocalizations appStoreVersionExperiments
      appStoreVersionExperimentsV2:appStoreVersionExperiments`,
    linked: 'customerReviews',
  },
  appStoreVersionLocalizations: {
    attributes: 'description locale keywords marketingUrl promotionalText supportUrl whatsNew',
    one: 'appStoreVersion:appStoreVersions',
    many: 'appScreenshotSets appPreviewSets searchKeywords:appKeywords',
    linked: 'placements:appAssetLibraryPlacements',
  },
  appEncryptionDeclarations: {
    attributes: `appDescription createdDate usesEncryption exempt containsProprietaryCryptography
      containsThirdPartyCryptography availableOnFrenchStore platform uploadedDate documentUrl documentName
      documentType appEncryptionDeclarationState codeValue`,
    oneLinked: 'app:apps appEncryptionDeclarationDocument:appEncryptionDeclarationDocuments',
    many: 'builds',
  },
  appEncryptionDeclarationDocuments: { attributes: 'fileSize fileName downloadUrl assetDeliveryState' },
  appStoreVersionPhasedReleases: { attributes: 'phasedReleaseState startDate totalPauseDuration currentDayNumber' },
  gameCenterAppVersions: { attributes: 'enabled', one: 'appStoreVersion:appStoreVersions' },
  routingAppCoverages: { attributes: 'fileSize fileName assetDeliveryState', one: 'appStoreVersion:appStoreVersions' },
  appStoreReviewDetails: {
    attributes: `contactFirstName contactLastName contactPhone contactEmail demoAccountName demoAccountPassword
      demoAccountRequired notes`,
    one: 'appStoreVersion:appStoreVersions',
  },
  appStoreVersionSubmissions: { one: 'appStoreVersion:appStoreVersions' },
  alternativeDistributionPackages: { linked: 'versions:alternativeDistributionPackageVersions' },
  ageRatingDeclarations: { attributes: 'gambling gamblingSimulated unrestrictedWebAccess' },
  appCategories: { attributes: 'platforms', oneLinked: 'parent:appCategories' },
  ciProducts: {
    attributes: 'name createdDate productType',
    one: 'bundleId:bundleIds',
    oneLinked: 'app:apps',
    many: 'primaryRepositories:scmRepositories',
    linked: 'workflows additionalRepositories buildRuns',
  },
  endUserLicenseAgreements: { attributes: 'agreementText', one: 'app:apps', many: 'territories' },
  gameCenterDetails: {
    attributes: 'arcadeEnabled challengeEnabled',
    one: `app:apps defaultLeaderboard:gameCenterLeaderboards defaultLeaderboardV2:gameCenterLeaderboards
      defaultGroupLeaderboard:gameCenterLeaderboards defaultGroupLeaderboardV2:gameCenterLeaderboards`,
    oneLinked: 'gameCenterGroup:gameCenterGroups',
    many: `gameCenterAppVersions gameCenterLeaderboards gameCenterLeaderboardsV2:gameCenterLeaderboards
      gameCenterLeaderboardSets gameCenterLeaderboardSetsV2:gameCenterLeaderboardSets
      gameCenterAchievements gameCenterAchievementsV2:gameCenterAchievements gameCenterActivities
      gameCenterChallenges achievementReleases:gameCenterAchievementReleases
      activityReleases:gameCenterActivityVersionReleases
      challengeReleases:gameCenterChallengeVersionReleases
      leaderboardReleases:gameCenterLeaderboardReleases
      leaderboardSetReleases:gameCenterLeaderboardSetReleases
      challengesMinimumPlatformVersions:appStoreVersions`,
  },
  gameCenterEnabledVersions: {
    attributes: 'platform versionString iconAsset',
    one: 'app:apps',
    many: 'compatibleVersions:gameCenterEnabledVersions',
  },
  reviewSubmissions: {
    attributes: 'platform submittedDate state',
    one: `app:apps appStoreVersionForReview:appStoreVersions submittedByActor:actors lastUpdatedByActor:actors`,
    many: 'items:reviewSubmissionItems',
  },
  actors: { attributes: 'actorType userFirstName userLastName userEmail apiKeyId' },
  androidToIosAppMappingDetails: { attributes: 'packageName appSigningKeyPublicCertificateSha256Fingerprints' },
  customerReviews: {
    attributes: 'rating title body reviewerNickname createdDate territory',
    one: 'reviewTerritory:territories',
    oneLinked: 'response:customerReviewResponses',
  },
  customerReviewResponses: { attributes: 'responseBody lastModifiedDate state', one: 'review:customerReviews' },
  webhooks: { attributes: 'enabled eventTypes name url', one: 'app:apps', linked: 'deliveries:webhookDeliveries' },
  webhookDeliveries: {
    attributes: 'createdDate deliveryState errorMessage redelivery sentDate request response',
    one: 'event:webhookEvents',
  },
  webhookEvents: { attributes: 'eventType payload ping createdDate' },
  backgroundAssets: {
    attributes: 'archived assetPackIdentifier createdDate usedBytes',
    one: `app:apps appStoreVersion:backgroundAssetVersions internalBetaVersion:backgroundAssetVersions
      externalBetaVersion:backgroundAssetVersions`,
    linked: 'versions:backgroundAssetVersions',
  },
  backgroundAssetVersions: {
    attributes: 'createdDate platforms state stateDetails version locale',
    one: `backgroundAsset:backgroundAssets internalBetaRelease:backgroundAssetVersionInternalBetaReleases
      externalBetaRelease:backgroundAssetVersionExternalBetaReleases
      appStoreRelease:backgroundAssetVersionAppStoreReleases assetFile:backgroundAssetUploadFiles
      manifestFile:backgroundAssetUploadFiles`,
    linked: 'backgroundAssetUploadFiles',
  },
}
