// Who may see what, in the console: a matrix of keys and connections, and the sentences below it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleScene, openConsole, promisesOf } from '../ground/console-scene.ts'
import { type Service, tester } from '../ground/service.ts'
import { button, clickIfThere, endSession, hostile, hostileShown, issue, panel, signInAgain } from './keys-scene.ts'
import { comesTo } from '../ground/until.ts'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Who may see what' })
const readout = (page: Page): Locator => page.getByRole('region', { name: 'What is chosen' })
const said = async (page: Page): Promise<string> => (await readout(page).innerText()).replaceAll(/\s+/g, ' ')

/** the rows as they are drawn: name, total, and what stands in the cells */
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
  await service.house.keys.revoke(await issue(service, { name: 'taken back' }), tester)
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
  await page.getByText('names a connection that was removed or has another account now').waitFor()
  await page.context().close()
}

async function narrows({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  await page.getByRole('searchbox', { name: 'Connections' }).fill('oth')
  assert.deepEqual(await heads(page), ['other3'])
  await page.getByLabel('Only keys that see something here').check()
  assert.deepEqual(await rows(page), ['all by name 1 | all', 'test 1 | all*', 'wall 1 | 1/9*'])
  await page.getByLabel('Search keys').fill('WALL')
  assert.deepEqual(await rows(page), ['wall 1 | 1/9*'])
  await page.getByLabel('Search keys').fill('nobody')
  await page.getByText('No key is like that.').waitFor()
  await button(page, 'Show all active keys').click()
  assert.deepEqual(await rows(page), active)
  await page.context().close()
}

const sentences: readonly (readonly [string, string])[] = [
  ['ci', 'ci may read apps, builds and reviews of acme and solo, and never expires.'],
  ['all by name', 'all by name may read all groups of all 3 connections, but not of later ones, and never expires.'],
  ['test', 'test may read all groups of all 3 connections, and of later ones, and never expires.'],
  ['wall', 'wall may read status of all 3 connections, and of later ones, until 3 March 2099.'],
  [
    'lost',
    'lost may see nothing: it reads no connection that it names. It names 2 connections that were removed or have other accounts now: gone and away.',
  ],
]

async function saysRows({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access' })
  await page.getByText('5 of 6 keys').waitFor()
  for (const [name, sentence] of sentences) {
    await page.getByRole('rowheader', { name: `${name} may` }).click()
    assert.equal(await said(page), `${sentence} Open the key`)
  }
  await page.locator('.access-row', { hasText: 'ci' }).locator('.access-cell').first().click()
  assert.equal(
    await said(page),
    'ci may read apps, builds and reviews (3 of 9 groups) of acme, by name, and never expires. Open the key',
  )
  await page.locator('.access-row', { hasText: 'wall' }).locator('.access-cell').first().click()
  assert.ok((await said(page)).includes('of acme, through *, as of every connection, until 3 March 2099.'))
  await page.context().close()
}

async function saysColumns({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/access?connection=other' })
  await readout(page).getByText('3 active keys in sight may see it: 1 by name, 2 through *.').waitFor()
  assert.deepEqual(await readout(page).getByRole('link').allInnerTexts(), ['all by name', 'test', 'wall'])
  await button(readout(page), 'Show only these keys').click()
  assert.deepEqual(
    (await rows(page)).map((row) => row.split(' | ')[0]),
    ['all by name 3', 'test 3', 'wall 3'],
  )
  await button(page, 'May see other').click()
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
  assert.ok((await said(page)).startsWith('test may read all groups of acme'))
  await page.keyboard.press('Enter')
  await panel(page).getByRole('heading', { name: 'test' }).waitFor()
  await page.goBack()
  await grid(page).waitFor()
  await readout(page).getByText('may read all groups of acme').waitFor()
  await page.context().close()
}

async function staysInert({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: hostile, connections: ['acme', `gone ${hostile}`] })
  const page = await visit({ path: `/access?key=${id}` })
  await readout(page)
    .getByText(`It names a connection that was removed or has another account now: gone ${hostileShown}.`)
    .waitFor()
  assert.ok((await said(page)).startsWith(`${hostileShown} may read all groups of acme`))
  await comesTo(() => page.locator('#root :is(img, [onerror])').count(), 0)
  assert.equal(await page.title(), 'Access · Vitrine')
  await service.house.keys.revoke(id, tester)
  await page.reload()
  await readout(page).getByText('was revoked: it may see nothing.').waitFor()
  await page.context().close()
}

async function saysWhatIsMissing(scene: ConsoleScene) {
  const page = await scene.page({ path: '/connections' })
  await page.route('**/operator/v1/keys?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByText('Not all keys could be read.').waitFor()
  await comesTo(() => page.getByText('There is no key yet.').count(), 0)
  await comesTo(() => page.getByText('No key is like that.').count(), 0)
  await page.unroute('**/operator/v1/keys?*')
  await endSession(page, scene)
  await clickIfThere(button(page, 'Try again'))
  await signInAgain(page, scene)
  await grid(page).waitFor()
  await page.context().close()
}

test('who may see what, in the console', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await fill(scene.service)
  const promise = promisesOf(t, scene)
  await promise('every active key and connection is drawn, with totals and what is not there', drawsAll)
  await promise('keys and connections are narrowed, and totals with them', narrows)
  await promise('a key says in a sentence what it may read, and until when', saysRows)
  await promise('a connection says which keys may see it, and shows them alone', saysColumns)
  await promise('arrows, Page, Home and End move through the cells, and Enter opens the key', goesByKeyboard)
  await promise('names with markup are text', staysInert)
  await promise('what could not be read is not shown as nothing', saysWhatIsMissing)
})
