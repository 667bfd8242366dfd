// The explorer: an operation is chosen, its form filled in, checked and sent, and the response shown.
import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { openConsole, tracesOf } from '../support/console-scene.ts'
import { cellsIn, openExplorer } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const uncursored = ({ nextCursor, ...body }: Record<string, unknown>) => ({
  ...body,
  ...(nextCursor !== undefined && { more: nextCursor !== null }),
})

test('every operation can be opened, and its example sent and shown', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const explorer = await openExplorer(scene, 'listApps')
  const { page, answer, choose, fillExample, sendFor, json, show } = explorer
  for (const { operation, example, shape } of routes) {
    await choose(operation)
    await fillExample()
    await sendFor(200)
    const { json: expected } = await scene.service.ask(example)
    await show(shape === 'page' || shape === 'ids' ? 'Table' : 'Fields')
    if (expected.items) {
      const ids: string[] = expected.items.map((item: { id: string } | string) =>
        typeof item === 'string' ? item : item.id,
      )
      await untilEqual(() => answer.getByRole('grid').getAttribute('aria-rowcount'), String(ids.length + 1), operation)
      assert.deepEqual(
        (await cellsIn(answer)).map(([id]) => id),
        ids,
      )
    } else {
      const id = answer.locator('dt', { hasText: /^id$/ }).locator('+ dd')
      await untilEqual(() => id.innerText(), String(expected.id), operation)
    }
    assert.deepEqual(uncursored(JSON.parse(await json())), uncursored(expected), operation)
    assert.equal(new URL(page.url()).search, `?connection=acme&operation=${operation}`)
  }
  assert.deepEqual(scene.complaints, [])
})

test('an invalid value is reported at its field with what is allowed, and nothing is sent', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, field, send, targets, answer, sendFor } = await openExplorer(scene, 'listBetaFeedbackSubmissions')
  await field('limit').fill('201')
  await form.getByText('more parameters').click()
  await field('deviceModel').fill('a,,b')
  await form.getByText('more parameters').click()
  await send()
  await form.getByText('Required. Enter an ID or browse for one.').waitFor()
  await field('appId').and(page.locator(':focus')).waitFor()
  await untilEqual(() => field('appId').getAttribute('aria-invalid'), 'true')
  await form.getByText('Enter a whole number from 1 to 200.').waitFor()
  await untilEqual(() => form.getByText('A value is missing next to a comma.').isVisible(), true, 'the fold has opened')
  // a corrected field loses its fault, and the others keep theirs
  await field('appId').fill(' 6446998001 ')
  await untilEqual(() => form.getByText('Required. Enter an ID').count(), 0)
  await untilEqual(() => form.getByText('Enter a whole number from 1 to 200.').count(), 1)
  await field('limit').fill('1')
  await page.keyboard.press('Control+Enter')
  await form.getByText('A value is missing next to a comma.').waitFor()
  await field('deviceModel').and(page.locator(':focus')).waitFor()
  assert.deepEqual(targets, [])
  await answer.getByText('Nothing sent yet.').waitFor()
  await field('deviceModel').fill('Mac15,6')
  await sendFor(200)
  assert.deepEqual(targets, ['/apps/6446998001/beta-feedback-screenshot-submissions?deviceModel=Mac15,6&limit=1'])
  assert.deepEqual(scene.complaints, [])
})

test('without a connection nothing is sent, and the form says so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, targets } = await openExplorer(scene, 'listApps', { connection: '' })
  await page.getByRole('region', { name: 'Code samples' }).getByText('Select a connection first.').waitFor()
  await page.keyboard.press('Control+Enter')
  await form.getByText('Select a connection first.').waitFor()
  assert.deepEqual(targets, [])
  assert.deepEqual(scene.complaints, [])
})

test('values are chosen from lists: several, one direction each, and fields all or none', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, sendFor, targets, answer } = await openExplorer(scene, 'listApps')
  await form.getByText('more parameters').click()
  await form.locator('summary', { hasText: 'versionState' }).click()
  await form.getByRole('checkbox', { name: 'REJECTED', exact: true }).check()
  await form.getByRole('checkbox', { name: 'READY_FOR_DISTRIBUTION' }).check()
  await form.getByRole('group', { name: 'versionPlatform' }).getByRole('checkbox', { name: 'IOS', exact: true }).check()
  const order = form.getByRole('group', { name: 'sort' })
  await order.getByLabel('sku').selectOption('descending')
  await order.getByLabel('name').selectOption('ascending')
  await order.getByLabel('sku').selectOption('ascending')
  await order.getByText('Sorted by sku, then by name.').waitFor()
  const fields = form.locator('.explorer-fold', { has: page.locator('summary', { hasText: 'fields' }) })
  await fields.locator('summary').click()
  await fields.getByRole('button', { name: 'All' }).click()
  await untilEqual(() => fields.getByRole('checkbox', { checked: true }).count(), 12)
  await fields.getByText('12 of 12').waitFor()
  await fields.getByRole('button', { name: 'None' }).click()
  await fields.getByText('all fields', { exact: true }).waitFor()
  await fields.getByText('Returned only while no fields are selected: appStoreIconId').waitFor()
  await fields.getByRole('checkbox', { name: 'sku' }).check()
  await fields.getByRole('checkbox', { name: 'name' }).check()
  await sendFor(200)
  assert.deepEqual(targets, [
    '/apps?versionPlatform=IOS&versionState=READY_FOR_DISTRIBUTION,REJECTED&sort=sku,name&fields=name,sku',
  ])
  await answer.getByRole('grid').waitFor()
  assert.deepEqual(await answer.getByRole('columnheader').allInnerTexts(), ['id', 'name', 'sku'])
  assert.deepEqual(scene.complaints, [])
})

test('an empty list says so, and names its filters', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { form, field, sendFor, answer } = await openExplorer(scene, 'listApps')
  await form.getByText('more parameters').click()
  await field('bundleId').fill('nobody.has.this')
  await sendFor(200)
  await answer.getByText('The list is empty for:').waitFor()
  await answer.getByText('bundleId = nobody.has.this').waitFor()
  await untilEqual(() => answer.getByRole('button', { name: 'Next page' }).count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('typed text stays per operation while one navigates, and is kept nowhere else', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, field, choose, fillExample, sendFor, answer } = await openExplorer(scene, 'getEvent')
  await field('eventId').fill('typed-and-kept-nowhere')
  await choose('listApps')
  await fillExample()
  await sendFor(200)
  await page.goBack()
  await untilEqual(() => field('eventId').inputValue(), 'typed-and-kept-nowhere')
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByRole('link', { name: 'Explorer' }).click()
  await untilEqual(() => field('eventId').inputValue(), 'typed-and-kept-nowhere')
  await choose('listApps')
  await untilEqual(() => field('limit').inputValue(), '2')
  await answer.getByRole('grid').waitFor()
  const traces = await tracesOf(page)
  assert.ok(!traces.includes('typed-and-kept-nowhere') && traces.includes('operation=listApps'))
  // the next operator finds nothing of it
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').fill(scene.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await answer.getByText('Nothing sent yet.').waitFor()
  await untilEqual(() => field('limit').inputValue(), '')
  assert.deepEqual(scene.complaints, [])
})
