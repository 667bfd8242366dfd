// Downloads of the explorer, and links to its requests.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { barriers, inEachTheme, isTooWide, openConsole } from '../support/console-scene.ts'
import { openExplorer } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Download rows' })

async function saved(page: Page, act: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

test('a list is saved as CSV and JSON: the shown rows, or all pages', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { json: whole } = await scene.service.ask('/apps?limit=200')
  const size = Math.ceil(whole.items.length / 3)
  const { page, field, sendFor, answer, targets } = await openExplorer(scene, 'listApps')
  await field('limit').fill(String(size))
  await sendFor(200)
  const open = () => answer.getByRole('button', { name: 'Download…' }).click()
  const dialog = dialogOf(page)
  await open()
  await dialog.getByText(`Page 1: ${size} rows. More available.`).waitFor()
  const part = await saved(page, () => dialog.getByRole('button', { name: `Download ${size} rows shown` }).click())
  assert.match(part.name, /^listApps-acme-[\dT-]+-part\.csv$/)
  assert.equal(part.text.trimEnd().split('\r\n').length, size + 1)
  assert.equal(targets.length, 1, 'what is shown is not read again')

  await open()
  await dialog.getByLabel('Format').selectOption('JSON')
  const all = await saved(page, () => dialog.getByRole('button', { name: 'Download all pages' }).click())
  assert.match(all.name, /^listApps-acme-[\dT-]+\.json$/)
  assert.deepEqual(JSON.parse(all.text), { items: whole.items, nextCursor: null })
  await dialog.waitFor({ state: 'detached' })
  await answer.getByText(`All ${whole.items.length} rows, in 3 pages.`).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a page that cannot be read saves nothing, and the rest can be read afterwards', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { json: whole } = await scene.service.ask('/apps?limit=200&fields=name')
  const { page, field, sendFor, answer, targets } = await openExplorer(scene, 'listApps')
  await field('limit').fill(String(Math.ceil(whole.items.length / 3)))
  await sendFor(200)
  let saves = 0
  page.on('download', () => saves++)
  await answer.getByRole('button', { name: 'Download…' }).click()
  const dialog = dialogOf(page)
  await page.route('**/operator/v1/read', (route) => (targets.length === 3 ? route.abort() : route.fallback()))
  await dialog.getByRole('button', { name: 'Download all pages' }).click()
  await dialog.getByText('Not all pages could be read. Nothing was downloaded.').waitFor()
  assert.equal(saves, 0)
  const { name, text } = await saved(page, () =>
    dialog.getByRole('button', { name: 'Read the rest and download' }).click(),
  )
  assert.doesNotMatch(name, /part/)
  assert.equal(text.trimEnd().split('\r\n').length, whole.items.length + 1)
  assert.deepEqual(
    scene.complaints.filter((one) => !one.includes('ERR_FAILED')),
    [],
  )
})

test('closing the dialog ends the reading of pages', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, field, sendFor, answer, targets } = await openExplorer(scene, 'listApps')
  await field('limit').fill('1')
  await sendFor(200)
  await answer.getByRole('button', { name: 'Download…' }).click()
  const held = Promise.withResolvers<void>()
  await page.route('**/operator/v1/read', async (route) => {
    await held.promise
    await route.fallback().catch(() => {})
  })
  await dialogOf(page).getByRole('button', { name: 'Download all pages' }).click()
  await dialogOf(page).getByText('Reading page 2. 1 row so far.').waitFor()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  held.resolve()
  await answer.getByText('Page 1: 1 row. More available.', { exact: true }).waitFor()
  await answer.and(page.locator('[aria-busy="false"]')).waitFor()
  assert.equal(targets.length, 2)
  assert.deepEqual(
    scene.complaints.filter((one) => !one.includes('ERR_')),
    [],
  )
})

test('a link to a request fills the form of another operator, and sends nothing until they do', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const mine = await openExplorer(scene, 'listApps', { permissions: ['clipboard-read', 'clipboard-write'] })
  await mine.field('limit').fill('3')
  await mine.page.getByRole('button', { name: 'Copy link' }).click()
  await mine.page.getByText('Copied').waitFor()
  const link = await mine.page.evaluate<string>('navigator.clipboard.readText()')
  const { origin, pathname, search, hash } = new URL(link)
  assert.deepEqual(
    [origin, pathname, search, hash],
    [scene.url, '/explorer', '?connection=acme&operation=listApps', '#request?query.limit=3'],
  )

  const theirs = await scene.page({ path: '/explorer' })
  const read: string[] = []
  const addresses: string[] = []
  theirs.on('request', (request) => {
    addresses.push(request.url())
    if (/\/(?:read|plan)$/.test(request.url())) read.push(request.url())
  })
  // with names that the form has not, and a cursor
  await theirs.goto(`${link}&query.cursor=x&query.invented=1&id.appId=7`)
  await theirs.getByText('Filled in from a link. Nothing was sent: check the values, then send.').waitFor()
  await untilEqual(() => theirs.getByRole('textbox', { name: 'limit' }).inputValue(), '3')
  assert.equal(await theirs.evaluate('location.href'), `${origin}${pathname}${search}`, 'values leave the address')
  await theirs.waitForTimeout(500)
  assert.deepEqual(read, [])
  assert.ok(addresses.every((one) => !one.split('#')[0]?.includes('limit=3')))
  await theirs.getByRole('button', { name: 'Send', exact: true }).click()
  await theirs.getByText(/^(Page 1|All) ?.*3 rows/).waitFor()
  assert.equal(read.length, 1)
  assert.equal(await theirs.getByText('Filled in from a link.').count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('the download and the note of a link are accessible, in both themes', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [name, look] of inEachTheme) {
    const page = await scene.page({
      ...look,
      path: '/explorer?connection=acme&operation=listApps#request?query.limit=4',
    })
    await page.getByText('Filled in from a link.').waitFor()
    assert.deepEqual(await barriers(page), [], name)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'Download…' }).click()
    await dialogOf(page).getByLabel('Format').waitFor()
    assert.deepEqual(await barriers(page), [], name)
    assert.equal(await isTooWide(page), false, name)
    await page.context().close()
  }
})
