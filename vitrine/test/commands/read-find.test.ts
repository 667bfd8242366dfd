// `vitrine read --find`: a search depth first, over the sandbox and over lists whose first branches are empty.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { callerOf, runInShell, vitrine } from '../support/command-line.ts'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startOverSandbox, startScripted } from '../support/service.ts'

const { service, close } = await startOverSandbox()
const env = callerOf(service)
test.after(close)

test('--find reads the lists that give the ids, and shows each step on standard error', async () => {
  const ratings = ['read', '--find', 'listTerritoryAgeRatings', '--app', '6446998001', '--limit', '2']
  const { code, out, err } = await vitrine(ratings, env)
  assert.equal(code, 0, err)
  const [first] = JSON.parse(out).items
  assert.deepEqual([first.appId, first.appInfoId], ['6446998001', '0b5c7d12-6e3f-4a80-9c41-0c0000000012'])
  assert.match(first.territoryId, /^[A-Z]{3}$/)
  assert.match(
    err,
    /listAppInfos --appId 6446998001: appInfoId 0b5c7d12-6e3f-4a80-9c41-0c0000000012 \(the first of 2\)/,
  )
  const german = ['read', 'listEventScreenshotIds', '--find', '--app', '6446998001', '--locale', 'de-DE']
  assert.equal(JSON.parse((await vitrine(german, env)).out).items.length, 2)
})

test('--find says what it lacks, and never answers with nothing', async () => {
  const video = await vitrine(['read', 'listLibraryVideoPlacements', '--find'], env)
  assert.deepEqual([video.code, video.out], [2, ''])
  assert.match(video.err, /needs an id that no operation lists/)
  const none = await vitrine(['read', 'getEvent', '--find', '--app', '6446998003'], env)
  assert.deepEqual([none.code, none.out], [2, ''])
  assert.match(none.err, /listEvents --appId 6446998003: no eventId/)
  assert.match(none.err, /Nothing leads to getEvent/)
  const absent = await vitrine(['read', 'getEvent', '--find', '--app', '1'], env)
  assert.notEqual(absent.code, 0)
  assert.match(absent.err, /resource_not_found|no resource/i)
  assert.equal((await vitrine(['read', 'getEvent', '--app', '1'], env)).code, 2)
})

test('--find goes on to the next row where a branch is empty, and prints the command that it found', async () => {
  const status = ['read', 'getAppClipDomainDebugStatus', '--find', '--app', '6446998001', '--connection', 'acme']
  const { code, out, err } = await vitrine(status, env)
  assert.equal(code, 0, err)
  assert.ok(Array.isArray(JSON.parse(out).domains))
  assert.match(err, /listBuilds --appId 6446998001: buildId \S+ \(the first of 4\)/)
  assert.match(err, /listBuildBundleIds --buildId \S+: no buildBundleId\nbuildId \S+ leads no further\nlistBuilds/)
  const found = /^Found: (?:bin\/)?\S*vitrine (read .*)$/m.exec(err)?.[1] ?? assert.fail(err)
  assert.match(found, /^read getAppClipDomainDebugStatus --buildBundleId \S+ --connection acme$/)
  assert.equal((await runInShell(`$0 ${found}`, env)).out, out)
})

const listed = (type: string, ids: readonly string[], { query, headers, path }: Call, from = 0) => {
  const at = Number(query.get('cursor') ?? from)
  const count = Math.min(Number(query.get('limit') ?? 50), ids.length - at)
  const next = new URLSearchParams(query)
  next.set('cursor', String(at + count))
  const link = at + count < ids.length ? { next: `http://${headers.host}${path}?${String(next)}` } : {}
  const data = ids
    .slice(at, at + count)
    .map((id) => ({ type, id, attributes: type === 'appEvents' ? {} : { locale: id } }))
  return { data, links: { self: `http://${headers.host}${path}`, ...link } }
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `e${i + 1}`)

/** an app with events of which one has a localization; the operation that is searched answers below it */
async function startEvents(t: TestContext, { events, localized }: { events: string[]; localized?: string }) {
  const {
    service: scripted,
    platform,
    close: end,
  } = await startScripted((call, res) => {
    if (call.path === '/v1/apps/1/appEvents') return send(res, listed('appEvents', events, call))
    if (call.path === `/v1/appEvents/${localized}/localizations`)
      return send(res, listed('appEventLocalizations', ['en-US'], call))
    if (call.path.endsWith('/localizations')) return send(res, listed('appEventLocalizations', [], call))
    return send(res, listed('appEventScreenshots', ['s1'], call))
  })
  t.after(end)
  return { platform, env: callerOf(scripted) }
}

