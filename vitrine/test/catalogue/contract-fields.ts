// The contract's resources, typed a second time by hand, by operation: every field with its type, its known values and
// what is inside it. Nothing here is read from the catalogue. Long because it is a table.

import { wayInFields } from './way-in-fields.ts'

const placement = `
  mediaType: IMAGE | VIDEO
  placementType: APP_SCREENSHOT | IMESSAGE_APP_SCREENSHOT | APP_PREVIEW | PRODUCT_PAGE_HEADER_ASSET
    | APP_STORE_SEARCH_RESULTS_ASSET | SEARCH_RESULTS_ADS_ASSET | TODAY_TAB_ADS_ASSET | EVENT_CARD_ASSET
    | EVENT_DETAILS_PAGE_ASSET | RETENTION_MESSAGE_ASSET
  placementGroup: string
  createdDate: date-time
  lastModifiedDate: date-time
  state: ASSET_PROCESSING | FAILED | PARENT_PREPARE_FOR_SUBMISSION | PARENT_READY_FOR_REVIEW
    | PARENT_WAITING_FOR_REVIEW | PARENT_IN_REVIEW | PARENT_APPROVED
  stateDetails: [{ code: string, description: string }]`

const insight = `{
    metricCategory: HANG | LAUNCH | MEMORY | DISK | BATTERY | TERMINATION | ANIMATION | STORAGE
    latestVersion: string
    metric: string
    summaryString: string
    referenceVersions: string
    subSystemLabel: string
    maxLatestVersionValue: number
    highImpact: boolean
    populations: [{
      deltaPercentage: number
      percentile: string
      summaryString: string
      referenceAverageValue: number
      latestVersionValue: number
      device: string
    }]
  }`

const signature = `{
    signatureId: string
    signature: string
    count: integer
    weight: number
    sourceFile: string
    lineNumber: integer
    trendInfo: UP | DOWN | UNDEFINED
    metricsSummary: { referenceVersions: [{ version: string, value: number }] }
  }`

