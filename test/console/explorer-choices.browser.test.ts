// Choosing in the explorer by keyboard and by hand: a connection of 500, an operation by its words, an id from a list.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator } from 'playwright-core'
import { barriers, isTooWide, looks, openConsole } from '../ground/console-scene.ts'
import { openExplorer } from './explorer-scene.ts'
import { comesTo } from '../ground/until.ts'

const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' }
const numbered = Array.from({ length: 499 }, (_, i) => `studio-${String(i).padStart(3, '0')}`)
const connections = Object.fromEntries(['acme', ...numbered].map((id) => [id, account]))

/** what a screen reader says is meant, while the focus stays in the field */
const meant = (box: Locator) =>
  box.evaluate((field) => {
    const id = field.getAttribute('aria-activedescendant')
    const option = id === null ? null : field.ownerDocument.getElementById(id)
    return option && [option.textContent, option.getAttribute('aria-selected'), option.getAttribute('aria-posinset')]
  })

test('one of 500 connections is found by keyboard, and the field says which is meant', async (t) => {
  const scene = await openConsole(t, { file: { connections } })
  if (!scene) return
  const { page } = await openExplorer(scene, '', { connection: '' })
  const box = page.getByRole('combobox', { name: 'Connection' })
  const option = page.getByRole('listbox', { name: 'Connection' }).getByRole('option')
  await box.focus()
  await comesTo(() => box.getAttribute('aria-expanded'), 'false', 'coming by opens nothing')
  await page.keyboard.press('ArrowDown')
  await comesTo(() => box.getAttribute('aria-expanded'), 'true')
  await page.getByText('500 to choose from').waitFor()
  await comesTo(() => option.first().getAttribute('aria-setsize'), '500')
  assert.ok((await option.count()) <= 150, 'not all are drawn at once')
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await meant(box), ['acmemanaged', 'true', '1'])
  for (let i = 0; i < 30; i++) await page.keyboard.press('PageDown')
  assert.deepEqual(await meant(box), ['studio-299managed', 'true', '301'])
  assert.ok(await page.getByRole('option', { name: 'studio-299' }).isVisible())
  await page.keyboard.press('Escape')
  await comesTo(() => box.getAttribute('aria-expanded'), 'false')
  await comesTo(() => box.inputValue(), '')

  await page.keyboard.type('studio 47')
  assert.deepEqual(await meant(box), ['studio-047managed', 'true', '1'])
  await page.getByText('15 to choose from').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await comesTo(() => box.inputValue(), 'studio-147')
  assert.equal(new URL(page.url()).search, '?connection=studio-147')
  // what is typed and not chosen counts for nothing
  await page.keyboard.type('nonsense')
  await page.getByText('Nothing has all of these words.').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await comesTo(() => box.inputValue(), 'studio-147')
  await box.click()
  assert.deepEqual(await meant(box), ['studio-147managed', 'true', '149'])
  assert.deepEqual(scene.complaints, [])
})

test('an operation is found by the words of its group and of what it does', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form } = await openExplorer(scene)
  const list = page.getByRole('navigation', { name: 'Operations' })
  await comesTo(() => list.getByRole('link').count(), 29)
  const box = page.getByRole('combobox', { name: 'Operation' })
  await box.fill('commerce win-back')
  await comesTo(() => page.getByRole('group', { name: 'commerce' }).getByRole('option').count(), 1)
  await page.keyboard.press('Enter')
  await form.getByLabel('winBackOfferId').waitFor()
  await page.goBack()
  await list.getByRole('link', { name: 'getEvent' }).click()
  await form.getByLabel('eventId').waitFor()
  assert.equal(new URL(page.url()).search, '?connection=acme&operation=getEvent')
  assert.deepEqual(scene.complaints, [])
})

test('a connection or an operation that is not there is said to be so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page } = await openExplorer(scene, 'listNothing', { connection: 'gone' })
  await page.getByText('There is no connection of this id any more.').waitFor()
  await page.getByText('There is no operation of this name.').waitFor()
  await page.getByRole('navigation', { name: 'Operations' }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('an id is picked from the list of the operation that lists it', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, field, targets } = await openExplorer(scene, 'listAppVersionIds')
  await form.getByRole('button', { name: 'Pick one… for appId' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pick one for appId' })
  await dialog.getByLabel('Find among these').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('kiln clay')
  await dialog.getByText('6446998003').waitFor()
  await comesTo(() => dialog.locator('[data-row]').count(), 1)
  await dialog.locator('[data-row="0"]').focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await comesTo(() => field('appId').inputValue(), '6446998003')
  await form.getByRole('button', { name: 'Pick one… for appId' }).and(page.locator(':focus')).waitFor()
  assert.deepEqual(targets, ['/apps?limit=200'])
  assert.deepEqual(scene.complaints, [])
})

test('where the list needs an id itself, that is asked for first', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form, field, targets, sendFor } = await openExplorer(scene, 'getBuildUploadFile')
  await form.getByRole('button', { name: 'Pick one… for buildUploadFileId' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('listBuildUploadFileIds needs to know where to look.').waitFor()
  await dialog.getByRole('button', { name: 'List them' }).click()
  await dialog.getByText('Needed. Type it here.').waitFor()
  await dialog.getByLabel('buildUploadId').fill('no-such-upload')
  await dialog.getByRole('button', { name: 'List them' }).click()
  await dialog.getByText('listBuildUploadFileIds could not be read.').waitFor()
  await dialog.getByRole('button', { name: 'Look elsewhere' }).click()
  const upload = await uploadOf(dialog)
  await dialog.getByLabel('buildUploadId').fill(upload)
  await dialog.getByRole('button', { name: 'List them' }).click()
  await dialog.locator('[data-row="0"]').click()
  await sendFor(200)
  assert.match(await field('buildUploadFileId').inputValue(), /^[\w-]{10,}$/)
  assert.equal(targets.length, 3)
  assert.deepEqual(scene.complaints, [])
})

/** the field says what an id looks like */
const uploadOf = async (dialog: Locator): Promise<string> =>
  ((await dialog.getByLabel('buildUploadId').getAttribute('placeholder')) ?? '').replace('such as ', '')

test('the explorer has no barrier and is not too wide, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [name, look] of looks) {
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
    await show('What was asked')
    await form.getByRole('button', { name: 'What will be asked' }).click()
    await page.getByText('Nothing has been asked').waitFor()
    await check('plan and what was asked')
    await show('Table')
    await answer.locator('[data-row="0"]').click()
    await check('a row')
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Pick one… for appId' }).click()
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
