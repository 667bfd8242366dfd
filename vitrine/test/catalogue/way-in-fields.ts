// The resources of the routes beyond the contract: every field with its type, its known values and what is inside it.
// Long lines are lists of values.
// Nothing here is read from the catalogue: typed from the vendor's document 4.4.1 and the list of what was promised.

export const wayInFields: Readonly<Record<string, string>> = {
  getApp: `
    accessibilityUrl: uri
    name: string
    bundleId: string
    sku: string
    primaryLocale: string
    isOrEverWasMadeForKids: boolean
    subscriptionStatusUrl: uri
    subscriptionStatusUrlVersion: V1 | V2
    subscriptionStatusUrlForSandbox: uri
    subscriptionStatusUrlVersionForSandbox: V1 | V2
    contentRightsDeclaration: DOES_NOT_USE_THIRD_PARTY_CONTENT | USES_THIRD_PARTY_CONTENT
    streamlinedPurchasingEnabled: boolean`,
  listAppVersions: `
    platform: IOS | MAC_OS | TV_OS | VISION_OS
    versionString: string
    appVersionState: ACCEPTED | DEVELOPER_REJECTED | IN_REVIEW | INVALID_BINARY | METADATA_REJECTED | PENDING_APPLE_RELEASE | PENDING_DEVELOPER_RELEASE | PREPARE_FOR_SUBMISSION | PROCESSING_FOR_DISTRIBUTION | READY_FOR_DISTRIBUTION | READY_FOR_REVIEW | REJECTED | REPLACED_WITH_NEW_VERSION | WAITING_FOR_EXPORT_COMPLIANCE | WAITING_FOR_REVIEW
    copyright: string
    reviewType: APP_STORE | NOTARIZATION
    releaseType: MANUAL | AFTER_APPROVAL | SCHEDULED
    earliestReleaseDate: date-time
    downloadable: boolean
    createdDate: date-time`,
  listBuilds: `
    version: string
    uploadedDate: date-time
    expirationDate: date-time
    expired: boolean
    minOsVersion: string
    lsMinimumSystemVersion: string
    computedMinMacOsVersion: string
    computedMinVisionOsVersion: string
    iconAssetToken: picture { templateUrl: string, width: integer, height: integer }
    processingState: PROCESSING | FAILED | INVALID | VALID
    buildAudienceType: INTERNAL_ONLY | APP_STORE_ELIGIBLE
    usesNonExemptEncryption: boolean`,
  listBuildUploads: `
    cfBundleShortVersionString: string
    cfBundleVersion: string
    createdDate: date-time
    state: { errors: [{ code: string, description: string }], warnings: [{ code: string, description: string }], infos: [{ code: string, description: string }], state: AWAITING_UPLOAD | PROCESSING | FAILED | COMPLETE }
    platform: IOS | MAC_OS | TV_OS | VISION_OS
    uploadedDate: date-time`,
  listEventLocalizations: `
    locale: string
    name: string
    shortDescription: string
    longDescription: string`,
  listExperiments: `
    name: string
    platform: IOS | MAC_OS | TV_OS | VISION_OS
    trafficProportion: integer
    state: PREPARE_FOR_SUBMISSION | READY_FOR_REVIEW | WAITING_FOR_REVIEW | IN_REVIEW | ACCEPTED | APPROVED | REJECTED | COMPLETED | STOPPED
    reviewRequired: boolean
    startDate: date-time
    endDate: date-time`,
  listProductPages: `
    name: string
    url: uri
    visible: boolean`,
  listProductPageVersions: `
    version: string
    state: PREPARE_FOR_SUBMISSION | READY_FOR_REVIEW | WAITING_FOR_REVIEW | IN_REVIEW | ACCEPTED | APPROVED | REPLACED_WITH_NEW_VERSION | REJECTED
    deepLink: uri`,
  listProductPageLocalizations: `
    locale: string
    promotionalText: string`,
  listSubscriptionGroups: `
    referenceName: string`,
  listSubscriptions: `
    name: string
    productId: string
    familySharable: boolean
    state: MISSING_METADATA | READY_TO_SUBMIT | WAITING_FOR_REVIEW | IN_REVIEW | DEVELOPER_ACTION_NEEDED | PENDING_BINARY_APPROVAL | APPROVED | DEVELOPER_REMOVED_FROM_SALE | REMOVED_FROM_SALE | REJECTED
    subscriptionPeriod: ONE_WEEK | ONE_MONTH | TWO_MONTHS | THREE_MONTHS | SIX_MONTHS | ONE_YEAR
    reviewNote: string
    groupLevel: integer`,
  listLegacySubscriptionLocalizations: `
    name: string
    locale: string
    description: string
    state: PREPARE_FOR_SUBMISSION | WAITING_FOR_REVIEW | APPROVED | REJECTED`,
  listWinBackOffers: `
    referenceName: string
    offerId: string
    duration: THREE_DAYS | ONE_WEEK | TWO_WEEKS | ONE_MONTH | TWO_MONTHS | THREE_MONTHS | SIX_MONTHS | ONE_YEAR
    offerMode: PAY_AS_YOU_GO | PAY_UP_FRONT | FREE_TRIAL
    periodCount: integer
    customerEligibilityPaidSubscriptionDurationInMonths: integer
    customerEligibilityTimeSinceLastSubscribedInMonths: { minimum: integer, maximum: integer }
    customerEligibilityWaitBetweenOffersInMonths: integer
    startDate: date
    endDate: date
    priority: HIGH | NORMAL
    promotionIntent: NOT_PROMOTED | USE_AUTO_GENERATED_ASSETS
    targetSubscriptionPlanType: MONTHLY | UPFRONT`,
  listSubscriptionCodeBatches: `
    numberOfCodes: integer
    createdDate: date-time
    expirationDate: date
    active: boolean
    environment: PRODUCTION | SANDBOX`,
  listInAppPurchases: `
    name: string
    productId: string
    inAppPurchaseType: CONSUMABLE | NON_CONSUMABLE | NON_RENEWING_SUBSCRIPTION
    state: MISSING_METADATA | WAITING_FOR_UPLOAD | PROCESSING_CONTENT | READY_TO_SUBMIT | WAITING_FOR_REVIEW | IN_REVIEW | DEVELOPER_ACTION_NEEDED | PENDING_BINARY_APPROVAL | APPROVED | DEVELOPER_REMOVED_FROM_SALE | REMOVED_FROM_SALE | REJECTED
    reviewNote: string
    familySharable: boolean
    contentHosting: boolean`,
  listInAppPurchaseVersions: `
    version: integer
    state: PREPARE_FOR_SUBMISSION | READY_FOR_REVIEW | WAITING_FOR_REVIEW | IN_REVIEW | ACCEPTED | APPROVED | REPLACED_WITH_NEW_VERSION | REJECTED | DEVELOPER_REJECTED`,
  listPurchaseOfferCodes: `
    name: string
    customerEligibilities: [NON_SPENDER | ACTIVE_SPENDER | CHURNED_SPENDER]
    productionCodeCount: integer
    sandboxCodeCount: integer
    active: boolean`,
  listLegacyPurchaseImages: `
    fileSize: integer
    fileName: string
    sourceFileChecksum: string
    assetToken: string
    imageAsset: picture { templateUrl: string, width: integer, height: integer }
    uploadOperations: [{ method: string, url: string, length: integer, offset: integer, requestHeaders: [{ name: string, value: string }] }]
    state: AWAITING_UPLOAD | UPLOAD_COMPLETE | FAILED | PREPARE_FOR_SUBMISSION | WAITING_FOR_REVIEW | APPROVED | REJECTED`,
  listAppClips: `
    bundleId: string`,
  listAppClipExperiences: `
    action: OPEN | VIEW | PLAY`,
  listAppInfos: `
    state: ACCEPTED | DEVELOPER_REJECTED | IN_REVIEW | PENDING_RELEASE | PREPARE_FOR_SUBMISSION | READY_FOR_DISTRIBUTION | READY_FOR_REVIEW | REJECTED | REPLACED_WITH_NEW_INFO | WAITING_FOR_REVIEW`,
  listFeaturingNominations: `
    name: string
    type: APP_LAUNCH | APP_ENHANCEMENTS | NEW_CONTENT
    description: string
    createdDate: date-time
    lastModifiedDate: date-time
    submittedDate: date-time
    state: DRAFT | SUBMITTED | ARCHIVED
    publishStartDate: date-time
    publishEndDate: date-time
    deviceFamilies: [IPHONE | IPAD | VENDOR_TV | VENDOR_WATCH | MAC | VISION]
    locales: [string]
    supplementalMaterialsUris: [uri]
    hasInAppEvents: boolean
    launchInSelectMarketsFirst: boolean
    notes: string
    preOrderEnabled: boolean`,
  listBackgroundAssets: `
    archived: boolean
    assetPackIdentifier: string
    createdDate: date-time
    usedBytes: int64`,
  listCustomerReviews: `
    rating: integer
    title: words
    body: words
    reviewerNickname: words
    createdDate: date-time
    territory: ABW | AFG | AGO | AIA | ALB | AND | ANT | ARE | ARG | ARM | ASM | ATG | AUS | AUT | AZE | BDI | BEL | BEN | BES | BFA | BGD | BGR | BHR | BHS | BIH | BLR | BLZ | BMU | BOL | BRA | BRB | BRN | BTN | BWA | CAF | CAN | CHE | CHL | CHN | CIV | CMR | COD | COG | COK | COL | COM | CPV | CRI | CUB | CUW | CXR | CYM | CYP | CZE | DEU | DJI | DMA | DNK | DOM | DZA | ECU | EGY | ERI | ESP | EST | ETH | FIN | FJI | FLK | FRA | FRO | FSM | GAB | GBR | GEO | GGY | GHA | GIB | GIN | GLP | GMB | GNB | GNQ | GRC | GRD | GRL | GTM | GUF | GUM | GUY | HKG | HND | HRV | HTI | HUN | IDN | IMN | IND | IRL | IRQ | ISL | ISR | ITA | JAM | JEY | JOR | JPN | KAZ | KEN | KGZ | KHM | KIR | KNA | KOR | KWT | LAO | LBN | LBR | LBY | LCA | LIE | LKA | LSO | LTU | LUX | LVA | MAC | MAR | MCO | MDA | MDG | MDV | MEX | MHL | MKD | MLI | MLT | MMR | MNE | MNG | MNP | MOZ | MRT | MSR | MTQ | MUS | MWI | MYS | MYT | NAM | NCL | NER | NFK | NGA | NIC | NIU | NLD | NOR | NPL | NRU | NZL | OMN | PAK | PAN | PER | PHL | PLW | PNG | POL | PRI | PRT | PRY | PSE | PYF | QAT | REU | ROU | RUS | RWA | SAU | SEN | SGP | SHN | SLB | SLE | SLV | SMR | SOM | SPM | SRB | SSD | STP | SUR | SVK | SVN | SWE | SWZ | SXM | SYC | TCA | TCD | TGO | THA | TJK | TKM | TLS | TON | TTO | TUN | TUR | TUV | TWN | TZA | UGA | UKR | UMI | URY | USA | UZB | VAT | VCT | VEN | VGB | VIR | VNM | VUT | WLF | WSM | XKS | YEM | ZAF | ZMB | ZWE`,
  listEncryptionDeclarations: `
    appDescription: string
    createdDate: date-time
    exempt: boolean
    containsProprietaryCryptography: boolean
    containsThirdPartyCryptography: boolean
    availableOnFrenchStore: boolean
    appEncryptionDeclarationState: CREATED | IN_REVIEW | APPROVED | REJECTED | INVALID | EXPIRED
    codeValue: string`,
  listReviewSubmissions: `
    platform: IOS | MAC_OS | TV_OS | VISION_OS
    submittedDate: date-time
    state: READY_FOR_REVIEW | WAITING_FOR_REVIEW | IN_REVIEW | UNRESOLVED_ISSUES | CANCELING | COMPLETING | COMPLETE`,
  listWebhookDeliveries: `
    createdDate: date-time
    deliveryState: SUCCEEDED | FAILED | PENDING
    redelivery: boolean
    sentDate: date-time
    eventType: event.webhookEvents.eventType ALTERNATIVE_DISTRIBUTION_PACKAGE_AVAILABLE_UPDATED | ALTERNATIVE_DISTRIBUTION_PACKAGE_VERSION_CREATED | ALTERNATIVE_DISTRIBUTION_TERRITORY_AVAILABILITY_UPDATED | APP_STORE_VERSION_APP_VERSION_STATE_UPDATED | BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED | BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED | BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED | BACKGROUND_ASSET_VERSION_STATE_UPDATED | BETA_FEEDBACK_CRASH_SUBMISSION_CREATED | BETA_FEEDBACK_SCREENSHOT_SUBMISSION_CREATED | BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED | BUILD_UPLOAD_STATE_UPDATED
    eventCreatedDate: event.webhookEvents.createdDate date-time
    eventPing: event.webhookEvents.ping boolean
    eventPayload: event.webhookEvents.payload string`,
}
