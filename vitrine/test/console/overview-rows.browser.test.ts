// The overview with many connections.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openConsole } from '../support/console-scene.ts'
import { cardOf, mark, pageOf } from './overview-page.ts'
import { told } from './overview-events.ts'
import { untilEqual } from '../../../base/test/until.ts'

const many = 500
const namesOfMany = Array.from({ length: many }, (_, i) => `tenant-${String(i).padStart(3, '0')}`)
const elements = (page: Page) => page.evaluate<number>(`document.querySelectorAll('*').length`)
const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight')

async function openMany(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001' }
  const connections = namesOfMany.map((id) => [id, { ...account, privateKeyFile: join(folder, 'key.p8') }])
  return openConsole(t, { folder, file: { connections: Object.fromEntries(connections) } })
}

test('500 connections are a list of rows, drawn only when visible, and live', async (t) => {
  const scene = await openMany(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  const table = page.getByRole('grid', { name: 'Connections' })
  const row = (id: string) => table.getByRole('row').filter({ hasText: id })
  await untilEqual(() => table.getAttribute('aria-rowcount'), String(many + 1))
  await page.getByText('500 connections shown.').waitFor()
  assert.ok((await elements(page)) < 1_500, `${await elements(page)} elements`)
  const height = await heightOf(page)

  await row('tenant-000').press('End')
  const last = row('tenant-499')
  await last.getByText('Idle', { exact: true }).waitFor()
  assert.ok((await elements(page)) < 1_500, `${await elements(page)} elements after scrolling`)
  await scene.service.ask('/v1/connections/tenant-499/apps')
  await last.getByText('Healthy', { exact: true }).waitFor()
  await untilEqual(() => last.getByRole('meter').getAttribute('aria-valuetext'), '3,599 of 3,600 left')
  assert.equal(await heightOf(page), height, 'nothing jumps when a row changes')

  await page.keyboard.press('/')
  await page.keyboard.type('tenant-25')
  await untilEqual(() => table.getByRole('row').count(), 11)
  await row('tenant-250').press('Enter')
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).search, '?id=tenant-250')
  assert.deepEqual(scene.complaints, [])
})

test('500 connections can be cards, which are drawn only when visible', async (t) => {
  const scene = await openMany(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  await page.getByLabel('View', { exact: true }).selectOption('Cards')
  await page.getByRole('heading', { name: 'tenant-499', exact: true }).waitFor({ state: 'attached' })
  assert.equal(await page.locator('.overview-card').count(), many)
  // a card has some sixty elements: 500 of them would be 30,000
  assert.ok((await elements(page)) < 4_000, `${await elements(page)} elements`)
  const last = cardOf(page, 'tenant-499')
  await untilEqual(() => last.getByText('Idle').count(), 0)
  await last.scrollIntoViewIfNeeded()
  await last.getByText('Idle').waitFor()
  assert.ok((await elements(page)) < 4_000, `${await elements(page)} elements after scrolling`)
  const height = await heightOf(page)
  await scene.service.ask('/v1/connections/tenant-499/apps')
  await last.getByText('Healthy', { exact: true }).waitFor()
  assert.equal(await heightOf(page), height, 'nothing jumps when a card is filled')
  assert.deepEqual(scene.complaints, [])
})

const namesShown = (page: Page) => page.locator('.overview-rows .mono').allInnerTexts()

test('a list is filtered by each state that occurs, sorted by what it shows, and keeps its view', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const busy = told.map((card, i) => ({
    ...card,
    hour: { ...card.hour, calls: i * 7, errors: [3, 9, 0, 0, 5][i] ?? 0 },
  }))
  const page = await pageOf(scene, busy)
  await cardOf(page, 'refused').waitFor()
  await page.getByLabel('View', { exact: true }).selectOption('List')
  await untilEqual(() => namesShown(page), ['refused', 'silent', 'low', 'unused', 'well'])
  assert.deepEqual(await page.getByLabel('Show').locator('option').allInnerTexts(), [
    'All (5)',
    'Needs attention (3)',
    'Key rejected (1)',
    'Not responding (1)',
    'Quota low (1)',
    'Healthy (1)',
    'Idle (1)',
  ])
  for (const [shown, names] of [
    ['Needs attention (3)', ['refused', 'silent', 'low']],
    ['Quota low (1)', ['low']],
    ['Idle (1)', ['unused']],
    ['All (5)', ['refused', 'silent', 'low', 'unused', 'well']],
  ] as const) {
    await page.getByLabel('Show').selectOption(shown)
    await untilEqual(() => namesShown(page), [...names])
  }
  for (const [sorted, names] of [
    ['Most calls', ['well', 'unused', 'silent', 'refused', 'low']],
    ['Most failed calls', ['refused', 'well', 'low', 'silent', 'unused']],
    ['Least quota left', ['low', 'refused', 'silent', 'well', 'unused']],
  ] as const) {
    await page.getByLabel('Sort by').selectOption(sorted)
    await untilEqual(() => namesShown(page), [...names])
  }
  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await untilEqual(async () => (await namesShown(page)).length, 5)
  assert.deepEqual(scene.complaints, [])
})
