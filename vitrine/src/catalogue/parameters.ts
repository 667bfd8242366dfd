// Path and query parameters of routes, and lists of values that several definitions share.
import { isList, type Route } from './define.ts'
import { personalText } from './descriptions.ts'

export const pathParameters: Readonly<Record<string, string>> = {
  appClipId: 'The App Clip.',
  appId: 'The app, by the id that List apps returns.',
  appInfoId: 'The app info. It must belong to the app.',
  backgroundAssetId: 'The background asset.',
  buildBundleId: 'The build bundle.',
  buildId: 'The build.',
  buildUploadFileId: 'The build upload file.',
  buildUploadId: 'The build upload.',
  connectionId: 'The connection whose store account is read.',
  encryptionDeclarationId: 'The encryption declaration.',
  eventId: 'The in-app event.',
  experienceId: 'The default App Clip experience.',
  experimentId: 'The product page experiment.',
  featuringNominationId: 'The featuring nomination.',
  inAppPurchaseId: 'The in-app purchase.',
  libraryVideoId: 'The video in the asset library.',
  locale: 'An exact locale identifier such as `en-US`, compared byte for byte, without a fallback.',
  offerCodeId: 'The offer code of a subscription.',
  pageId: 'The custom product page.',
  pageVersionId: 'The version of a custom product page.',
  purchaseImageId: 'The image of an in-app purchase.',
  purchaseOfferCodeId: 'The offer code of an in-app purchase.',
  purchaseVersionId: 'The version of an in-app purchase.',
  responseId: 'The response to a customer review.',
  subscriptionCodeBatcheId: 'The batch of one-time-use codes.',
  subscriptionGroupId: 'The group of subscriptions.',
  subscriptionId: 'The subscription.',
  winBackOfferId: 'The win-back offer.',
}

/** A name without a row is described by its own words. */
export const pathParameterText = (name: string): string =>
  pathParameters[name] ?? `The ${name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)}.`

export const pathNames = ({ path }: Pick<Route, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

export const platforms = ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS']

export const deviceFamilies = ['IPHONE', 'IPAD', 'VENDOR_TV', 'VENDOR_WATCH', 'MAC', 'VISION']

export const versionStates =
  'ACCEPTED DEVELOPER_REJECTED IN_REVIEW INVALID_BINARY METADATA_REJECTED PENDING_APPLE_RELEASE PENDING_DEVELOPER_RELEASE PREPARE_FOR_SUBMISSION PROCESSING_FOR_DISTRIBUTION READY_FOR_DISTRIBUTION READY_FOR_REVIEW REJECTED REPLACED_WITH_NEW_VERSION WAITING_FOR_EXPORT_COMPLIANCE WAITING_FOR_REVIEW'.split(
    ' ',
  )

export const submissionStates =
  'READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW UNRESOLVED_ISSUES CANCELING COMPLETING COMPLETE'.split(' ')

export const reviewStates = ['PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'APPROVED', 'REJECTED']

/** the start of every route's path */
export const connectionPath = '/v1/connections/{connectionId}'

export const pageSize = { standard: 50, most: 200 }

/** of a page that is read from the lists below another one: the lists that it is filled from at most */
export const nestedReads = 5

export interface Parameter {
  readonly name: string
  readonly kind: 'filter' | 'sort' | 'fields' | 'limit' | 'cursor'
  readonly about: string
  /** a closed list */
  readonly values?: readonly string[]
  /** the platform's parameter, of a filter */
  readonly as?: string
  readonly isSingle?: true
}

const paging: readonly Parameter[] = [
  { name: 'limit', kind: 'limit', about: 'The maximum number of items on a page.' },
  { name: 'cursor', kind: 'cursor', about: 'The `nextCursor` of the previous page, unchanged.' },
]

/** all query parameters of a route, in the order of the documentation */
export function queryParameters(
  route: Pick<Route, 'shape' | 'returns' | 'whole' | 'from' | 'filters' | 'sort'>,
): Parameter[] {
  const chosen: Parameter[] = [
    {
      name: 'sort',
      kind: 'sort',
      about: 'The order; `-` means descending.',
      values: route.sort.flatMap((key) => [key, `-${key}`]),
    },
    {
      name: 'fields',
      kind: 'fields',
      about:
        'The attributes to return next to `id`, without linkages and values of the path. By default everything is returned.',
      values: route.whole ? [] : Object.keys(route.returns?.attributes ?? {}),
    },
  ]
  return [
    ...Object.entries(route.filters).map(([name, { personal, ...f }]): Parameter => ({
      name,
      kind: 'filter',
      ...f,
      ...(personal && { about: `${f.about} ${personalText}` }),
    })),
    ...chosen.filter(({ values = [] }) => values.length > 0),
    ...(isList(route) ? paging : []),
  ]
}
