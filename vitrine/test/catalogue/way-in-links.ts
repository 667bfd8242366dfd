// Where the linkages of the routes beyond the contract come from, their types, lookups and filters, in the notation of
// `contract-links.ts` and `contract-lookups.ts`.
// Nothing here is read from the catalogue: typed from the vendor's document 4.4.1 and the list of what was promised.

export const wayInLinks: Readonly<Record<string, string>> = {
  getApp: `
    appStoreIconId            <- appStoreIcon            buildIcons
    ciProductId               <- ciProduct               ciProducts
    betaLicenseAgreementId    <- betaLicenseAgreement    betaLicenseAgreements
    betaAppReviewDetailId     <- betaAppReviewDetail     betaAppReviewDetails
    endUserLicenseAgreementId <- endUserLicenseAgreement endUserLicenseAgreements
    subscriptionGracePeriodId <- subscriptionGracePeriod subscriptionGracePeriods
    gameCenterDetailId        <- gameCenterDetail        gameCenterDetails`,
  listAppVersions: `
    appId                            <- app                            apps
    buildId                          <- build                          builds
    appStoreVersionPhasedReleaseId   <- appStoreVersionPhasedRelease   appStoreVersionPhasedReleases
    gameCenterAppVersionId           <- gameCenterAppVersion           gameCenterAppVersions
    routingAppCoverageId             <- routingAppCoverage             routingAppCoverages
    appStoreReviewDetailId           <- appStoreReviewDetail           appStoreReviewDetails
    appStoreVersionSubmissionId      <- appStoreVersionSubmission      appStoreVersionSubmissions
    appClipDefaultExperienceId       <- appClipDefaultExperience       appClipDefaultExperiences
    alternativeDistributionPackageId <- alternativeDistributionPackage alternativeDistributionPackages`,
  listBuilds: `
    preReleaseVersionId        <- preReleaseVersion        preReleaseVersions
    appEncryptionDeclarationId <- appEncryptionDeclaration appEncryptionDeclarations
    betaAppReviewSubmissionId  <- betaAppReviewSubmission  betaAppReviewSubmissions
    appId                      <- app                      apps
    buildBetaDetailId          <- buildBetaDetail          buildBetaDetails
    appStoreVersionId          <- appStoreVersion          appStoreVersions
    buildUploadId              <- buildUpload              buildUploads`,
  listBuildUploads: `
    buildId                <- build                builds
    assetFileId            <- assetFile            buildUploadFiles
    assetDescriptionFileId <- assetDescriptionFile buildUploadFiles
    assetSpiFileId         <- assetSpiFile         buildUploadFiles`,
  listEventLocalizations: `
    appEventId <- appEvent appEvents`,
  listExperiments: `
    appId                  <- app                  apps
    latestControlVersionId <- latestControlVersion appStoreVersions`,
  listProductPages: `
    appId <- app apps`,
  listProductPageVersions: `
    appCustomProductPageId <- appCustomProductPage appCustomProductPages`,
  listProductPageLocalizations: `
    appCustomProductPageVersionId <- appCustomProductPageVersion appCustomProductPageVersions`,
  listSubscriptions: `
    appStoreReviewScreenshotId <- appStoreReviewScreenshot subscriptionAppStoreReviewScreenshots
    groupId                    <- group                    subscriptionGroups
    promotedPurchaseId         <- promotedPurchase         promotedPurchases`,
  listLegacySubscriptionLocalizations: `
    subscriptionId <- subscription subscriptions`,
  listSubscriptionCodeBatches: `
    offerCodeId <- offerCode subscriptionOfferCodes`,
  listInAppPurchases: `
    contentId                   <- content                   inAppPurchaseContents
    appStoreReviewScreenshotId  <- appStoreReviewScreenshot  inAppPurchaseAppStoreReviewScreenshots
    promotedPurchaseId          <- promotedPurchase          promotedPurchases
    iapPriceScheduleId          <- iapPriceSchedule          inAppPurchasePriceSchedules
    inAppPurchaseAvailabilityId <- inAppPurchaseAvailability inAppPurchaseAvailabilities`,
  listInAppPurchaseVersions: `
    inAppPurchaseId <- inAppPurchase inAppPurchases
    imageId         <- image         inAppPurchaseImages`,
  listLegacyPurchaseImages: `
    inAppPurchaseId <- inAppPurchase inAppPurchases`,
  listAppClips: `
    appId <- app apps`,
  listAppClipExperiences: `
    appClipId                     <- appClip                     appClips
    releaseWithAppStoreVersionId  <- releaseWithAppStoreVersion  appStoreVersions
    appClipAppStoreReviewDetailId <- appClipAppStoreReviewDetail appClipAppStoreReviewDetails`,
  listAppInfos: `
    appId                     <- app                     apps
    ageRatingDeclarationId    <- ageRatingDeclaration    ageRatingDeclarations
    primaryCategoryId         <- primaryCategory         appCategories
    primarySubcategoryOneId   <- primarySubcategoryOne   appCategories
    primarySubcategoryTwoId   <- primarySubcategoryTwo   appCategories
    secondaryCategoryId       <- secondaryCategory       appCategories
    secondarySubcategoryOneId <- secondarySubcategoryOne appCategories
    secondarySubcategoryTwoId <- secondarySubcategoryTwo appCategories`,
  listFeaturingNominations: `
    createdByActorId      <- createdByActor      actors
    lastModifiedByActorId <- lastModifiedByActor actors
    submittedByActorId    <- submittedByActor    actors`,
  listBackgroundAssets: `
    appId                 <- app                 apps
    versionId             <- appStoreVersion     backgroundAssetVersions
    internalBetaVersionId <- internalBetaVersion backgroundAssetVersions
    externalBetaVersionId <- externalBetaVersion backgroundAssetVersions`,
  listCustomerReviews: `
    responseId        <- response        customerReviewResponses
    reviewTerritoryId <- reviewTerritory territories`,
  listEncryptionDeclarations: `
    appEncryptionDeclarationDocumentId <- appEncryptionDeclarationDocument appEncryptionDeclarationDocuments`,
  listReviewSubmissions: `
    appId                      <- app                      apps
    appStoreVersionForReviewId <- appStoreVersionForReview appStoreVersions
    submittedByActorId         <- submittedByActor         actors
    lastUpdatedByActorId       <- lastUpdatedByActor       actors`,
  listWebhookDeliveries: `
    webhookId <- path
    eventId   <- event webhookEvents`,
}

