// The two documents that the stand-in knows: a page of apps, and one response to a customer review.
import { appFields, makeApp } from './apps.mjs'

const total = 1_200
const words = [
  'Thank you for taking the time to write. The tide tables of your harbour were indeed one hour off after the change',
  'to summer time, and version 4.2.1, which is on its way to the store, puts that right. Moorings that you saved keep',
  'their names and notes. If the harbour still shows the wrong hour after the update, please open Settings, choose Tide',
  'stations, and select the station once more; a message to the address on our support page reaches us within a day. We would be',
  'glad to hear whether it works, and on which device.',
].join(' ')

/** the text of a page, or undefined where the platform would refuse the request */
export function pageOfApps(url) {
  const fields = url.searchParams.get('fields[apps]')?.split(',')
  const limit = Number(url.searchParams.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) return undefined
  if (fields?.some((name) => !appFields.has(name))) return undefined
  const chosen = fields && new Set(fields)
  const next = new URL(url)
  next.searchParams.set('cursor', `${Buffer.from(String(limit)).toString('base64url')}.AKwzESA`)
  return JSON.stringify({
    data: Array.from({ length: limit }, (_, number) => makeApp(number, chosen)),
    links: { self: url.href, next: next.href },
    meta: { paging: { total, limit } },
  })
}

/** its one relationship has no address of its own, and is therefore missing unless it is included */
export function reviewResponse(url) {
  const self = `https://api.appstoreconnect.apple.com${url.pathname}`
  return JSON.stringify({
    data: {
      type: 'customerReviewResponses',
      id: decodeURIComponent(url.pathname.split('/').at(-1)),
      attributes: { responseBody: words, lastModifiedDate: '2026-08-11T22:45:27-07:00', state: 'PUBLISHED' },
      links: { self },
    },
    links: { self: url.href },
  })
}
