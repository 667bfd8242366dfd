// The access page: a matrix of keys and connections, and the sentences below it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleScene, openConsole, promisesOf } from '../support/console-scene.ts'
import { type Service, tester } from '../support/service.ts'
import { button, clickIfThere, endSession, hostile, hostileShown, issue, panel, signInAgain } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Access by key and connection' })
const readout = (page: Page): Locator => page.getByRole('region', { name: 'Selection' })
const said = async (page: Page): Promise<string> => (await readout(page).innerText()).replaceAll(/\s+/g, ' ')

/** the rows as drawn: name, total, and the text of the cells */
const rows = async (page: Page): Promise<string[]> =>
  (await page.locator('.access-row').all()).reduce<Promise<string[]>>(async (all, row) => {
    const cells = await row.locator('.access-name, .access-cell').allInnerTexts()
    return [...(await all), cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim() || '-').join(' | ')]
  }, Promise.resolve([]))

const heads = (page: Page): Promise<string[]> =>
  page.locator('.access-column').evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''))

async function fill(service: Service) {
  await issue(service, { name: 'ci', connections: ['acme', 'solo'], groups: ['apps', 'builds', 'reviews'] })
  await issue(service, { name: 'all by name', connections: ['acme', 'other', 'solo'] })
  const expiresAt = Date.parse('2099-03-03T12:00:00Z')
  await issue(service, { name: 'wall', connections: ['*'], groups: ['status'], expiresAt })
  await issue(service, { name: 'lost', connections: ['gone', 'away'] })
  await service.running.keys.revoke(await issue(service, { name: 'taken back' }), tester)
}

const active = [
  'all by name 3 | all | all | all',
  'ci 2 | 3/9 | - | 3/9',
  'lost ! 0 | - | - | -',
  'test 3 | all* | all* | all*',
  'wall 3 | 1/9* | 1/9* | 1/9*',
]

