// Choosing in the explorer by keyboard and by hand: a connection of 500, an operation by its words, an id from a list.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator } from 'playwright-core'
import { routes } from '../../src/catalogue/index.ts'
import { barriers, isTooWide, inEachTheme, openConsole } from '../support/console-scene.ts'
import { openExplorer } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' }
const numbered = Array.from({ length: 499 }, (_, i) => `studio-${String(i).padStart(3, '0')}`)
const connections = Object.fromEntries(['acme', ...numbered].map((id) => [id, account]))

/** the active choice for a screen reader, while the focus stays in the field */
const meant = (box: Locator) =>
  box.evaluate((field) => {
    const id = field.getAttribute('aria-activedescendant')
    const option = id === null ? null : field.ownerDocument.getElementById(id)
    return option && [option.textContent, option.getAttribute('aria-selected'), option.getAttribute('aria-posinset')]
  })

test('one of 500 connections is found by keyboard, and the field names the active choice', async (t) => {
  const scene = await openConsole(t, { file: { connections } })
  if (!scene) return
  const { page } = await openExplorer(scene, '', { connection: '' })
  const box = page.getByRole('combobox', { name: 'Connection' })
  const option = page.getByRole('listbox', { name: 'Connection' }).getByRole('option')
  await box.focus()
  await untilEqual(() => box.getAttribute('aria-expanded'), 'false', 'coming by opens nothing')
  await page.keyboard.press('ArrowDown')
  await untilEqual(() => box.getAttribute('aria-expanded'), 'true')
  await page.getByText('500 options').waitFor()
  await untilEqual(() => option.first().getAttribute('aria-setsize'), '500')
  assert.ok((await option.count()) <= 150, 'not all are drawn at once')
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await meant(box), ['acmemanaged', 'true', '1'])
  for (let i = 0; i < 30; i++) await page.keyboard.press('PageDown')
  assert.deepEqual(await meant(box), ['studio-299managed', 'true', '301'])
  assert.ok(await page.getByRole('option', { name: 'studio-299' }).isVisible())
  await page.keyboard.press('Escape')
  await untilEqual(() => box.getAttribute('aria-expanded'), 'false')
  await untilEqual(() => box.inputValue(), '')

  await page.keyboard.type('studio 47')
  assert.deepEqual(await meant(box), ['studio-047managed', 'true', '1'])
  await page.getByText('15 options').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await untilEqual(() => box.inputValue(), 'studio-147')
  assert.equal(new URL(page.url()).search, '?connection=studio-147')
  // typed text that is not chosen has no effect
  await page.keyboard.type('nonsense')
  await page.getByText('No matches.').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await untilEqual(() => box.inputValue(), 'studio-147')
  await box.click()
  assert.deepEqual(await meant(box), ['studio-147managed', 'true', '149'])
  assert.deepEqual(scene.complaints, [])
})

test('an operation is found by the words of its group and its summary', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form } = await openExplorer(scene)
  const list = page.getByRole('navigation', { name: 'Operations' })
  await untilEqual(() => list.getByRole('link').count(), routes.length)
  const box = page.getByRole('combobox', { name: 'Operation' })
  await box.fill('commerce win-back prices')
  await untilEqual(() => page.getByRole('group', { name: 'commerce' }).getByRole('option').count(), 1)
  await page.keyboard.press('Enter')
  await form.getByLabel('winBackOfferId').waitFor()
  await page.goBack()
  await list.getByRole('link', { name: 'getEvent' }).click()
  await form.getByLabel('eventId').waitFor()
  assert.equal(new URL(page.url()).search, '?connection=acme&operation=getEvent')
  assert.deepEqual(scene.complaints, [])
})

test('an unknown connection or operation is reported', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page } = await openExplorer(scene, 'listNothing', { connection: 'gone' })
  await page.getByText('This connection no longer exists.').waitFor()
  await page.getByText('No operation has this name.').waitFor()
  await page.getByRole('navigation', { name: 'Operations' }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('an id is selected from the operation that lists it', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, field, targets } = await openExplorer(scene, 'listAppVersionIds')
  await form.getByRole('button', { name: 'Browse… for appId' }).click()
  const dialog = page.getByRole('dialog', { name: 'Select appId' })
  await dialog.getByLabel('Search these items').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('kiln clay')
  await dialog.getByText('6446998003').waitFor()
  await untilEqual(() => dialog.locator('[data-row]').count(), 1)
  await dialog.locator('[data-row="0"]').focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilEqual(() => field('appId').inputValue(), '6446998003')
  await form.getByRole('button', { name: 'Browse… for appId' }).and(page.locator(':focus')).waitFor()
  assert.deepEqual(targets, ['/apps?limit=200'])
  assert.deepEqual(scene.complaints, [])
})

test('where the list needs an id itself, the dialog asks for it first', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, field, targets, sendFor } = await openExplorer(scene, 'getBuildUploadFile')
  await form.getByRole('button', { name: 'Browse… for buildUploadFileId' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('listBuildUploadFileIds requires:').waitFor()
  await dialog.getByRole('button', { name: 'List' }).click()
  await dialog.getByText('Required.').waitFor()
  await dialog.getByLabel('buildUploadId').fill('no-such-upload')
  await dialog.getByRole('button', { name: 'List' }).click()
  await dialog.getByText('listBuildUploadFileIds failed.').waitFor()
  await dialog.getByRole('button', { name: 'Change IDs' }).click()
  const upload = await uploadOf(dialog)
  await dialog.getByLabel('buildUploadId').fill(upload)
  await dialog.getByRole('button', { name: 'List' }).click()
  await dialog.locator('[data-row="0"]').click()
  await sendFor(200)
  assert.match(await field('buildUploadFileId').inputValue(), /^[\w-]{10,}$/)
  assert.equal(targets.length, 3)
  assert.deepEqual(scene.complaints, [])
})

/** the placeholder of the field */
const uploadOf = async (dialog: Locator): Promise<string> =>
  ((await dialog.getByLabel('buildUploadId').getAttribute('placeholder')) ?? '').replace('such as ', '')

test('the explorer is accessible and not too wide, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [name, look] of inEachTheme) {
    const { page, form, field, answer, choose, fillExample, sendFor, send, show } = await openExplorer(scene, '', look)
    const check = async (what: string) => {
      assert.deepEqual(await barriers(page), [], `${name}: ${what}`)
      assert.equal(await isTooWide(page), false, `${name}: ${what}`)
    }
    await check('operations')
    await page.getByRole('combobox', { name: 'Operation' }).fill('list')
    await check('a list of choices')
    await choose('listBetaFeedbackSubmissions')
    await send()
    await form.getByText('more parameters').click()
    await form.locator('summary', { hasText: 'fields' }).click()
    await check('a form with a fault')
    await fillExample()
    await sendFor(200)
    await check('a table')
    await show('JSON')
    await check('JSON')
    await show('Platform calls')
    await form.getByRole('button', { name: 'Show plan' }).click()
    await page.getByText('No platform calls were made').waitFor()
    await check('plan and the platform calls')
    await show('Table')
    await answer.locator('[data-row="0"]').click()
    await check('a row')
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Browse… for appId' }).click()
    await page.getByRole('dialog').locator('[data-row="0"]').waitFor()
    await check('a list to pick from')
    await page.keyboard.press('Escape')
    await field('appId').fill('404')
    await sendFor(404)
    await check('a refusal')
    await choose('getEvent')
    await fillExample()
    await sendFor(200)
    await check('facts')
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
