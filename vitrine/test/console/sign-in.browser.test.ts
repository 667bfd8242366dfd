// Long: every way to sign in and out, in a real browser, and what the page says, keeps and reveals.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, type ConsoleScene, isTooWide, inEachTheme, openConsole, token } from '../support/console-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const field = (page: Page) => page.getByLabel('Operator token')

async function signIn(page: Page, text: string) {
  await field(page).fill(text)
  await page.keyboard.press('Enter')
}

const isIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor()
const isOut = (page: Page) => page.getByRole('heading', { name: 'Sign in' }).waitFor()

/** everything that a script on the page could find */
const traces = `(() => {
  const values = [...document.querySelectorAll('input, textarea, select')].map(({ value }) => value)
  const kept = [localStorage, sessionStorage].map((one) => JSON.stringify(one))
  return [document.documentElement.outerHTML, ...values, ...kept, document.cookie, location.href,
    JSON.stringify(history.state), window.name].join('\\n')
})()`

async function assertNoTrace(page: Page, secrets: readonly string[]) {
  const found = await page.evaluate<string>(traces)
  for (const secret of secrets) assert.ok(!found.includes(secret), 'a secret can be found in the page')
}

async function secretsOf(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies()
  const { csrf } = (await (
    await page.context().request.get(new URL('/operator/v1/session', page.url()).href)
  ).json()) as {
    csrf: string
  }
  return [token, csrf, ...cookies.map(({ value }) => value)]
}

async function entersByKeyboard({ page: open, complaints }: ConsoleScene) {
  const page = await open({ signedIn: false })
  await isOut(page)
  assert.equal(await page.title(), 'Sign in · Vitrine')
  assert.ok(await field(page).evaluate((one) => one === one.ownerDocument.activeElement))
  await signIn(page, 'not-the-token-at-all')
  await page.getByText('Invalid operator token.').waitFor()
  await untilEqual(() => field(page).getAttribute('aria-invalid'), 'true')
  await signIn(page, `  ${token} `)
  await isIn(page)
  assert.equal(await page.title(), 'Overview · Vitrine')
  await page.reload()
  await isIn(page)
  assert.deepEqual(complaints, [])
}

async function leavesNothing({ page: open, url }: ConsoleScene) {
  const page = await open({ signedIn: false })
  await signIn(page, token)
  await isIn(page)
  const secrets = await secretsOf(page)
  const [cookie] = await page.context().cookies()
  assert.deepEqual(
    [cookie?.httpOnly, cookie?.sameSite, cookie?.path, cookie?.expires],
    [true, 'Strict', '/operator/v1', -1],
  )
  await assertNoTrace(page, secrets)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await isOut(page)
  await assertNoTrace(page, secrets)
  assert.deepEqual(await page.context().cookies(), [])
  const again = await page.context().request.get(`${url}/operator/v1/connections`, {
    headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'x-vitrine-csrf': secrets[1] ?? '' },
  })
  assert.equal(again.status(), 401)
}

async function staysOutsideWithoutAPath({ page: open }: ConsoleScene) {
  for (const path of ['/keys', '/explorer?operation=listApps', '/audit']) {
    const page = await open({ signedIn: false, path })
    await isOut(page)
    await signIn(page, token)
    await isIn(page)
    assert.equal(new URL(page.url()).pathname, path.split('?')[0])
    await page.context().close()
  }
}

/** a page of another port of this machine, with two frames: the console, and a harmless page */
async function isNotFramed({ browser, url }: ConsoleScene) {
  const framer = createServer((req, res) => {
    const frames = `<iframe src="${url}/"></iframe><iframe src="/plain"></iframe>`
    res.writeHead(200, { 'content-type': 'text/html' }).end(req.url === '/' ? frames : 'plain')
  })
  await new Promise<void>((resolve) => void framer.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(framer.address() as AddressInfo).port}`
  const page = await (await browser.newContext()).newPage()
  try {
    await page.goto(elsewhere, { waitUntil: 'load' })
    const [, shut, open] = page.frames()
    assert.equal(shut?.url(), 'chrome-error://chromewebdata/')
    assert.equal(open?.url(), `${elsewhere}/plain`)
  } finally {
    await page.close()
    framer.closeAllConnections()
    framer.close()
  }
}

async function isAccessible({ page: open, complaints }: ConsoleScene) {
  for (const [name, look] of inEachTheme) {
    const page = await open({ ...look, signedIn: false })
    await isOut(page)
    assert.deepEqual(await barriers(page), [], name)
    await signIn(page, 'not-the-token-at-all')
    await page.getByText('Invalid operator token.').waitFor()
    assert.deepEqual(await barriers(page), [], `${name}, refused`)
    assert.equal(await isTooWide(page), false, name)
    await page.context().close()
  }
  assert.deepEqual(complaints, [])
}

test('the console', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await t.test('is entered with the token, by keyboard, and a reload stays inside', () => entersByKeyboard(scene))
  await t.test('keeps neither token nor proof in page, storage or address, and ends when one leaves', () =>
    leavesNothing(scene),
  )
  await t.test('opens the page that the address names, once one is in', () => staysOutsideWithoutAPath(scene))
  await t.test('cannot be framed', () => isNotFramed(scene))
})

test('the sign-in page is accessible, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (scene) await isAccessible(scene)
})

test('many wrong tokens are reported, and the right one is still accepted', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ signedIn: false })
  for (let i = 0; i < 10; i++) {
    await field(page).fill(`a-wrong-token-number-${i}`)
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/session')),
      page.keyboard.press('Enter'),
    ])
  }
  await signIn(page, 'and-one-more-wrong-token')
  await page
    .getByText(
      'Invalid operator token. After too many failed attempts from this network, only a valid token is accepted for a minute.',
    )
    .waitFor()
  await page.reload()
  await signIn(page, token)
  await isIn(page)
})

test('an ended session is reported, and signing in returns to the same page', async (t) => {
  let nowMs = Date.now()
  const scene = await openConsole(t, { now: () => nowMs })
  if (!scene) return
  const page = await scene.page({ path: '/audit' })
  await isIn(page)
  nowMs += 31 * 60_000
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await signIn(page, token)
  await isIn(page)
  assert.equal(new URL(page.url()).pathname, '/audit')
})

test('a service that is down is reported, and can be retried', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await isIn(page)
  await page.route('**/operator/v1/session', (route) => route.abort('connectionrefused'))
  await page.reload()
  await page.getByRole('heading', { name: 'Service unavailable' }).waitFor()
  await page.unroute('**/operator/v1/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await isIn(page)
})

test('the chosen theme is kept, and nothing else is', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ colorScheme: 'light' })
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const light = await ground()
  await page.getByLabel('Theme').selectOption('dark')
  const dark = await ground()
  assert.notEqual(dark, light)
  await page.reload()
  await isIn(page)
  assert.equal(await ground(), dark)
  assert.equal(await page.evaluate('JSON.stringify(localStorage)'), '{"vitrine-theme":"dark"}')
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}')
})
