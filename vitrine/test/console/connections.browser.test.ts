// Long: everything that can be done with connections, and how the page looks meanwhile.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import {
  barriers,
  type ConsoleScene,
  isTooWide,
  inEachTheme,
  openConsole,
  token,
  answerUnconfirmed,
} from '../support/console-scene.ts'
import {
  account,
  askedOf,
  button,
  choose,
  dialogOf,
  drop,
  fingerprintOf,
  panelOf,
  pem,
  strangerPem,
  watchKeys,
} from './key-upload-page.ts'
import { untilEqual } from '../../../base/test/until.ts'

const path = '/connections'

/** asks the API as a program does */
async function tell(scene: ConsoleScene, method: string, at: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${scene.url}/operator/v1${at}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${method} ${at} ${answer.status}`)
  return answer.json()
}

const host = (scene: ConsoleScene, id: string, privateKey = pem) =>
  tell(scene, 'POST', '/connections', { id, ...account, privateKey, check: false })

const rowOf = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: id, exact: true }) })

test('a row opens beside the list, has its own address, and gives the focus back', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  const page = await scene.page({ path })
  await rowOf(page, 'studio').press('Enter')
  await panelOf(page).getByRole('heading', { name: 'studio' }).waitFor()
  assert.equal(new URL(page.url()).search, '?id=studio')
  const facts = [account.keyId, account.issuerId, fingerprintOf(pem), 'not included', 'reused for some minutes']
  for (const fact of facts) await panelOf(page).getByText(fact).waitFor()
  await panelOf(page)
    .getByText(/^Not used since the service started, so its state is not known\./)
    .waitFor()
  await untilEqual(() => page.evaluate('document.activeElement.className'), 'panel')
  await page.reload()
  await panelOf(page).getByRole('heading', { name: 'studio' }).waitFor()

  await rowOf(page, 'acme').click()
  await panelOf(page).getByRole('heading', { name: 'acme' }).waitFor()
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')
  await rowOf(page, 'acme').and(page.locator(':focus')).waitFor()
  await page.goBack()
  await panelOf(page).getByRole('heading', { name: 'acme' }).waitFor()

  await page.goto(`${scene.url}/connections?id=nobody`)
  await panelOf(page).getByText('There is no such connection.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a connection links to its audit log entries, the explorer and the access page', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  const page = await scene.page({ path: '/connections?id=studio' })
  await panelOf(page).getByRole('link', { name: 'View in audit log' }).waitFor()
  const hrefs = await page.evaluate("[...document.querySelectorAll('.panel a')].map((one) => one.getAttribute('href'))")
  assert.deepEqual(hrefs, ['/explorer?connection=studio', '/access?connection=studio', '/audit?target=studio'])
  await panelOf(page).getByRole('link', { name: 'View in audit log' }).click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  await page.getByText('1 entry in total.').waitFor()
  await rowOf(page, 'connections.create').getByText('studio').waitFor()
})

test('a key is checked on request; the result and its time stay with the connection', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  await host(scene, 'stranger', strangerPem)
  const page = await scene.page({ path: '/connections?id=studio' })
  await button(page, 'Check now').click()
  await panelOf(page).getByText('accepted', { exact: true }).waitFor()
  await panelOf(page).getByText('The platform accepts the key, and the key may list apps.').waitFor()
  await rowOf(page, 'stranger').click()
  await button(page, 'Check now').click()
  await panelOf(page).getByText('rejected', { exact: true }).waitFor()
  await panelOf(page).getByText('upstream_key_rejected').waitFor()
  await rowOf(page, 'studio').click()
  await panelOf(page).getByText('accepted', { exact: true }).waitFor()
  await rowOf(page, 'acme').click()
  await button(page, 'Check now').click()
  await panelOf(page).getByText('accepted', { exact: true }).waitFor()

  await page.route('**/check', (route) => route.abort())
  await button(page, 'Check now').click()
  await panelOf(page).getByText('The check failed.').waitFor()
  await panelOf(page).getByText('Vitrine is not responding.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('replacing credentials lists the consequences first, and drops the check of the old ones', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio', strangerPem)
  const page = await scene.page({ path: '/connections?id=studio' })
  const holdsNone = watchKeys(scene, page)
  const dialog = dialogOf(page)
  await button(page, 'Check now').click()
  await panelOf(page).getByText('rejected', { exact: true }).waitFor()
  await button(page, 'Replace credentials').click()
  await untilEqual(() => dialog.getByLabel('Issuer ID').inputValue(), account.issuerId)
  await choose(page, { name: 'old.p8', bytes: strangerPem })
  await dialog.getByText('This is its current key.').waitFor()
  await untilEqual(() => dialog.getByText('Also the key of').count(), 0)
  await dialog.getByLabel('Issuer ID').fill('another')
  await dialog.getByText('Another issuer may belong to another account').waitFor()
  await dialog.getByLabel('Issuer ID').fill(account.issuerId)
  await drop(page, { name: 'AuthKey_ACMEKEY001.p8', bytes: pem })
  await dialog.getByText('AuthKey_ACMEKEY001.p8, 241 bytes').waitFor()
  await holdsNone('it was dropped')
  await page.route('**/credentials', (route) =>
    route.fulfill({
      status: 409,
      json: {
        error: {
          type: 'conflict',
          code: 'connection_changed',
          message: 'Somebody else changed it.',
          requestId: 'req_x',
        },
      },
    }),
  )
  await button(page, 'Replace credentials').last().click()
  await dialog.getByText('Somebody else changed it.').waitFor()
  await page.unroute('**/credentials')
  await button(page, 'Replace credentials').last().click()
  await page.getByRole('heading', { name: 'studio has a new key' }).waitFor()
  await holdsNone('it was stored')
  await button(page, 'View connection').click()
  await panelOf(page).getByText(fingerprintOf(pem)).waitFor()
  await untilEqual(() => panelOf(page).getByText('rejected', { exact: true }).count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('a warning about replicas that were not notified stays until it is dismissed', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio', strangerPem)
  const page = await scene.page({ path: '/connections?id=studio' })
  await answerUnconfirmed(page, '**/operator/v1/connections/studio**')
  await button(page, 'Replace credentials').click()
  await choose(page, { name: 'AuthKey_ACMEKEY001.p8', bytes: pem })
  await button(page, 'Replace credentials').last().click()
  await page.getByRole('heading', { name: 'studio has a new key' }).waitFor()
  await button(page, 'View connection').click()
  await page.getByText('studio has a new key, but not every replica could be notified.').waitFor()
  await button(page, 'Dismiss').click()
  await button(page, 'Remove').click()
  await dialogOf(page).getByRole('textbox').fill('studio')
  await button(page, 'Remove connection').click()
  await page.getByText('studio was removed, but not every replica could be notified.').waitFor()
  await page.getByText('may keep its old state until 3 Mar 2099').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a managed connection can be viewed and checked, and says where it is defined', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/connections?id=acme' })
  await panelOf(page)
    .getByText('A managed connection cannot be changed here. Edit connections.acme in vitrine.json')
    .waitFor()
  assert.match(await panelOf(page).innerText(), /Defined in\s+vitrine\.json\s+Key file\s+\/\S+\/key\.p8/)
  await untilEqual(() => button(page, 'Remove').count(), 0)
  await untilEqual(() => button(page, 'Replace credentials').count(), 0)

  await page.route('**/operator/v1/connections**', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replaceAll('vitrine.json', 'VITRINE_CONNECTIONS')
    await route.fulfill({ response: answer, body: text })
  })
  await page.reload()
  await panelOf(page).getByText('A managed connection cannot be changed here. Change that variable').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a connection is removed once its ID is typed; the dialog names its keys', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  for (const connections of [['studio'], ['studio', 'acme'], ['acme'], ['*']])
    await tell(scene, 'POST', '/keys', { name: 'x', connections })
  const page = await scene.page({ path: '/connections?id=studio' })
  const dialog = dialogOf(page)
  await button(page, 'Remove').click()
  // the key of the test can read every connection too
  await dialog.getByText('2 active keys name it, and 2 keys can read every connection.').waitFor()
  await dialog.getByLabel('Type studio to confirm').fill('Studio')
  await button(page, 'Remove connection').click()
  await dialog.getByText('Type studio exactly as shown.').waitFor()
  assert.ok((await scene.service.running.connections()).includes('studio'))
  await dialog.getByLabel('Type studio to confirm').fill('studio')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('studio was removed.').waitFor()
  await panelOf(page).waitFor({ state: 'detached' })
  await untilEqual(() => rowOf(page, 'studio').count(), 0)
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(await scene.service.running.connections(), ['acme', 'other', 'solo'])
  assert.deepEqual(scene.complaints, [])
})

test('connections that others add and remove update the list', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  await page.getByText('3 connections').waitFor()
  await host(scene, 'of-another')
  await rowOf(page, 'of-another').waitFor()
  await tell(scene, 'DELETE', '/connections/of-another')
  await rowOf(page, 'of-another').waitFor({ state: 'detached' })
})

const nodes = (page: Page) => page.evaluate<number>("document.querySelectorAll('*').length")

test('500 connections are drawn in few nodes, filtered, sorted and reached by keyboard', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (let i = 0; i < 497; i++) {
    const id = `studio-${String(i).padStart(3, '0')}`
    const issuerId = i % 10 === 0 ? undefined : account.issuerId
    await tell(scene, 'POST', '/connections', { id, keyId: `KEY${i}`, issuerId, privateKey: pem, check: false })
  }
  const page = await scene.page({ path })
  await page.getByText('500 connections').waitFor()
  const asked = askedOf(page, '/connections')
  await page.reload()
  await page.getByText('500 connections').waitFor()
  assert.equal(asked.length, 3)
  assert.ok((await nodes(page)) < 800, `${await nodes(page)} nodes`)
  const filter = page.getByRole('searchbox')
  await page.keyboard.press('/')
  await page.keyboard.type('key49')
  await page.getByText('8 of 500 connections').waitFor()
  await filter.fill('individual')
  await page.getByText('51 of 500 connections').waitFor()
  await page.getByLabel('Kind').selectOption('Managed')
  await page.getByText('1 of 500 connections').waitFor()
  await filter.fill('nothing of this name')
  await page.getByText('No matching connections.').waitFor()
  await filter.fill('')
  await page.getByLabel('Kind').selectOption('All kinds')
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('End')
  await rowOf(page, 'studio-496').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Home')
  await rowOf(page, 'acme').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await rowOf(page, 'other').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await panelOf(page).getByRole('heading', { name: 'other' }).waitFor()
  await button(page, 'ID').click()
  await button(page, 'ID').click()
  await page.keyboard.press('Escape')
  assert.match(await page.getByRole('row').nth(1).innerText(), /studio-496/)
  assert.ok((await nodes(page)) < 800, `${await nodes(page)} nodes`)
  assert.ok(!new URL(page.url()).search.includes('key49'))
  assert.deepEqual(scene.complaints, [])
})

test('a list that cannot be refreshed stays, and says so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  await page.getByText('3 connections').waitFor()
  await page.route('**/operator/v1/connections?*', (route) => route.abort())
  await button(page, 'Refresh').click()
  await page.getByText('Showing the data loaded before.').waitFor()
  await rowOf(page, 'acme').waitFor()
  await page.unroute('**/operator/v1/connections?*')
  await button(page, 'Try again').click()
  await page.getByText('Showing the data loaded before.').waitFor({ state: 'detached' })
})

test('the connections page, its panel and its dialogs are accessible, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  for (const [name, look] of inEachTheme) {
    const page = await scene.page({ path, ...look })
    await rowOf(page, 'studio').waitFor()
    const isFine = async (what: string) => {
      assert.deepEqual(await barriers(page), [], `${name}: ${what}`)
      assert.equal(await isTooWide(page), false, `${name}: ${what}`)
    }
    await isFine('the list')
    await rowOf(page, 'studio').click()
    await button(page, 'Check now').click()
    await panelOf(page).getByText('accepted', { exact: true }).waitFor()
    await isFine('the panel')
    await button(page, 'Remove').click()
    await button(page, 'Remove connection').click()
    await dialogOf(page).getByText('Type studio exactly as shown.').waitFor()
    await isFine('removing')
    await page.keyboard.press('Escape')
    await button(page, 'Replace credentials').click()
    await choose(page, { name: 'AuthKey_ACMEKEY001.p8', bytes: pem })
    await dialogOf(page).getByText('This is its current key.').waitFor()
    await isFine('replacing')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close' }).click()
    await button(page, 'Add connection').click()
    await dialogOf(page).getByText('Options').click()
    await button(page, 'Add connection').last().click()
    await dialogOf(page).getByText('Provide the private key').waitFor()
    await isFine('adding')
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
