// Apps as the platform words them: all attributes, and every relationship that has an address of its own, by links only.
const origin = 'https://api.appstoreconnect.apple.com'

const toOne = ['ciProduct', 'betaLicenseAgreement', 'betaAppReviewDetail', 'endUserLicenseAgreement']
const relationships = [
  ...toOne,
  'subscriptionGracePeriod',
  'gameCenterDetail',
  'appPriceSchedule',
  'appAvailabilityV2',
  'marketplaceSearchDetail',
  'alternativeDistributionKey',
  'accessibilityDeclarations',
  'appEncryptionDeclarations',
  'betaTesters',
  'betaGroups',
  'appStoreVersions',
  'appTags',
  'preReleaseVersions',
  'betaAppLocalizations',
  'builds',
  'appInfos',
  'appClips',
  'appPricePoints',
  'inAppPurchases',
  'subscriptionGroups',
  'gameCenterEnabledVersions',
  'perfPowerMetrics',
  'appCustomProductPages',
  'inAppPurchasesV2',
  'promotedPurchases',
  'appEvents',
  'reviewSubmissions',
  'customerReviews',
  'customerReviewSummarizations',
  'appStoreVersionExperimentsV2',
  'analyticsReportRequests',
  'buildUploads',
  'backgroundAssets',
  'betaFeedbackScreenshotSubmissions',
  'betaFeedbackCrashSubmissions',
  'searchKeywords',
  'webhooks',
  'availableTerritories',
  'prices',
]

/** these two have no address, so they may be asked for, and come only with `include` */
const withoutLinks = ['appStoreIcon', 'androidToIosAppMappingDetails']

// as long as such addresses get where a gateway puts its routing into them
const notifications =
  'https://notifications.example.com/gateway/app-store/server-notifications/version-2/teams/57246542'
const routing =
  'region=eu-central-1&queue=subscriptions-and-purchases&version=2026-08-01&signature=q1Zk3vYw8RtLx0Nf7BpJ5sUc'

const attributesOf = (number, id) => ({
  name: `Harbour Lights ${number}: Tides & Moorings`,
  bundleId: `com.example.harbourlights.edition${number}`,
  sku: `HARBOUR-LIGHTS-${id}`,
  primaryLocale: 'en-US',
  accessibilityUrl: `https://www.example.com/en/products/harbour-lights/edition-${number}/accessibility-statement?from=app-store&language=en-GB&campaign=autumn-2026-harbours&reviewed=2026-08-01&contact=accessibility%40example.com&format=html`,
  isOrEverWasMadeForKids: false,
  subscriptionStatusUrl: `${notifications}/production/${id}?${routing}`,
  subscriptionStatusUrlVersion: 'V2',
  subscriptionStatusUrlForSandbox: `${notifications}/sandbox/${id}?${routing}`,
  subscriptionStatusUrlVersionForSandbox: 'V2',
  contentRightsDeclaration: number % 3 === 0 ? null : 'DOES_NOT_USE_THIRD_PARTY_CONTENT',
  streamlinedPurchasingEnabled: true,
})

export const appFields = new Set([...Object.keys(attributesOf(0, '')), ...relationships, ...withoutLinks])

/** `fields`: a set of names, or undefined for all of them, as the platform answers unasked */
export function makeApp(number, fields) {
  const id = String(6_446_998_000 + number)
  const self = `${origin}/v1/apps/${id}`
  const wanted = (name) => fields === undefined || fields.has(name)
  const linksOf = (name) => ({ links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } })
  return {
    type: 'apps',
    id,
    attributes: Object.fromEntries(Object.entries(attributesOf(number, id)).filter(([name]) => wanted(name))),
    relationships: Object.fromEntries(relationships.filter(wanted).map((name) => [name, linksOf(name)])),
    links: { self },
  }
}
