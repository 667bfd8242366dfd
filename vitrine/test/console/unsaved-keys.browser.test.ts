// The text of a new key when the operator leaves the page or the network fails: it is never lost silently.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole } from '../support/console-scene.ts'
import { button, dialog, endSession, issue, openForm, panel, send, shownSecret, takeSecret } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

/** holds back the next change of keys until the returned function is called */
async function holdBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/v1/keys**', async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** the change is made, and its response never comes */
const loseAnswers = (page: Page) =>
  page.route('**/operator/v1/keys**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })

/** faster than a closed dialog can open again */
const holdEscape = (page: Page) => Promise.all(Array.from({ length: 12 }, () => page.keyboard.press('Escape')))

async function waitsForTheText({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/' })
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  const go = await holdBack(page)
  await openForm(page, 'in a hurry')
  await dialog(page).getByLabel('acme').check()
  await button(dialog(page), 'Create key').dblclick()
  await dialog(page).getByText('stay on this page until it appears').waitFor()
  await holdEscape(page)
  await button(dialog(page), 'Cancel').click({ force: true })
  await page.goBack()
  await dialog(page).locator('.fault', { hasText: 'stay on this page until it appears' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/keys')
  go()
  const secret = await takeSecret(page)
  assert.match(secret, /^vtr_test_/)
  const made = (await service.running.keys.list()).filter(({ name }) => name === 'in a hurry')
  assert.equal(made.length, 1, 'it is made once')
  await page.context().close()
}

async function waitsForTheHeir({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: 'handed over' })
  const page = await visit({ path: `/keys?id=${id}` })
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('None: the old key ends immediately')
  const go = await holdBack(page)
  await button(dialog(page), 'Reroll key').click()
  await holdEscape(page)
  await button(dialog(page), 'Cancel').click({ force: true })
  go()
  const secret = await shownSecret(page)
  await holdEscape(page)
  assert.equal(await takeSecret(page), secret)
  await page.context().close()
}

async function doesNotClaimToKnow({ page: visit, service, complaints }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await loseAnswers(page)
  await openForm(page, 'made unseen')
  await dialog(page).getByLabel('acme').check()
  await send(page)
  await dialog(page).getByText('It is unknown whether the key was created.').waitFor()
  await untilEqual(() => dialog(page).getByText('The key was not created.').count(), 0)
  await button(dialog(page), 'Cancel').click()
  await page.getByRole('row', { name: 'made unseen' }).waitFor()
  const id = await issue(service, { name: 'moved unseen' })
  await page.goto(page.url().replace(/\/keys.*/, `/keys?id=${id}`))
  await button(panel(page), 'Reroll key').click()
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('It is unknown whether the key was rerolled.').waitFor()
  await button(dialog(page), 'Cancel').click()
  await panel(page).getByText('This key already has a replacement').waitFor()
  complaints.splice(0)
  await page.context().close()
}

async function saysThatItIsGone(scene: ConsoleScene) {
  const page = await scene.page({ path: '/keys' })
  await openForm(page, 'never copied')
  await dialog(page).getByLabel('acme').check()
  await send(page)
  const secret = await shownSecret(page)
  await endSession(page, scene)
  await page.getByText('A new key was not copied before the session ended.').waitFor()
  assert.ok(!(await page.content()).includes(secret))
  assert.ok(!(await page.locator('body').innerText()).includes('never copied'), 'its name is for operators alone')
  await page.getByLabel('Operator token').fill(scene.token)
  await button(page, 'Sign in').click()
  const alert = page.getByRole('alert').filter({ hasText: 'A new key was not copied.' })
  await alert.getByText('never copied').waitFor()
  await button(alert, 'Open key').click()
  await panel(page).getByRole('heading', { name: 'never copied' }).waitFor()
  await untilEqual(() => alert.count(), 0)
  await button(panel(page), 'Revoke key').waitFor()
  await page.context().close()
}

/** a page of the listing that was read before a key was created, and arrives after it */
async function keepsWhatWasMade({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('Updated now').waitFor()
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/v1/keys?**', async (route) => {
    const response = await route.fetch()
    read()
    await promise
    await route.fulfill({ response })
  })
  await button(page, 'Refresh').click()
  await isRead
  await openForm(page, 'made meanwhile')
  await dialog(page).getByLabel('acme').check()
  await send(page)
  await takeSecret(page)
  resolve()
  await page.locator('.listing-status button[aria-busy="false"]', { hasText: 'Refresh' }).waitFor()
  await untilEqual(() => page.getByRole('row', { name: 'made meanwhile' }).count(), 1)
  await page.context().close()
}

test('leaving while a key is created, and bad networks', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })
  await promise('nobody can leave before the text of the key is there, and it is created once', waitsForTheText)
  await promise('a reroll without overlap shows the new key first', waitsForTheHeir)
  await promise('without a response the page does not claim that no key was created', doesNotClaimToKnow)
  await promise('a session that ends loses the text, and the console says so', saysThatItIsGone)
  await promise('a listing that started before a key was created does not hide it', keepsWhatWasMade)
})
