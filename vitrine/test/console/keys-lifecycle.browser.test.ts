// The life of a key in the console: viewed, rerolled, revoked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, type ConsoleScene, openConsole, promisesOf, answerUnconfirmed } from '../support/console-scene.ts'
import { tester } from '../support/service.ts'
import { askWith, button, dayMs, dialog, endSession, hostile, hostileShown, issue, panel } from './keys-scene.ts'
import { clickIfThere, signInAgain, takeSecret } from './keys-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

/** a key whose text the test knows, open in the panel */
async function openKey({ page: visit, service }: ConsoleScene, name: string, expiresAt?: number) {
  const { key, shown } = await service.running.keys.issue({ name, connections: ['acme'], expiresAt }, tester)
  const page = await visit({ path: `/keys?id=${shown.id}` })
  await panel(page).getByText('Replaced by').waitFor()
  return { page, key, id: shown.id }
}

const statusOf = async ({ service }: ConsoleScene, key: string) => (await askWith(service, key, '/v1/whoami')).status
const factsOf = async (page: Page): Promise<string> => (await panel(page).innerText()).replaceAll(/\s+/g, ' ')

async function handsOver(scene: ConsoleScene) {
  const { page, key, id } = await openKey(scene, 'ci')
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByText('The new key never expires, like the old one.').waitFor()
  await dialog(page).getByLabel('Overlap').selectOption('7 days')
  const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(Date.now() + 7 * dayMs)
  await dialog(page).getByText(`The old key works until ${until}`).waitFor()
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText(`The old key works until ${until}`).waitFor()
  const heir = await takeSecret(page)
  assert.deepEqual([await statusOf(scene, key), await statusOf(scene, heir)], [200, 200])
  const heirId = heir.split('_')[2] ?? ''
  await panel(page).getByRole('link', { name: heirId }).waitFor()
  await untilEqual(() => button(panel(page), 'Reroll key').getAttribute('aria-disabled'), 'true')
  const { expiresAt } = await scene.service.running.keys.show(id)
  assert.ok(Math.abs((expiresAt ?? 0) - Date.now() - 7 * dayMs) < dayMs / 24)
  await panel(page).getByRole('link', { name: heirId }).click()
  await panel(page).getByRole('link', { name: id }).waitFor()
  assert.equal(new URL(page.url()).search, `?id=${heirId}`)
  await page.context().close()
}

async function handsOverAtOnce(scene: ConsoleScene) {
  const { page, key } = await openKey(scene, 'leaked')
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('None: the old key ends immediately')
  await dialog(page).getByText('The old key ends immediately: requests with it are rejected (401).').waitFor()
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('The old key no longer works.').waitFor()
  const heir = await takeSecret(page)
  assert.deepEqual([await statusOf(scene, key), await statusOf(scene, heir)], [401, 200])
  await panel(page).getByText('revoked').first().waitFor()
  await untilEqual(() => button(panel(page), 'Revoke key').count(), 0)
  await page.context().close()
}

async function neverProlongs(scene: ConsoleScene) {
  const { page, key, id } = await openKey(scene, 'short', Date.now() + 2 * dayMs)
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('Custom')
  await dialog(page).getByLabel('Duration').fill('3 days')
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('Enter a duration such as 30m, 24h or 7d, or 0 for none.').waitFor()
  await dialog(page).getByLabel('Duration').fill('90d')
  await dialog(page).getByText('when it expires, before the overlap is over').waitFor()
  const before = await scene.service.running.keys.show(id)
  await button(dialog(page), 'Reroll key').click()
  const heir = await takeSecret(page)
  assert.deepEqual([await statusOf(scene, key), await statusOf(scene, heir)], [200, 200])
  const [old, next] = [
    await scene.service.running.keys.show(id),
    await scene.service.running.keys.show(heir.split('_')[2] ?? ''),
  ]
  assert.deepEqual([old.expiresAt, next.expiresAt], [before.expiresAt, before.expiresAt])
  await page.context().close()
}

