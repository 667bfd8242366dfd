// The documents that the stand-in knows: a page of apps, one response to a customer review, and what a read of one exact
// locale takes. Each comes in pieces, so that many pages can share the large one.
import { appFields, makeApp } from './apps.mjs'

const total = 1_200
const words = [
  'Thank you for taking the time to write. The tide tables of your harbour were indeed one hour off after the change',
  'to summer time, and version 4.2.1, which is on its way to the store, puts that right. Moorings that you saved keep',
  'their names and notes. If the harbour still shows the wrong hour after the update, please open Settings, choose Tide',
  'stations, and select the station once more; a message to the address on our support page reaches us within a day. We would be',
  'glad to hear whether it works, and on which device. You also asked for wind barbs on the chart: they are in the beta, which',
  'anybody may join from the about page, and will be in the next version for everyone. Offline charts of the western coast',
  'come with it as well, and take less than half of the space that they took before. Thank you again for your patience.',
].join(' ')

/** fields and limit -> the resources of a page, whatever it is filtered by */
const lists = new Map()

function listOfApps(fields, limit) {
  const name = `${limit} ${fields ?? ''}`
  const chosen = fields && new Set(fields.split(','))
  const list =
    lists.get(name) ??
    Buffer.from(`{"data":${JSON.stringify(Array.from({ length: limit }, (_, number) => makeApp(number, chosen)))},`)
  lists.set(name, list)
  return list
}

function linksOf(url, limit) {
  const next = new URL(url)
  next.searchParams.set('cursor', `${Buffer.from(String(limit)).toString('base64url')}.AKwzESA`)
  return { self: url.href, next: next.href }
}

function piecesOfApps(url) {
  const fields = url.searchParams.get('fields[apps]') ?? undefined
  const limit = Number(url.searchParams.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) return undefined
  if (fields?.split(',').some((name) => !appFields.has(name))) return undefined
  const rest = JSON.stringify({ links: linksOf(url, limit), meta: { paging: { total, limit } } })
  return [listOfApps(fields, limit), Buffer.from(rest.slice(1))]
}

/** the text of a page, or undefined where the platform would refuse the request */
export function pageOfApps(url) {
  const pieces = piecesOfApps(url)
  return pieces && Buffer.concat(pieces).toString()
}

const origin = 'https://api.appstoreconnect.apple.com'
const one = (document) => [Buffer.from(JSON.stringify(document))]
const idIn = (url, at) => decodeURIComponent(url.pathname.split('/')[at])

/** its one relationship has no address of its own, and is therefore missing unless it is included */
const reviewResponse = (url) =>
  one({
    data: {
      type: 'customerReviewResponses',
      id: idIn(url, 3),
      attributes: { responseBody: words, lastModifiedDate: '2026-08-11T22:45:27-07:00', state: 'PUBLISHED' },
      links: { self: origin + url.pathname },
    },
    links: { self: url.href },
  })

const locales = ['de-DE', 'en-GB', 'en-US', 'es-ES', 'fr-FR', 'it', 'ja', 'ko', 'nl-NL', 'pt-BR', 'sv', 'zh-Hans']

/** the localizations of one version of a product page, with nothing but their locale, as they are asked for */
function localizations(url) {
  const type = 'appCustomProductPageLocalizations'
  const data = locales.map((locale) => {
    const id = `${idIn(url, 3)}-${locale}`
    return { type, id, attributes: { locale }, links: { self: `${origin}/v1/${type}/${id}` } }
  })
  return one({ data, links: { self: url.href }, meta: { paging: { total: data.length, limit: 200 } } })
}

/** two of them, which is about as much as one resource */
function placements(url) {
  const type = 'appAssetLibraryPlacements'
  const data = ['3F5C', '8A21'].map((end, number) => ({
    type,
    id: `1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd${end}`,
    attributes: {
      mediaType: 'IMAGE',
      placementType: 'APP_SCREENSHOT',
      placementGroup: 'APP_IPHONE_67',
      createdDate: '2026-06-02T09:12:44.317Z',
      lastModifiedDate: '2026-08-11T22:45:27.004Z',
      state: number === 0 ? 'PARENT_APPROVED' : 'PARENT_IN_REVIEW',
      stateDetails: [{ code: 'PARENT_LOCKED', description: 'The page is in review and cannot be changed.' }],
    },
    links: { self: `${origin}/v1/${type}/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd${end}` },
  }))
  return one({ data, links: { self: url.href }, meta: { paging: { total: 2, limit: 50 } } })
}

const known = [
  [/^\/v1\/apps$/, piecesOfApps],
  [/^\/v1\/customerReviewResponses\/[^/]+$/, reviewResponse],
  [/^\/v1\/appCustomProductPageVersions\/[^/]+\/appCustomProductPageLocalizations$/, localizations],
  [/^\/v1\/appCustomProductPageLocalizations\/[^/]+\/placements$/, placements],
]

/** the pieces of its body, or undefined where the platform would refuse the request */
export function documentOf(url) {
  const [, build] = known.find(([path]) => path.test(url.pathname)) ?? []
  return build?.(url)
}
