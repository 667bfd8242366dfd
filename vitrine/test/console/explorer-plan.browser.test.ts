// The platform calls in the explorer: planned, made, and saved by the cache or by sharing.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openConsole } from '../support/console-scene.ts'
import { send } from '../support/scripted-platform.ts'
import { openExplorer, openScripted } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

test('the plan makes no platform call, and the calls of the read are shown line by line', async (t) => {
  const scripted = await openScripted(t)
  if (!scripted) return
  const { scene, calls, now } = scripted
  const type = 'appCustomProductPageLocalizations'
  now.script = ({ path }, res) =>
    path.endsWith('Localizations')
      ? send(res, { data: [{ type, id: 'loc7', attributes: { locale: 'de-DE' } }], links: {} })
      : send(res, { data: [], links: {} })
  const { page, form, field, answer, sendFor, show } = await openExplorer(scene, 'listProductPagePlacements')
  await field('pageVersionId').fill('page 1')
  await field('locale').fill('de-DE')
  await field('limit').fill('3')
  await form.getByRole('button', { name: 'Show plan' }).click()
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText('No platform calls were made for this plan.').waitFor()
  assert.equal(calls.length, 0)
  const steps = await plan.getByRole('listitem').allInnerTexts()
  assert.match(
    steps[0] ?? '',
    /^To find the one localization [^]*Looks for de-DE[^]*\/v1\/appCustomProductPageVersions\/page%201\/appCustomProductPageLocalizations\n/,
  )
  assert.match(
    steps[1] ?? '',
    /\/v1\/appCustomProductPageLocalizations\/\{localizationId\}\/placements\n[^]*\blimit\s+3\b/,
  )
  await field('limit').fill('4')
  await plan.getByText('The form has changed since.').waitFor()
  await plan.getByRole('button', { name: 'Close' }).click()
  await sendFor(200)
  await show('Platform calls')
  const asked = await answer.getByRole('listitem').allInnerTexts()
  assert.equal(asked.length, 2)
  assert.match(
    asked[1] ?? '',
    /^200 [\d.]+ m?s to read the answer, as application\/json\n+GET \/v1\/appCustomProductPageLocalizations\/loc7\/placements\n/,
  )
  assert.match(asked[1] ?? '', /\blimit\s+4\b/)
  assert.deepEqual(
    calls.map(({ path }) => path.split('/').at(-1)),
    ['appCustomProductPageLocalizations', 'placements'],
  )
  await answer.getByText('2 platform calls.').waitFor()
  const widths = await answer
    .locator('.explorer-bar span')
    .evaluateAll((some) => some.map((one) => one.getBoundingClientRect().width))
  const bar = await answer.locator('.explorer-bar').evaluate((one) => one.getBoundingClientRect().width)
  assert.ok(Math.abs(widths.reduce((a, b) => a + b, 0) - bar) < 2, `${widths.join()} of ${bar}`)
  assert.deepEqual(scene.complaints, [])
})

test('a cached response is marked as such, without platform calls', async (t) => {
  const scene = await openConsole(t, { connection: { cacheSeconds: 60 } })
  if (!scene) return
  const { answer, fillExample, sendFor, show } = await openExplorer(scene, 'listApps')
  await fillExample()
  await sendFor(200)
  await show('Platform calls')
  await answer.getByText('1 platform call, the response is now cached.').waitFor()
  await sendFor(200)
  await answer.getByText('Served from the cache: no platform calls.').waitFor()
  await answer.locator('.explorer-status').getByText('cached').waitFor()
  await untilEqual(() => answer.getByRole('listitem').count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test("a read that another request's call answered is told to be shared", async (t) => {
  const waiting: ServerResponse[] = []
  const asked = Promise.withResolvers<void>()
  const scene = await openConsole(t, {
    over: (_, res) => {
      waiting.push(res)
      asked.resolve()
    },
  })
  if (!scene) return
  const { form, answer, send: press, show } = await openExplorer(scene, 'getEvent')
  await form.getByLabel('eventId').fill('1')
  const other = scene.service.ask('/events/1')
  await asked.promise
  await press()
  // it has to reach the call that is under way
  for (let i = 0; !scene.service.events.some(({ kind }) => kind === 'shared'); i++) {
    assert.ok(i < 2_000, 'nothing is shared')
    await setTimeout(5)
  }
  for (const res of waiting) send(res, { data: { type: 'appEvents', id: '1', attributes: { badge: 'LIVE_EVENT' } } })
  assert.equal((await other).status, 200)
  await show('Platform calls')
  await answer.getByText('0 platform calls, 1 read shared with another request.').waitFor()
  assert.equal(waiting.length, 1)
  assert.deepEqual(scene.complaints, [])
})