export const wayInTypes: Readonly<Record<string, string>> = {
  getApp: 'apps',
  listAppVersions: 'appStoreVersions',
  listBuilds: 'builds',
  listBuildBundleIds: 'buildBundles',
  listBuildUploads: 'buildUploads',
  listEvents: 'appEvents',
  listEventLocalizations: 'appEventLocalizations',
  listExperiments: 'appStoreVersionExperiments',
  listProductPages: 'appCustomProductPages',
  listProductPageVersions: 'appCustomProductPageVersions',
  listProductPageLocalizations: 'appCustomProductPageLocalizations',
  listSubscriptionGroups: 'subscriptionGroups',
  listSubscriptions: 'subscriptions',
  listLegacySubscriptionLocalizations: 'subscriptionLocalizations',
  listWinBackOffers: 'winBackOffers',
  listSubscriptionCodeBatches: 'subscriptionOfferCodeOneTimeUseCodes',
  listInAppPurchases: 'inAppPurchases',
  listInAppPurchaseVersions: 'inAppPurchaseVersions',
  listPurchaseOfferCodes: 'inAppPurchaseOfferCodes',
  listLegacyPurchaseImages: 'inAppPurchaseImages',
  listAppClips: 'appClips',
  listAppClipExperiences: 'appClipDefaultExperiences',
  listAppInfos: 'appInfos',
  listFeaturingNominations: 'nominations',
  listBackgroundAssets: 'backgroundAssets',
  listCustomerReviews: 'customerReviews',
  listEncryptionDeclarations: 'appEncryptionDeclarations',
  listReviewSubmissions: 'reviewSubmissions',
  listWebhookDeliveries: 'webhookDeliveries',
}

const ofApp = { filter: 'app', id: 'appId', read: '/v1/apps/{appId}', type: 'apps', cheapest: 'sku' }

