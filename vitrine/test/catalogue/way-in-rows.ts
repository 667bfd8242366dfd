// The routes beyond the contract, typed a second time, as `contract-rows.ts` has those of the contract. Long because it is a table.
// Nothing here is read from the catalogue: typed from the vendor's document 4.4.1 and the list of what was promised.
import type { Parts } from './contract-rows.ts'

export const wayInParts: readonly Parts[] = [
  [
    'getApp',
    'apps',
    'one',
    '/apps/{appId}',
    '/v1/apps/{appId}',
    {
      fields:
        'accessibilityUrl name bundleId sku primaryLocale isOrEverWasMadeForKids subscriptionStatusUrl subscriptionStatusUrlVersion subscriptionStatusUrlForSandbox subscriptionStatusUrlVersionForSandbox contentRightsDeclaration streamlinedPurchasingEnabled',
      others:
        'appStoreIconId ciProductId betaLicenseAgreementId betaAppReviewDetailId endUserLicenseAgreementId subscriptionGracePeriodId gameCenterDetailId',
    },
  ],
  [
    'listAppVersions',
    'apps',
    'page',
    '/apps/{appId}/versions',
    '/v1/apps/{appId}/appStoreVersions',
    {
      filters: 'platform versionString state id',
      fields:
        'platform versionString appVersionState copyright reviewType releaseType earliestReleaseDate downloadable createdDate',
      others:
        'appId buildId appStoreVersionPhasedReleaseId gameCenterAppVersionId routingAppCoverageId appStoreReviewDetailId appStoreVersionSubmissionId appClipDefaultExperienceId alternativeDistributionPackageId',
    },
  ],
  [
    'listBuilds',
    'builds',
    'page',
    '/apps/{appId}/builds',
    '/v1/builds',
    {
      filters:
        'version expired processingState usesNonExemptEncryption preReleaseVersion.version preReleaseVersion.platform buildAudienceType preReleaseVersion betaGroups appStoreVersion id betaReviewState hasEncryptionAnswer',
      sort: 'version uploadedDate preReleaseVersion',
      fields:
        'version uploadedDate expirationDate expired minOsVersion lsMinimumSystemVersion computedMinMacOsVersion computedMinVisionOsVersion iconAssetToken processingState buildAudienceType usesNonExemptEncryption',
      others:
        'preReleaseVersionId appEncryptionDeclarationId betaAppReviewSubmissionId appId buildBetaDetailId appStoreVersionId buildUploadId',
    },
  ],
  ['listBuildBundleIds', 'builds', 'ids', '/builds/{buildId}/build-bundles/ids', '/v1/builds/{buildId}'],
  [
    'listBuildUploads',
    'builds',
    'page',
    '/apps/{appId}/build-uploads',
    '/v1/apps/{appId}/buildUploads',
    {
      filters: 'cfBundleShortVersionString cfBundleVersion platform state',
      sort: 'cfBundleVersion uploadedDate',
      fields: 'cfBundleShortVersionString cfBundleVersion createdDate state platform uploadedDate',
      others: 'buildId assetFileId assetDescriptionFileId assetSpiFileId',
    },
  ],
  [
    'listEvents',
    'marketing',
    'page',
    '/apps/{appId}/events',
    '/v1/apps/{appId}/appEvents',
    {
      filters: 'eventState id',
      fields:
        'referenceName badge eventState deepLink purchaseRequirement primaryLocale priority purpose territorySchedules archivedTerritorySchedules',
    },
  ],
  [
    'listEventLocalizations',
    'marketing',
    'page',
    '/events/{eventId}/localizations',
    '/v1/appEvents/{eventId}/localizations',
    { fields: 'locale name shortDescription longDescription', others: 'appEventId' },
  ],
  [
    'listExperiments',
    'marketing',
    'page',
    '/apps/{appId}/experiments',
    '/v1/apps/{appId}/appStoreVersionExperimentsV2',
    {
      filters: 'state',
      fields: 'name platform trafficProportion state reviewRequired startDate endDate',
      others: 'appId latestControlVersionId',
    },
  ],
  [
    'listProductPages',
    'marketing',
    'page',
    '/apps/{appId}/custom-product-pages',
    '/v1/apps/{appId}/appCustomProductPages',
    { filters: 'visible', fields: 'name url visible', others: 'appId' },
  ],
  [
    'listProductPageVersions',
    'marketing',
    'page',
    '/custom-product-pages/{pageId}/versions',
    '/v1/appCustomProductPages/{pageId}/appCustomProductPageVersions',
    { filters: 'state', fields: 'version state deepLink', others: 'appCustomProductPageId' },
  ],
  [
    'listProductPageLocalizations',
    'marketing',
    'page',
    '/custom-product-page-versions/{pageVersionId}/localizations',
    '/v1/appCustomProductPageVersions/{pageVersionId}/appCustomProductPageLocalizations',
    { filters: 'locale', fields: 'locale promotionalText', others: 'appCustomProductPageVersionId' },
  ],
  [
    'listSubscriptionGroups',
    'commerce',
    'page',
    '/apps/{appId}/subscription-groups',
    '/v1/apps/{appId}/subscriptionGroups',
    { filters: 'referenceName subscriptionState', sort: 'referenceName', fields: 'referenceName' },
  ],
  [
    'listSubscriptions',
    'commerce',
    'page',
    '/subscription-groups/{subscriptionGroupId}/subscriptions',
    '/v1/subscriptionGroups/{subscriptionGroupId}/subscriptions',
    {
      filters: 'productId name state',
      sort: 'name',
      fields: 'name productId familySharable state subscriptionPeriod reviewNote groupLevel',
      others: 'appStoreReviewScreenshotId groupId promotedPurchaseId',
    },
  ],
  [
    'listLegacySubscriptionLocalizations',
    'legacy',
    'page',
    '/legacy/subscriptions/{subscriptionId}/localizations',
    '/v1/subscriptions/{subscriptionId}/subscriptionLocalizations',
    { fields: 'name locale description state', others: 'subscriptionId' },
  ],
  [
    'listWinBackOffers',
    'commerce',
    'page',
    '/subscriptions/{subscriptionId}/win-back-offers',
    '/v1/subscriptions/{subscriptionId}/winBackOffers',
    {
      fields:
        'referenceName offerId duration offerMode periodCount customerEligibilityPaidSubscriptionDurationInMonths customerEligibilityTimeSinceLastSubscribedInMonths customerEligibilityWaitBetweenOffersInMonths startDate endDate priority promotionIntent targetSubscriptionPlanType',
    },
  ],
  [
    'listSubscriptionCodeBatches',
    'commerce',
    'page',
    '/subscription-offer-codes/{offerCodeId}/code-batches',
    '/v1/subscriptionOfferCodes/{offerCodeId}/oneTimeUseCodes',
    { fields: 'numberOfCodes createdDate expirationDate active environment', others: 'offerCodeId' },
  ],
  [
    'listInAppPurchases',
    'commerce',
    'page',
    '/apps/{appId}/in-app-purchases',
    '/v1/apps/{appId}/inAppPurchasesV2',
    {
      filters: 'productId name state inAppPurchaseType',
      sort: 'name inAppPurchaseType',
      fields: 'name productId inAppPurchaseType state reviewNote familySharable contentHosting',
      others: 'contentId appStoreReviewScreenshotId promotedPurchaseId iapPriceScheduleId inAppPurchaseAvailabilityId',
    },
  ],
  [
    'listInAppPurchaseVersions',
    'commerce',
    'page',
    '/in-app-purchases/{inAppPurchaseId}/versions',
    '/v2/inAppPurchases/{inAppPurchaseId}/versions',
    { filters: 'state', fields: 'version state', others: 'inAppPurchaseId imageId' },
  ],
  [
    'listPurchaseOfferCodes',
    'commerce',
    'page',
    '/in-app-purchases/{inAppPurchaseId}/offer-codes',
    '/v2/inAppPurchases/{inAppPurchaseId}/offerCodes',
    { filters: 'territory', fields: 'name customerEligibilities productionCodeCount sandboxCodeCount active' },
  ],
  [
    'listLegacyPurchaseImages',
    'legacy',
    'page',
    '/legacy/in-app-purchases/{inAppPurchaseId}/images',
    '/v2/inAppPurchases/{inAppPurchaseId}/images',
    {
      fields: 'fileSize fileName sourceFileChecksum assetToken imageAsset uploadOperations state',
      others: 'inAppPurchaseId',
    },
  ],
  [
    'listAppClips',
    'marketing',
    'page',
    '/apps/{appId}/app-clips',
    '/v1/apps/{appId}/appClips',
    { filters: 'bundleId', fields: 'bundleId', others: 'appId' },
  ],
  [
    'listAppClipExperiences',
    'marketing',
    'page',
    '/app-clips/{appClipId}/default-experiences',
    '/v1/appClips/{appClipId}/appClipDefaultExperiences',
    {
      filters: 'hasRelease',
      fields: 'action',
      others: 'appClipId releaseWithAppStoreVersionId appClipAppStoreReviewDetailId',
    },
  ],
  [
    'listAppInfos',
    'apps',
    'page',
    '/apps/{appId}/app-infos',
    '/v1/apps/{appId}/appInfos',
    {
      fields: 'state',
      others:
        'appId ageRatingDeclarationId primaryCategoryId primarySubcategoryOneId primarySubcategoryTwoId secondaryCategoryId secondarySubcategoryOneId secondarySubcategoryTwoId',
    },
  ],
  [
    'listFeaturingNominations',
    'marketing',
    'page',
    '/featuring-nominations',
    '/v1/nominations',
    {
      filters: 'type state hasInAppEvents relatedApps',
      sort: 'lastModifiedDate publishStartDate publishEndDate name type',
      fields:
        'name type description createdDate lastModifiedDate submittedDate state publishStartDate publishEndDate deviceFamilies locales supplementalMaterialsUris hasInAppEvents launchInSelectMarketsFirst notes preOrderEnabled',
      others: 'createdByActorId lastModifiedByActorId submittedByActorId',
    },
  ],
  [
    'listBackgroundAssets',
    'builds',
    'page',
    '/apps/{appId}/background-assets',
    '/v1/apps/{appId}/backgroundAssets',
    {
      filters: 'archived assetPackIdentifier versions.locale versions.platforms',
      sort: 'assetPackIdentifier createdDate',
      fields: 'archived assetPackIdentifier createdDate usedBytes',
      others: 'appId versionId internalBetaVersionId externalBetaVersionId',
    },
  ],
  [
    'listCustomerReviews',
    'reviews',
    'page',
    '/apps/{appId}/customer-reviews',
    '/v1/apps/{appId}/customerReviews',
    {
      filters: 'territory rating reviewTerritory hasPublishedResponse',
      sort: 'rating createdDate',
      fields: 'rating title body reviewerNickname createdDate territory',
      others: 'responseId reviewTerritoryId',
    },
  ],
  [
    'listEncryptionDeclarations',
    'apps',
    'page',
    '/apps/{appId}/encryption-declarations',
    '/v1/appEncryptionDeclarations',
    {
      filters: 'builds',
      fields:
        'appDescription createdDate exempt containsProprietaryCryptography containsThirdPartyCryptography availableOnFrenchStore appEncryptionDeclarationState codeValue',
      others: 'appEncryptionDeclarationDocumentId',
    },
  ],
  [
    'listReviewSubmissions',
    'apps',
    'page',
    '/apps/{appId}/review-submissions',
    '/v1/reviewSubmissions',
    {
      filters: 'platform state',
      fields: 'platform submittedDate state',
      others: 'appId appStoreVersionForReviewId submittedByActorId lastUpdatedByActorId',
    },
  ],
  [
    'listWebhookDeliveries',
    'apps',
    'page',
    '/apps/{appId}/webhook-deliveries',
    '/v1/webhooks/{webhookId}/deliveries',
    {
      filters: 'deliveryState createdFrom createdBefore',
      fields: 'createdDate deliveryState redelivery sentDate eventType eventCreatedDate eventPing eventPayload',
      others: 'webhookId eventId',
    },
  ],
]

