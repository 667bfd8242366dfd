// `vitrine read --each`: every row of the lists that give the ids, to the end, and a row that fails is named.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { callerOf, hasTerminal, runAtTerminal, bin, vitrine } from '../support/command-line.ts'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startOverSandbox, startScripted } from '../support/service.ts'

const { service, close } = await startOverSandbox()
const env = callerOf(service)
test.after(close)

interface Row {
  readonly id: string
}

/** by the service's own pages */
async function readAll(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ;) {
    const { json } = await service.ask(`${path}${path.includes('?') ? '&' : '?'}limit=200${cursor}`)
    rows.push(...(json['items'] as Row[]))
    if (json['nextCursor'] === null) return rows
    cursor = `&cursor=${encodeURIComponent(String(json['nextCursor']))}`
  }
}

test('--each reads a list of every app to its end, and names the app of each row', async () => {
  const state = 'REPLACED_WITH_NEW_VERSION'
  const wanted: object[] = []
  for (const { id: appId, name } of (await readAll('/apps?fields=name')) as (Row & { name: string })[])
    for (const row of await readAll(`/apps/${appId}/versions?state=${state}&fields=versionString`))
      wanted.push({ appId, appName: name, ...row })
  assert.ok(wanted.length > 20)
  const asked = ['read', '--each', 'listAppVersions', '--state', state, '--fields', 'versionString']
  const { code, out, err } = await vitrine(asked, env)
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(JSON.parse(out), { items: wanted, nextCursor: null, skipped: [] })
  const small = await vitrine([...asked, '--limit', '1', '--output', 'ndjson', '--all'], env)
  assert.deepEqual(
    small.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    wanted,
  )
  const csv = await vitrine([...asked, '--output', 'csv'], env)
  assert.equal(csv.out.split('\r\n')[0], 'appId,appName,id,versionString')
  assert.equal(csv.out.trimEnd().split('\r\n').length, wanted.length + 1)
})

test('--each follows several lists, begins at the ids that are given, and reads single resources', async () => {
  const ratings = await vitrine(['read', '--each', 'listTerritoryAgeRatings', '--app', '6446998001'], env)
  const infos = await readAll('/apps/6446998001/app-infos')
  assert.ok(infos.length > 1)
  const found = JSON.parse(ratings.out).items as { appInfoId: string }[]
  assert.deepEqual(new Set(found.map(({ appInfoId }) => appInfoId)), new Set(infos.map(({ id }) => id)))
  const shots = await vitrine(['read', '--each', 'listEventScreenshotIds', '--app', '6446998001'], env)
  const locales = new Set(JSON.parse(shots.out).items.map(({ locale }: { locale: string }) => locale))
  assert.ok(locales.size > 2 && locales.has('de-DE'))
  const events = await vitrine(['read', '--each', 'getEvent', '--app', '6446998001', '--fields', 'badge'], env)
  const [event] = JSON.parse(events.out).items
  assert.deepEqual(Object.keys(event), ['eventId', 'eventName', 'id', 'badge'])
  assert.equal(event.id, event.eventId)
})

test('a row without such an answer is named in every format, and the exit code says so', async () => {
  const asked = ['read', '--each', 'listEventScreenshotIds', '--locale', 'fr-FR', '--output']
  const json = await vitrine([...asked, 'json'], env)
  const { items, skipped } = JSON.parse(json.out)
  assert.deepEqual([json.code, items.length, skipped.length], [4, 1, 1])
  const [{ at, error }] = skipped
  assert.deepEqual([Object.keys(at), error.code], [['appId', 'eventId'], 'localization_not_found'])
  assert.deepEqual(JSON.parse(json.err).at, at)
  const lines = (await vitrine([...asked, 'ndjson'], env)).out.trimEnd().split('\n')
  assert.equal(lines.length, 2)
  assert.deepEqual(JSON.parse(lines[1] ?? '').at, at)
  const table = await vitrine([...asked, 'table'], env)
  assert.equal(table.code, 4)
  assert.match(table.out, new RegExp(`Not read: ${at.appId} ${at.eventId} \\(localization_not_found\\)\\n$`))
  for (const format of ['table', 'csv'])
    assert.match(
      (await vitrine([...asked, format], env)).err,
      new RegExp(`Not read: --appId ${at.appId} --eventId ${at.eventId}: .+ \\(localization_not_found, req_`),
    )
})

