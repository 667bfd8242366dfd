// The console without a pointer: the focus never falls to the top of the page, what one is at is seen in any colours, and
// what ticks is not read out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openConsole } from '../ground/console-scene.ts'
import { button } from './keys-scene.ts'
import { comesTo } from '../ground/until.ts'

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")

test('a button that goes away with its last page leaves the focus where it was', async (t) => {
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
  await comesTo(() => focused(page), 'Answer')
  // whoever points elsewhere is left alone
  await page.locator('h1').click()
  await button(page, 'Clear').waitFor()
  await comesTo(() => page.evaluate('document.activeElement.id'), 'main')
  assert.deepEqual(scene.complaints, [])
})

test('how long ago something was does not speak up by itself', async (t) => {
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

/** whether a part looks otherwise than the one beside it */
const look = (selector: string) =>
  `(({ backgroundColor, outlineStyle }) => backgroundColor + outlineStyle)(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`

test('what one is at is seen where the machine has colours of its own', async (t) => {
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
