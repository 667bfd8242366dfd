// The reference page in a real browser: what it lists, finds and shows. Trying requests has a file of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  groupText,
  ids,
  open,
  openScene,
  operations,
  panelOf,
  sendRequest,
  singleParameter,
  type Visit,
} from '../support/docs-scene.ts'

const listed = (page: Page) => page.locator('#contents .group a:visible')
const hrefs = (page: Page) => listed(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const wordsOf = (id: string) => id.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()

async function listsEverything({ page }: Visit) {
  await page.locator('.operations').waitFor()
  const all = ids.map((id) => `/docs/${id}`)
  assert.deepEqual(new Set(await hrefs(page)), new Set(all))
  const links = page.locator('.operations li a')
  assert.deepEqual(
    new Set(await links.evaluateAll((each) => each.map((link) => link.getAttribute('href')))),
    new Set(all),
  )
  assert.equal(await links.count(), ids.length)
}

async function drawsEach({ page }: Visit) {
  for (const { operationId: id, parameters = [] } of operations) {
    await open(page, id)
    const heading = page.locator('h1')
    assert.equal((await heading.innerText()).toLowerCase(), wordsOf(id))
    assert.equal((await page.locator(`#contents a[aria-current=page]`).innerText()).toLowerCase(), wordsOf(id))
    assert.match((await page.title()).toLowerCase(), new RegExp(`^${wordsOf(id)} · vitrine$`))
    assert.deepEqual(
      await page.locator('.parameters .field-name code').allTextContents(),
      parameters.map(({ name }) => name),
      id,
    )
    assert.equal(await page.locator('article.operation').count(), 1)
  }
}

async function walksInOrder({ page }: Visit) {
  await page.locator('.operations').waitFor()
  const order = (await hrefs(page)).map((href) => href?.slice('/docs/'.length) ?? '')
  await open(page, order[0] ?? '')
  assert.equal(await page.locator('.pager [rel=prev]').count(), 0)
  for (const id of order.slice(1, 4)) {
    await page.locator('.pager [rel=next]').press('Enter')
    await page.waitForURL(`**/docs/${id}`)
    assert.equal(await page.evaluate('[document.activeElement.tagName, scrollY].join()'), 'H1,0')
  }
  await page.locator('.pager [rel=prev]').click()
  await page.waitForURL(`**/docs/${order[2]}`)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${wordsOf(order[3] ?? '')}$`, 'i') }).waitFor()
  await open(page, order.at(-1) ?? '')
  assert.equal(await page.locator('.pager [rel=next]').count(), 0)
}

/** a bookmark of the time when every operation was a section of one page */
async function followsOldAddresses({ page }: Visit) {
  await page.waitForURL('**/docs/listWinBackOfferPrices')
  await panelOf(page).waitFor()
  assert.equal(await page.locator('h1').innerText(), 'List win back offer prices')
}

async function opensInSpiteOfItsHash({ page }: Visit) {
  await page.locator('.operations').waitFor()
  assert.ok(page.url().endsWith('/docs#%'))
}

async function opensASection({ page }: Visit) {
  await page.locator('#about-errors').waitFor()
  assert.ok(page.url().endsWith('/docs#about-errors'))
  const top = await page.evaluate<number>("document.getElementById('about-errors').getBoundingClientRect().top")
  assert.ok(top >= 0 && top < 800, `${top}`)
  await open(page, 'listApps')
  await page.locator('#contents a', { hasText: 'Paging' }).click()
  await page.locator('#about-paging').waitFor()
}

async function saysWhatIsMissing({ page }: Visit) {
  await page.getByRole('heading', { name: 'There is no such operation' }).waitFor()
  assert.equal(await page.locator('.operations li').count(), ids.length)
}

async function keepsTheKeyOnTheWay({ page }: Visit) {
  await page.fill('#key', 'vtr_test_kept')
  await open(page, 'listBuilds')
  await page.goBack()
  assert.equal(await page.inputValue('#key'), 'vtr_test_kept')
}

async function showsStamps({ page }: Visit) {
  const stamp = await page.locator('.stamp').innerText()
  assert.equal(
    stamp,
    'Reviewed against platform 4.5.1 · GET /v1/apps/{appId}/performanceOverviews · 2026-11-20 · Markdown',
  )
  assert.equal(await page.locator('.stamp a').getAttribute('href'), '/docs/routes/getPerformanceOverview.md')
}

/** for screen readers: every control and region has a name, and no id is used twice */
async function namesEverything({ page }: Visit) {
  for (const id of ['listApps', 'getEvent', 'whoami']) {
    await open(page, id)
    const nameless = await page.evaluate<string[]>(`(() => {
      const nameOf = (one) => one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent
      const controls = [...document.querySelectorAll('a, button, input, [role=region], [role=tabpanel], [role=tablist]')]
      return controls.filter((one) => nameOf(one).trim() === '').map((one) => one.outerHTML)
    })()`)
    assert.deepEqual(nameless, [])
    const twice = await page.evaluate<string[]>(`(() => {
      const all = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      return all.filter((id, i) => all.indexOf(id) !== i)
    })()`)
    assert.deepEqual(twice, [])
    const controlled = await page.evaluate<boolean>(
      "[...document.querySelectorAll('[aria-controls]')].every((one) => document.getElementById(one.getAttribute('aria-controls')))",
    )
    assert.ok(controlled)
    assert.deepEqual(
      await page.evaluate("['.bar', '#nav', 'main', 'h1'].map((name) => document.querySelectorAll(name).length)"),
      [1, 1, 1, 1],
    )
  }
}

/** of text against what is behind it, by WCAG 2 */
const contrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgb = (color) => {
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = (color) => {
    const [r, g, b] = rgb(color).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor
    }
    return getComputedStyle(document.documentElement).backgroundColor
  }
  const low = new Set()
  for (const one of document.querySelectorAll('main *, #nav *, .bar *, .session *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue
    const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5 && one.checkVisibility()) low.add(one.tagName + '.' + one.className + ' ' + ratio.toFixed(2))
  }
  return [...low]
})()`

async function contrastsEnough({ page }: Visit) {
  await panelOf(page).waitFor()
  assert.deepEqual(await page.evaluate(contrasts), [])
}

async function tellsAboutGroups({ page }: Visit) {
  const about = page.locator('.operations .group > .about')
  await about.waitFor()
  assert.equal(await about.innerText(), groupText.replaceAll('`', ''))
  assert.equal(await page.locator('.operations .group > h3 + .about code').innerText(), 'code')
}

async function takesAListOfOneAsItsItem({ page }: Visit) {
  const row = page.locator('.parameter', { has: page.getByText(singleParameter, { exact: true }) })
  assert.equal(await row.locator('.type').innerText(), 'string')
}

async function searches({ page }: Visit) {
  await listed(page).first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('listapps')
  assert.deepEqual(await hrefs(page), ['/docs/listApps'])
  assert.equal(await page.locator('#found').textContent(), `1 of ${ids.length} operations`)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/listApps')
  await page.fill('#search', 'no such thing')
  assert.deepEqual(await hrefs(page), [])
  await page.press('#search', 'Escape')
  assert.equal((await hrefs(page)).length, ids.length)
}

async function fitsNarrowScreens({ page }: Visit) {
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await sendRequest(page)
  for (const id of ids) {
    await page.click('#menu')
    await open(page, id)
    await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    assert.equal(await width(), 360, id)
  }
  await page.click('#menu')
  assert.equal(await width(), 360)
  assert.equal(await page.getAttribute('#menu', 'aria-expanded'), 'true')
}

test('the reference works in a browser', async (t) => {
  const scene = await openScene(t)
  if (scene === undefined) return
  const { promise } = scene
  await promise('its first page lists every operation', listsEverything)
  await promise('each operation has a page with its name and its parameters', drawsEach)
  await promise('previous and next lead through all operations, and back returns', walksInOrder)
  await promise('an old address leads to the page of its operation', followsOldAddresses, '#listWinBackOfferPrices')
  await promise('a stray % in the address is ignored', opensInSpiteOfItsHash, '#%')
  await promise('a section of the first page has an address', opensASection, '#about-errors')
  await promise('an unknown operation is named, beside those that exist', saysWhatIsMissing, '/listNothing')
  await promise('the key stays while pages change', keepsTheKeyOnTheWay, '/listApps')
  await promise('it shows when an operation was reviewed, and its Markdown', showsStamps, '/getPerformanceOverview')
  await promise('every control and region has a name', namesEverything)
  for (const colorScheme of ['light', 'dark'] as const)
    await promise(`its text stands out in the ${colorScheme}`, contrastsEnough, '/listApps', { colorScheme })
  await promise('it says what a group is about', tellsAboutGroups)
  await promise('a list of one item is documented as the item', takesAListOfOneAsItsItem, '/listApps')
  await promise('the search narrows the list, and Enter opens the first', searches)
  await promise('nothing is wider than a small phone', fitsNarrowScreens, '/listApps', {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  })
})
