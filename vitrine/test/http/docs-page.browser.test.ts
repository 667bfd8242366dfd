// The reference page in a real browser: what it lists, finds and shows. Trying requests has a file of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../base/test/until.ts'
import type { Page } from 'playwright-core'
import {
  groupText,
  ids,
  openScene,
  operations,
  panelOf,
  sendRequest,
  singleParameter,
  type Visit,
} from '../support/docs-scene.ts'

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

async function namesAlike({ page }: Visit) {
  for (const id of ids) {
    const words = id.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
    const heading = await page.locator(`#${id} h3`).innerText()
    assert.deepEqual(
      [heading, await page.locator(`#contents a[href="#${id}"]`).innerText()].map((one) =>
        one.toLowerCase().replace(/\s*#$/, ''),
      ),
      [words, words],
    )
  }
}

async function showsStamps({ page }: Visit) {
  const section = page.locator('#getPerformanceOverview')
  const stamp = await section.locator('.stamp').innerText()
  assert.equal(stamp, 'Reviewed against platform 4.5.1 · GET /v1/apps/{appId}/performanceOverviews · 2026-11-20')
  const twins = await page
    .locator('.operation a[href$=".md"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  assert.ok(twins.length >= 29)
  assert.equal(await page.locator('.operation .stamp').count(), twins.length)
  assert.ok(twins.includes('/docs/routes/getPerformanceOverview.md'))
  assert.equal(await page.locator('head link[rel=alternate]').getAttribute('href'), '/docs.md')
}

/** for screen readers: every control and region has a name, and no id is used twice */
async function namesEverything({ page }: Visit) {
  for (const id of ids) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded()
    await panelOf(page, id).waitFor()
  }
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
    await page.evaluate("['header', 'nav', 'main', 'h1'].map((name) => document.querySelectorAll(name).length)"),
    [1, 1, 1, 1],
  )
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
  for (const one of document.querySelectorAll('#listApps *, #nav *, .bar *, .session *, .intro *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue
    const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5 && one.checkVisibility()) low.add(one.tagName + '.' + one.className + ' ' + ratio.toFixed(2))
  }
  return [...low]
})()`

async function contrastsEnough({ page }: Visit) {
  await panelOf(page, 'listApps').waitFor()
  assert.deepEqual(await page.evaluate(contrasts), [])
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
  // its neighbours are drawn by then and have not moved it
  await until(() => page.evaluate<boolean>("document.querySelectorAll('.body:not(.waiting)').length > 1"))
  const top = await page.evaluate<number>(`document.getElementById('${id}').getBoundingClientRect().top`)
  assert.ok(top >= 0 && top < 200, `${id} is at ${top}`)
}

async function fitsNarrowScreens({ page }: Visit) {
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await sendRequest(page)
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
  await promise('an operation has the words of its id in the contents and in its heading', namesAlike)
  await promise('it shows the stamp of each review, and links to the page in Markdown', showsStamps)
  await promise('every control and region has a name', namesEverything)
  for (const colorScheme of ['light', 'dark'] as const)
    await promise(`its text stands out in the ${colorScheme}`, contrastsEnough, '#listApps', { colorScheme })
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
