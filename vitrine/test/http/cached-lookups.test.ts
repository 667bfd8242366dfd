import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type Call, refuse, type Script, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const placements = '/custom-product-page-versions/p1/localizations/en-US/placements'
const ratings = '/apps/a1/app-infos/i9/territory-age-ratings'
const list = 'list'

interface Account {
  /** the localizations that have the locale, or how their listing is refused */
  found: readonly string[] | number
  /** those that can be read */
  alive: readonly string[]
  pages: number
}

/** what a call is for: the listing, or the id that is read */
const aimOf = ({ path }: Call): string =>
  /\/(appCustomProductPageLocalizations|relationships\/appInfos)$/.test(path) ? list : (path.split('/')[3] ?? '')

const answering =
  (account: Account): Script =>
  (call, res) => {
    const aim = aimOf(call)
    const isOwned = call.path.includes('appInfos')
    if (aim === list) {
      if (typeof account.found === 'number') return refuse(res, account.found, 'CODE')
      const data = isOwned
        ? account.found.map((id) => ({ type: 'appInfos', id }))
        : account.found.map((id) => ({
            type: 'appCustomProductPageLocalizations',
            id,
            attributes: { locale: 'en-US' },
          }))
      return send(res, { data, links: {} })
    }
    if (!account.alive.includes(aim)) return refuse(res, 404, 'NOT_FOUND')
    const at = Number(call.query.get('cursor') ?? 1)
    const next = at < account.pages ? { next: `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}` } : {}
    const type = isOwned ? 'territoryAgeRatings' : 'appAssetLibraryPlacements'
    return send(res, { data: [{ type, id: `${aim}-${at}`, attributes: {} }], links: next })
  }

async function scene(t: TestContext, given: Partial<Account> = {}) {
  let at = 1_000_000
  const account: Account = { found: ['l1'], alive: ['l1'], pages: 1, ...given }
  const { platform, service, close } = await startScripted(answering(account), { steady: () => at })
  t.after(close)
  return {
    account,
    platform,
    service,
    pass: (seconds: number) => void (at += seconds * 1000),
    /** status or code, the first id, and the platform calls made */
    async ask(path = placements, headers: Record<string, string> = {}) {
      platform.calls.length = 0
      const { status, json } = await service.ask(path, { headers })
      return [status === 200 ? json.items[0].id : json.error.code, ...platform.calls.map(aimOf)]
    },
  }
}

for (const [name, path, owner] of [
  ['a walk in one locale', placements, 'l1'],
  ['a walk below a proven parent', ratings, 'i9'],
] as const)
  test(`${name} costs one call for each page and one for its lookup`, async (t) => {
    const { platform, service } = await scene(t, { found: [owner], alive: [owner], pages: 5 })
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json }: { json: any } = await service.ask(`${path}?limit=1${cursor && `&cursor=${cursor}`}`)
      walked.push(json.items[0].id)
      cursor = json.nextCursor
    }
    assert.deepEqual(
      walked,
      [1, 2, 3, 4, 5].map((page) => `${owner}-${page}`),
    )
    assert.deepEqual(platform.calls.map(aimOf), [list, owner, owner, owner, owner, owner])
  })

test('a lookup of one route is cached for the others', async (t) => {
  const { ask } = await scene(t)
  assert.deepEqual(await ask(), ['l1-1', list, 'l1'])
  const { length } = await ask(`${placements}/ids`)
  assert.equal(length, 2)
})

test('another locale or parent needs its own lookup', async (t) => {
  const { ask } = await scene(t, { found: ['l1', 'i9'] })
  await ask(ratings)
  assert.equal((await ask(ratings.replace('a1', 'a2')))[1], list)
  assert.deepEqual(await ask(ratings.replace('i9', 'i8')), ['resource_not_found', list])
  const { ask: askLocale } = await scene(t)
  await askLocale()
  assert.deepEqual(await askLocale(placements.replace('en-US', 'en-GB')), ['localization_not_found', list])
  assert.equal((await askLocale(placements.replace('p1', 'p2')))[1], list)
})

