// Paging over a localization that is deleted and created again under the same locale meanwhile.
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { type Call, refuse, type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { type Service, startScripted, startService } from '../support/service.ts'

const page = '/custom-product-page-versions/p1/localizations/en-US'
const pages = 'appCustomProductPageLocalizations'
const routes = [
  { path: `${page}/placements`, type: pages, item: 'appAssetLibraryPlacements' },
  { path: `${page}/placements/ids`, type: pages, item: 'appAssetLibraryPlacements' },
  { path: `${page}/screenshot-sets/ids`, type: pages, item: 'appScreenshotSets' },
  {
    path: '/events/e1/localizations/en-US/event-screenshots/ids',
    type: 'appEventLocalizations',
    item: 'appEventScreenshots',
  },
]
type Route = (typeof routes)[number]

interface Account {
  /** the localization that has the locale */
  current: string
  /** whether one that was replaced can still be read */
  isKept?: boolean
}

const isListing = ({ path }: Call): boolean => path.endsWith('ocalizations')

/** four items below each localization, in pages of two; a cursor is a number of rows, and any list takes it */
const remaking =
  (account: Account, { type, item }: Route): Script =>
  (call, res) => {
    const { current, isKept = false } = account
    if (isListing(call)) return send(res, { data: [{ type, id: current, attributes: { locale: 'en-US' } }], links: {} })
    const id = call.path.split('/')[3] ?? ''
    if (id !== current && !isKept) return refuse(res, 404, 'NOT_FOUND')
    const offset = Number(call.query.get('cursor') ?? 0)
    const next = offset === 0 ? { next: `${call.url.replace(/&cursor=.*/, '')}&cursor=2` } : {}
    const data = [1, 2].map((n) => ({ type: item, id: `${id}-${offset + n}` }))
    return send(res, { data, links: next, meta: { paging: { total: 4, limit: 2 } } })
  }

async function scene(t: TestContext, route: Route) {
  let at = 1_000_000
  const account: Account = { current: 'l1' }
  const { platform, service, close } = await startScripted(remaking(account, route), { steady: () => at })
  t.after(close)
  const ask = (cursor?: string, headers: Record<string, string> = {}) =>
    service.ask(`${route.path}?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`, { headers })
  return { account, platform, service, ask, pass: (ms: number) => void (at += ms) }
}

const idsOf = (json: any): string[] => json.items.map((item: any) => (typeof item === 'string' ? item : item.id))

function assertMismatch({ status, json }: { status: number; json: any }) {
  const { type, code, param, retryable, message } = json.error
  assert.deepEqual([status, type, code, param, retryable], [400, 'invalid_query', 'cursor_mismatch', 'cursor', false])
  assert.match(message, /start again without a cursor/i)
}

for (const route of routes) {
  test(`paging ends with cursor_mismatch if the localization was replaced, on ${route.path}`, async (t) => {
    const { account, platform, ask, pass } = await scene(t, route)
    const first = await ask()
    assert.deepEqual(idsOf(first.json), ['l1-1', 'l1-2'])
    const cursor: string = first.json.nextCursor
    account.current = 'l2'
    // the old one is cached; has expired; and is looked up anew because the caller wants it
    assertMismatch(await ask(cursor))
    assertMismatch(await ask(cursor))
    pass(700_000)
    assertMismatch(await ask(cursor))
    assertMismatch(await ask(cursor, { 'cache-control': 'no-cache' }))
    assert.ok(!platform.calls.some(({ path, query }) => path.includes('l2') && query.has('cursor')), 'l2 was read on')
    // read again from the start, the list is complete
    const again = await ask()
    assert.deepEqual(idsOf(again.json), ['l2-1', 'l2-2'])
    const last = await ask(again.json.nextCursor)
    assert.deepEqual([idsOf(last.json), last.json.nextCursor], [['l2-3', 'l2-4'], null])
  })
}

test('paging also ends if the old localization is still readable, once it is looked up again', async (t) => {
  const [route] = routes as [Route]
  const { account, ask } = await scene(t, route)
  const { nextCursor } = (await ask()).json
  Object.assign(account, { current: 'l2', isKept: true })
  assertMismatch(await ask(nextCursor, { 'cache-control': 'no-cache' }))
})

test('paging over the new localization continues on a replica that still caches the old one', async (t) => {
  const [route] = routes as [Route]
  const account: Account = { current: 'l1' }
  const platform = await startScriptedPlatform(remaking(account, route))
  t.after(platform.close)
  const seed = await startService(platform.url)
  await seed.running.close()
  const copy = `${seed.folder}-copy`
  cpSync(seed.folder, copy, { recursive: true })
  const [one, two] = [
    await startService(platform.url, { folder: seed.folder }),
    await startService(platform.url, { folder: copy }),
  ]
  t.after(async () => {
    await Promise.all([one.close(), two.close()])
    for (const folder of [seed.folder, copy]) rmSync(folder, { recursive: true })
  })
  const ask = (service: Service, cursor = '') => service.ask(`${route.path}?limit=2${cursor && `&cursor=${cursor}`}`)
  assert.deepEqual(idsOf((await ask(one)).json), ['l1-1', 'l1-2'])
  Object.assign(account, { current: 'l2', isKept: true })
  const first = await ask(two)
  assert.deepEqual(idsOf(first.json), ['l2-1', 'l2-2'])
  const last = await ask(one, first.json.nextCursor)
  assert.deepEqual([last.status, idsOf(last.json), last.json.nextCursor], [200, ['l2-3', 'l2-4'], null])
})

test('paging below a verified parent continues after the cached lookup has expired', async (t) => {
  let at = 1_000_000
  const script: Script = (call, res) => {
    if (call.path.endsWith('/appInfos')) return send(res, { data: [{ type: 'appInfos', id: 'i1' }], links: {} })
    const next = call.query.has('cursor') ? {} : { next: `${call.url}&cursor=1` }
    return send(res, { data: [{ type: 'territoryAgeRatings', id: `r${call.query.get('cursor') ?? 0}` }], links: next })
  }
  const { service, close } = await startScripted(script, { steady: () => at })
  t.after(close)
  const path = '/apps/a1/app-infos/i1/territory-age-ratings'
  const { nextCursor } = (await service.ask(path)).json
  at += 700_000
  const { status, json } = await service.ask(`${path}?cursor=${nextCursor}`)
  assert.deepEqual([status, idsOf(json), json.nextCursor], [200, ['r1'], null])
})