async function setsAnotherEnd(scene: ConsoleScene) {
  const { page, key, id } = await openKey(scene, 'ends soon', Date.now() + 2 * dayMs)
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByText(', like the old one.').waitFor()
  await dialog(page).getByLabel('End of the new key').selectOption('Another')
  await dialog(page).getByLabel('Expires').selectOption('On a date')
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('Enter a date.').waitFor()
  await dialog(page).getByLabel('Expires').selectOption('In 90 days')
  const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(Date.now() + 90 * dayMs)
  await dialog(page).getByText(`The new key expires on ${until}`).waitFor()
  const before = await scene.service.running.keys.show(id)
  await button(dialog(page), 'Reroll key').click()
  const heir = await takeSecret(page)
  assert.deepEqual([await statusOf(scene, key), await statusOf(scene, heir)], [200, 200])
  const next = await scene.service.running.keys.show(heir.split('_')[2] ?? '')
  assert.ok(Math.abs((next.expiresAt ?? 0) - next.createdAt - 90 * dayMs) < 1_000)
  const old = await scene.service.running.keys.show(id)
  assert.ok((old.expiresAt ?? 0) <= (before.expiresAt ?? 0))
  await page.context().close()
}

async function revokes(scene: ConsoleScene) {
  const { page, key, id } = await openKey(scene, 'Old Laptop')
  await button(panel(page), 'Revoke key').click()
  await dialog(page).getByText('Requests with this key are rejected (401) immediately.').waitFor()
  for (const typed of ['', 'old laptop', 'Old Lapto', id.toLowerCase().slice(1)]) {
    await dialog(page).getByRole('textbox').fill(typed)
    await button(dialog(page), 'Revoke key').click()
    await dialog(page).getByText('exactly as shown').waitFor()
  }
  assert.equal(await statusOf(scene, key), 200)
  await dialog(page).getByRole('textbox').fill('Old Laptop')
  await button(dialog(page), 'Revoke key').click()
  await page.getByText('Old Laptop was revoked.').waitFor()
  assert.equal(await statusOf(scene, key), 401)
  await panel(page).getByText('Revoked', { exact: true }).waitFor()
  await untilEqual(() => page.getByRole('row', { name: 'Old Laptop' }).count(), 0)
  await page.context().close()
}

async function warnsOfUntold(scene: ConsoleScene) {
  const { page } = await openKey(scene, 'far away')
  await answerUnconfirmed(page, '**/operator/v1/keys/**')
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('None: the old key ends immediately')
  await button(dialog(page), 'Reroll key').click()
  const heir = await takeSecret(page)
  const warning = page.getByText('far away was rerolled, but not every replica could be notified.')
  await warning.waitFor()
  await page.getByText('may keep its old state until 3 Mar 2099').waitFor()
  await panel(page)
    .getByRole('link', { name: heir.split('_')[2] ?? '' })
    .click()
  await button(panel(page), 'Revoke key').click()
  await dialog(page).getByRole('textbox').fill('far away')
  await button(dialog(page), 'Revoke key').click()
  await page.getByText('far away was revoked, but not every replica could be notified.').waitFor()
  await warning.waitFor()
  await untilEqual(() => barriers(page), [])
  for (const left of [1, 0]) {
    await button(page, 'Dismiss').first().click()
    await untilEqual(() => button(page, 'Dismiss').count(), left)
  }
  await page.context().close()
}

async function losesTheRace(scene: ConsoleScene) {
  const { page, id } = await openKey(scene, 'gone meanwhile')
  await button(panel(page), 'Reroll key').click()
  await scene.service.running.keys.revoke(id, tester)
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('The key was not rerolled.').waitFor()
  await dialog(page).getByText('key_not_live').waitFor()
  await button(dialog(page), 'Cancel').click()
  await panel(page).getByText('Revoked', { exact: true }).waitFor()
  await page.goto(`${scene.url}/keys?id=000000000000`)
  await panel(page).getByText('key_unknown').waitFor()
  await page.context().close()
}

