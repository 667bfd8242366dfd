// Which listings lead from an app down to each resource: how a key for some apps proves that it may read it.
import { pathNames } from './parameters.ts'
import type { Route } from './define.ts'

/** A listing of the platform: the children, by the name of their path parameter, of one parent. */
export interface Listing {
  readonly parent: string
  /** the endpoint, with the parent's id in braces */
  readonly list: string
  /** the platform's type of its resources */
  readonly type: string
  /** further parameters; an id stands in braces */
  readonly asked?: Readonly<Record<string, string>>
  /** the children are named by this relationship of the listed resources; `type`: of the children */
  readonly relation?: { readonly name: string; readonly type: string }
}

const below = (parent: string, list: string, type: string): Listing => ({ parent, list, type })

const listings: Readonly<Record<string, Listing>> = {
  appInfoId: below('appId', '/v1/apps/{appId}/relationships/appInfos', 'appInfos'),
  eventId: below('appId', '/v1/apps/{appId}/relationships/appEvents', 'appEvents'),
  experimentId: below(
    'appId',
    '/v1/apps/{appId}/relationships/appStoreVersionExperimentsV2',
    'appStoreVersionExperiments',
  ),
  backgroundAssetId: below('appId', '/v1/apps/{appId}/relationships/backgroundAssets', 'backgroundAssets'),
  buildUploadId: below('appId', '/v1/apps/{appId}/relationships/buildUploads', 'buildUploads'),
  buildId: below('appId', '/v1/apps/{appId}/relationships/builds', 'builds'),
  pageId: below('appId', '/v1/apps/{appId}/relationships/appCustomProductPages', 'appCustomProductPages'),
  subscriptionGroupId: below('appId', '/v1/apps/{appId}/relationships/subscriptionGroups', 'subscriptionGroups'),
  inAppPurchaseId: below('appId', '/v1/apps/{appId}/relationships/inAppPurchasesV2', 'inAppPurchases'),
  appClipId: below('appId', '/v1/apps/{appId}/relationships/appClips', 'appClips'),
  buildBundleId: {
    ...below('appId', '/v1/builds', 'builds'),
    asked: {
      'filter[app]': '{appId}',
      'fields[builds]': 'buildBundles',
      'fields[buildBundles]': 'bundleId',
      include: 'buildBundles',
      'limit[buildBundles]': '50',
    },
    relation: { name: 'buildBundles', type: 'buildBundles' },
  },
  responseId: {
    ...below('appId', '/v1/apps/{appId}/customerReviews', 'customerReviews'),
    asked: {
      'exists[publishedResponse]': 'true',
      'fields[customerReviews]': 'response',
      'fields[customerReviewResponses]': 'state',
      include: 'response',
    },
    relation: { name: 'response', type: 'customerReviewResponses' },
  },
  encryptionDeclarationId: {
    ...below('appId', '/v1/appEncryptionDeclarations', 'appEncryptionDeclarations'),
    asked: { 'filter[app]': '{appId}', 'fields[appEncryptionDeclarations]': 'platform' },
  },
  buildUploadFileId: below(
    'buildUploadId',
    '/v1/buildUploads/{buildUploadId}/relationships/buildUploadFiles',
    'buildUploadFiles',
  ),
  pageVersionId: below(
    'pageId',
    '/v1/appCustomProductPages/{pageId}/relationships/appCustomProductPageVersions',
    'appCustomProductPageVersions',
  ),
  subscriptionId: below(
    'subscriptionGroupId',
    '/v1/subscriptionGroups/{subscriptionGroupId}/relationships/subscriptions',
    'subscriptions',
  ),
  offerCodeId: below(
    'subscriptionId',
    '/v1/subscriptions/{subscriptionId}/relationships/offerCodes',
    'subscriptionOfferCodes',
  ),
  subscriptionCodeBatcheId: below(
    'offerCodeId',
    '/v1/subscriptionOfferCodes/{offerCodeId}/relationships/oneTimeUseCodes',
    'subscriptionOfferCodeOneTimeUseCodes',
  ),
  winBackOfferId: below(
    'subscriptionId',
    '/v1/subscriptions/{subscriptionId}/relationships/winBackOffers',
    'winBackOffers',
  ),
  purchaseVersionId: below(
    'inAppPurchaseId',
    '/v2/inAppPurchases/{inAppPurchaseId}/relationships/versions',
    'inAppPurchaseVersions',
  ),
  purchaseOfferCodeId: below(
    'inAppPurchaseId',
    '/v2/inAppPurchases/{inAppPurchaseId}/relationships/offerCodes',
    'inAppPurchaseOfferCodes',
  ),
  purchaseImageId: below(
    'inAppPurchaseId',
    '/v2/inAppPurchases/{inAppPurchaseId}/relationships/images',
    'inAppPurchaseImages',
  ),
  experienceId: below(
    'appClipId',
    '/v1/appClips/{appClipId}/relationships/appClipDefaultExperiences',
    'appClipDefaultExperiences',
  ),
}

/** why a route cannot be read with a key for some apps */
const unprovable: Readonly<Record<string, string>> = {
  libraryVideoId: 'The platform has no list of the videos of an app.',
  featuringNominationId: 'A nomination belongs to the account, and can be about several apps.',
}
const ofAccount = 'It lists what belongs to the whole account.'

export type Link = Listing & { readonly child: string }

export interface AppScope {
  /** the path parameter that is proved; absent: the list of apps, which is cut to those of the key */
  readonly anchor?: string
  /** from the apps down to the anchor; empty if that is the app itself */
  readonly chain: readonly Link[]
  /** why the route is refused */
  readonly refused?: string
}

function chainTo(anchor: string): Link[] | undefined {
  if (anchor === 'appId') return []
  const listing = listings[anchor]
  const above = listing && chainTo(listing.parent)
  return above && [...above, { ...listing, child: anchor }]
}

function scopeAt(route: Pick<Route, 'path' | 'from'>): AppScope {
  const [anchor] = pathNames(route)
  if (anchor === undefined) return route.from.read === '/v1/apps' ? { chain: [] } : { chain: [], refused: ofAccount }
  const chain = chainTo(anchor)
  return chain ? { anchor, chain } : { chain: [], refused: unprovable[anchor] ?? 'The platform lists it below no app.' }
}

const known = new WeakMap<object, AppScope>()

/** how keys for some apps read a route */
export function appScopeOf(route: Pick<Route, 'path' | 'from'>): AppScope {
  const found = known.get(route.from) ?? scopeAt(route)
  known.set(route.from, found)
  return found
}
