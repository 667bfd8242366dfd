// The documents of the stand-in: pages of 50 offer codes (44 kB), of 50 apps (125 kB), and one background asset. Each is built
// once for a query, whatever the id, so that the stand-in is never what the others wait for.
import { pageOfApps } from '../platform/documents.mjs'

const origin = 'https://api.appstoreconnect.apple.com'

function offerCode(number) {
  const id = `0f3a5b7c-8d0e-4213-a4b5-${String(number).padStart(12, '0')}`
  const self = `${origin}/v1/subscriptionOfferCodes/${id}`
  return {
    type: 'subscriptionOfferCodes',
    id,
    attributes: {
      name: `Autumn campaign ${number}: readers of the harbour letter`,
      customerEligibilities: ['NEW', 'EXPIRED'],
      offerEligibility: 'REPLACE_INTRO_OFFERS',
      duration: 'ONE_MONTH',
      offerMode: 'FREE_TRIAL',
      numberOfPeriods: 1,
      totalNumberOfCodes: 25_000 + number,
      productionCodeCount: 24_500,
      sandboxCodeCount: 500,
      active: number % 3 > 0,
      autoRenewEnabled: true,
      targetSubscriptionPlanType: 'MONTHLY',
    },
    relationships: {
      subscription: { links: { self: `${self}/relationships/subscription`, related: `${self}/subscription` } },
    },
    links: { self },
  }
}

const pageOfOfferCodes = (url) =>
  JSON.stringify({
    data: Array.from({ length: Number(url.searchParams.get('limit')) }, (_, number) => offerCode(number)),
    links: { self: url.href },
    meta: { paging: { total: 50, limit: 50 } },
  })

const backgroundAsset = (url) => {
  const id = decodeURIComponent(url.pathname.split('/').at(-1))
  const attributes = {
    archived: false,
    assetPackIdentifier: 'charts-north-sea',
    createdDate: '2026-08-11T22:45:27-07:00',
    usedBytes: 83_886_080,
  }
  return JSON.stringify({
    data: { type: 'backgroundAssets', id, attributes, links: { self: url.href } },
    links: { self: url.href },
  })
}

/** its next link would have to repeat what was asked */
function onlyPage(text) {
  const document = JSON.parse(text)
  delete document.links.next
  return JSON.stringify(document)
}

const kept = new Map()

function once(name, make) {
  const found = kept.get(name) ?? Buffer.from(make())
  kept.set(name, found)
  return found
}

export function bodyOf(target) {
  const url = new URL(target, origin)
  if (/^\/v1\/subscriptions\/[^/]+\/offerCodes$/.test(url.pathname))
    return once(`codes${url.search}`, () => pageOfOfferCodes(url))
  if (url.pathname === '/v1/apps') {
    url.searchParams.delete('filter[id]')
    return once(`apps${url.search}`, () => onlyPage(pageOfApps(url)))
  }
  if (/^\/v1\/backgroundAssets\/[^/]+$/.test(url.pathname)) return Buffer.from(backgroundAsset(url))
  return undefined
}
