// How long and how heavy the pages of the reference are, at both endpoints of a whole service in a real browser, and
// whether the request and its answer are in sight.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../base/test/browser.ts'
import { load, namedBy } from '../../../base/test/page-load.ts'
import { barriers, inEachTheme, isTooWide } from '../support/console-scene.ts'
import { startOverSandbox } from '../support/service.ts'

const tallest = 3_000
/** page, description, sheet and scripts of a first visit, as Brotli sends them */
const heaviest = 65_000
const desktop = { width: 1280, height: 800 }

async function startBoth(t: TestContext) {
  const { service, close } = await startOverSandbox({ file: { operatorListen: '127.0.0.1:0' } })
  t.after(close)
  const operator = service.operatorUrl ?? assert.fail('the operator endpoint is closed')
  const publicUrl = `http://127.0.0.1:${service.port}`
  return { service, operator, publicUrl, endpoints: [publicUrl, operator] as const }
}

const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight')
const bottomOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => Math.round(one.getBoundingClientRect().bottom))

async function operationsOf(page: Page): Promise<string[]> {
  await page.locator('.operations').waitFor()
  const links = page.locator('#contents .group a')
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

test('no page is higher than 3,000 px, and Send and the answer are in sight without scrolling', async (t) => {
  const browser = await openBrowser(t, 'The height of the reference')
  if (!browser) return
  const { endpoints } = await startBoth(t)
  for (const [endpoint, count] of [
    [endpoints[0], 63],
    [endpoints[1], 36],
  ] as const) {
    const page = await (await browser.newContext({ viewport: desktop })).newPage()
    await page.goto(`${endpoint}/docs`)
    const operations = await operationsOf(page)
    assert.ok(operations.length >= count, `${operations.length} operations`)
    assert.ok((await heightOf(page)) <= tallest, `/docs is ${await heightOf(page)} px`)
    for (const href of operations) {
      await page.locator(`#contents a[href="${href}"]`).click()
      await page.waitForURL(`**${href}`)
      const [height, send, answer] = [
        await heightOf(page),
        await bottomOf(page, '.send'),
        await bottomOf(page, '.answer'),
      ]
      assert.ok(height <= tallest, `${href} is ${height} px`)
      assert.ok(
        send <= desktop.height && answer <= desktop.height,
        `${href}: Send ends at ${send}, the answer at ${answer}`,
      )
    }
  }
})

test('a real answer stays in sight beside the text', async (t) => {
  const browser = await openBrowser(t, 'The answer beside the text')
  if (!browser) return
  const { service, publicUrl } = await startBoth(t)
  const page = await (await browser.newContext({ viewport: desktop })).newPage()
  await page.goto(`${publicUrl}/docs/listApps`)
  await page.fill('#key', service.key)
  await page.fill('#connection', 'acme')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.status', { hasText: ' ms' }).waitFor()
  assert.match(await page.locator('.status').innerText(), /^200 OK/)
  assert.ok((await bottomOf(page, '.answer')) <= desktop.height)
  assert.equal(await page.evaluate('scrollY'), 0)
})

test('no barrier is on a page, in both themes at both widths', async (t) => {
  const browser = await openBrowser(t, 'Barriers of the reference')
  if (!browser) return
  const { publicUrl, operator } = await startBoth(t)
  const pages = [`${publicUrl}/docs`, `${publicUrl}/docs/listBuilds`, `${operator}/docs`, `${operator}/docs/createKey`]
  for (const [theme, options] of inEachTheme) {
    // axe is evaluated, which the policy of the page forbids
    const page = await (await browser.newContext({ ...options, bypassCSP: true })).newPage()
    for (const url of pages) {
      await page.goto(url)
      await page.locator('main h1').waitFor()
      assert.deepEqual(await barriers(page), [], `${url}, ${theme}`)
      assert.equal(await isTooWide(page), false, `${url}, ${theme}`)
    }
  }
})

test('a first visit loads few bytes, and names every script that it needs', async (t) => {
  const { service } = await startBoth(t)
  const get = (path: string) => load(service.port, path, { 'accept-encoding': 'br' })
  const plain = await load(service.port, '/docs/listApps')
  const files = namedBy(plain.bytes.toString()).filter((path) => /\.(?:js|css)$|^\/openapi/.test(path))
  const scripts = readdirSync('src/pages/docs').filter((file) => file.endsWith('.js'))
  assert.deepEqual(
    new Set(files),
    new Set(['/openapi.json', '/docs/docs.css', ...scripts.map((file) => `/docs/${file}`)]),
  )
  const loaded = await Promise.all(['/docs/listApps', ...files].map(get))
  const bytes = loaded.reduce((sum, one) => sum + one.bytes.length, 0)
  assert.ok(loaded.every(({ status }) => status === 200))
  assert.ok(bytes <= heaviest, `${bytes} bytes`)
  t.diagnostic(`${bytes} bytes in ${loaded.length} files`)
})
