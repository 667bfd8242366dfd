// Answers about another resource than the requested one, and ids that differ only in case.
import { bare, type Json, listing, answerRead, page, type ExampleRoute, single } from '../support/example-routes.ts'
import { data, first, malformed } from './document-rows.ts'
import { type Expected, faults, type ScriptedFault } from './fault.ts'

const list = (...members: Json[]): Json => ({ data: members, links: { self: 'x' } })

const localization: ExampleRoute = {
  name: 'the localization of route 15',
  path: '/legacy/subscriptions/s1/localizations/en-US',
  read: '/v1/subscriptionLocalizations/l1',
  healthy: { data: { type: 'subscriptionLocalizations', id: 'l1', attributes: { name: 'N', locale: 'en-US' } } },
  others: {
    '/v1/subscriptions/s1/subscriptionLocalizations': list({ ...first(listing), type: 'subscriptionLocalizations' }),
  },
  answer: { id: 'l1', name: 'N', locale: 'en-US' },
}
const localized = (attributes: Json): Json => data((one) => ({ ...one, attributes }))(localization)

const placement = { type: 'appAssetLibraryPlacements', id: 'p1', attributes: { mediaType: 'VIDEO' } }
const videoPlacements: ExampleRoute = {
  name: 'the placements of a video',
  path: '/library-videos/v1/placements',
  read: '/v1/appAssetLibraryVideos/v1/placements',
  healthy: list(placement),
  others: {},
  answer: { items: [{ id: 'p1', mediaType: 'VIDEO' }], nextCursor: null },
}
const pagePlacements: ExampleRoute = {
  ...videoPlacements,
  name: 'the placements of a page in one locale',
  path: '/custom-product-page-versions/c1/localizations/en-US/placements',
  read: '/v1/appCustomProductPageLocalizations/l1/placements',
  others: {
    '/v1/appCustomProductPageVersions/c1/appCustomProductPageLocalizations': list({
      ...first(listing),
      type: 'appCustomProductPageLocalizations',
    }),
  },
}
const treatments: ExampleRoute = {
  name: 'the treatments of an experiment',
  path: '/experiments/abc-1/treatments',
  read: '/v2/appStoreVersionExperiments/abc-1/appStoreVersionExperimentTreatments',
  healthy: list({ type: 'appStoreVersionExperimentTreatments', id: 't1' }),
  others: {},
  answer: { items: [{ id: 't1' }], nextCursor: null },
}
const owned = (place: ExampleRoute, relation: string, id: string | null): Json =>
  list({ ...first(place), relationships: { [relation]: { data: id === null ? null : { type: 'x', id } } } })

const fine = (place: ExampleRoute, body: Json, calls: number, json: unknown = place.answer): ScriptedFault => ({
  id: 'F77',
  fault: `what agrees is answered, on ${place.name}: ${JSON.stringify(body)}`,
  at: place,
  script: answerRead(place, body),
  expect: { status: 200, calls, json },
})
/** the answer reduced to these fields */
const selected = ({ answer }: ExampleRoute, query: string): Json => {
  const names = ['id', ...(/fields=([\w,]+)/.exec(query)?.[1]?.split(',') ?? [])]
  const keep = (one: Json): Json => Object.fromEntries(names.filter((name) => name in one).map((n) => [n, one[n]]))
  if (names.length === 1) return answer
  return 'items' in answer ? { ...answer, items: answer['items'].map(keep) } : keep(answer)
}
const wrong = (place: ExampleRoute, words: string, body: Json, expect: Expected, query = ''): ScriptedFault => ({
  id: 'F77 F87',
  fault: `${words}, on ${place.name}${query}`,
  at: { ...place, answer: selected(place, query) },
  path: place.path + query,
  script: answerRead(place, body),
  expect,
})
const broken = (calls: number): Expected => ({ ...malformed, calls })

faults([
  fine(localization, localization.healthy, 2),
  fine(localization, localized({ name: 'N' }), 2, { id: 'l1', name: 'N' }),
  fine(localization, localized({ name: 'N', locale: null }), 2, { id: 'l1', name: 'N', locale: null }),
  ...['', '?fields=name', '?fields=name,locale'].flatMap((query) =>
    ['de-DE', 'en-us', 'en', ''].map((locale) =>
      wrong(localization, `the locale ${locale || '(empty)'}`, localized({ name: 'N', locale }), broken(2), query),
    ),
  ),
  ...[{}, { bundleId: 'b' }, { appId: null }, { appId: 'a1' }].map((appMetadata) => {
    const body = { ...bare.healthy, appMetadata }
    return fine(bare, body, 1, { ...body, id: 'a1' })
  }),
  ...['a2', '', 1, {}, ['a1']].map((appId) =>
    wrong(bare, `the app ${JSON.stringify(appId)}`, { ...bare.healthy, appMetadata: { appId } }, broken(1)),
  ),
  ...[{ appId: 'a2' }, { appId: 'a2', bundleId: 'b' }].map((appMetadata) =>
    wrong(bare, 'another app', { appMetadata }, broken(1), '?deviceType=all_iphones'),
  ),
  fine(videoPlacements, owned(videoPlacements, 'video', 'v1'), 1),
  fine(videoPlacements, owned(videoPlacements, 'image', 'i7'), 1),
  fine(pagePlacements, owned(pagePlacements, 'appCustomProductPageLocalization', 'l1'), 2),
  fine(pagePlacements, owned(pagePlacements, 'video', 'v7'), 2),
  wrong(videoPlacements, 'another video', owned(videoPlacements, 'video', 'v2'), broken(1)),
  wrong(videoPlacements, 'another video', owned(videoPlacements, 'video', 'v2'), broken(1), '?fields=state'),
  wrong(
    pagePlacements,
    'another localization',
    owned(pagePlacements, 'appCustomProductPageLocalization', 'l2'),
    broken(2),
  ),
])

const absent: Expected = {
  status: 404,
  type: 'resource_not_found',
  code: 'resource_not_found',
  calls: 1,
  retryAfter: null,
}
const upper = (one: Json): Json => ({ ...one, id: one['id'].toUpperCase() })

/** 404, so that a caller does not retry */
faults([
  wrong(single, 'the id in another case', data(upper)(single), absent),
  wrong(bare, 'the app in another case', { ...bare.healthy, appMetadata: { appId: 'A1' } }, absent),
  wrong(page, 'the parent in another case', owned(page, 'subscription', 'S1'), absent),
  wrong(treatments, 'the parent in another case', owned(treatments, 'appStoreVersionExperimentV2', 'ABC-1'), absent),
  wrong(localization, 'the id in another case', data(upper)(localization), { ...absent, calls: 2 }),
])
