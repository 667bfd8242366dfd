import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page, Request } from 'playwright-core'
import { openConsole } from '../support/console-scene.ts'
import { cardOf, mark } from './overview-page.ts'

/** how often the stream is opened in this time */
async function openedWithin(page: Page, ms: number): Promise<number> {
  let count = 0
  const note = (request: Request) => void (request.url().endsWith('/events') && count++)
  page.on('request', note)
  await page.clock.fastForward(ms)
  // requests before this response were sent before it
  await page.evaluate(`fetch('/healthz').then((answer) => answer.text())`)
  page.off('request', note)
  return count
}

const streamEnds = (page: Page) => page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'))

test('signing out closes the stream', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.clock.install()
  await page.reload()
  await mark(page, 'Live')
  const ended = streamEnds(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await ended
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await openedWithin(page, 120_000), 0)
  assert.deepEqual(scene.complaints, [])
})

test('more tabs than a browser has connections to one host all work', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const context = (await scene.page()).context()
  for (let i = 0; i < 7; i++) {
    const page = await context.newPage()
    await page.goto(scene.url)
    await cardOf(page, 'acme').waitFor()
    if (i > 2) continue
    // a page that is reloaded keeps its place
    await page.reload()
    await mark(page, 'Live')
  }
})

test('a tab opened in the background closes its stream too', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.clock.install()
  await page.addInitScript(`Object.defineProperty(document, 'hidden', { value: true })`)
  await page.reload()
  await mark(page, 'Live')
  const ended = streamEnds(page)
  await page.clock.fastForward(16_000)
  await ended
})

test('a page hidden for long closes its stream, and catches up when it is visible again', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.clock.install()
  await page.reload()
  await mark(page, 'Live')
  const hide = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
  const ended = streamEnds(page)
  await hide(true)
  await page.clock.fastForward(16_000)
  await ended
  assert.equal(await openedWithin(page, 120_000), 0)
  await scene.service.ask('/apps')
  await hide(false)
  await mark(page, 'Live')
  await cardOf(page, 'acme').getByText('1 call', { exact: true }).waitFor()
  assert.deepEqual(scene.complaints, [])
})
