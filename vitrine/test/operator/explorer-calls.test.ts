import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, listing, answerRead, page } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'
import { pausedPlatform } from '../support/paced-platform.ts'
import { apart, startExplorer } from './explorer-reads.ts'

test('platform calls are shown in order, as they were sent, with duration and outcome', async (t) => {
  const { read, platform } = await startExplorer(t, answerRead(listing, listing.healthy))
  const { told } = await read(listing.path)
  assert.deepEqual(
    told.asked.map(({ purpose, get, accept, status, code }: any) => [purpose, get, accept, status, code]),
    [
      [
        'find the one localization with exactly this locale; every page is read',
        '/v1/appEvents/e1/localizations?fields%5BappEventLocalizations%5D=locale&limit=200',
        'application/json',
        200,
        null,
      ],
      [
        'read the answer',
        '/v1/appEventLocalizations/l1/relationships/appEventScreenshots?limit=50',
        'application/json',
        200,
        null,
      ],
    ],
  )
  assert.deepEqual(
    told.asked.map(({ get }: any) => get),
    platform.calls.map(({ url }) => url),
  )
  for (const { tookMs } of told.asked) assert.ok(tookMs > 0 && tookMs <= told.tookMs)
  const { waitedMs, platformMs, ...cost } = told.cost
  assert.deepEqual(cost, { calls: 2, retries: 0, shared: 0, cache: null })
  assert.ok(waitedMs >= 0 && platformMs > 0 && platformMs <= told.tookMs)
  assert.deepEqual([told.operation, told.status, told.reason], ['listEventScreenshotIds', 200, null])

  const again = (await read(listing.path)).told
  assert.deepEqual([again.asked.length, again.cost.calls], [1, 1], 'what the lookup found is remembered')
})

test('every page of a lookup is shown, and a missing membership ends it', async (t) => {
  const { read } = await startExplorer(t, ({ query, url }, res) => {
    const next = `https://platform${url}&cursor=Mg`
    const links = query.has('cursor') ? {} : { next: next.replace('https://platform', '') }
    send(res, { data: [{ type: 'appInfos', id: query.has('cursor') ? 'i9' : 'i8' }], links })
  })
  const { told } = await read(guard.path)
  assert.deepEqual([told.status, told.asked.length, told.cost.calls], [404, 2, 2])
  assert.ok(told.asked.every(({ purpose }: any) => purpose.startsWith('prove that the child belongs to the parent')))
  assert.ok(told.asked[1].get.endsWith('&cursor=Mg'))
})

test('a retried call is shown once, with the last status; a failed one with its code', async (t) => {
  let asked = 0
  const { read, platform } = await startExplorer(t, (_, res) =>
    asked++ === 0 ? refuse(res, 503, 'UNAVAILABLE') : send(res, page.healthy),
  )
  const { told } = await read(page.path)
  assert.deepEqual([told.asked.length, told.asked[0].status, told.asked[0].code], [1, 200, null])
  assert.deepEqual([told.cost.calls, told.cost.retries], [2, 1])

  platform.script = (_, res) => refuse(res, 404, 'NOT_FOUND')
  const gone = (await read(page.path)).told
  assert.deepEqual([gone.asked[0].status, gone.asked[0].code, gone.status], [404, 'resource_not_found', 404])

  platform.script = (_, res) => refuse(res, 429, 'RATE_LIMIT_EXCEEDED', undefined, { 'retry-after': '7' })
  const limited = (await read(page.path)).told
  assert.deepEqual([limited.status, limited.asked[0].status], [429, 429])
  assert.ok(limited.retryAfterSec >= 6 && limited.retryAfterSec <= 8, String(limited.retryAfterSec))
  const waiting = (await read(page.path)).told
  assert.deepEqual([waiting.asked[0].status, waiting.cost.calls], [null, 0], 'the key is not asked meanwhile')
})

test('shared calls and cached answers are shown as such', async (t) => {
  const { waiting, script, release } = pausedPlatform()
  const { through, service, platform } = await startExplorer(t, script, { file: { cacheSeconds: 60 } })
  const public1 = service.ask(page.path)
  await until(() => waiting.length === 1)
  const mine = through(page.path)
  await until(() => service.events.some(({ kind }) => kind === 'shared'))
  release()
  const { told, body } = apart(await mine)
  assert.deepEqual([told.asked, told.cost.shared, told.cost.calls, told.cost.cache], [[], 1, 0, 'miss'])
  assert.equal(body, (await public1).text)

  const second = apart(await through(page.path))
  assert.deepEqual([second.told.asked, second.told.cost.cache, second.told.cost.calls], [[], 'hit', 0])
  assert.equal(second.body, body)
  assert.equal(platform.calls.length, 1)
})

test('an answer that the operator read is cached for keys, with the same cursor', async (t) => {
  const next: Script = ({ url }, res) => send(res, { ...page.healthy, links: { next: `${url}&cursor=Mg` } })
  const { read, service, platform } = await startExplorer(t, next, { file: { cacheSeconds: 60 } })
  const { body } = await read(page.path)
  const there = await service.ask(page.path)
  assert.equal(there.text, body)
  assert.match(String(there.headers['cache-status']), /hit/)
  assert.ok(there.json.nextCursor.length > 20)
  assert.equal(platform.calls.length, 1)
})

test('a key that waits for the same platform read is answered by the call of the operator', async (t) => {
  const { waiting, script, release } = pausedPlatform()
  const { through, service, platform } = await startExplorer(t, script)
  const mine = through(page.path)
  await until(() => waiting.length === 1)
  const there = service.ask(page.path)
  await until(() => service.events.some(({ kind }) => kind === 'shared'))
  release()
  const { told, body } = apart(await mine)
  assert.deepEqual([told.asked.length, told.asked[0].status, told.cost.shared], [1, 200, 0])
  assert.equal((await there).text, body)
  assert.equal(platform.calls.length, 1)
})