/** 205 apps with one version each, except where `answer` says otherwise */
async function startManyApps(t: TestContext, answer: (app: number) => number | undefined) {
  const apps = Array.from({ length: 205 }, (_, i) => ({ type: 'apps', id: `${i + 1}`, attributes: { name: `a${i}` } }))
  const { service, close } = await startScripted(({ path, query, headers, url }: Call, res) => {
    const self = `http://${headers.host}${url}`
    if (path === '/v1/apps') {
      const offset = Number(query.get('cursor') ?? 0)
      const next = `${self}&cursor=200`
      return send(res, { data: apps.slice(offset, offset + 200), links: { self, ...(offset === 0 && { next }) } })
    }
    const app = Number(/^\/v1\/apps\/(\d+)\/appStoreVersions$/.exec(path)?.[1])
    const status = answer(app)
    if (status !== undefined) return refuse(res, status, 'NO')
    const data = [{ type: 'appStoreVersions', id: `v${app}`, attributes: { versionString: '1.0' } }]
    send(res, { data, links: { self } })
  })
  t.after(close)
  return callerOf(service)
}

const versions = ['read', '--each', 'listAppVersions', '--fields', 'versionString', '--output']

test('every page of the list of apps is read, and one app that is gone does not hide the others', async (t) => {
  const env = await startManyApps(t, (app) => (app === 7 ? 404 : undefined))
  const { code, out } = await vitrine([...versions, 'json'], env)
  const { items, skipped } = JSON.parse(out)
  assert.deepEqual([code, items.length, items.at(-1).appId], [4, 204, '205'])
  assert.deepEqual([skipped.length, skipped[0].at, skipped[0].error.code], [1, { appId: '7' }, 'resource_not_found'])
})

test('any other failure ends the read, names the row, and nothing looks complete', async (t) => {
  const env = await startManyApps(t, (app) => (app === 3 ? 403 : undefined))
  for (const format of ['json', 'table']) {
    const { code, out, err } = await vitrine([...versions, format], env)
    assert.deepEqual([code, out], [3, ''], err)
    assert.match(err, format === 'json' ? /^\{"at":\{"appId":"3"\},"error"/ : /while read {2}--appId 3\n/)
  }
  const { out } = await vitrine([...versions, 'ndjson'], env)
  const lines = out.trimEnd().split('\n')
  const { at, error, items } = JSON.parse(lines.at(-1) ?? '')
  assert.deepEqual([lines.length, at, typeof error.code, items], [3, { appId: '3' }, 'string', 2])
})

test('what was given is not a row: its failure is the answer, and a wrong wish is refused before anything is sent', async () => {
  const absent = await vitrine(['read', '--each', 'listAppVersions', '--app', '1'], env)
  assert.deepEqual([absent.code, absent.out], [4, ''])
  assert.equal(JSON.parse(absent.err).at, undefined)
  for (const more of [
    ['listAppVersions', '--find'],
    ['listAppVersions', '--cursor', 'x'],
    ['listLibraryVideoPlacements'],
  ]) {
    const { code, out, err } = await vitrine(['read', '--each', ...more], env)
    assert.deepEqual([code, out], [2, ''], err)
    assert.match(err, /leave out --find|leave out --cursor|an id that no operation lists/)
  }
})

test('at 80 columns the tables show what was asked for, and leave out ids first', { skip: !hasTerminal }, async () => {
  const fields = '--fields platform,versionString,appVersionState'
  const review = await runAtTerminal(`${bin} read --each listAppVersions --state IN_REVIEW ${fields}`, env)
  assert.match(review.out, /appName +platform +versionString +appVersionState +appId/)
  assert.match(review.out, /^Kiln & Clay +IOS +2\.0 +IN_REVIEW +6446998003$/m)
  const ratings = await runAtTerminal(`${bin} read --find listTerritoryAgeRatings --app 6446998001 --limit 3`, env)
  assert.match(ratings.out, /^FOUR_PLUS +AFG /m)
  assert.match(ratings.out, /Omitted for lack of width: id\./)
})
