// Parameters: those of paths, those of a route's query, and the listed values that more than one family uses.
import { isList, type Route } from './define.ts'

/** what stands behind each name in a path */
export const pathParameters: Readonly<Record<string, string>> = {
  appId: 'The app, by the id that List apps returns.',
  appInfoId: 'The app info. It must belong to the app.',
  backgroundAssetId: 'The background asset.',
  buildBundleId: 'The build bundle.',
  buildUploadFileId: 'The build upload file.',
  buildUploadId: 'The build upload.',
  connectionId: 'The connection whose store account is read.',
  encryptionDeclarationId: 'The encryption declaration.',
  eventId: 'The in-app event.',
  experienceId: 'The default App Clip experience.',
  experimentId: 'The product page experiment.',
  featuringNominationId: 'The featuring nomination.',
  libraryVideoId: 'The video in the asset library.',
  locale: 'An exact locale identifier such as `en-US`, compared byte for byte, without a fallback.',
  pageVersionId: 'The version of a custom product page.',
  purchaseImageId: 'The image of an in-app purchase.',
  purchaseOfferCodeId: 'The offer code of an in-app purchase.',
  purchaseVersionId: 'The version of an in-app purchase.',
  responseId: 'The response to a customer review.',
  subscriptionCodeBatcheId: 'The batch of one-time-use codes.',
  subscriptionId: 'The subscription.',
  winBackOfferId: 'The win-back offer.',
}

/** a name that is not in the table is described by its own words */
export const pathParameterWords = (name: string): string =>
  pathParameters[name] ?? `The ${name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)}.`

/** the names in braces, in their order */
export const pathNames = ({ path }: Pick<Route, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

export const platforms = ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS']

export const deviceFamilies = ['IPHONE', 'IPAD', 'VENDOR_TV', 'VENDOR_WATCH', 'MAC', 'VISION']

export const reviewStates = ['PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'APPROVED', 'REJECTED']

/** what every route's path begins with */
export const connectionPath = '/v1/connections/{connectionId}'

export const pageSize = { standard: 50, most: 200 }

export interface Parameter {
  readonly name: string
  readonly kind: 'filter' | 'sort' | 'fields' | 'limit' | 'cursor'
  readonly about: string
  /** when present, nothing else is accepted */
  readonly values?: readonly string[]
  /** the platform's parameter, of a filter */
  readonly as?: string
}

const paging: readonly Parameter[] = [
  { name: 'limit', kind: 'limit', about: 'How many items a page holds at most.' },
  { name: 'cursor', kind: 'cursor', about: 'The `nextCursor` of the page before, exactly as it was received.' },
]

/** every query parameter of a route, in the order in which they are documented */
export function queryParameters(
  route: Pick<Route, 'shape' | 'returns' | 'whole' | 'from' | 'filters' | 'sort'>,
): Parameter[] {
  const names = route.whole ? [] : Object.keys(route.returns?.attributes ?? {})
  return [
    ...Object.entries(route.filters).map(([name, f]): Parameter => ({ name, kind: 'filter', ...f })),
    ...(route.sort.length > 0
      ? [
          {
            name: 'sort',
            kind: 'sort',
            about: 'Ordering; `-` means descending.',
            values: route.sort.flatMap((key) => [key, `-${key}`]),
          } as const,
        ]
      : []),
    ...(names.length > 0
      ? [
          {
            name: 'fields',
            kind: 'fields',
            about:
              'The attributes to return beside `id`, and nothing else: no linkages, no values of the path. Without it, everything.',
            values: names,
          } as const,
        ]
      : []),
    ...(isList(route) ? paging : []),
  ]
}
