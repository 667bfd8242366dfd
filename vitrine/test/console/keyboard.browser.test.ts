// The console by keyboard: the focus never falls to the top of the page, the current item is visible in any colours, and
// ticking times are not announced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openConsole } from '../support/console-scene.ts'
import { button } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")

test('a button that disappears with its last page leaves the focus nearby', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/explorer?connection=acme&operation=listApps' })
  await page.getByRole('textbox', { name: 'limit' }).fill('20')
  await page.getByRole('textbox', { name: 'limit' }).press('Enter')
  const next = button(page, 'Next page')
  await next.press('Enter')
  await page.getByText('in 2 pages.').waitFor()
  await next.waitFor({ state: 'detached' })
  await page.locator('section:focus').waitFor()
  await untilEqual(() => focused(page), 'Response')
  // a click elsewhere moves the focus on purpose
  await page.locator('h1').click()
  await button(page, 'Clear').waitFor()
  await untilEqual(() => page.evaluate('document.activeElement.id'), 'main')
  assert.deepEqual(scene.complaints, [])
})

test('relative times are not announced by screen readers', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/connections?id=acme' })
  await button(page, 'Check now').click()
  await page.locator('[role="status"] time').waitFor()
  await page.getByRole('link', { name: 'Explore', exact: true }).click()
  await page.goto(`${scene.url}/explorer?connection=acme&operation=listApps`)
  await button(page, 'Send').click()
  await page.locator('.explorer-status time').waitFor()
  const loud = "[...document.querySelectorAll('[role=status] time, [aria-live=polite] time')]"
  assert.equal(await page.evaluate(`${loud}.filter((one) => one.getAttribute('aria-live') !== 'off').length`), 0)
})

/** whether an element looks different from the one beside it */
const look = (selector: string) =>
  `(({ backgroundColor, outlineStyle }) => backgroundColor + outlineStyle)(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`

test('the current item is visible in forced colours', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/explorer', forcedColors: 'active' })
  await page.getByRole('combobox', { name: 'Operation' }).press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.locator('.option[aria-selected="true"]').waitFor()
  const at = await page.evaluate(look('.option[aria-selected="true"]'))
  assert.notEqual(at, await page.evaluate(look('.option[aria-selected="false"]')))
  await page.goto(`${scene.url}/access`)
  await page.getByRole('grid').press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const chosen = await page.evaluate(look('.access-cell.chosen'))
  assert.notEqual(chosen, await page.evaluate(look('.access-cell:not(.chosen)')))
})
