import assert from 'node:assert/strict'
import test from 'node:test'
import { callerOf, startLongList, vitrine } from '../support/command-line.ts'
import { startOverSandbox } from '../support/service.ts'

const { service, close } = await startOverSandbox()
const env = callerOf(service)
test.after(close)

const feedback = ['read', 'listBetaFeedbackSubmissions', '--appId', '6446998001']

test('one page behind a pipe is the body of the service, and says that there is more', async () => {
  const { code, out, err } = await vitrine(['read', 'listApps', '--limit', '3', '--fields', 'name,bundleId'], env)
  assert.equal(code, 0, err)
  const told = JSON.parse(out)
  assert.deepEqual(Object.keys(told), ['items', 'nextCursor'])
  assert.deepEqual(told.items[0], {
    id: '6446998001',
    name: 'Tidal Charts',
    bundleId: 'com.example.northlight.tidal-charts',
  })
  assert.equal(told.items.length, 3)
  assert.match(err, /There are more pages\. --all reads all of them/)
  assert.ok(err.includes(`--cursor ${told.nextCursor}\n`))
  const next = await vitrine(['read', 'listApps', '--limit', '200', '--cursor', told.nextCursor], env)
  assert.equal(JSON.parse(next.out).items[0].id, '6446998004')
  assert.deepEqual([JSON.parse(next.out).nextCursor, next.err], [null, ''])
})

test('one resource and one id are the body of the service', async () => {
  const event = ['read', 'getEvent', '--event-id', '3f0c1b52-8a64-4e5e-9d10-0e0000000003', '--fields=badge']
  assert.deepEqual(JSON.parse((await vitrine(event, env)).out), {
    id: '3f0c1b52-8a64-4e5e-9d10-0e0000000003',
    badge: 'LIVE_EVENT',
  })
  const { out } = await service.ask('/apps/6446998001/versions/ids').then(async ({ json }) => ({
    ...(await vitrine(['read', 'listAppVersionIds', '--appId', '6446998001', '--output', 'ndjson'], env)),
    json,
  }))
  for (const line of out.trim().split('\n')) assert.equal(typeof JSON.parse(line), 'string')
})

test('--all reads to the end in every format, and complete output is equal', async () => {
  const rows = (await vitrine([...feedback, '--all', '--output', 'ndjson', '--limit', '20'], env)).out
  const items = rows
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(items.length > 20)
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length)
  const json = JSON.parse((await vitrine([...feedback, '--all', '--output', 'json'], env)).out)
  assert.deepEqual(json, { items, nextCursor: null })
  const csv = (await vitrine([...feedback, '--all', '--output', 'csv', '--fields', 'createdDate,screenshots'], env)).out
  const lines = csv.trimEnd().split('\r\n')
  assert.equal(lines[0], 'id,createdDate,screenshots')
  assert.equal(lines.length, items.length + 1)
  assert.match(lines[1] ?? '', /^Aw2baY69kYmEODbY6C5Xyz5,2026-01-05T[^,]+,"\[.*\]"$/)
})

test('an integer beyond what numbers hold keeps its digits in json, ndjson and csv', async (t) => {
  const attributes = { assetPackIdentifier: 'a', usedBytes: '#' }
  const text = JSON.stringify({ data: { type: 'backgroundAssets', id: 'b1', attributes } })
  const { service, platform } = await startLongList(t, { size: 0 })
  platform.script = (_call, res) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(text.replace('"#"', '9007199254740993'))
  const args = ['read', 'getBackgroundAsset', '--backgroundAssetId', 'b1', '--fields', 'usedBytes', '--output']
  for (const [format, wanted] of Object.entries({
    json: '{\n  "id": "b1",\n  "usedBytes": 9007199254740993\n}\n',
    ndjson: '{"id":"b1","usedBytes":9007199254740993}\n',
    csv: 'id,usedBytes\r\nb1,9007199254740993\r\n',
    table: 'id         b1\nusedBytes  9007199254740993\n',
  }))
    assert.equal((await vitrine([...args, format], callerOf(service))).out, wanted)
})

test('an empty list is an empty list in every format', async (t) => {
  const { env } = await startLongList(t, { size: 0 })
  const args = ['read', 'listApps', '--fields', 'name', '--output']
  for (const [format, wanted] of Object.entries({
    json: '{\n  "items": [],\n  "nextCursor": null\n}\n',
    ndjson: '',
    csv: 'id,name\r\n',
    table: 'No items.\n',
  }))
    for (const more of [[], ['--all']]) {
      const { code, out, err } = await vitrine([...args, format, ...more], env)
      assert.deepEqual([code, out, err], [0, wanted, ''])
    }
})

