// One route of each kind over healthy documents, so that a test can break one read of the platform and leave the rest.
import type { Script } from './scripted-platform.ts'
import { send } from './scripted-platform.ts'

export type Json = Record<string, any>

export interface ExampleRoute {
  readonly name: string
  /** the path below the connection */
  readonly path: string
  /** the platform read that a test breaks */
  readonly read: string
  readonly healthy: Json
  /** the other platform reads of the same request */
  readonly others: Readonly<Record<string, Json>>
  readonly answer: Json
}

const list = (...data: Json[]): Json => ({ data, links: { self: 'https://platform/self' } })
const noOthers = {}

export const page: ExampleRoute = {
  name: 'a page route',
  path: '/subscriptions/s1/offer-codes',
  read: '/v1/subscriptions/s1/offerCodes',
  healthy: list({ type: 'subscriptionOfferCodes', id: 'o1', attributes: { name: 'Spring', active: true } }),
  others: noOthers,
  answer: { items: [{ id: 'o1', name: 'Spring', active: true }], nextCursor: null },
}

export const single: ExampleRoute = {
  name: 'a single route',
  path: '/background-assets/b1',
  read: '/v1/backgroundAssets/b1',
  healthy: { data: { type: 'backgroundAssets', id: 'b1', attributes: { archived: false, usedBytes: 12 } }, links: {} },
  others: noOthers,
  answer: { id: 'b1', archived: false, usedBytes: 12 },
}

export const ids: ExampleRoute = {
  name: 'an ids route',
  path: '/apps/a1/versions/ids',
  read: '/v1/apps/a1/relationships/appStoreVersions',
  healthy: list({ type: 'appStoreVersions', id: 'v1' }),
  others: noOthers,
  answer: { items: ['v1'], nextCursor: null },
}

export const id: ExampleRoute = {
  name: 'the id route',
  path: '/legacy/encryption-declarations/e1/app/id',
  read: '/v1/appEncryptionDeclarations/e1/relationships/app',
  healthy: { data: { type: 'apps', id: 'a1' }, links: {} },
  others: noOthers,
  answer: { id: 'a1' },
}

export const listing: ExampleRoute = {
  name: 'the listing of a resolved-locale route',
  path: '/events/e1/localizations/en-US/event-screenshots/ids',
  read: '/v1/appEvents/e1/localizations',
  healthy: list({ type: 'appEventLocalizations', id: 'l1', attributes: { locale: 'en-US' } }),
  others: {
    '/v1/appEventLocalizations/l1/relationships/appEventScreenshots': list({ type: 'appEventScreenshots', id: 'p1' }),
  },
  answer: { items: ['p1'], nextCursor: null },
}

export const guard: ExampleRoute = {
  name: 'the ownership check of route 12',
  path: '/apps/a1/app-infos/i1/territory-age-ratings',
  read: '/v1/apps/a1/relationships/appInfos',
  healthy: list({ type: 'appInfos', id: 'i1' }),
  others: {
    '/v1/appInfos/i1/territoryAgeRatings': list({
      type: 'territoryAgeRatings',
      id: 't1',
      attributes: { appStoreAgeRating: 'ALL' },
    }),
  },
  answer: { items: [{ id: 't1', appStoreAgeRating: 'ALL', appId: 'a1', appInfoId: 'i1' }], nextCursor: null },
}

export const bare: ExampleRoute = {
  name: 'the bare document of route 2',
  path: '/apps/a1/performance-overviews',
  read: '/v1/apps/a1/performanceOverviews',
  healthy: { version: '1.0.0', appMetadata: { appId: 'a1' }, categories: [] },
  others: noOthers,
  answer: { id: 'a1', version: '1.0.0', appMetadata: { appId: 'a1' }, categories: [] },
}

export const lists = [page, ids, listing, guard]
export const singles = [single, id]
export const exampleRoutes = [...lists, ...singles, bare]

/** answers the route's `read` with `body`, and the other reads with healthy documents */
export const answerRead =
  (place: ExampleRoute, body: unknown, headers: Record<string, string> = {}, status = 200): Script =>
  (call, res) => {
    if (call.path === place.read) send(res, body, headers, status)
    else
      send(
        res,
        place.others[call.path] ?? { errors: [{ code: 'NOT_FOUND' }] },
        {},
        call.path in place.others ? 200 : 404,
      )
  }
