// What the explorer shows of responses: pages, exact values, refusals, and no response.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openConsole } from '../support/console-scene.ts'
import { refuse, send } from '../support/scripted-platform.ts'
import { cellsIn, openExplorer, openScripted } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

test('pages are added one by one, and a part never looks like the whole', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { json: whole } = await scene.service.ask('/apps?limit=200&fields=name')
  const { page, field, sendFor, answer, targets, json, show } = await openExplorer(scene, 'listApps')
  const next = answer.getByRole('button', { name: 'Next page' })
  const rows = answer.getByRole('grid')
  const size = Math.ceil(whole.items.length / 3)
  await field('limit').fill(String(size))
  await sendFor(200)
  await answer.getByText(`Page 1: ${size} rows. More available.`, { exact: true }).waitFor()
  await next.click()
  await answer.getByText(`Page 2: ${2 * size} rows. More available.`, { exact: true }).waitFor()
  await untilEqual(() => rows.getAttribute('aria-rowcount'), String(2 * size + 1))
  // changing the form meanwhile makes it another request
  await field('limit').fill('1')
  await page.route('**/operator/v1/read', (route) => route.abort(), { times: 1 })
  await next.click()
  await answer.getByText('The next page could not be loaded.').waitFor()
  await untilEqual(() => rows.getAttribute('aria-rowcount'), String(2 * size + 1))
  await answer.getByText(`Page 2: ${2 * size} rows. More available.`, { exact: true }).waitFor()
  await answer.getByRole('button', { name: 'Try again' }).click()
  await answer.getByText(`All ${whole.items.length} rows, in 3 pages.`, { exact: true }).waitFor()
  await untilEqual(() => next.count(), 0)
  await untilEqual(() => answer.getByRole('alert').count(), 0)
  await untilEqual(() => rows.getAttribute('aria-rowcount'), String(whole.items.length + 1))
  assert.deepEqual(
    targets.map((target) => target.replace(/cursor=.*/, 'cursor=…')),
    [`/apps?limit=${size}`, ...Array(3).fill(`/apps?limit=${size}&cursor=…`)],
  )
  // the JSON is shown page by page, the last page first
  assert.equal(JSON.parse(await json()).items.length, whole.items.length - 2 * size)
  await answer.getByLabel('Page').selectOption('Page 1 of 3')
  const first = JSON.parse(await json())
  assert.deepEqual([first.items.length, first.items[0].id], [size, whole.items[0].id])
  await show('Table')
  assert.deepEqual(scene.complaints, [])
})