async function drawsAll({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  assert.deepEqual(await rows(page), active)
  assert.deepEqual(await heads(page), ['acme4', 'other3', 'solo4'])
  await page.getByRole('combobox', { name: 'Keys' }).selectOption('All')
  assert.equal((await rows(page))[3], 'taken back revoked 1 | all | - | -')
  assert.deepEqual(await heads(page), ['acme4', 'other3', 'solo4'])
  await page.getByText('Names a connection that was removed or now belongs to another account').waitFor()
  await page.context().close()
}

async function narrows({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  await page.getByRole('searchbox', { name: 'Connections' }).fill('oth')
  assert.deepEqual(await heads(page), ['other3'])
  await page.getByLabel('Hide keys without access').check()
  assert.deepEqual(await rows(page), ['all by name 1 | all', 'test 1 | all*', 'wall 1 | 1/9*'])
  await page.getByLabel('Search keys').fill('WALL')
  assert.deepEqual(await rows(page), ['wall 1 | 1/9*'])
  await page.getByLabel('Search keys').fill('nobody')
  await page.getByText('No matching keys.').waitFor()
  await button(page, 'Show all active keys').click()
  assert.deepEqual(await rows(page), active)
  await page.context().close()
}

const sentences: readonly (readonly [string, string])[] = [
  ['ci', 'ci can read apps, builds and reviews of acme and solo, and never expires.'],
  ['all by name', 'all by name can read all groups of all 3 connections, but none added later, and never expires.'],
  ['test', 'test can read all groups of all 3 connections and any added later, and never expires.'],
  ['wall', 'wall can read status of all 3 connections and any added later, until 3 March 2099.'],
  [
    'lost',
    'lost can read nothing: none of the connections that it names is available. It names 2 connections that were removed or now belong to another account: gone and away.',
  ],
]

async function saysRows({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  for (const [name, sentence] of sentences) {
    await page.getByRole('rowheader', { name: `${name} can` }).click()
    assert.equal(await said(page), `${sentence} Open key`)
  }
  await page.locator('.access-row', { hasText: 'ci' }).locator('.access-cell').first().click()
  assert.equal(
    await said(page),
    'ci can read apps, builds and reviews (3 of 9 groups) of acme, by name, and never expires. Open key',
  )
  await page.locator('.access-row', { hasText: 'wall' }).locator('.access-cell').first().click()
  assert.ok((await said(page)).includes('of acme, through * (all connections), until 3 March 2099.'))
  await page.context().close()
}

async function saysColumns({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access?connection=other' })
  await readout(page).getByText('3 visible active keys can read it: 1 by name, 2 through *.').waitFor()
  assert.deepEqual(await readout(page).getByRole('link').allInnerTexts(), ['all by name', 'test', 'wall'])
  await button(readout(page), 'Show only these keys').click()
  assert.deepEqual(
    (await rows(page)).map((row) => row.split(' | ')[0]),
    ['all by name 3', 'test 3', 'wall 3'],
  )
  await button(page, 'Can read other').click()
  assert.deepEqual(await rows(page), active)
  await page.context().close()
}

const at = async (page: Page): Promise<string> => {
  const id = (await grid(page).getAttribute('aria-activedescendant')) ?? assert.fail('no cell is named')
  const cell = page.locator(`[id="${id}"]`)
  const row = await cell.locator('xpath=..').getAttribute('aria-rowindex')
  return `${row}.${await cell.getAttribute('aria-colindex')} ${await cell.getAttribute('role')}`
}

async function goesByKeyboard({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  assert.deepEqual(
    [await grid(page).getAttribute('aria-rowcount'), await grid(page).getAttribute('aria-colcount')],
    ['6', '4'],
  )
  await grid(page).focus()
  for (const [key, place] of [
    ['ArrowDown', '2.1 rowheader'],
    ['ArrowRight', '2.2 gridcell'],
    ['End', '2.4 gridcell'],
    ['ArrowRight', '2.4 gridcell'],
    ['ArrowUp', '1.4 columnheader'],
    ['Control+End', '6.4 gridcell'],
    ['ArrowDown', '6.4 gridcell'],
    ['Home', '6.1 rowheader'],
    ['PageUp', '2.1 rowheader'],
    ['Control+Home', '1.1 columnheader'],
    ['ArrowUp', '1.1 columnheader'],
    ['PageDown', '6.1 rowheader'],
    ['ArrowUp', '5.1 rowheader'],
    ['ArrowRight', '5.2 gridcell'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await at(page), place, key)
  }
  assert.ok((await said(page)).startsWith('test can read all groups of acme'))
  await page.keyboard.press('Enter')
  await panel(page).getByRole('heading', { name: 'test' }).waitFor()
  await page.goBack()
  await grid(page).waitFor()
  await readout(page).getByText('can read all groups of acme').waitFor()
  await page.context().close()
}

async function staysInert({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: hostile, connections: ['acme', `gone ${hostile}`] })
  const page = await visit({ path: `/access?key=${id}` })
  await readout(page)
    .getByText(`It names a connection that was removed or now belongs to another account: gone ${hostileShown}.`)
    .waitFor()
  assert.ok((await said(page)).startsWith(`${hostileShown} can read all groups of acme`))
  await untilEqual(() => page.locator('#root :is(img, [onerror])').count(), 0)
  assert.equal(await page.title(), 'Access · Vitrine')
  await service.running.keys.revoke(id, tester)
  await page.reload()
  await readout(page).getByText('was revoked and can read nothing.').waitFor()
  await page.context().close()
}

async function saysWhatIsMissing(scene: ConsoleScene) {
  const page = await scene.page({ path: '/connections' })
  await page.route('**/operator/v1/keys?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByText('Some keys could not be loaded.').waitFor()
  await untilEqual(() => page.getByText('No keys yet.').count(), 0)
  await untilEqual(() => page.getByText('No matching keys.').count(), 0)
  await page.unroute('**/operator/v1/keys?*')
  await endSession(page, scene)
  await clickIfThere(button(page, 'Try again'))
  await signInAgain(page, scene)
  await grid(page).waitFor()
  await page.context().close()
}

test('the access page', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await fill(scene.service)
  const promise = promisesOf(t, scene)
  await promise('every active key and connection is drawn, with totals and unavailable connections', drawsAll)
  await promise('keys and connections are filtered, and totals follow', narrows)
  await promise('a sentence says what a key can read, and until when', saysRows)
  await promise('a connection shows which keys can read it, and can filter by them', saysColumns)
  await promise('arrows, Page, Home and End move through the cells, and Enter opens the key', goesByKeyboard)
  await promise('markup in names is shown as text', staysInert)
  await promise('a failed load is not shown as an empty list', saysWhatIsMissing)
})