const screenshots = ['read', '--find', 'listEventScreenshotIds', '--app', '1']

test('--find reads further pages where no row of a page leads on', async (t) => {
  const { env: own } = await startEvents(t, { events: ['e1', ...Array(199).fill('e1'), 'late'], localized: 'late' })
  const { code, out, err } = await vitrine(screenshots, own)
  assert.equal(code, 0, err)
  assert.deepEqual(JSON.parse(out), { items: ['s1'], nextCursor: null })
  assert.match(err, /eventId e1 \(the first of 1, and more pages\)/)
  assert.match(err, /listEvents --appId 1 \(page 2\): eventId late/)
  assert.match(err, /^Found: \S+ read listEventScreenshotIds --eventId late --locale en-US$/m)
})

test('--find prints a command that runs, also for an id that begins with --', async (t) => {
  const { env: own } = await startEvents(t, { events: ['--all'], localized: '--all' })
  const { code, out, err } = await vitrine(screenshots, own)
  assert.equal(code, 0, err)
  const found = /^Found: \S+ (read .*)$/m.exec(err)?.[1] ?? assert.fail(err)
  assert.equal(found, 'read listEventScreenshotIds --eventId=--all --locale en-US')
  assert.equal((await runInShell(`$0 ${found}`, own)).out, out)
})

test('--find that has looked through everything says so, and how much that was', async (t) => {
  const { env: own } = await startEvents(t, { events: numbered(3) })
  const { code, out, err } = await vitrine(screenshots, own)
  assert.deepEqual([code, out], [2, ''])
  assert.match(
    err,
    /Nothing leads to listEventScreenshotIds\. Everything was looked through: 3 rows on 1 page of listEvents, 0 rows on 3 pages of listEventLocalizations\./,
  )
})

test('--find that has used its requests says where it stopped, and never that there is nothing', async (t) => {
  const { env: own, platform } = await startEvents(t, { events: numbered(150), localized: 'e120' })
  const { code, out, err } = await vitrine(screenshots, own)
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /stopped after 100 requests, before listEventLocalizations --eventId e100\./)
  assert.match(err, /It looked through 150 rows on 1 page of listEvents, 0 rows on 99 pages of listEventLocalizations/)
  assert.match(err, /what comes after was not looked at/)
  assert.doesNotMatch(err, /Nothing leads/)
  assert.equal(platform.calls.length, 100)
  assert.equal((await vitrine([...screenshots.slice(0, 3), '--eventId', 'e120'], own)).code, 0)
})

test('--find goes on where what it found is absent, and fails where the platform does', async (t) => {
  const promoted = (id: string) => ({ data: { type: 'promotedPurchases', id, attributes: { enabled: true } } })
  let isDown = false
  const { service: scripted, close: end } = await startScripted((call, res) => {
    if (call.path.endsWith('/subscriptionGroups')) return send(res, listed('subscriptionGroups', ['g1'], call))
    if (call.path.endsWith('/subscriptions')) return send(res, listed('subscriptions', ['s1', 's2'], call))
    if (isDown) return refuse(res, 403, 'FORBIDDEN_ERROR')
    return call.path === '/v1/subscriptions/s2/promotedPurchase'
      ? send(res, promoted('p2'))
      : refuse(res, 404, 'NOT_FOUND')
  })
  t.after(end)
  const asked = ['read', '--find', 'getPromotedPurchase', '--app', '1']
  const { code, out, err } = await vitrine(asked, callerOf(scripted))
  assert.deepEqual([code, JSON.parse(out).id], [0, 'p2'], err)
  assert.match(err, /getPromotedPurchase --subscriptionId s1: absent\nsubscriptionId s1 leads no further/)
  isDown = true
  const refused = await vitrine(asked, callerOf(scripted))
  assert.deepEqual([refused.code, refused.out], [3, ''])
  assert.doesNotMatch(refused.err, /leads no further|Nothing leads/)
})