async function tellsAll({ page: visit, service }: ConsoleScene) {
  const wish = { note: 'for the wall', connections: ['acme', 'long-gone'], perMinute: 1_200, groups: ['apps'] as const }
  const id = await issue(service, { name: 'wall', ...wish, expiresAt: Date.parse('2099-03-03T12:00:00Z') })
  const page = await visit({ path: `/keys?id=${id}` })
  await panel(page).getByText('long-gone (unavailable)').waitFor()
  const facts = await factsOf(page)
  for (const part of ['wall', 'active', id, 'for the wall', 'acme', 'Groups apps', '1,200/min', '3 Mar 2099', 'never'])
    assert.ok(facts.includes(part), `${part} in ${facts}`)
  await untilEqual(
    () => page.getByRole('link', { name: 'View in audit log' }).getAttribute('href'),
    `/audit?target=${id}`,
  )
  await untilEqual(() => page.getByRole('link', { name: 'acme' }).getAttribute('href'), '/connections?id=acme')
  await page.getByRole('link', { name: 'What it can read' }).click()
  await page.getByText('can read apps of acme until 3 March 2099.').waitFor()
  await page.context().close()
}

async function staysInert({ page: visit, service }: ConsoleScene) {
  const id = await issue(service, { name: hostile, note: `note ${hostile}`, connections: [`gone ${hostile}`] })
  const page = await visit({ path: `/keys?id=${id}` })
  await panel(page).getByText('(unavailable)').waitFor()
  await button(panel(page), 'Revoke key').click()
  await dialog(page).getByText(`Type ${hostileShown} or its ID to confirm`).waitFor()
  await dialog(page).getByRole('textbox').fill(id)
  await button(dialog(page), 'Revoke key').click()
  await page.getByText(`${hostileShown} was revoked.`).waitFor()
  await page.getByLabel('State').selectOption('Revoked')
  await page.getByRole('row', { name: hostileShown }).waitFor()
  await untilEqual(() => page.locator('#root :is(img, [onerror])').count(), 0)
  assert.equal(await page.title(), 'Keys · Vitrine')
  assert.ok(!(await page.locator('body').innerText()).includes('\u202E'))
  await page.context().close()
}

async function endsInTheMiddle(scene: ConsoleScene) {
  const { page, key, id } = await openKey(scene, 'still good')
  await button(panel(page), 'Revoke key').click()
  await dialog(page).getByRole('textbox').fill(id)
  await endSession(page, scene)
  await clickIfThere(button(dialog(page), 'Revoke key'))
  await signInAgain(page, scene)
  await panel(page).getByRole('heading', { name: 'still good' }).waitFor()
  assert.equal(await statusOf(scene, key), 200)
  await page.context().close()
}

test('rerolling and revoking a key', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = promisesOf(t, scene)
  await promise('during the overlap both keys work, and the page says until when', handsOver)
  await promise('without an overlap the old key ends immediately', handsOverAtOnce)
  await promise('an overlap never extends a key, and must be a duration', neverProlongs)
  await promise('the end of the new key can be set, and the old key ends no later', setsAnotherEnd)
  await promise('a key is revoked by typing its name, and rejected from then on', revokes)
  await promise('a warning about replicas that were not notified stays until it is dismissed', warnsOfUntold)
  await promise('if another operator was first, that is shown and no key is created', losesTheRace)
  await promise('the panel shows all facts of a key, with links to the audit log, connections and access', tellsAll)
  await promise('markup in names and notes is text, and such a key can be revoked by its ID', staysInert)
  await promise('a session that ends meanwhile revokes nothing, and leads back to the key', endsInTheMiddle)
})
