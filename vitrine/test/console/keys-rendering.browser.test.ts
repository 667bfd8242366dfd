// The keys and access pages in both themes, wide and narrow: accessible, and nothing too wide.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, isTooWide, inEachTheme, openConsole } from '../support/console-scene.ts'
import { button, dayMs, dialog, hostile, issue, panel, takeSecret } from './keys-scene.ts'

async function check(page: Page, state: string) {
  assert.deepEqual(await barriers(page), [], state)
  assert.equal(await isTooWide(page), false, `${state} is too wide`)
  const boxes = page.locator(':is(dialog, .panel, .card)')
  const wide = await boxes.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  assert.equal(wide, 0, `${state} is too wide inside`)
}

async function looksAtKeys(page: Page, id: string) {
  await page.getByText(/^\d keys$/).waitFor()
  await check(page, 'the listing')
  await page.goto(`${page.url()}?id=${id}`)
  await panel(page).getByText('Replaced by').waitFor()
  await check(page, 'a key')
  await button(panel(page), 'Reroll key').click()
  await dialog(page).getByLabel('Overlap').selectOption('Custom')
  await button(dialog(page), 'Reroll key').click()
  await dialog(page).getByText('Enter a duration such as').waitFor()
  await check(page, 'a handover')
  await button(dialog(page), 'Cancel').click()
  await button(panel(page), 'Revoke key').click()
  await button(dialog(page), 'Revoke key').click()
  await check(page, 'a revocation')
  await button(dialog(page), 'Cancel').click()
}

async function looksAtForms(page: Page) {
  await button(panel(page), 'Close').click()
  await button(page, 'Create key').click()
  const form = dialog(page)
  await form.getByLabel('Groups', { exact: true }).selectOption('Selected groups')
  await form.getByLabel('Expires').selectOption('On a date')
  await form.getByLabel('Rate limit').selectOption('Custom')
  await button(form, 'Create key').click()
  await check(page, 'a form with faults')
  await form.getByRole('textbox', { name: 'Name' }).fill('seen')
  await form.getByLabel('Connections', { exact: true }).selectOption('All (*), including later ones')
  await form.getByLabel('Groups', { exact: true }).selectOption('All 9 groups of this version')
  await form.getByLabel('Expires').selectOption('Never')
  await form.getByLabel('Rate limit').selectOption('No limit')
  await check(page, 'a form for everything')
  await button(form, 'Create key').click()
  await dialog(page).getByText('Try it in a shell').click()
  await check(page, 'a new key')
  return (await takeSecret(page)).split('_')[2] ?? ''
}

async function looksAtAccess(page: Page, id: string) {
  await page.goto(`${new URL(page.url()).origin}/access?key=${id}`)
  await page.getByRole('region', { name: 'Selection' }).getByText('can read').waitFor()
  await check(page, 'the matrix')
  await page.goto(`${new URL(page.url()).origin}/access?connection=acme`)
  await button(page, 'Show only these keys').click()
  await page.getByRole('combobox', { name: 'Keys' }).selectOption('All')
  await check(page, 'who may see a connection')
  const box = await page.getByRole('grid').boundingBox()
  assert.ok((box?.height ?? 0) >= 150, 'there is room for rows')
}

test('keys and access are accessible and not too wide, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { service } = scene
  const wide = { connections: ['acme', 'other', 'gone'.padEnd(64, '-')], note: 'n'.repeat(400) }
  const id = await issue(service, { name: 'n'.repeat(100), ...wide, expiresAt: Date.now() + 3 * dayMs })
  await issue(service, { name: hostile, connections: ['*'], groups: ['apps'] })
  await service.running.keys.revoke(await issue(service, { name: 'over' }), {
    who: 'cli:tester',
    from: 'here',
    requestId: null,
  })
  for (const [name, look] of inEachTheme)
    await t.test(name, async () => {
      const page = await scene.page({ ...look, path: '/keys' })
      await page.getByLabel('State').selectOption('All')
      await looksAtKeys(page, id)
      const made = await looksAtForms(page)
      await looksAtAccess(page, made)
      await service.running.keys.revoke(made, { who: 'cli:tester', from: 'here', requestId: null })
      await page.context().close()
    })
  assert.deepEqual(scene.complaints, [])
})
