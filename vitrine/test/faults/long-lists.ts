// The long lists of a test platform: page routes, id routes, and both below a locale that is on the second page of its listing.
import type { Json } from '../support/example-routes.ts'

/** an id that names the caller's list, so that it is recognized in any answer */
export const itemId = (list: string, number: number): string => `${list}-${number}`
export const itemName = (id: string): string => `the name of ${id}`

interface Listing {
  readonly type: string
  readonly size: number
  attributes?(id: string, number: number): Json
}

/** by a part of their paths */
const locales = ['en-US', 'de-DE', 'ja']
const listings: readonly [RegExp, (size: number) => Listing][] = [
  [/^\/v1\/subscriptions\/[\w-]+\/offerCodes$/, named('subscriptionOfferCodes', 'name')],
  [/^\/v1\/apps\/[\w-]+\/relationships\/appStoreVersions$/, (size) => ({ type: 'appStoreVersions', size })],
  [/^\/v1\/appEvents\/[\w-]+\/localizations$/, () => localizations('appEventLocalizations')],
  [
    /^\/v1\/appEventLocalizations\/[\w-]+-2\/relationships\/appEventScreenshots$/,
    (size) => ({ type: 'appEventScreenshots', size }),
  ],
  [
    /^\/v1\/appCustomProductPageVersions\/[\w-]+\/appCustomProductPageLocalizations$/,
    () => localizations('appCustomProductPageLocalizations'),
  ],
  [
    /^\/v1\/appCustomProductPageLocalizations\/[\w-]+-2\/placements$/,
    named('appAssetLibraryPlacements', 'placementGroup'),
  ],
]

function named(type: string, attribute: string): (size: number) => Listing {
  return (size) => ({ type, size, attributes: (id) => ({ [attribute]: itemName(id) }) })
}

const localizations = (type: string): Listing => ({
  type,
  size: locales.length,
  attributes: (_, number) => ({ locale: locales[number] }),
})

export interface Page {
  readonly document: Json & { data: Json[]; links: Json }
  readonly asked: URL
  readonly offset: number
}

export const cursorAt = (offset: number): string => Buffer.from(`after ${offset}`).toString('base64url')

export function pageOf(asked: URL, size: number): Page | undefined {
  const [, , , list = ''] = asked.pathname.split('/')
  const listing = listings.find(([path]) => path.test(asked.pathname))?.[1](size)
  if (!listing) return undefined
  // two of its three localizations per page, whatever limit is sent
  const limit = Math.min(Number(asked.searchParams.get('limit')), listing.size === locales.length ? 2 : 200)
  const offset = Number(
    Buffer.from(asked.searchParams.get('cursor') ?? '', 'base64url')
      .toString()
      .slice(6) || 0,
  )
  const owner = list.replace(/-2$/, '')
  const data = Array.from({ length: Math.max(0, Math.min(limit, listing.size - offset)) }, (_, i) => {
    const id = itemId(owner, offset + i)
    return { type: listing.type, id, ...(listing.attributes && { attributes: listing.attributes(id, offset + i) }) }
  })
  const next = new URL(asked)
  next.searchParams.set('cursor', cursorAt(offset + limit))
  const links = { self: asked.href, ...(offset + limit < listing.size && { next: next.href }) }
  return { document: { data, links, meta: { paging: { total: listing.size, limit } } }, asked, offset }
}
