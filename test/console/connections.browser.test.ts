// Long because it is all that can be done with connections that are there, and how their page looks while it is done.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, type ConsoleScene, isTooWide, looks, openConsole, token, untold } from '../ground/console-scene.ts'
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
} from './key-hand.ts'
import { comesTo } from '../ground/until.ts'

const path = '/connections'

/** asks the door as a program does */
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

test('a row opens beside the list, has an address of its own, and gives the focus back', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  const page = await scene.page({ path })
  await rowOf(page, 'studio').press('Enter')
  await panelOf(page).getByRole('heading', { name: 'studio' }).waitFor()
  assert.equal(new URL(page.url()).search, '?id=studio')
  const facts = [account.keyId, account.issuerId, fingerprintOf(pem), 'not asked for', 'good for some minutes']
  for (const fact of facts) await panelOf(page).getByText(fact).waitFor()
  await panelOf(page).getByText('Not used since the start.').waitFor()
  await comesTo(() => page.evaluate('document.activeElement.className'), 'panel')
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

test('a connection leads to its lines in the audit, to its explorer and to who may read it', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  const page = await scene.page({ path: '/connections?id=studio' })
  await panelOf(page).getByRole('link', { name: 'In the audit' }).waitFor()
  const hrefs = await page.evaluate("[...document.querySelectorAll('.panel a')].map((one) => one.getAttribute('href'))")
  assert.deepEqual(hrefs, ['/explorer?connection=studio', '/access?connection=studio', '/audit?target=studio'])
  await panelOf(page).getByRole('link', { name: 'In the audit' }).click()
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
  await page.getByText('1 line: all that fit.').waitFor()
  await rowOf(page, 'connections.create').getByText('studio').waitFor()
})

test('a key is tried at the platform when asked: what it said stays with the connection, and when', async (t) => {
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
  await panelOf(page).getByText('refused', { exact: true }).waitFor()
  await panelOf(page).getByText('upstream_key_rejected').waitFor()
  await rowOf(page, 'studio').click()
  await panelOf(page).getByText('accepted', { exact: true }).waitFor()
  await rowOf(page, 'acme').click()
  await button(page, 'Check now').click()
  await panelOf(page).getByText('accepted', { exact: true }).waitFor()

  await page.route('**/check', (route) => route.abort())
  await button(page, 'Check now').click()
  await panelOf(page).getByText('It could not be checked.').waitFor()
  await panelOf(page).getByText('Vitrine does not answer.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('credentials are replaced, with what follows from it said before, and the check of the old ones is forgotten', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio', strangerPem)
  const page = await scene.page({ path: '/connections?id=studio' })
  const holdsNone = watchKeys(scene, page)
  const dialog = dialogOf(page)
  await button(page, 'Check now').click()
  await panelOf(page).getByText('refused', { exact: true }).waitFor()
  await button(page, 'Replace credentials').click()
  await comesTo(() => dialog.getByLabel('Issuer id').inputValue(), account.issuerId)
  await choose(page, { name: 'old.p8', bytes: strangerPem })
  await dialog.getByText('This is the key that it has now.').waitFor()
  await comesTo(() => dialog.getByText('the same key').count(), 0)
  await dialog.getByLabel('Issuer id').fill('another')
  await dialog.getByText('Another issuer may be another account').waitFor()
  await dialog.getByLabel('Issuer id').fill(account.issuerId)
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
  await button(page, 'Show it').click()
  await panelOf(page).getByText(fingerprintOf(pem)).waitFor()
  await comesTo(() => panelOf(page).getByText('refused', { exact: true }).count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('where not every replica could be told of a new key or a removal, that is said until it is dismissed', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio', strangerPem)
  const page = await scene.page({ path: '/connections?id=studio' })
  await untold(page, '**/operator/v1/connections/studio**')
  await button(page, 'Replace credentials').click()
  await choose(page, { name: 'AuthKey_ACMEKEY001.p8', bytes: pem })
  await button(page, 'Replace credentials').last().click()
  await page.getByRole('heading', { name: 'studio has a new key' }).waitFor()
  await button(page, 'Show it').click()
  await page.getByText('studio has a new key, but not every replica could be told.').waitFor()
  await button(page, 'Dismiss').click()
  await button(page, 'Remove').click()
  await dialogOf(page).getByRole('textbox').fill('studio')
  await button(page, 'Remove connection').click()
  await page.getByText('studio was removed, but not every replica could be told.').waitFor()
  await page.getByText('may go on as before until 3 Mar 2099').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a managed connection can be looked at and checked, and says where it is changed', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/connections?id=acme' })
  await panelOf(page).getByText('It cannot be changed here. Edit connections.acme in vitrine.json').waitFor()
  assert.match(await panelOf(page).innerText(), /Kept in\s+vitrine\.json\s+Key file\s+\/\S+\/key\.p8/)
  await comesTo(() => button(page, 'Remove').count(), 0)
  await comesTo(() => button(page, 'Replace credentials').count(), 0)

  await page.route('**/operator/v1/connections**', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replaceAll('vitrine.json', 'VITRINE_CONNECTIONS')
    await route.fulfill({ response: answer, body: text })
  })
  await page.reload()
  await panelOf(page).getByText('It cannot be changed here. Change that variable').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a connection is removed once its id is typed, and it is said which keys name it', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  for (const connections of [['studio'], ['studio', 'acme'], ['acme'], ['*']])
    await tell(scene, 'POST', '/keys', { name: 'x', connections })
  const page = await scene.page({ path: '/connections?id=studio' })
  const dialog = dialogOf(page)
  await button(page, 'Remove').click()
  // one more may read all: the key of the test
  await dialog.getByText('2 active keys name it, and 2 keys may read every connection.').waitFor()
  await dialog.getByLabel('Type studio to confirm').fill('Studio')
  await button(page, 'Remove connection').click()
  await dialog.getByText('Type studio, letter by letter.').waitFor()
  assert.ok((await scene.service.house.connections()).includes('studio'))
  await dialog.getByLabel('Type studio to confirm').fill('studio')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('studio was removed.').waitFor()
  await panelOf(page).waitFor({ state: 'detached' })
  await comesTo(() => rowOf(page, 'studio').count(), 0)
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(await scene.service.house.connections(), ['acme', 'other', 'solo'])
  assert.deepEqual(scene.complaints, [])
})

