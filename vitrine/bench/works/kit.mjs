// What several works use: many different targets, so that nothing is gained by answering equal reads together, and the
// subjects that are asked for them.
import { ask, vitrine } from '../subjects/vitrine.mjs'

/** enough that no two requests under way are equal, and few enough to be cached where caching is on */
export const many = (pathOf, { headers } = {}, count = 512) =>
  Array.from({ length: count }, (_, number) => ({ path: pathOf(number), headers }))

const { pathOf } = vitrine

/** as Vitrine is asked */
export const own = {
  one: (subject) => many((number) => pathOf.one(`response-${number}`), subject),
  page: (subject, more = '') => many((number) => `${pathOf.page(`SKU-${number}`)}${more}`, subject),
  locale: (subject) => many((number) => pathOf.locale(`version-${number}`), subject),
}

/** as the platform is asked by those who pass through what it says unasked */
export const raw = {
  one: (subject) => many((number) => `/v1/customerReviewResponses/response-${number}`, subject),
  page: (subject, more = '') => many((number) => `/v1/apps?filter[sku]=SKU-${number}${more}`, subject),
}

/** starts it on its core over the stand-in, or over another platform; it ends with the work */
export async function enter(bench, one, more = {}) {
  const { origin, authority } = bench.platform
  const subject = await one.start({ platform: origin, authority, core: 'subject', ...more })
  return bench.keep(subject)
}

/** the query that Vitrine itself puts to the platform for a page of apps */
export function sparseQuery() {
  const [{ query }] = JSON.parse(ask(['explain', '/apps'])).steps
  return Object.entries(query)
    .map(([name, value]) => `&${name}=${value}`)
    .join('')
}