test('the exit code tells the class of the failure, and the error its code, its request and its page', async () => {
  const table = ['--output', 'table']
  const gone = await vitrine(['read', 'getEvent', '--eventId', 'nope', ...table], env)
  assert.deepEqual([gone.code, gone.out], [4, ''])
  assert.match(gone.err, /^vitrine: The resource or its parent does not exist/)
  assert.match(gone.err, /code {8}resource_not_found\n {2}request id {2}req_\S+\n/)
  assert.ok(gone.err.includes(`about it    ${service.url}/errors/resource_not_found\n`))
  const limited = { ...env, VITRINE_KEY: await service.issue({ groups: ['apps'] }) }
  assert.equal((await vitrine(['read', 'getEvent', '--eventId', 'e', ...table], limited)).code, 3)
  const cursor = await vitrine(['read', 'listApps', '--cursor', 'x', ...table], env)
  assert.deepEqual([cursor.code, /cursor_invalid \(invalid_query\)/.test(cursor.err)], [2, true])
  const dots = await vitrine(['read', 'getEvent', '--eventId', '..', ...table], env)
  assert.equal(dots.code, 2)
})

test('a program behind both pipes gets the error as the service words it', async () => {
  const { code, out, err } = await vitrine(['read', 'getEvent', '--eventId', 'nope'], env)
  assert.deepEqual([code, out], [4, ''])
  const { error } = JSON.parse(err)
  assert.deepEqual([error.type, error.code, error.retryable], ['resource_not_found', 'resource_not_found', false])
  assert.match(error.requestId, /^req_/)
})

test('whoami says what the key may read', async () => {
  const key = await service.issue({ name: 'dashboards', connections: ['acme'], groups: ['apps'] })
  const told = await vitrine(['whoami'], { VITRINE_URL: service.url, VITRINE_KEY: key })
  assert.equal(told.code, 0, told.err)
  const { name, connections, groups } = JSON.parse(told.out)
  assert.deepEqual([name, connections, groups], ['dashboards', ['acme'], ['apps']])
  const table = await vitrine(['whoami', '--output', 'table'], { VITRINE_URL: service.url, VITRINE_KEY: key })
  assert.match(table.out, /^connections +acme$/m)
  const nowhere = { VITRINE_URL: 'http://127.0.0.1:9', VITRINE_KEY: key }
  const unreached = await vitrine(['whoami'], nowhere)
  assert.deepEqual([unreached.code, JSON.parse(unreached.err).error.type], [6, 'unreachable'])
  assert.match((await vitrine(['whoami', '-o', 'table'], nowhere)).err, /^vitrine: .* cannot be reached/)
  for (const wrong of [['--nope'], ['--output', 'csv'], ['extra'], ['--timeout', '0']])
    assert.equal((await vitrine(['whoami', ...wrong], nowhere)).code, 2, wrong.join(' '))
})

test('without an operation it tells what there is, and help teaches by example', async () => {
  const listed = JSON.parse((await vitrine(['read'], {})).out)
  assert.ok(listed.length >= 29)
  assert.deepEqual(listed[0], { operation: 'listApps', group: 'apps', summary: 'List apps' })
  const list = (await vitrine(['read', '--output', 'table'], {})).out
  assert.match(list, /^reviews\n {2}getCustomerReviewResponse +Read the response/m)
  const help = (await vitrine(['read', 'listTerritoryAgeRatings', '--help'], {})).out
  assert.match(help, /read listTerritoryAgeRatings --appId VALUE --appInfoId VALUE \[options\]/)
  assert.match(help, /read listTerritoryAgeRatings --appId 6446998001 --appInfoId 0b5c7d12-\S+ --limit 3\n/)
  assert.match(help, /What comes back: a list of TerritoryAgeRating/)
  assert.match(help, /The key needs the group apps/)
  const general = (await vitrine(['read', '-h'], {})).out
  for (const code of [0, 1, 2, 3, 4, 5, 6, 130, 141]) assert.match(general, new RegExp(`^  ${code} +\\S`, 'm'))
})

test('the examples that help prints can be pasted', async () => {
  for (const operation of ['listApps', 'getEvent', 'listProductPagePlacementIds', 'getPerformanceOverview']) {
    const { out } = await vitrine(['read', operation, '--help'], {})
    const [, line = ''] = /^Examples\n {2}(\S+ read .*)$/m.exec(out) ?? []
    const { code, err } = await vitrine(line.split(' ').slice(1), env)
    assert.equal(code, 0, `${line}: ${err}`)
  }
})