test('while the service is down, the old response stays and the request can be retried', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, field, fillExample, sendFor, send, answer } = await openExplorer(scene, 'listApps')
  await fillExample()
  await sendFor(200)
  const before = await cellsIn(answer)
  await page.route('**/operator/v1/read', (route) => route.abort())
  await send()
  await answer.getByText('No response. The previous response is shown below.').waitFor()
  await answer.getByText('Vitrine is not responding.').waitFor()
  assert.deepEqual(await cellsIn(answer), before)
  await untilEqual(() => field('limit').inputValue(), '2')
  await page.unroute('**/operator/v1/read')
  await field('limit').fill('1')
  await answer.getByRole('button', { name: 'Try again' }).click()
  await answer.getByText('Page 1: 1 row. More available.', { exact: true }).waitFor()
  await untilEqual(() => answer.getByRole('alert').count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('a read can be canceled, and the next one is not affected', async (t) => {
  const scripted = await openScripted(t)
  if (!scripted) return
  const { scene, calls, now } = scripted
  const begun = Promise.withResolvers<void>()
  now.script = () => begun.resolve()
  const { form, answer, send: press, sendFor } = await openExplorer(scene, 'listApps')
  await press()
  await begun.promise
  await untilEqual(() => form.getByRole('button', { name: 'Send' }).getAttribute('aria-busy'), 'true')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await answer.getByText('Nothing sent yet.').waitFor()
  now.script = (_, res) => send(res, { data: [{ type: 'apps', id: 'after', attributes: {} }], links: {} })
  await form.getByRole('button', { name: 'Use example' }).click()
  await sendFor(200)
  assert.equal((await cellsIn(answer))[0]?.[0], 'after')
  assert.equal(calls.length, 2)
  assert.deepEqual(scene.complaints, [])
})

test('a long number keeps its digits, and null is not absent', async (t) => {
  const scripted = await openScripted(t)
  if (!scripted) return
  const { scene, now } = scripted
  const attributes = '"diskBytesTotal":9007199254740993,"comment":null,"osVersion":"","screenshots":[]'
  now.script = (_, res) =>
    send(
      res,
      `{"data":[{"type":"betaFeedbackScreenshotSubmissions","id":"1","attributes":{${attributes}}}],"links":{}}`,
    )
  const { page, answer, fillExample, sendFor, json, show } = await openExplorer(scene, 'listBetaFeedbackSubmissions')
  await fillExample()
  await sendFor(200)
  assert.deepEqual(await cellsIn(answer), [['1', '""', '9007199254740993', '[]', '6446998001', 'null']])
  assert.deepEqual(await answer.getByRole('columnheader').allInnerTexts(), [
    'id',
    'osVersion',
    'diskBytesTotal',
    'screenshots',
    'appId',
    'comment',
  ])
  assert.match(await json(), /"diskBytesTotal": 9007199254740993\b/)
  await show('Table')
  await answer.locator('[data-row="0"]').focus()
  await page.keyboard.press('Enter')
  const facts = page.getByRole('dialog')
  const fact = (name: string) =>
    facts
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .locator('+ dd')
      .innerText()
  assert.deepEqual(
    [await fact('diskBytesTotal'), await fact('comment'), await fact('email'), await fact('osVersion')],
    ['9007199254740993', 'null', 'absent', '""'],
  )
  await page.keyboard.press('Escape')
  await answer.locator('[data-row="0"]').and(page.locator(':focus')).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a refused read is shown with its platform calls, and at the field that it names', async (t) => {
  const scripted = await openScripted(t)
  if (!scripted) return
  const { scene, now } = scripted
  const { page, form, field, answer, sendFor } = await openExplorer(scene, 'listApps')
  await form.getByText('more parameters').click()
  await field('sku').fill('strange')
  await form.getByText('more parameters').click()
  now.script = (_, res) => refuse(res, 400, 'PARAMETER_ERROR.INVALID', { parameter: 'filter[sku]' })
  await sendFor(400)
  await answer.getByText('The request was rejected.').waitFor()
  await answer.getByRole('link', { name: 'platform_refused_value' }).waitFor()
  assert.equal(await answer.getByRole('button', { name: 'Try again' }).count(), 0, 'the same would be refused again')
  assert.match(
    await answer.getByRole('listitem').innerText(),
    /^400 platform_refused_value [^]*filter\[sku\]\s+strange/,
  )
  await field('sku').and(page.locator(':focus')).waitFor()
  await untilEqual(() => field('sku').getAttribute('aria-invalid'), 'true')
  now.script = (_, res) => refuse(res, 503, 'SERVICE_UNAVAILABLE', undefined, { 'retry-after': '0' })
  await field('sku').fill('usual')
  await sendFor(503)
  await answer.getByRole('button', { name: 'Try again' }).waitFor()
  await untilEqual(() => field('sku').getAttribute('aria-invalid'), null)
  assert.deepEqual(scene.complaints, [])
})

test('of 200 rows only visible ones are drawn, and all can be reached', async (t) => {
  const scripted = await openScripted(t)
  if (!scripted) return
  const { scene, now } = scripted
  const data = Array.from({ length: 200 }, (_, i) => ({
    type: 'apps',
    id: `app-${i}`,
    attributes: { name: `App ${i}` },
  }))
  now.script = (_, res) => send(res, { data, links: {} })
  const { page, field, answer, sendFor } = await openExplorer(scene, 'listApps')
  await field('limit').fill('200')
  await sendFor(200)
  await answer.getByText('All 200 rows.').waitFor()
  assert.ok((await answer.getByRole('row').count()) < 60)
  await answer.locator('[data-row="0"]').focus()
  await page.keyboard.press('End')
  await answer.locator('[data-row="199"]').and(page.locator(':focus')).waitFor()
  assert.equal((await cellsIn(answer)).at(-1)?.[0], 'app-199')
  assert.ok((await answer.getByRole('row').count()) < 60)
  assert.deepEqual(scene.complaints, [])
})
