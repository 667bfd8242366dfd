// The frame on a phone, and at an address without a page.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, inEachTheme, isTooWide, openConsole } from '../support/console-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const [, , [, phone]] = inEachTheme
const pages = ['Overview', 'Connections', 'Keys', 'Access', 'Explorer', 'Audit log', 'Health']

const sheetOf = (page: Page) => ({
  opener: page.getByRole('button', { name: /^Pages\. Here: / }),
  links: page.getByRole('navigation', { name: 'Pages' }).getByRole('link'),
})

test('a phone names the page at its foot, and opens the list of pages there, by thumb and by keyboard', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ ...phone, path: '/health' })
  const { opener, links } = sheetOf(page)
  await untilEqual(() => opener.textContent(), 'Pages. Here: Health')
  const box = (await opener.boundingBox()) ?? assert.fail('no button')
  assert.ok(box.y + box.height >= 739 && box.height >= 44, JSON.stringify(box))
  assert.equal(await links.count(), 0, 'the list is closed')

  await opener.click()
  assert.deepEqual(await links.allInnerTexts(), pages)
  assert.equal(await page.locator('.foot [aria-current="page"]').innerText(), 'Health')
  for (const link of await links.all()) assert.ok(((await link.boundingBox())?.height ?? 0) >= 43)
  await links.filter({ hasText: 'Audit log' }).click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  await untilEqual(() => links.count(), 0)
  await untilEqual(() => opener.textContent(), 'Pages. Here: Audit log')

  await opener.press('Enter')
  await page.keyboard.press('Tab')
  await untilEqual(() => page.evaluate('document.activeElement.textContent'), 'Overview')
  await page.keyboard.press('Escape')
  await untilEqual(() => links.count(), 0)
  await untilEqual(() => page.evaluate('document.activeElement.className'), 'foot-here')
  assert.deepEqual(scene.complaints, [])
})

test('the theme is chosen in the list of pages on a phone, and the header fits', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ ...phone, viewport: { width: 320, height: 640 } })
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  assert.equal(
    await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.bar'))`,
    ),
    true,
  )
  await sheetOf(page).opener.click()
  await page.getByLabel('Theme').selectOption('Dark')
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await page.getByText(/^operator:/).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('at a mistyped address the console says so in its frame, and leads back', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/conections/x?id=acme' })
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  await page.getByText('/conections/x', { exact: true }).waitFor()
  assert.equal(await page.title(), 'Page not found · Vitrine')
  assert.equal(await page.locator('.rail [aria-current]').count(), 0)
  await page.getByRole('link', { name: 'go to Overview' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  // the browser reports the status of the page itself
  assert.deepEqual(
    scene.complaints.filter((one) => !one.includes('404')),
    [],
  )
})

test('the list of pages and the page that is missing are accessible, in both themes', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [name, look] of inEachTheme) {
    const page = await scene.page({ ...look, path: '/nowhere' })
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.deepEqual(await barriers(page), [], name)
    const { opener } = sheetOf(page)
    if (look.viewport.width < 700) await opener.click()
    assert.deepEqual(await barriers(page), [], name)
    assert.equal(await isTooWide(page), false, name)
    await page.context().close()
  }
})