const contractFields = {
  listApps: `
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
  getPerformanceOverview: `
    version: string
    appMetadata: { bundleId: string, appId: string, latestVersion: string, platform: string }
    insights: { regressions: [${insight}], trendingUp: [${insight}] }
    categories: [{
      identifier: string
      displayName: string
      sections: [{
        identifier: string
        displayName: string
        relevanceScore: number
        sortOrder: integer
        unit: { identifier: string, displayName: string }
        datasets: [{
          filterCriteria: { percentile: string, device: string, deviceMarketingName: string }
          points: [{
            version: string
            value: number
            errorMargin: number
            percentageBreakdown: { value: number, subSystemLabel: string }
          }]
          recommendedMetricGoal: { value: number, detail: string }
        }]
      }]
    }]
    signatures: { topHangPoint: [${signature}], topLaunchPoint: [${signature}], topDiskWritePoint: [${signature}] }
    telemetryIdentifier: string`,
  getEvent: `
    referenceName: string
    badge: LIVE_EVENT | PREMIERE | CHALLENGE | COMPETITION | NEW_SEASON | MAJOR_UPDATE | SPECIAL_EVENT
    eventState: DRAFT | READY_FOR_REVIEW | WAITING_FOR_REVIEW | IN_REVIEW | REJECTED | ACCEPTED | APPROVED
      | PUBLISHED | PAST | ARCHIVED
    deepLink: uri
    purchaseRequirement: string
    primaryLocale: string
    priority: HIGH | NORMAL
    purpose: APPROPRIATE_FOR_ALL_USERS | ATTRACT_NEW_USERS | KEEP_ACTIVE_USERS_INFORMED | BRING_BACK_LAPSED_USERS
    territorySchedules:
      [{ territories: [string], publishStart: date-time, eventStart: date-time, eventEnd: date-time }]
    archivedTerritorySchedules:
      [{ territories: [string], publishStart: date-time, eventStart: date-time, eventEnd: date-time }]`,
  listExperimentTreatments: `
    name: string
    appIcon: picture { templateUrl: string, width: integer, height: integer }
    appIconName: string
    promotedDate: date-time`,
  listBetaFeedbackSubmissions: `
    createdDate: date-time
    comment: words
    email: words
    deviceModel: string
    osVersion: string
    locale: string
    timeZone: string
    architecture: string
    connectionType: WIFI | MOBILE_DATA | WIRE | UNKNOWN | NONE
    pairedVendorWatch: string
    appUptimeInMilliseconds: int64
    diskBytesAvailable: int64
    diskBytesTotal: int64
    batteryPercentage: integer
    screenWidthInPoints: integer
    screenHeightInPoints: integer
    appPlatform: IOS | MAC_OS | TV_OS | VISION_OS
    devicePlatform: IOS | MAC_OS | TV_OS | VISION_OS
    deviceFamily: IPHONE | IPAD | VENDOR_TV | VENDOR_WATCH | MAC | VISION
    buildBundleId: string
    screenshots: [picture { url: string, width: integer, height: integer, expirationDate: date-time }]`,
  getBuildUploadFile: `
    assetDeliveryState: {
      errors: [{ code: string, description: string }]
      warnings: [{ code: string, description: string }]
      state: AWAITING_UPLOAD | UPLOAD_COMPLETE | COMPLETE | FAILED
    }
    assetToken: string
    assetType: ASSET | ASSET_DESCRIPTION | ASSET_SPI
    fileName: string
    fileSize: int64
    sourceFileChecksums: {
      file: { hash: string, algorithm: MD5 | SHA_256 }
      composite: { hash: string, algorithm: MD5 }
    }
    uploadOperations: [{
      method: string
      url: string
      length: int64
      offset: int64
      partNumber: int64
      requestHeaders: [{ name: string, value: string }]
      expiration: date-time
      entityTag: string
    }]
    uti: com.apple.binary-property-list | com.apple.ipa | com.apple.pkg | com.apple.xml-property-list
      | com.pkware.zip-archive`,
  listProductPagePlacements: placement,
  listLibraryVideoPlacements: placement,
  listSubscriptionOfferCodes: `
    name: string
    customerEligibilities: [NEW | EXISTING | EXPIRED]
    offerEligibility: STACK_WITH_INTRO_OFFERS | REPLACE_INTRO_OFFERS
    duration: THREE_DAYS | ONE_WEEK | TWO_WEEKS | ONE_MONTH | TWO_MONTHS | THREE_MONTHS | SIX_MONTHS | ONE_YEAR
    offerMode: PAY_AS_YOU_GO | PAY_UP_FRONT | FREE_TRIAL
    numberOfPeriods: integer
    totalNumberOfCodes: integer
    productionCodeCount: integer
    sandboxCodeCount: integer
    active: boolean
    autoRenewEnabled: boolean
    targetSubscriptionPlanType: MONTHLY | UPFRONT`,
  listPurchaseCustomCodes: `
    customCode: string
    numberOfCodes: integer
    createdDate: date-time
    expirationDate: date
    active: boolean`,
  listAppClipExperienceLocalizations: `
    locale: string
    subtitle: string`,
  listTerritoryAgeRatings: `
    appStoreAgeRating: L | ALL | ZERO_ZERO | ONE_PLUS | TWO_PLUS | THREE_PLUS | FOUR_PLUS | FIVE_PLUS | SIX_PLUS
      | SEVEN_PLUS | EIGHT_PLUS | NINE_PLUS | TEN_PLUS | ELEVEN_PLUS | TWELVE_PLUS | THIRTEEN_PLUS | FOURTEEN_PLUS
      | FIFTEEN_PLUS | SIXTEEN_PLUS | SEVENTEEN_PLUS | EIGHTEEN_PLUS | NINETEEN_PLUS | TWENTY_PLUS | TWENTY_ONE_PLUS
      | UNRATED`,
  getLegacyPurchaseImage: `
    fileSize: integer
    fileName: string
    sourceFileChecksum: string
    assetToken: string
    imageAsset: picture { templateUrl: string, width: integer, height: integer }
    uploadOperations: [{
      method: string
      url: string
      length: integer
      offset: integer
      requestHeaders: [{ name: string, value: string }]
    }]
    state: AWAITING_UPLOAD | UPLOAD_COMPLETE | FAILED | PREPARE_FOR_SUBMISSION | WAITING_FOR_REVIEW | APPROVED
      | REJECTED`,
  getLegacySubscriptionLocalization: `
    name: string
    locale: string
    description: string
    state: PREPARE_FOR_SUBMISSION | WAITING_FOR_REVIEW | APPROVED | REJECTED`,
  getFeaturingNomination: `
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
  getBackgroundAsset: `
    archived: boolean
    assetPackIdentifier: string
    createdDate: date-time
    usedBytes: int64`,
  getSubscriptionCodeBatch: `
    numberOfCodes: integer
    createdDate: date-time
    expirationDate: date
    active: boolean
    environment: PRODUCTION | SANDBOX`,
  getPromotedPurchase: `
    visibleForAllUsers: boolean
    enabled: boolean
    state: APPROVED | IN_REVIEW | PREPARE_FOR_SUBMISSION | REJECTED`,
  getAppClipDomainDebugStatus: `
    domains: [{
      domain: string
      isValid: boolean
      lastUpdatedDate: date-time
      errorCode: BAD_HTTP_RESPONSE | BAD_JSON_CONTENT | BAD_PKCS7_SIGNATURE | CANNOT_REACH_AASA_FILE
        | CROSS_SITE_REDIRECTS_FORBIDDEN | DNS_ERROR | INSECURE_REDIRECTS_FORBIDDEN
        | INVALID_ENTITLEMENT_MISSING_SECTION | INVALID_ENTITLEMENT_SYNTAX_ERROR
        | INVALID_ENTITLEMENT_UNHANDLED_SECTION | INVALID_ENTITLEMENT_UNKNOWN_ID | NETWORK_ERROR
        | NETWORK_ERROR_TEMPORARY | OTHER_ERROR | TIMEOUT | TLS_ERROR | TOO_MANY_REDIRECTS | UNEXPECTED_ERROR
    }]
    lastUpdatedDate: date-time`,
  getCustomerReviewResponse: `
    responseBody: string
    lastModifiedDate: date-time
    state: PUBLISHED | PENDING_PUBLISH`,
}

export const fields: Readonly<Record<string, string>> = {
  ...contractFields,
  ...wayInFields,
  listEvents: contractFields.getEvent,
}