/** the filters that take only listed values */
export const wayInListed: readonly [operation: string, parameter: string, values: string][] = [
  ['listAppVersions', 'platform', 'IOS MAC_OS TV_OS VISION_OS'],
  [
    'listAppVersions',
    'state',
    'ACCEPTED DEVELOPER_REJECTED IN_REVIEW INVALID_BINARY METADATA_REJECTED PENDING_APPLE_RELEASE PENDING_DEVELOPER_RELEASE PREPARE_FOR_SUBMISSION PROCESSING_FOR_DISTRIBUTION READY_FOR_DISTRIBUTION READY_FOR_REVIEW REJECTED REPLACED_WITH_NEW_VERSION WAITING_FOR_EXPORT_COMPLIANCE WAITING_FOR_REVIEW',
  ],
  ['listBuilds', 'processingState', 'PROCESSING FAILED INVALID VALID'],
  ['listBuilds', 'preReleaseVersion.platform', 'IOS MAC_OS TV_OS VISION_OS'],
  ['listBuilds', 'buildAudienceType', 'INTERNAL_ONLY APP_STORE_ELIGIBLE'],
  ['listBuilds', 'betaReviewState', 'WAITING_FOR_REVIEW IN_REVIEW REJECTED APPROVED'],
  ['listBuilds', 'hasEncryptionAnswer', 'true false'],
  ['listBuildUploads', 'platform', 'IOS MAC_OS TV_OS VISION_OS'],
  [
    'listEvents',
    'eventState',
    'DRAFT READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW REJECTED ACCEPTED APPROVED PUBLISHED PAST ARCHIVED',
  ],
  [
    'listExperiments',
    'state',
    'PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REJECTED COMPLETED STOPPED',
  ],
  [
    'listProductPageVersions',
    'state',
    'PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REPLACED_WITH_NEW_VERSION REJECTED',
  ],
  [
    'listSubscriptionGroups',
    'subscriptionState',
    'MISSING_METADATA READY_TO_SUBMIT WAITING_FOR_REVIEW IN_REVIEW DEVELOPER_ACTION_NEEDED PENDING_BINARY_APPROVAL APPROVED DEVELOPER_REMOVED_FROM_SALE REMOVED_FROM_SALE REJECTED',
  ],
  [
    'listSubscriptions',
    'state',
    'MISSING_METADATA READY_TO_SUBMIT WAITING_FOR_REVIEW IN_REVIEW DEVELOPER_ACTION_NEEDED PENDING_BINARY_APPROVAL APPROVED DEVELOPER_REMOVED_FROM_SALE REMOVED_FROM_SALE REJECTED',
  ],
  [
    'listInAppPurchases',
    'state',
    'MISSING_METADATA WAITING_FOR_UPLOAD PROCESSING_CONTENT READY_TO_SUBMIT WAITING_FOR_REVIEW IN_REVIEW DEVELOPER_ACTION_NEEDED PENDING_BINARY_APPROVAL APPROVED DEVELOPER_REMOVED_FROM_SALE REMOVED_FROM_SALE REJECTED',
  ],
  ['listInAppPurchases', 'inAppPurchaseType', 'CONSUMABLE NON_CONSUMABLE NON_RENEWING_SUBSCRIPTION'],
  [
    'listInAppPurchaseVersions',
    'state',
    'PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REPLACED_WITH_NEW_VERSION REJECTED DEVELOPER_REJECTED',
  ],
  ['listAppClipExperiences', 'hasRelease', 'true false'],
  ['listFeaturingNominations', 'type', 'APP_LAUNCH APP_ENHANCEMENTS NEW_CONTENT'],
  ['listFeaturingNominations', 'state', 'DRAFT SUBMITTED ARCHIVED'],
  ['listBackgroundAssets', 'versions.platforms', 'IOS MAC_OS TV_OS VISION_OS'],
  [
    'listCustomerReviews',
    'territory',
    'ABW AFG AGO AIA ALB AND ANT ARE ARG ARM ASM ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLR BLZ BMU BOL BRA BRB BRN BTN BWA CAF CAN CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HND HRV HTI HUN IDN IMN IND IRL IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PER PHL PLW PNG POL PRI PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SEN SGP SHN SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC TCA TCD TGO THA TJK TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM XKS YEM ZAF ZMB ZWE',
  ],
  ['listCustomerReviews', 'hasPublishedResponse', 'true false'],
  ['listReviewSubmissions', 'platform', 'IOS MAC_OS TV_OS VISION_OS'],
  [
    'listReviewSubmissions',
    'state',
    'READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW UNRESOLVED_ISSUES CANCELING COMPLETING COMPLETE',
  ],
  ['listWebhookDeliveries', 'deliveryState', 'SUCCEEDED FAILED PENDING'],
]
