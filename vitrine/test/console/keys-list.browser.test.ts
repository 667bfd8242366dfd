// The listing of keys: what is shown, in which order, and what it says while not all is loaded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole, promisesOf, tracesOf } from '../support/console-scene.ts'
import { type Service, tester } from '../support/service.ts'
import { button, dayMs, issue, panel } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

/** names in the order of the page */
const names = (page: Page): Promise<string[]> => page.locator('.table .rows .row .cell:first-child').allInnerTexts()
const sort = (page: Page, column: string) =>
  page.getByRole('columnheader', { name: column }).getByRole('button').click()

/** keys of several ages, created by a stopped clock */
async function fill(service: Service, at: (days: number) => void) {
  at(-100)
  await issue(service, { name: 'idle' })
  at(-99)
  await issue(service, { name: 'over', expiresAt: Date.now() - 98 * dayMs })
  at(-3)
  await issue(service, { name: 'ends soon', connections: ['other'], expiresAt: Date.now() + 13 * dayMs })
  at(-2)
  await issue(service, { name: 'ends later', note: 'for the Wall', expiresAt: Date.now() + 20 * dayMs })
  at(-1)
  await service.running.keys.revoke(await issue(service, { name: 'taken back' }), tester)
  at(0)
}

async function narrows({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('4 of 6 keys').waitFor()
  assert.deepEqual(await names(page), ['test', 'ends later', 'ends soon', 'idle'])
  await page.getByLabel('Expires within 14 days').check()
  assert.deepEqual(await names(page), ['ends soon'])
  await page.getByLabel('Expires within 14 days').uncheck()
  await page.getByLabel('Not used for 90 days').check()
  assert.deepEqual(await names(page), ['idle'])
  await page.getByLabel('State').selectOption('Expired')
  assert.deepEqual(await names(page), ['over'])
  await page.getByLabel('Not used for 90 days').uncheck()
  await page.getByLabel('State').selectOption('Revoked')
  assert.deepEqual(await names(page), ['taken back'])
  await page.getByLabel('State').selectOption('All')
  for (const [text, found] of [
    ['WALL', ['ends later']],
    ['other', ['ends soon']],
    ['end', ['ends later', 'ends soon']],
    ['nothing like it', []],
  ] as const) {
    await page.getByRole('searchbox').fill(text)
    assert.deepEqual(await names(page), found, text)
  }
  await button(page, 'Show all keys').click()
  assert.deepEqual(await names(page), ['test', 'taken back', 'ends later', 'ends soon', 'over', 'idle'])
  await page.context().close()
}

async function sorts({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('4 of 6 keys').waitFor()
  await untilEqual(() => page.getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort'), 'descending')
  await sort(page, 'Name')
  assert.deepEqual(await names(page), ['ends later', 'ends soon', 'idle', 'test'])
  await sort(page, 'Expires')
  assert.deepEqual((await names(page)).slice(0, 2), ['ends soon', 'ends later'])
  await page.context().close()
}

async function keepsNoSecret({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('4 of 6 keys').waitFor()
  const [, , id = '', hidden = ''] = service.key.split('_')
  for (let round = 0; round < 2; round++) {
    await page.getByRole('searchbox').fill(`Authorization: Bearer ${service.key}`)
    await page.getByText('1 of 6 keys').waitFor()
    await untilEqual(() => page.getByRole('searchbox').inputValue(), id)
    assert.deepEqual(await names(page), ['test'])
  }
  assert.ok(!(await tracesOf(page)).includes(hidden))
  await page.context().close()
}

async function goesByKeyboard({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await page.getByText('4 of 6 keys').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('end')
  await page.getByText('2 of 6 keys').waitFor()
  await page.getByRole('row', { name: 'ends later' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('[role="row"]:focus', { hasText: 'ends soon' }).waitFor()
  await page.keyboard.press('Enter')
  await panel(page).getByText('Replaced by').waitFor()
  await page.locator('.panel:focus', { hasText: 'ends soon' }).waitFor()
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  await page.locator('[role="row"]:focus', { hasText: 'ends soon' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await page.context().close()
}

async function saysWhatIsMissing({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/connections' })
  const keys = '**/operator/v1/keys?*'
  await page.route(keys, (route) => route.abort())
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('Some keys could not be loaded.').waitFor()
  await page.getByText('Vitrine is not responding.').waitFor()
  await untilEqual(() => page.getByText('No keys yet.').count(), 0)
  await page.unroute(keys)
  await button(page, 'Try again').click()
  await page.getByText('4 of 6 keys').waitFor()
  await page.route(keys, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await button(page, 'Refresh').click()
  await page.getByText('Showing the data loaded before.').waitFor()
  await page
    .getByText('Unexpected response (HTTP 502): something between the browser and Vitrine answered instead.')
    .waitFor()
  assert.equal((await names(page)).length, 4)
  await page.context().close()
}

test('the listing of keys', async (t) => {
  let shift = 0
  const scene = await openConsole(t, { now: () => Date.now() + shift })
  if (!scene) return
  await fill(scene.service, (days) => (shift = days * dayMs))
  const promise = promisesOf(t, scene)
  await promise('keys are filtered by state, age and words, newest first', narrows)
  await promise('keys are sorted by a column', sorts)
  await promise('of a key pasted into the search, only the id stays', keepsNoSecret)
  await promise('a key is found, opened and closed by the keyboard alone', goesByKeyboard)
  await promise('a listing that fails is never shown as empty or complete', saysWhatIsMissing)
})
