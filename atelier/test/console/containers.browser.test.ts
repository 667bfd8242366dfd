// Containers in the console: created, used and deleted in a real browser, over an engine in memory.
import assert from 'node:assert/strict'
import test from 'node:test'
import { untilEqual } from '../../../base/test/until.ts'
import { barriers, type ConsoleScene, inEachTheme, isTooWide, openConsole } from './scene.ts'

type Page = Awaited<ReturnType<ConsoleScene['page']>>

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function create(page: Page, name: string) {
  await button(page, 'Create container').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Image').fill('base')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

async function livesThrough(scene: ConsoleScene) {
  const page = await scene.page({ path: '/console/containers' })
  await create(page, 'job-7')
  const panel = page.getByRole('region', { name: 'job-7' })
  await panel.getByText('0.5 CPUs, 512 MiB memory, 1 GiB disk, 256 processes').waitFor()
  await untilEqual(() => page.getByRole('meter', { name: 'Containers' }).getAttribute('aria-valuetext'), '1 of 10')
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete container' }).click()
  await page.getByText('Container job-7 was deleted.').waitFor()
  await page.getByText('No containers yet.').waitFor()
  assert.equal(scene.engine.containers.size, 0)
}

async function followsOthers(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const page = await scene.page({ path: '/console/containers' })
  await page.getByText('No containers yet.').waitFor()
  const made = await scene.call('POST', '/containers', { key, body: { image: 'base', name: 'from-a-program' } })
  assert.equal(made.status, 201)
  await page.getByRole('row', { name: /from-a-program/ }).click()
  await page.getByRole('heading', { name: 'from-a-program' }).waitFor()
  await scene.call('DELETE', `/containers?id=${made.body.id}`, { key })
  await page.getByText('No containers yet.').waitFor()
  await page.getByText('it was deleted').waitFor()
}

async function isAccessible(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const made = await scene.call('POST', '/containers', { key, body: { image: 'base', name: 'seen' } })
  for (const { title, ...context } of inEachTheme)
    for (const path of ['/console', '/console/containers', `/console/containers?id=${made.body.id}`]) {
      const page = await scene.page({ path, ...context })
      await page.getByText('seen').first().waitFor({ state: 'attached' })
      assert.deepEqual(await barriers(page), [], `${path} (${title})`)
      assert.equal(await isTooWide(page), false, `${path} (${title})`)
      await page.context().close()
    }
}

test('containers in the console', { timeout: 300_000 }, async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })
  await promise('one is created, seen with its limits, and deleted after a question', livesThrough)
  await promise('what programs create and delete is shown by itself', followsOthers)
  await promise('the pages are accessible in both themes, and fit a phone', isAccessible)
})
