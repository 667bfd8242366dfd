// Keys in the console: created, shown once, used and revoked in a real browser.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, type ConsoleScene, openConsole } from './scene.ts'

async function livesThrough(scene: ConsoleScene) {
  const page = await scene.page({ path: '/console/keys' })
  await page.getByRole('button', { name: 'Create the first key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name of 1 to 64 characters.').waitFor()
  await dialog.getByLabel('Name').fill('nightly build')
  await dialog.getByLabel('Scopes').selectOption('chosen')
  await dialog.getByLabel('containers:read').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const box = dialog.getByRole('textbox', { name: 'The new key' })
  const key = String(await box.textContent())
  assert.match(key, /^atl_[0-9a-z]{8}_[\w-]{43}_[0-9a-f]{6}$/)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click({ force: true })
  assert.ok(await box.isVisible(), 'it cannot be left before the key is copied')
  await dialog.getByLabel('I have copied the key.').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(key.slice(13)), 'its text is gone from the page')

  assert.equal((await scene.call('GET', '/containers', { key })).status, 200)
  const refused = await scene.call('POST', '/containers', { key, body: { image: 'base' } })
  assert.deepEqual([refused.status, refused.body.error.details], [403, { scope: 'containers:write' }])

  await page.getByRole('row', { name: /nightly build/ }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('Key nightly build was revoked.').waitFor()
  assert.equal((await scene.call('GET', '/containers', { key })).status, 401)
  await page.getByText('No matching keys.').waitFor()
}

async function hasNoBarriers(scene: ConsoleScene) {
  const { key } = await scene.key(scene.account)
  const page = await scene.page({ path: `/console/keys?id=${key.id}` })
  await page.getByRole('heading', { name: 'test', exact: true }).waitFor()
  await assertAccessible(page, 'a key')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'the form')
}

test('keys in the console', { timeout: 300_000 }, async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [title, check] of [
    ['one is created with the chosen scopes, shown once, works, and ends when it is revoked', livesThrough],
    ['the page and its form are accessible in both themes, and fit a phone', hasNoBarriers],
  ] as const)
    await t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })
})
