// Creating a key in the console, and the one dialog that shows its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, openConsole, promisesOf, tracesOf } from '../support/console-scene.ts'
import { askWith, button, dialog, endSession, openForm, send, shownSecret, signInAgain } from './keys-scene.ts'
import { clickIfThere, dayMs, takeSecret, wholeMemory } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

async function makesWithEverything({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await openForm(page, 'night build')
  const form = dialog(page)
  await form.getByLabel('Note').fill('kept by the night shift')
  await form.getByLabel('Search connections').fill('o')
  await form.getByLabel('other').check()
  await form.getByLabel('Search connections').fill('acme')
  await form.getByLabel('acme').check()
  await form.getByLabel('Groups', { exact: true }).selectOption('Selected groups')
  await form.getByLabel('builds').check()
  await form.getByLabel(/^apps/).check()
  await form.getByLabel('Expires').selectOption('On a date')
  await form.getByLabel('Date').fill('2099-01-31')
  await form.getByLabel('Rate limit').selectOption('Custom')
  await form.getByLabel('Requests per minute').fill('250')
  await form.getByLabel(/^Apps/).fill('1, 2,1')
  await form.getByLabel('Personal data').selectOption('Shown')
  await form.getByLabel('Platform calls per hour').fill('500')
  await send(page)
  const secret = await takeSecret(page)
  const { status, json } = await askWith(service, secret, '/v1/whoami')
  assert.equal(status, 200)
  const { id, createdAt, ...told } = json
  assert.ok(Date.parse(createdAt) > Date.now() - dayMs)
  assert.deepEqual(told, {
    name: 'night build',
    connections: ['acme', 'other'],
    endedConnections: [],
    allConnections: false,
    groups: ['apps', 'builds'],
    apps: ['1', '2'],
    personal: true,
    perMinute: 250,
    platformCalls: { perHour: 500, remaining: 500, resetSec: 3_600 },
    expiresAt: '2099-01-31T00:00:00.000Z',
  })
  assert.equal((await askWith(service, secret, '/v1/connections/acme/apps')).status, 200)
  assert.equal((await askWith(service, secret, '/v1/connections/solo/apps')).status, 404)
  assert.equal((await askWith(service, secret, '/v1/connections/acme/status')).json.error.code, 'group_not_granted')
  const row = page.getByRole('row', { name: 'night build' })
  for (const part of ['active', '2', '2 of 9', '250/min', '500/h'])
    assert.ok((await row.innerText()).includes(part), part)
  assert.equal((await service.running.keys.show(id)).note, 'kept by the night shift')
  await page.context().close()
}

async function makesTheWidest({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  await openForm(page, 'everything')
  const form = dialog(page)
  await form.getByLabel('Connections', { exact: true }).selectOption('All (*), including later ones')
  await form.getByText('its holder can read every account that Vitrine ever has').waitFor()
  await form.getByLabel('Expires').selectOption('Never')
  await form.getByText('Keys that expire are safer.').waitFor()
  await form.getByLabel('Rate limit').selectOption('No limit')
  await send(page)
  const { json } = await askWith(service, await takeSecret(page), '/v1/whoami')
  assert.deepEqual([json.allConnections, json.groups.length, json.perMinute, json.expiresAt], [true, 9, 0, null])
  assert.equal(json.personal, false)
  await page.context().close()
}

const searchFor = async (page: Page, secret: string) => {
  const [, , id = '', hidden = ''] = secret.split('_')
  assert.equal(hidden.length, 43)
  for (const [name, text] of [
    ['the page', await tracesOf(page)],
    ['its memory', await wholeMemory(page)],
  ] as const) {
    assert.ok(text.includes(id), `${name} was looked through`)
    assert.ok(!text.includes(hidden), `${name} holds the secret`)
  }
}

async function forgetsTheSecret({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/keys' })
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('request', (asked) => said.push(asked.url(), asked.postData() ?? ''))
  await openForm(page)
  await dialog(page).getByLabel('acme').check()
  await send(page)
  const secret = await shownSecret(page)
  assert.ok((await wholeMemory(page)).includes(secret), 'the memory is searched where the secret is')
  await takeSecret(page)
  await page.getByText('Key ci created.').waitFor()
  await page.getByRole('row', { name: 'ci' }).first().click()
  await page.locator('.panel').getByText('Replaced by').waitFor()
  await searchFor(page, secret)
  assert.ok(!said.join('\n').includes(secret.split('_')[3] ?? ''))
  assert.equal((await page.context().cookies()).length, 1)
  await page.context().close()
}

async function holdsOn({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/' })
  await page.getByRole('link', { name: 'Keys' }).click()
  await openForm(page, 'held')
  await dialog(page).getByLabel('acme').check()
  await send(page)
  const secret = await shownSecret(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await button(dialog(page), 'Done').click({ force: true })
  assert.equal(await shownSecret(page), secret)
  await page.goBack()
  await page.waitForURL('**/keys')
  await dialog(page).getByText('Copy the key first: it cannot be shown again.').waitFor()
  assert.equal(await shownSecret(page), secret)
  const asked = new Promise<string>((ok) => page.once('dialog', (one) => void one.dismiss().then(() => ok(one.type()))))
  await page.evaluate('setTimeout(() => location.reload())')
  assert.equal(await asked, 'beforeunload')
  assert.equal(await takeSecret(page), secret)
  assert.equal((await askWith(service, secret, '/v1/whoami')).status, 200)
  await page.goBack()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.context().close()
}

async function isCopied(page: Page, text: string) {
  for (const endsAt = performance.now() + 10_000; ;) {
    const copied = await page.evaluate('navigator.clipboard.readText()')
    if (copied === text) return
    assert.ok(performance.now() < endsAt, `${String(copied)} is copied`)
  }
}

async function copies({ page: visit, service }: ConsoleScene) {
  const page = await visit({ path: '/keys', permissions: ['clipboard-read', 'clipboard-write'] })
  await openForm(page)
  await dialog(page).getByLabel('acme').check()
  await send(page)
  const secret = await shownSecret(page)
  await untilEqual(() => button(dialog(page), 'Done').getAttribute('aria-disabled'), 'true')
  await dialog(page).getByText('Try it in a shell').click()
  const line = await dialog(page).locator('pre').innerText()
  assert.equal(line, `read -rs VITRINE_KEY && curl -H "Authorization: Bearer $VITRINE_KEY" ${service.url}/v1/whoami`)
  await button(dialog(page), 'Copy command').click()
  await isCopied(page, line)
  await button(dialog(page), 'Copy key').click()
  await isCopied(page, secret)
  await button(dialog(page), 'Done').click()
  await dialog(page).waitFor({ state: 'detached' })
  await untilEqual(() => page.evaluate('document.activeElement.textContent'), 'Create key')
  await page.context().close()
}

async function copiesByHand({ page: visit }: ConsoleScene) {
  const page = await visit({ path: '/' })
  await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))')
  await page.goto(page.url().replace(/\/$/, '/keys'))
  await openForm(page)
  await dialog(page).getByLabel('acme').check()
  await send(page)
  const secret = await shownSecret(page)
  await button(dialog(page), 'Copy key').click()
  await dialog(page).getByText('Copy failed: select and copy it yourself').waitFor()
  await untilEqual(() => button(dialog(page), 'Done').getAttribute('aria-disabled'), 'true')
  await dialog(page).getByRole('textbox', { name: 'The new key' }).focus()
  assert.equal(await page.evaluate('getSelection().toString().trim()'), secret)
  await takeSecret(page)
  await page.context().close()
}

async function endsInTheMiddle(scene: ConsoleScene) {
  const page = await scene.page({ path: '/keys' })
  await openForm(page, 'never made')
  await dialog(page).getByLabel('acme').check()
  await endSession(page, scene)
  await clickIfThere(button(dialog(page), 'Create key'))
  await signInAgain(page, scene)
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  const keys = await scene.service.running.keys.list()
  assert.ok(!keys.some(({ name }) => name === 'never made'))
  await page.context().close()
}

test('creating keys', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = promisesOf(t, scene)
  await promise('a key with every option reads what it was granted, and nothing else', makesWithEverything)
  await promise('a key for everything is created after a warning', makesTheWidest)
  await promise('the text of a key is gone once its dialog is closed, from memory too', forgetsTheSecret)
  await promise('the dialog stays until the key was copied', holdsOn)
  await promise('the key and the sample command are copied, and the focus goes back', copies)
  await promise('where the clipboard is forbidden, the key is selected to copy by hand', copiesByHand)
  await promise('a session that ends meanwhile creates nothing, and leads back', endsInTheMiddle)
})
