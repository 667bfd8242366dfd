// The reference page in a real browser: what it lists, finds and shows. Trying requests has a file of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  groupText,
  ids,
  openScene,
  operations,
  panelOf,
  sends,
  singleParameter,
  type Visit,
} from '../ground/docs-scene.ts'

const listed = (page: Page) => page.locator('#contents .group a:visible')
const hrefs = (page: Page) => listed(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))

async function listsEverything({ page }: Visit) {
  await listed(page).first().waitFor()
  assert.deepEqual(new Set(await hrefs(page)), new Set(ids.map((id) => `#${id}`)))
  const sections = await page.locator('main .operation').evaluateAll((all) => all.map(({ id }) => id))
  assert.equal(sections.length, ids.length)
  assert.deepEqual(new Set(sections), new Set(ids))
  for (const { operationId, parameters = [] } of operations) {
    await page.locator(`#${operationId}`).scrollIntoViewIfNeeded()
    await panelOf(page, operationId).waitFor()
    const names = await page.locator(`#${operationId} .parameters th[scope=row] code`).allTextContents()
    assert.deepEqual(
      names,
      parameters.map(({ name }) => name),
      operationId,
    )
  }
}

async function tellsAboutGroups({ page }: Visit) {
  const about = page.locator('main .group > .about')
  await about.waitFor()
  assert.equal(await about.innerText(), groupText.replaceAll('`', ''))
  assert.equal(await page.locator('main .group > h2 + .about code').innerText(), 'code')
}

async function takesAListOfOneAsItsItem({ page }: Visit) {
  const row = page.locator('#listApps .parameters tr', { hasText: singleParameter })
  assert.equal(await row.locator('.type').innerText(), 'string')
}

async function searches({ page }: Visit) {
  await listed(page).first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('listapps')
  assert.deepEqual(await hrefs(page), ['#listApps'])
  assert.equal(await page.locator('#found').textContent(), `1 of ${ids.length} operations`)
  await page.fill('#search', 'no such thing')
  assert.deepEqual(await hrefs(page), [])
  await page.keyboard.press('Escape')
  assert.equal((await hrefs(page)).length, ids.length)
}

async function opensAtTheLink({ page }: Visit, id: string) {
  await panelOf(page, id).waitFor()
  await page.locator(`#nav a[href="#${id}"][aria-current]`).waitFor({ state: 'attached' })
  // the neighbours are drawn by then, and have not pushed it away
  await page.waitForFunction("document.querySelectorAll('.body:not(.waiting)').length > 1")
  const top = await page.evaluate<number>(`document.getElementById('${id}').getBoundingClientRect().top`)
  assert.ok(top >= 0 && top < 200, `${id} is at ${top}`)
}

async function fitsNarrowScreens({ page }: Visit) {
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await sends(page)
  for (const id of ids) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded()
    await panelOf(page, id).waitFor()
  }
  await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
  assert.equal(await width(), 360)
  await page.click('#menu')
  assert.equal(await width(), 360)
  assert.equal(await page.getAttribute('#menu', 'aria-expanded'), 'true')
}

test('the reference page works in a browser', async (t) => {
  const scene = await openScene(t)
  if (scene === undefined) return
  const { promise } = scene
  await promise('it lists every operation with its parameters', listsEverything)
  await promise('it says what a group is about', tellsAboutGroups)
  await promise('a list of one item is documented as the item', takesAListOfOneAsItsItem, '#listApps')
  await promise('the search narrows the list', searches)
  for (const id of [ids.at(-3) ?? '', 'listWinBackOfferPrices'])
    await promise(`a link to ${id} opens there`, (one) => opensAtTheLink(one, id), `#${id}`)
  await promise('nothing is wider than a small phone', fitsNarrowScreens, '#listApps', {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  })
})
