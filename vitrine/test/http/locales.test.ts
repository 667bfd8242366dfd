import assert from 'node:assert/strict'
import test from 'node:test'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

interface Resolved {
  readonly operation: string
  readonly path: string
  /** the platform's type of the localizations */
  readonly type: string
}

const pages = 'appCustomProductPageLocalizations'
const page = '/custom-product-page-versions/p1/localizations/{locale}'
const resolved: readonly Resolved[] = [
  { operation: 'listProductPagePlacements', path: `${page}/placements`, type: pages },
  {
    operation: 'getLegacySubscriptionLocalization',
    path: '/legacy/subscriptions/p1/localizations/{locale}',
    type: 'subscriptionLocalizations',
  },
  { operation: 'listProductPagePlacementIds', path: `${page}/placements/ids`, type: pages },
  {
    operation: 'listEventScreenshotIds',
    path: '/events/p1/localizations/{locale}/event-screenshots/ids',
    type: 'appEventLocalizations',
  },
  { operation: 'listProductPageScreenshotSetIds', path: `${page}/screenshot-sets/ids`, type: pages },
]

const isListing = ({ path }: Call): boolean => /(Localizations|localizations)$/.test(path)
const pathOf = (path: string, locale: string): string => path.replace('{locale}', encodeURIComponent(locale))

/** pages of localizations by locale, and then any read that says which id it was asked for */
const platformWith =
  (type: string, ...pages: string[][]) =>
  (call: Call, res: Parameters<typeof send>[0]) => {
    const at = Number(call.query.get('cursor') ?? 0)
    const page = pages[at] ?? []
    const next =
      at + 1 < pages.length
        ? {
            next: `${call.url}${call.query.has('cursor') ? '' : '&cursor='}`.replace(/cursor=\d*$/, `cursor=${at + 1}`),
          }
        : {}
    if (isListing(call))
      return send(res, {
        data: page.map((locale, i) => ({ type, id: `loc-${at}-${i}`, attributes: { locale } })),
        links: next,
      })
    if (call.path.includes('/relationships/') || call.path.endsWith('/placements'))
      return send(res, { data: [], links: {} })
    return send(res, {
      data: { type: 'subscriptionLocalizations', id: call.path.split('/').at(-1), attributes: { name: 'N' } },
    })
  }

for (const { operation, path, type } of resolved) {
  const scene = async (pages: string[][], locale: string) => {
    const { service, platform, close } = await startScripted(platformWith(type, ...pages))
    const answer = await service.ask(pathOf(path, locale))
    await close()
    return { answer, calls: platform.calls }
  }

  test(`${operation} reads the one localization with exactly the locale, in two calls`, async () => {
    const { answer, calls } = await scene([['de-DE', 'en-US', 'ja']], 'en-US')
    assert.equal(answer.status, 200)
    assert.equal(calls.length, 2)
    assert.equal(calls[0]?.query.get('limit'), '200')
    assert.equal(calls[0]?.query.get(`fields[${type}]`), 'locale')
    assert.match(calls[1]?.path ?? '', /\/loc-0-1(\/|$)/)
  })

  test(`${operation} finds a locale on the third page of the list`, async () => {
    const { answer, calls } = await scene([['de-DE'], [], ['en-US']], 'en-US')
    assert.equal(answer.status, 200)
    assert.equal(calls.length, 4)
    assert.match(calls[3]?.path ?? '', /\/loc-2-0(\/|$)/)
  })

  test(`${operation} never takes a locale that is merely similar`, async () => {
    for (const near of ['en', 'en-us', 'EN-US', 'en_US', ' en-US', 'en-US ', 'en-US,ja', 'e\u0301n-US', '..', '%'])
      for (const pages of [[['en-US', 'ja']], [['ja'], ['en-US']]]) {
        const { answer, calls } = await scene(pages, near)
        assert.equal(answer.status, 404, near)
        assert.equal(answer.json.error.type, 'localization_not_found')
        assert.ok(calls.every(isListing))
      }
  })

  test(`${operation} rejects two localizations with the same locale, on one page or on several`, async () => {
    for (const pages of [[['en-US', 'en-US']], [['en-US'], ['ja'], ['en-US']]]) {
      const { answer, calls } = await scene(pages, 'en-US')
      assert.equal(answer.status, 409)
      assert.equal(answer.json.error.type, 'ambiguous_selection')
      assert.ok(calls.every(isListing))
    }
  })

  test(`${operation} never reports a localization as absent if the list cannot be completed`, async () => {
    const { service, close } = await startScripted((call, res) => {
      if (call.query.has('cursor')) return refuse(res, 500, 'UNEXPECTED_ERROR')
      return platformWith(type, ['de-DE'], ['en-US'])(call, res)
    })
    const answer = await service.ask(pathOf(path, 'en-US'))
    assert.equal(answer.status, 502)
    assert.equal(answer.json.error.type, 'upstream_error')
    await close()
  })

  test(`${operation} gives up on a list that never ends`, async () => {
    const { service, close } = await startScripted((call, res) => {
      const at = Number(call.query.get('cursor') ?? 0)
      const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}`
      send(res, { data: [{ type, id: `x${at}`, attributes: { locale: 'de-DE' } }], links: { next } })
    })
    const answer = await service.ask(pathOf(path, 'en-US'))
    assert.equal(answer.status, 502)
    assert.equal(answer.json.error.code, 'upstream_malformed')
    await close()
  })
}