export const wayInLookups: Readonly<Record<string, object>> = {
  listAppVersions: { parent: { appId: 'appId' } },
  listBuilds: { owner: ofApp, parent: { appId: 'appId' } },
  listBuildBundleIds: { relation: { name: 'buildBundles', of: 'builds', cheapest: 'bundleType', most: 50 } },
  listEventLocalizations: { parent: { appEventId: 'eventId' } },
  listExperiments: { parent: { appId: 'appId' } },
  listProductPages: { parent: { appId: 'appId' } },
  listProductPageVersions: { parent: { appCustomProductPageId: 'pageId' } },
  listProductPageLocalizations: { parent: { appCustomProductPageVersionId: 'pageVersionId' } },
  listSubscriptions: { parent: { groupId: 'subscriptionGroupId' } },
  listLegacySubscriptionLocalizations: { parent: { subscriptionId: 'subscriptionId' } },
  listSubscriptionCodeBatches: { parent: { offerCodeId: 'offerCodeId' } },
  listInAppPurchaseVersions: { parent: { inAppPurchaseId: 'inAppPurchaseId' } },
  listLegacyPurchaseImages: { parent: { inAppPurchaseId: 'inAppPurchaseId' } },
  listAppClips: { parent: { appId: 'appId' } },
  listAppClipExperiences: { parent: { appClipId: 'appClipId' } },
  listAppInfos: { parent: { appId: 'appId' } },
  listBackgroundAssets: { parent: { appId: 'appId' } },
  listEncryptionDeclarations: { owner: ofApp, parent: { app: 'appId' } },
  listReviewSubmissions: { owner: ofApp, parent: { appId: 'appId' } },
  listWebhookDeliveries: {
    through: { list: '/v1/apps/{appId}/webhooks', type: 'webhooks', cheapest: 'enabled', gives: 'webhookId' },
  },
}

export const wayInFilters: Readonly<Record<string, string>> = {
  listAppVersions: `
    platform      -> filter[platform]
    versionString -> filter[versionString]
    state         -> filter[appVersionState]
    id            -> filter[id]`,
  listBuilds: `
    version                    -> filter[version]
    expired                    -> filter[expired]
    processingState            -> filter[processingState]
    usesNonExemptEncryption    -> filter[usesNonExemptEncryption]
    preReleaseVersion.version  -> filter[preReleaseVersion.version]
    preReleaseVersion.platform -> filter[preReleaseVersion.platform]
    buildAudienceType          -> filter[buildAudienceType]
    preReleaseVersion          -> filter[preReleaseVersion]
    betaGroups                 -> filter[betaGroups]
    appStoreVersion            -> filter[appStoreVersion]
    id                         -> filter[id]
    betaReviewState            -> filter[betaAppReviewSubmission.betaReviewState]
    hasEncryptionAnswer        -> exists[usesNonExemptEncryption]`,
  listBuildUploads: `
    cfBundleShortVersionString -> filter[cfBundleShortVersionString]
    cfBundleVersion            -> filter[cfBundleVersion]
    platform                   -> filter[platform]
    state                      -> filter[state]`,
  listEvents: `
    eventState -> filter[eventState]
    id         -> filter[id]`,
  listExperiments: `
    state -> filter[state]`,
  listProductPages: `
    visible -> filter[visible]`,
  listProductPageVersions: `
    state -> filter[state]`,
  listProductPageLocalizations: `
    locale -> filter[locale]`,
  listSubscriptionGroups: `
    referenceName     -> filter[referenceName]
    subscriptionState -> filter[subscriptions.state]`,
  listSubscriptions: `
    productId -> filter[productId]
    name      -> filter[name]
    state     -> filter[state]`,
  listInAppPurchases: `
    productId         -> filter[productId]
    name              -> filter[name]
    state             -> filter[state]
    inAppPurchaseType -> filter[inAppPurchaseType]`,
  listInAppPurchaseVersions: `
    state -> filter[state]`,
  listPurchaseOfferCodes: `
    territory -> filter[territory]`,
  listAppClips: `
    bundleId -> filter[bundleId]`,
  listAppClipExperiences: `
    hasRelease -> exists[releaseWithAppStoreVersion]`,
  listFeaturingNominations: `
    type           -> filter[type]
    state          -> filter[state]
    hasInAppEvents -> filter[hasInAppEvents]
    relatedApps    -> filter[relatedApps]`,
  listBackgroundAssets: `
    archived            -> filter[archived]
    assetPackIdentifier -> filter[assetPackIdentifier]
    versions.locale     -> filter[versions.locale]
    versions.platforms  -> filter[versions.platforms]`,
  listCustomerReviews: `
    territory            -> filter[territory]
    rating               -> filter[rating]
    reviewTerritory      -> filter[reviewTerritory]
    hasPublishedResponse -> exists[publishedResponse]`,
  listEncryptionDeclarations: `
    builds -> filter[builds]`,
  listReviewSubmissions: `
    platform -> filter[platform]
    state    -> filter[state]`,
  listWebhookDeliveries: `
    deliveryState -> filter[deliveryState]
    createdFrom   -> filter[createdDateGreaterThanOrEqualTo]
    createdBefore -> filter[createdDateLessThan]`,
}
