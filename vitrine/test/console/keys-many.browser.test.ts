// 2,000 keys and 500 connections: the keys and access pages stay small, and everything can be reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole, promisesOf } from '../support/console-scene.ts'
import type { Service } from '../support/service.ts'
import { askWith, button, dialog, issue, manyConnections, nodes, takeSecret } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const keys = 2_000
const connections = 500

const nameOf = (i: number): string => `key-${String(i).padStart(4, '0')}`

/** the key of the scene itself is the first */
async function fill(service: Service, later: () => void) {
  const ids = Object.keys(manyConnections(connections))
  for (let i = 1; i < keys; i++) {
    later()
    const some = [ids[i % connections], ids[(i * 7) % connections]].filter((id) => id !== undefined)
    await issue(service, { name: nameOf(i), connections: i % 10 === 0 ? ['*'] : [...new Set(some)] })
  }
}

/** the most elements of the page, whatever part of it is in view */
const isSmall = async (page: Page, most: number) => {
  const held = await nodes(page)
  assert.ok(held < most, `${held} elements`)
}

async function listsAll({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/connections' })
  let letGo = () => {}
  const held = new Promise<void>((ok) => (letGo = ok))
  let pages = 0
  await page.route('**/operator/v1/keys?*', async (route) => {
    if (++pages === 3) await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('400 keys. Loading more: sorting and filters apply to the loaded rows only.').waitFor()
  letGo()
  await page.getByText('2,000 keys', { exact: true }).waitFor()
  const table = page.getByRole('grid', { name: 'Keys' })
  await untilEqual(() => table.getAttribute('aria-rowcount'), '2001')
  await page.getByRole('row', { name: nameOf(1_999) }).focus()
  await isSmall(page, 1_500)
  await page.keyboard.press('End')
  await page.locator('[role="row"]:focus', { hasText: 'test' }).waitFor()
  await isSmall(page, 1_500)
  await page.getByRole('searchbox').fill('account-499')
  await page.getByText(/^\d of 2,000 keys$/).waitFor()
  await page.getByRole('searchbox').fill('KEY-0777')
  await page.getByText('1 of 2,000 keys').waitFor()
  await page.getByRole('row', { name: nameOf(777) }).waitFor()
  await page.context().close()
}

async function choosesAmongMany({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('2,000 keys', { exact: true }).waitFor()
  await button(page, 'Create key').click()
  await dialog(page).getByText('Showing the first 100 of 500. Search to find the others.').waitFor()
  await isSmall(page, 2_000)
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('few of many')
  await dialog(page).getByLabel('Search connections').fill('49')
  await untilEqual(() => dialog(page).locator('.chooser-choices input').count(), 15)
  await dialog(page).getByLabel('account-499').check()
  await dialog(page).getByLabel('Search connections').fill('account-00')
  await button(dialog(page), 'Select all 10').click()
  await dialog(page).getByLabel('account-007').uncheck()
  await dialog(page).getByLabel('Search connections').fill('')
  await dialog(page).getByLabel('Show selected only (10)').check()
  await untilEqual(() => dialog(page).locator('.chooser-choices input:checked').count(), 10)
  await button(dialog(page), 'Create key').click()
  const { json } = await askWith(service, await takeSecret(page), '/v1/whoami')
  const low = [0, 1, 2, 3, 4, 5, 6, 8, 9].map((i) => `account-00${i}`)
  assert.deepEqual(json.connections, [...low, 'account-499'])
  await page.context().close()
}

async function drawsWhatIsInSight({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  const all = (await service.running.keys.list()).length
  const grid = page.getByRole('grid')
  await page.getByText(`${new Intl.NumberFormat('en').format(all)} keys`, { exact: true }).waitFor()
  await page.getByText('500 connections', { exact: true }).waitFor()
  await untilEqual(() => grid.getAttribute('aria-rowcount'), String(all + 1))
  await untilEqual(() => grid.getAttribute('aria-colcount'), '501')
  await isSmall(page, 3_000)
  await grid.focus()
  await page.keyboard.press('Control+End')
  await page.locator(`[aria-rowindex="${all + 1}"] [aria-colindex="501"].chosen`).waitFor()
  await page.getByRole('region', { name: 'Selection' }).getByText('of account-499').waitFor()
  assert.ok(await page.locator('.access-column', { hasText: 'account-499' }).isVisible())
  await isSmall(page, 3_000)
  await grid.evaluate((one) => one.scrollTo(12_000, 32_000))
  await page.getByRole('columnheader', { name: 'account-251' }).waitFor()
  await isSmall(page, 3_000)
  await page.getByLabel('Search keys').fill(nameOf(1_777))
  await page
    .getByRole('rowheader', { name: `${nameOf(1_777)} can read all groups of account-277 and account-439` })
    .click()
  await page.getByRole('searchbox', { name: 'Connections' }).fill('account-439')
  assert.deepEqual(await page.locator('.access-row .access-cell').allInnerTexts(), ['all'])
  await page.context().close()
}

async function leadsToOne({ page: visit, service }: ConsoleScene) {
  const { id } = (await service.running.keys.list()).find(({ name }) => name === nameOf(1_998)) ?? assert.fail()
  const page = await visit({ path: `/access?key=${id}` })
  await page.getByText('500 connections', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Selection' }).getByText(nameOf(1_998)).waitFor()
  const [row, grid] = [page.locator('.access-name.chosen'), page.getByRole('grid')]
  await row.waitFor()
  const [inner, outer] = [await row.boundingBox(), await grid.boundingBox()]
  assert.ok(inner && outer && inner.y > outer.y && inner.y + inner.height <= outer.y + outer.height)
  await page.context().close()
}

test('2,000 keys and 500 connections', async (t) => {
  let shift = -keys * 1_000
  const file = { connections: manyConnections(connections) }
  const scene = await openConsole(t, { file, now: () => Date.now() + shift })
  if (!scene) return
  await fill(scene.service, () => void (shift += 1_000))
  const promise = promisesOf(t, scene)
  await promise('the table says what is not loaded yet, draws few rows, and reaches the last', listsAll)
  await promise('connections are found and selected among hundreds', choosesAmongMany)
  await promise('a link to one key leads to its row', leadsToOne)
  await promise('of a million cells only visible ones are drawn, and all can be reached', drawsWhatIsInSight)
})
