// The text of a new key with an operator in a hurry and a bad network: it is never lost without a word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole } from '../ground/console-scene.ts'
import { button, dialog, endSession, issue, openForm, panel, send, shownSecret, takeSecret } from './keys-scene.ts'
import { comesTo } from '../ground/until.ts'

/** holds the next change of keys back, until what it gives is called */
async function holdBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/v1/keys**', async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** the change is made, and its answer never comes */
const loseAnswers = (page: Page) =>
  page.route('**/operator/v1/keys**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })

/** quicker than a dialog that was closed can open again */
const holdEscape = (page: Page) => Promise.all(Array.from({ length: 12 }, () => page.keyboard.press('Escape')))

async function waitsForTheText({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/' })
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  const go = await holdBack(page)
  await openForm(page, 'in a hurry')
  await dialog(page).getByLabel('acme').check()
  await button(dialog(page), 'Create key').dblclick()
  await dialog(page).getByText('stay until it is here').waitFor()
  await holdEscape(page)
  await button(dialog(page), 'Cancel').click({ force: true })
  await page.goBack()
  await dialog(page).locator('.fault', { hasText: 'stay until it is here' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/keys')
  go()
  const secret = await takeSecret(page)
  assert.match(secret, /^vtr_test_/)
  const made = (await service.house.keys.list()).filter(({ name }) => name === 'in a hurry')
  assert.equal(made.length, 1, 'it is made once')
  await page.context().close()
}

async function waitsForTheHeir({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: 'handed over' })
  const page = await visit({ path: `/keys?id=${id}` })
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('None: it ends at once')
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
  await dialog(page).getByText('Whether the key was made is not known.').waitFor()
  await comesTo(() => dialog(page).getByText('The key was not made.').count(), 0)
  await button(dialog(page), 'Cancel').click()
  await page.getByRole('row', { name: 'made unseen' }).waitFor()
  const id = await issue(service, { name: 'moved unseen' })
  await page.goto(page.url().replace(/\/keys.*/, `/keys?id=${id}`))
  await button(panel(page), 'Reroll key').click()
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('Whether a key has taken over is not known.').waitFor()
  await button(dialog(page), 'Cancel').click()
  await panel(page).getByText('It has handed over already').waitFor()
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
  await page.getByText('The text of a new key was on the page, and is gone with the session.').waitFor()
  assert.ok(!(await page.content()).includes(secret))
  assert.ok(!(await page.locator('body').innerText()).includes('never copied'), 'its name is for operators alone')
  await page.getByLabel('Operator token').fill(scene.token)
  await button(page, 'Sign in').click()
  const alert = page.getByRole('alert').filter({ hasText: 'The text of a new key is gone' })
  await alert.getByText('never copied').waitFor()
  await button(alert, 'Show the key').click()
  await panel(page).getByRole('heading', { name: 'never copied' }).waitFor()
  await comesTo(() => alert.count(), 0)
  await button(panel(page), 'Revoke key').waitFor()
  await page.context().close()
}

/** a page of the listing that was read before a key was made, and comes after */
async function keepsWhatWasMade({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('Read now').waitFor()
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/v1/keys?**', async (route) => {
    const response = await route.fetch()
    read()
    await promise
    await route.fulfill({ response })
  })
  await button(page, 'Read again').click()
  await isRead
  await openForm(page, 'made meanwhile')
  await dialog(page).getByLabel('acme').check()
  await send(page)
  await takeSecret(page)
  resolve()
  await page.locator('.how-much button[aria-busy="false"]', { hasText: 'Read again' }).waitFor()
  await comesTo(() => page.getByRole('row', { name: 'made meanwhile' }).count(), 1)
  await page.context().close()
}

test('a new key, in a hurry and with a bad network', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })
  await promise('nobody goes away before the text of the key is there, and it is made once', waitsForTheText)
  await promise('a key that hands over at once gives its heir away first', waitsForTheHeir)
  await promise('where no answer came, nobody claims that nothing was made', doesNotClaimToKnow)
  await promise('a session that ends takes the text along, and says so before and after', saysThatItIsGone)
  await promise('a listing that was read before a key was made does not hide it', keepsWhatWasMade)
})
