// Pages left quickly, on bad networks and with wrong clocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pem } from '../operator/manager.ts'
import { openConsole } from '../support/console-scene.ts'
import { button, dialog } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

test('an impossible year is marked at its field, and the page goes on', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/audit' })
  await page.getByText('in total.').waitFor()
  await page.getByLabel('Until').waitFor()
  await page.evaluate(`(() => {
    const field = document.querySelector('input[type="datetime-local"]')
    field.value = '20261-11-21T10:00'
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
  await page.getByText('Enter a valid date.').waitFor()
  await page.getByLabel('Outcome').selectOption('Denied')
  await page.getByText('No matching entries.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('signing out twice at once signs out', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.route('**/operator/v1/session', async (route) => {
    if (route.request().method() === 'DELETE') await new Promise((ok) => setTimeout(ok, 200))
    await route.continue()
  })
  const answers = [0, 1].map((nth) => {
    let seen = 0
    return page.waitForResponse((one) => one.request().method() === 'DELETE' && seen++ === nth)
  })
  await button(page, 'Sign out').dblclick()
  await Promise.all(answers)
  await page.getByLabel('Operator token').fill(scene.token)
  await button(page, 'Sign in').click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await untilEqual(() => page.getByText('Sign-out failed, so you are still signed in').count(), 0)
})

test('with a wrong clock in the browser, times follow the clock of the service', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  for (const hours of [-1, 1]) {
    await page.clock.setSystemTime(Date.now() + hours * 3_600_000)
    await page.goto(`${scene.url}/`)
    const started = page.locator('.overview-service time')
    await started.filter({ hasText: /^(now|\d+ sec\. ago)$/ }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page
      .locator('.listing-status time')
      .filter({ hasText: /^(now|\d sec\. ago)$/ })
      .waitFor()
  }
  assert.deepEqual(scene.complaints, [])
})

test('removing a connection does not bring an operator back who has left the page', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const headers = { authorization: `Bearer ${scene.token}` }
  const data = { id: 'leaving', keyId: 'ACMEKEY001', privateKey: pem, check: false }
  const page = await scene.page({ path: '/connections?id=leaving' })
  await page.request.post(`${scene.url}/operator/v1/connections`, { headers, data })
  await page.reload()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/v1/connections/leaving', async (route) => {
    if (route.request().method() === 'DELETE') await promise
    await route.continue()
  })
  await button(page, 'Remove').click()
  await dialog(page).getByRole('textbox').fill('leaving')
  await button(dialog(page), 'Remove connection').click()
  await button(dialog(page), 'Cancel').click()
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  resolve()
  await page.getByText('leaving was removed.').waitFor()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/keys')
  assert.deepEqual(scene.complaints, [])
})

test('a page that fails says so in its place, and the others go on', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.route('**/operator/v1/keys?**', (route) =>
    route.fulfill({ json: { items: [{ id: 'x', name: 'no key at all', state: 'active' }], nextCursor: null } }),
  )
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByText('Something went wrong on this page.').waitFor()
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  await page.getByText('in total.').waitFor()
  await page.unroute('**/operator/v1/keys?**')
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('row', { name: 'test' }).waitFor()
  assert.equal(scene.complaints.splice(0).length > 0, true, 'the defect is reported to the browser console')
})