test('what others add and remove comes into the list by itself', async (t) => {
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

test('500 connections are drawn in few nodes, narrowed, sorted and walked by key', async (t) => {
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
  await page.getByText('None fits.').waitFor()
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
  await button(page, 'Id').click()
  await button(page, 'Id').click()
  await page.keyboard.press('Escape')
  assert.match(await page.getByRole('row').nth(1).innerText(), /studio-496/)
  assert.ok((await nodes(page)) < 800, `${await nodes(page)} nodes`)
  assert.ok(!new URL(page.url()).search.includes('key49'))
  assert.deepEqual(scene.complaints, [])
})

test('a list that cannot be read anew stays, and says so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  await page.getByText('3 connections').waitFor()
  await page.route('**/operator/v1/connections?*', (route) => route.abort())
  await button(page, 'Read again').click()
  await page.getByText('What is shown is what was read before.').waitFor()
  await rowOf(page, 'acme').waitFor()
  await page.unroute('**/operator/v1/connections?*')
  await button(page, 'Try again').click()
  await page.getByText('What is shown is what was read before.').waitFor({ state: 'detached' })
})

test('the page of connections, its panel and its dialogs have no barrier, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await host(scene, 'studio')
  for (const [name, look] of looks) {
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
    await dialogOf(page).getByText('Type studio, letter by letter.').waitFor()
    await isFine('removing')
    await page.keyboard.press('Escape')
    await button(page, 'Replace credentials').click()
    await choose(page, { name: 'AuthKey_ACMEKEY001.p8', bytes: pem })
    await dialogOf(page).getByText('This is the key that it has now.').waitFor()
    await isFine('replacing')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close' }).click()
    await button(page, 'Add connection').click()
    await dialogOf(page).getByText('Options').click()
    await button(page, 'Add connection').last().click()
    await dialogOf(page).getByText('Give the private key').waitFor()
    await isFine('adding')
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
