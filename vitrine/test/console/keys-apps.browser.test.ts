// The apps of a key in the console: selected by name, shown with name and id, and typed where they cannot be listed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  barriers,
  type ConsoleScene,
  inEachTheme,
  isTooWide,
  openConsole,
  promisesOf,
} from '../support/console-scene.ts'
import { type Call, refuse, send as answer } from '../support/scripted-platform.ts'
import { untilEqual } from '../../../base/test/until.ts'
import { askWith, button, dialog, issue, openForm, panel, send, takeSecret } from './keys-scene.ts'

const chips = (page: Page) => page.getByRole('list', { name: 'Selected apps' }).getByRole('listitem')
const chipTexts = async (page: Page) => (await chips(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))

async function openPicker(page: Page, name: string) {
  await openForm(page, name)
  await dialog(page).getByLabel('acme').check()
  await button(dialog(page), 'Select by name').click()
}

async function selectsByName({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  const form = dialog(page)
  await openForm(page, 'kiln')
  await form.getByText('Select a connection first.').waitFor()
  await untilEqual(() => button(form, 'Select by name').getAttribute('aria-disabled'), 'true')
  await form.getByLabel('acme').check()
  await button(form, 'Select by name').click()
  await form.getByPlaceholder('Search 24 apps').fill('kiln')
  await form.getByLabel('Kiln & Clay').check()
  await form.getByLabel('Search apps').fill('6446998002')
  // by keyboard, and Enter in the search sends nothing
  await page.keyboard.press('Enter')
  await form.getByLabel('Paper Lantern').focus()
  await page.keyboard.press('Space')
  await untilEqual(() => chipTexts(page), ['Kiln & Clay 6446998003 ×', 'Paper Lantern 6446998002 ×'])
  await untilEqual(() => form.getByLabel(/^Apps \(optional\)/).inputValue(), '6446998003, 6446998002')
  await button(form, 'Remove Paper Lantern').focus()
  await page.keyboard.press('Enter')
  await untilEqual(() => chipTexts(page), ['Kiln & Clay 6446998003 ×'])
  await send(page)
  const key = await takeSecret(page)
  assert.deepEqual((await askWith(service, key, '/v1/whoami')).json.apps, ['6446998003'])
  assert.ok((await page.getByRole('row', { name: 'kiln' }).innerText()).includes('6446998003'))
  await page.getByRole('row', { name: 'kiln' }).click()
  await untilEqual(() => chipTexts(page), ['6446998003'])
  await button(panel(page), 'Show names').click()
  await untilEqual(() => chipTexts(page), ['Kiln & Clay 6446998003'])
  await page.context().close()
}

async function looksRight({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: 'two apps', apps: ['6446998001', '6446998002'] })
  for (const [look, context] of inEachTheme) {
    const page = await visit({ path: `/keys?id=${id}`, ...context })
    const check = async (state: string) => {
      assert.deepEqual(await barriers(page), [], `${look}: ${state}`)
      assert.equal(await isTooWide(page), false, `${look}: ${state}`)
      const boxes = page.locator(':is(dialog, .panel)')
      const wide = await boxes.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
      assert.equal(wide, 0, `${look}: ${state} is too wide inside`)
    }
    await button(panel(page), 'Show names').click()
    await panel(page).getByText('Tidal Charts').waitFor()
    await check('the details')
    await button(panel(page), 'Close').click()
    await openPicker(page, 'looks')
    await dialog(page).getByLabel('Fjordwalk').check()
    await check('the picker')
    await page.context().close()
  }
}

/** two pages of apps; the second one may fail */
const manyApps = (state: { fails: boolean }) => (call: Call, res: Parameters<typeof answer>[0]) => {
  const { path, query, headers, url } = call
  if (path !== '/v1/apps') return refuse(res, 404, 'NOT_FOUND')
  const offset = Number(query.get('cursor') ?? 0)
  if (offset > 0 && state.fails) return refuse(res, 403, 'FORBIDDEN')
  const count = offset === 0 ? 200 : 5
  const data = Array.from({ length: count }, (_, i) => ({
    type: 'apps',
    id: `${offset + i + 1}`,
    attributes: { name: `app ${offset + i + 1}` },
  }))
  const self = `http://${headers.host}${url}`
  answer(res, { data, links: { self, ...(offset === 0 && { next: `${self}&cursor=200` }) } })
}

test('the apps of a key are selected by name', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = promisesOf(t, scene)
  await promise('by hand and by keyboard, shown as chips, in the list and in the details', selectsByName)
  await promise('accessible and not too wide, in both themes, wide and narrow', looksRight)
})

test('a list of apps is whole or refused, and ids can be typed without one', async (t) => {
  const state = { fails: true }
  const scene = await openConsole(t, { over: manyApps(state) })
  if (!scene) return
  const page = await scene.page({ path: '/keys' })
  const form = dialog(page)
  await openPicker(page, 'typed')
  await form.getByText('The apps of acme could not be listed: enter their ids.').waitFor()
  assert.equal(await form.getByLabel('Search apps').count(), 0, 'no part of a list is shown')
  await form.getByLabel(/^Apps \(optional\)/).fill('204')
  state.fails = false
  await button(form, 'Try again').click()
  await form.getByPlaceholder('Search 205 apps').waitFor()
  await untilEqual(() => chipTexts(page), ['app 204 204 ×'])
  await form.getByText('Showing the first 100 of 205.').waitFor()
  await form.getByLabel('Search apps').fill('app 205')
  await form.getByLabel('app 205').check()
  await send(page)
  const key = await takeSecret(page)
  assert.deepEqual((await askWith(scene.service, key, '/v1/whoami')).json.apps, ['204', '205'])
  await page.context().close()
})
