import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

/** mulberry32 */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

test('random ids and queries never cause a 500 and never leave the path template', { timeout: 30_000 }, async (t) => {
  const { service, platform, close } = await startScripted(({ path }, res) =>
    send(res, path.startsWith('/v1/apps') ? page.healthy : guard.healthy),
  )
  t.after(close)
  const seed = 20_261_120
  const below = randomOf(seed)
  const special = [
    '.',
    '..',
    '/',
    '\\',
    '%',
    '%2e',
    ';',
    '?',
    '#',
    '&',
    '=',
    '+',
    ',',
    '\0',
    '\n',
    '\u202e',
    '@',
    ':',
    '\u{1f600}',
  ]
  const names = ['limit', 'cursor', 'fields', 'sort', 'territory', '__proto__', 'filter[territory]', '']
  const text = () =>
    Array.from({ length: 1 + below(6) }, () =>
      below(2)
        ? special[below(special.length)]
        : String.fromCodePoint(below(4) ? below(0xd800) : 0xe000 + below(0x101fff)),
    ).join('')
  const raw = (word: string) => (below(3) ? encodeURIComponent(word) : word.replaceAll(/[^\x21-\x7e]|[#?]/g, ''))
  const templates = [
    [(id: string) => `/subscriptions/${id}/offer-codes`, /^\/v1\/subscriptions\/[^/?]+\/offerCodes$/],
    [(id: string) => `/background-assets/${id}`, /^\/v1\/backgroundAssets\/[^/?]+$/],
    [(id: string) => `/apps/a1/app-infos/${id}/territory-age-ratings`, /^\/v1\/apps\/a1\/relationships\/appInfos$/],
    [(id: string) => `/events/e1/localizations/${id}/event-screenshots/ids`, /^\/v1\/appEvents\/e1\/localizations$/],
  ] as const
  for (let round = 0; round < 2_000; round++) {
    const [fill, allowed] = templates[below(templates.length)]!
    const query = Array.from(
      { length: below(3) },
      () => `${raw(below(3) ? (names[below(8)] ?? '') : text())}=${raw(text())}`,
    )
    const path = fill(raw(text())) + (query.length > 0 ? `?${query.join('&')}` : '')
    platform.calls.length = 0
    const { status, text: body } = await service.ask(path)
    const where = `seed ${seed}, round ${round}: ${path}`
    assert.ok([200, 400, 404, 502].includes(status), `${where} ${status} ${body}`)
    for (const { url } of platform.calls) {
      const asked = url.split('?', 1)[0] ?? ''
      assert.match(asked, allowed, where)
      assert.ok(!asked.split('/').some((part) => ['.', '..'].includes(decodeURIComponent(part))), where)
    }
  }
})
