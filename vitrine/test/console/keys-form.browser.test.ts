// The form for a new key: faults are shown at their fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole } from '../support/console-scene.ts'
import { pem } from '../operator/manager.ts'
import { dialog, openForm, send } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

/** the label of the control, and the fault below it */
const faults = (page: Page): Promise<string[]> => dialog(page).locator('.fault:not(:empty)').allInnerTexts()
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel')

async function marksWhatIsWrong({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  const sent: string[] = []
  page.on('request', (asked) => asked.method() === 'POST' && sent.push(asked.url()))
  await openForm(page, '')
  const form = dialog(page)
  await form.getByLabel('Note').fill('n'.repeat(501))
  await form.getByLabel('Groups', { exact: true }).selectOption('Selected groups')
  await form.getByLabel('Expires').selectOption('On a date')
  await form.getByLabel('Rate limit').selectOption('Custom')
  await form.getByLabel('Requests per minute').fill('1.5')
  await send(page)
  await untilEqual(
    () => faults(page),
    [
      'Enter a name of 1 to 100 characters on one line.',
      'Use at most 500 characters on one line.',
      'Select at least one connection.',
      'Select at least one group.',
      'Enter a date.',
      'Enter a whole number from 1 to 1,000,000.',
    ],
  )
  await untilEqual(() => focused(page), 'Name')
  await form.getByRole('textbox', { name: 'Name' }).fill('ci')
  await form.getByLabel('Note').fill('')
  await send(page)
  await untilEqual(() => focused(page), 'Search connections')
  assert.deepEqual(sent, [])
  await page.context().close()
}

async function showsRefusalsInPlace({ page: visit, url }: ConsoleScene) {
  const page = await visit({ path: '/' })
  const headers = { authorization: 'Bearer the-token-of-the-Operator-q8Zr2Vx5' }
  const account = { id: 'shortlived', keyId: 'ACMEKEY001', privateKey: pem, check: false }
  const connections = `${url}/operator/v1/connections`
  assert.equal((await page.request.post(connections, { headers, data: account })).status(), 201)
  await page.goto(`${url}/keys`)
  await openForm(page)
  await dialog(page).getByLabel('shortlived').check()
  assert.equal((await page.request.delete(`${connections}/shortlived`, { headers })).status(), 200)
  await send(page)
  await dialog(page).getByText('there is no "shortlived".').waitFor()
  await untilEqual(() => focused(page), 'Search connections')
  await page.route('**/operator/v1/keys', (route) => route.abort())
  await send(page)
  await dialog(page).getByText('Vitrine is not responding.').waitFor()
  await untilEqual(() => dialog(page).getByRole('textbox', { name: 'Name' }).inputValue(), 'ci')
  await page.context().close()
}

test('the form for a new key', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await t.test('what is wrong is marked at its field, and nothing is sent', () => marksWhatIsWrong(scene))
  await t.test('a refusal of the endpoint is shown at its field, or else at the foot of the form', () =>
    showsRefusalsInPlace(scene),
  )
  assert.deepEqual(scene.complaints, [])
})
