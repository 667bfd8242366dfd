// Apps, the age ratings of their app infos, and the ids of their versions.
import { any, flag, ids, known, listed, one, page, resource, stamp, text, to, uri, wordsOf } from './define.ts'
import { platforms, submissionStates, versionStates } from './parameters.ts'

const app = resource({
  name: 'App',
  type: 'apps',
  attributes: {
    accessibilityUrl: uri('Page about the accessibility of the app.'),
    name: text('Name in the primary locale.'),
    bundleId: text('Bundle identifier.'),
    sku: text('Stock-keeping unit that the developer chose.'),
    primaryLocale: text('Locale that is shown if no other fits.'),
    isOrEverWasMadeForKids: flag('Whether the app is or was in the Kids category.'),
    subscriptionStatusUrl: uri('Receives server notifications of production.'),
    subscriptionStatusUrlVersion: known(['V1', 'V2'], 'Version of these notifications.'),
    subscriptionStatusUrlForSandbox: uri("Receives server notifications of the store's sandbox."),
    subscriptionStatusUrlVersionForSandbox: known(['V1', 'V2'], 'Version of these notifications.'),
    contentRightsDeclaration: known(
      ['DOES_NOT_USE_THIRD_PARTY_CONTENT', 'USES_THIRD_PARTY_CONTENT'],
      'Whether the app shows content of third parties.',
    ),
    streamlinedPurchasingEnabled: flag('Whether a purchase can start on the product page.'),
  },
  links: {
    appStoreIconId: to('appStoreIcon', 'buildIcons', 'iconType', 'Icon shown in the store.'),
    ciProductId: to('ciProduct', 'ciProducts', 'productType', 'Product in continuous integration.'),
    betaLicenseAgreementId: to('betaLicenseAgreement', 'betaLicenseAgreements', 'app', 'Licence that testers accept.'),
    betaAppReviewDetailId: to(
      'betaAppReviewDetail',
      'betaAppReviewDetails',
      'demoAccountRequired',
      'Details for the review of test builds.',
    ),
    endUserLicenseAgreementId: to('endUserLicenseAgreement', 'endUserLicenseAgreements', 'app', 'Licence of the app.'),
    subscriptionGracePeriodId: to('subscriptionGracePeriod', 'subscriptionGracePeriods', 'optIn', 'Grace period.'),
    gameCenterDetailId: to('gameCenterDetail', 'gameCenterDetails', 'arcadeEnabled', 'Game centre settings.'),
  },
})

const appFilters = {
  name: any('Only apps with one of these names. A comma separates and cannot be escaped.'),
  bundleId: any('Only apps with one of these bundle identifiers.'),
  sku: any('Only apps with one of these stock-keeping units.'),
  versionPlatform: listed(
    platforms,
    'Only apps with a version for one of these platforms.',
    'appStoreVersions.platform',
  ),
  reviewPlatform: listed(
    platforms,
    'Only apps with a review submission for one of these platforms.',
    'reviewSubmissions.platform',
  ),
  versionState: listed(
    versionStates,
    'Only apps with a version in one of these states.',
    'appStoreVersions.appVersionState',
  ),
  reviewState: listed(
    submissionStates,
    'Only apps with a review submission in one of these states.',
    'reviewSubmissions.state',
  ),
  versionId: any('Only the apps of these versions, by id.', 'appStoreVersions'),
  id: any('Only these apps, by id.'),
}

export const listApps = page({
  path: '/apps',
  group: 'apps',
  summary: 'List apps',
  from: { read: '/v1/apps' },
  filters: appFilters,
  sort: ['name', 'bundleId', 'sku'],
  returns: app,
  reviewed: stamp('4.4.1', '2026-11-21', '000a3ff6c349e668'),
  example: '/apps?limit=2&sort=name&fields=name,bundleId,sku,primaryLocale',
})

export const getApp = one({
  path: '/apps/{appId}',
  group: 'apps',
  summary: 'Read an app',
  from: { read: '/v1/apps/{appId}' },
  returns: app,
  reviewed: stamp('4.4.1', '2026-11-22', '77e3c04ffe6a9fe0'),
  example: '/apps/6446998001?fields=name,bundleId,sku,primaryLocale',
})

const spelled =
  wordsOf(`ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN
  EIGHTEEN NINETEEN TWENTY TWENTY_ONE`)

const ageRatings = ['L', 'ALL', 'ZERO_ZERO', ...spelled.map((age) => `${age}_PLUS`), 'UNRATED']

const territoryAgeRating = resource({
  name: 'TerritoryAgeRating',
  type: 'territoryAgeRatings',
  attributes: {
    appStoreAgeRating: known(ageRatings, 'Age rating in this territory.'),
  },
  links: { territoryId: to('territory', 'territories', 'currency', 'Territory, by its three-letter code.') },
  fromPath: ['appId', 'appInfoId'],
})

export const listTerritoryAgeRatings = page({
  path: '/apps/{appId}/app-infos/{appInfoId}/territory-age-ratings',
  group: 'apps',
  summary: 'List the age ratings of an app info by territory',
  from: {
    guard: { child: 'appInfoId', isIn: '/v1/apps/{appId}/relationships/appInfos', type: 'appInfos' },
    read: '/v1/appInfos/{appInfoId}/territoryAgeRatings',
  },
  asks: ['territoryId'],
  returns: territoryAgeRating,
  reviewed: stamp('4.4.1', '2026-11-21', '9e2fe1f71988192e'),
  example: '/apps/6446998001/app-infos/0b5c7d12-6e3f-4a80-9c41-0c0000000012/territory-age-ratings?limit=3',
})

export const listAppVersionIds = ids({
  path: '/apps/{appId}/versions/ids',
  group: 'apps',
  summary: 'List the ids of the versions of an app',
  about: 'The platform documents no order.',
  from: { read: '/v1/apps/{appId}/relationships/appStoreVersions' },
  type: 'appStoreVersions',
  reviewed: stamp('4.4.1', '2026-11-21', '99c57367515a055b'),
  example: '/apps/6446998001/versions/ids?limit=3',
})