test('a cached localization that is gone is looked up once more, and the new one is read', async (t) => {
  const { account, ask } = await scene(t)
  await ask()
  Object.assign(account, { found: ['l2'], alive: ['l2'] })
  assert.deepEqual(await ask(), ['l2-1', 'l1', list, 'l2'])
  assert.deepEqual(await ask(), ['l2-1', 'l2'])
})

test('if the new lookup finds the same id, the answer stays 404, in at most three calls', async (t) => {
  const { account, ask } = await scene(t)
  await ask()
  account.alive = []
  assert.deepEqual(await ask(), ['resource_not_found', 'l1', list])
  assert.deepEqual(await ask(), ['resource_not_found', 'l1', list], 'and is found out anew each time')
  account.found = ['l2']
  assert.deepEqual(await ask(), ['resource_not_found', 'l1', list, 'l2'])
  account.found = []
  assert.deepEqual(await ask(), ['localization_not_found', 'l2', list])
})

test('a read that fails for another reason than its id causes no lookup', async (t) => {
  const { platform, ask } = await scene(t)
  await ask()
  const healthy = platform.script
  platform.script = (_, res) => refuse(res, 403, 'FORBIDDEN')
  assert.deepEqual(await ask(), ['upstream_forbidden', 'l1'])
  platform.script = healthy
  assert.deepEqual(await ask(), ['l1-1', 'l1'])
})

test('a lookup expires after a minute without use', async (t) => {
  const { pass, ask } = await scene(t)
  await ask()
  for (let i = 0; i < 3; i++) {
    pass(59)
    assert.deepEqual(await ask(), ['l1-1', 'l1'])
  }
  pass(61)
  assert.deepEqual(await ask(), ['l1-1', list, 'l1'])
})

test('a lookup expires after ten minutes, however often it was used', async (t) => {
  const { pass, ask } = await scene(t)
  await ask()
  for (let seconds = 0; seconds < 550; seconds += 50) {
    pass(50)
    assert.deepEqual(await ask(), ['l1-1', 'l1'], `${seconds} s`)
  }
  pass(50)
  assert.deepEqual(await ask(), ['l1-1', list, 'l1'])
})

test('two connections never share cached lookups, even with the same ids', async (t) => {
  const { account, ask } = await scene(t)
  await ask()
  Object.assign(account, { found: ['l2'], alive: ['l1', 'l2'] })
  const other = `/v1/connections/other${placements}`
  assert.deepEqual(await ask(other), ['l2-1', list, 'l2'])
  assert.deepEqual(await ask(), ['l1-1', 'l1'])
  assert.deepEqual(await ask(other), ['l2-1', 'l2'])
})

test('no-cache repeats the lookup and caches its result', async (t) => {
  const { account, ask } = await scene(t)
  await ask()
  Object.assign(account, { found: ['l2'], alive: ['l1', 'l2'] })
  for (const control of ['no-cache', 'no-store', 'max-age=0'])
    assert.deepEqual(await ask(placements, { 'cache-control': control }), ['l2-1', list, 'l2'], control)
  assert.deepEqual(await ask(), ['l2-1', 'l2'])
})

test('a lookup that fails, finds nothing or is ambiguous is never cached', async (t) => {
  const { account, ask } = await scene(t)
  for (const [found, code] of [
    [403, 'upstream_forbidden'],
    [404, 'resource_not_found'],
    [422, 'upstream_failed'],
    [[], 'localization_not_found'],
    [['l1', 'l2'], 'ambiguous_selection'],
  ] as const)
    for (let i = 0; i < 2; i++) {
      account.found = found
      assert.deepEqual(await ask(), [code, list])
    }
  account.found = ['l1']
  assert.deepEqual(await ask(), ['l1-1', list, 'l1'])
})
