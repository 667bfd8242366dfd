// Long: every way to filter, page and open the audit log.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { operations } from '../../src/management/operations.ts'
import { actionChoices } from '../../src/console/pages/audit/actions.ts'
import { barriers, isTooWide, inEachTheme, openConsole, token, tracesOf } from '../support/console-scene.ts'
import { account, askedOf, button, panelOf, pem } from './key-upload-page.ts'
import { untilEqual } from '../../../base/test/until.ts'

const path = '/audit'
const hostile = '<img src=x onerror="document.title=1">'

async function tell(url: string, at: string, body: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await fetch(`${url}/operator/v1${at}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const rows = (page: Page) => page.getByRole('grid').getByRole('row')
const acts = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('.rows .cell:nth-child(2) .mono')].map((one) => one.textContent)")

test('the audit log is newest first, marks denials, and opens an entry to all of its facts', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await tell(scene.url, '/connections', { id: 'studio', ...account, privateKey: pem, check: false })
  const { error } = await tell(scene.url, '/connections', { id: 'studio', ...account, privateKey: pem, check: false })
  const page = await scene.page({ path })
  await page.getByText('4 entries in total.').waitFor()
  assert.deepEqual(await acts(page), ['session.begin', 'connections.create', 'connections.create', 'keys.create'])
  await rows(page).nth(2).getByText('denied').waitFor()
  await rows(page).nth(2).getByText('code connection_exists').waitFor()
  await rows(page).nth(2).press('Enter')
  const panel = panelOf(page)
  await panel.getByRole('heading', { name: 'Entry 3' }).waitFor()
  for (const fact of ['Add a connection', 'studio', '127.0.0.1', 'connection_exists', error.requestId])
    await panel.getByText(fact, { exact: true }).first().waitFor()
  assert.match(await panel.innerText(), /Hash\s+[0-9a-f]{64}/)
  await untilEqual(() => panel.getByRole('link', { name: 'Open' }).getAttribute('href'), '/connections?id=studio')
  await page.keyboard.press('Escape')
  await rows(page).nth(2).and(page.locator(':focus')).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('the API filters the audit log; choices are in the address, typed text is not', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await tell(scene.url, '/connections', { id: 'studio', ...account, privateKey: pem, check: false })
  await tell(scene.url, '/keys', { name: 'ci', connections: ['nobody'] })
  await tell(scene.url, '/keys', { name: 'ci', connections: ['studio'] })
  const page = await scene.page({ path })
  const search = () => new URL(page.url()).search
  await page.getByText('5 entries in total.').waitFor()
  await page.getByLabel('Action').selectOption('keys')
  await page.getByText('3 entries in total.').waitFor()
  assert.equal(search(), '?act=keys')
  await page.getByLabel('Outcome').selectOption('Denied')
  await page.getByText('1 entry in total.').waitFor()
  assert.equal(search(), '?act=keys&outcome=denied')
  await page.reload()
  await page.getByText('1 entry in total.').waitFor()
  await page.getByLabel('Outcome').selectOption('All outcomes')
  await page.getByLabel('Who').fill('cli:tester')
  await page.getByText('1 entry in total.').waitFor()
  assert.deepEqual(await acts(page), ['keys.create'])
  await page.getByLabel('Who').fill('cli:nobody')
  await page.getByText('No matching entries.').waitFor()
  assert.equal(search(), '?act=keys')
  await button(page, 'Show all entries').click()
  await page.getByText('5 entries in total.').waitFor()
  await untilEqual(() => page.getByLabel('Who').inputValue(), '')
  await page.getByLabel('Target').fill('studio')
  await page.getByText('1 entry in total.').waitFor()
  assert.equal(search(), '')
  await page.getByLabel('Target').fill('x'.repeat(201))
  await page.locator('.audit-filters .fault').getByText('target').waitFor()
  await page.getByLabel('Target').fill('')
  await page.getByLabel('Action').selectOption('Other…')
  await page.getByLabel('Action name').fill('session')
  await page.getByText('1 entry in total.').waitFor()
  assert.deepEqual(await acts(page), ['session.begin'])
  assert.deepEqual(scene.complaints, [])
})

test('a link filters the audit log by its target, and an entry by its own values', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await tell(scene.url, '/connections', { id: 'studio', ...account, privateKey: pem, check: false })
  await tell(scene.url, '/connections/studio/check', {})
  const page = await scene.page({ path: '/audit?target=studio&act=connections' })
  await untilEqual(() => page.getByLabel('Target').inputValue(), 'studio')
  await page.getByText('2 entries in total.').waitFor()
  await rows(page).last().click()
  await panelOf(page).getByRole('button', { name: 'Filter by this action' }).click()
  await page.getByText('1 entry in total.').waitFor()
  assert.equal(new URL(page.url()).search, '?act=connections.create&target=studio')
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  await page.getByText('4 entries in total.').waitFor()
})

test('reads are among the entries and can be hidden', async (t) => {
  const scene = await openConsole(t, { file: { audit: { reads: true } } })
  if (!scene) return
  const { service } = scene
  await service.ask('/apps?limit=1')
  await service.ask('/apps?limit=1', { key: 'vtr_no' })
  const page = await scene.page({ path })
  const count = page.locator('.listing-status [role=status]').last()
  // they are written a moment after the answer
  while (!(await acts(page)).includes('read')) {
    await count.getByText('in total').waitFor()
    await button(page, 'Check for new entries').click()
  }
  await page.getByLabel('Hide reads').check()
  await count.getByText('2 entries in total.').waitFor()
  assert.deepEqual(await acts(page), ['session.begin', 'keys.create'])
  assert.equal(new URL(page.url()).search, '?reads=no')
})

test('entries are filtered by time, in the time zone of the browser', async (t) => {
  const noon = Date.UTC(2026, 9, 20, 12)
  let now = noon - 72 * 3_600_000
  const scene = await openConsole(t, { now: () => now })
  if (!scene) return
  now = noon - 3 * 3_600_000
  await tell(scene.url, '/keys', { name: 'ci', connections: ['*'] })
  now = noon
  const page = await scene.page({ path, timezoneId: 'Asia/Tokyo' })
  await page.getByText('3 entries in total.').waitFor()
  await rows(page)
    .nth(2)
    .getByText(/^20 Oct( 2026)?, 18:00:00$/)
    .waitFor()
  await page.getByLabel('Since').selectOption('Last day')
  await page.getByText('2 entries in total.').waitFor()
  await page.getByLabel('Since').selectOption('Last hour')
  await page.getByText('1 entry in total.').waitFor()
  assert.equal(new URL(page.url()).search, '?since=1h')
  await page.getByLabel('Until').fill('2026-10-20T18:00')
  await page.locator('.audit-filters .fault').getByText('"since" is not before "until".').waitFor()
  await page.getByLabel('Since').selectOption('All time')
  await page.getByText('1 entry in total.').waitFor()
  await page.getByLabel('Until').fill('2026-10-20T18:01')
  await page.getByText('2 entries in total.').waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(scene.complaints, [])
})

test('older entries are loaded on request, and the page says when all are loaded', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (let i = 0; i < 230; i++) await scene.service.issue({ name: `key ${i}` })
  const page = await scene.page({ path })
  await page.getByText('The newest 100 entries. Older entries are available.').waitFor()
  await page.route('**/operator/v1/audit?*', (route) => route.abort())
  await button(page, 'Load older').click()
  await page.getByText('The audit log could not be loaded.').waitFor()
  await page.getByText('The newest 100 entries. Older entries are available.').waitFor()
  await page.unroute('**/operator/v1/audit?*')
  await button(page, 'Load older').click()
  await page.getByText('The newest 200 entries. Older entries are available.').waitFor()
  await button(page, 'Load older').click()
  await page.getByText('232 entries in total.').waitFor()
  await untilEqual(() => button(page, 'Load older').count(), 0)
  await rows(page).nth(1).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await panelOf(page).getByRole('heading', { name: 'Entry 1', exact: true }).waitFor()
  assert.ok((await page.evaluate<number>("document.querySelectorAll('*').length")) < 800)
  assert.deepEqual(scene.complaints, [])
})

test('new entries are loaded on request, without a gap before the old ones', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  await page.getByText('2 entries in total.').waitFor()
  const asked = askedOf(page, '/audit')
  await button(page, 'Check for new entries').click()
  await page.getByText('No new entries.').waitFor()
  for (let i = 0; i < 130; i++) await scene.service.issue()
  await untilEqual(() => rows(page).count(), 3)
  await button(page, 'Check for new entries').click()
  await page.getByText('130 new entries.').waitFor()
  await page.getByText('132 entries in total.').waitFor()
  assert.equal(asked.length, 3)
  for (let i = 0; i < 1_050; i++) await scene.service.issue()
  await button(page, 'Check for new entries').click()
  await page.getByText('There were too many new entries to add, so the list was reloaded.').waitFor()
  await page.getByText('The newest 1,000 entries. Older entries are available.').waitFor()
  await button(page, 'Load older').click()
  await page.getByText('The newest 1,100 entries. Older entries are available.').waitFor()
  await button(page, 'Load older').click()
  await page.getByText('1,182 entries in total.').waitFor()
})

test('of a key pasted into a filter, only the id stays and is sent', async (t) => {
  const scene = await openConsole(t, { file: { audit: { reads: true } } })
  if (!scene) return
  const page = await scene.page({ path })
  const said: string[] = []
  page.on('request', (request) => void said.push(request.url()))
  const { key } = scene.service
  const id = key.split('_')[2] ?? ''
  const narrowsTo = async (label: string, value: string) => {
    await page.getByLabel(label).fill(key)
    await page.getByText('1 entry in total.').waitFor()
    await untilEqual(() => page.getByLabel(label).inputValue(), value)
    await page.getByLabel(label).fill(key)
    await untilEqual(() => page.getByLabel(label).inputValue(), value)
  }
  await narrowsTo('Target', id)
  assert.deepEqual(await acts(page), ['keys.create'])
  await page.getByLabel('Who').fill(key)
  await page.getByText('No matching entries.').waitFor()
  await untilEqual(() => page.getByLabel('Who').inputValue(), `key:${id}`)
  assert.ok(![await tracesOf(page), ...said].join('\n').includes(key.slice(-20)))
})

test('names by others are shown as text everywhere', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  await scene.service.issue({ name: `${hostile}\u2066evil` })
  const page = await scene.page({ path })
  await rows(page).filter({ hasText: hostile }).click()
  await panelOf(page).getByText(`${hostile}⟨U+2066⟩evil`).waitFor()
  await untilEqual(() => page.locator('main img').count(), 0)
  assert.match(await page.title(), /^Audit/)
  assert.deepEqual(scene.complaints, [])
})

test('every action of the API can be chosen', () => {
  const choices = new Set(Object.keys(actionChoices))
  const written = operations.filter(({ method, readOnly }) => method !== 'GET' && !readOnly)
  assert.deepEqual(
    written.map(({ act }) => act).filter((act) => !choices.has(act)),
    [],
  )
})

test('the audit log and its panel are accessible, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t, { file: { audit: { reads: true } } })
  if (!scene) return
  await tell(scene.url, '/keys', { name: 'ci', connections: ['nobody'] })
  for (const [name, look] of inEachTheme) {
    const page = await scene.page({ path, ...look })
    await rows(page).filter({ hasText: 'denied' }).waitFor()
    const isFine = async (what: string) => {
      assert.deepEqual(await barriers(page), [], `${name}: ${what}`)
      assert.equal(await isTooWide(page), false, `${name}: ${what}`)
    }
    await isFine('the list')
    await rows(page).filter({ hasText: 'denied' }).click()
    await panelOf(page).getByText('member_invalid').waitFor()
    await isFine('a line')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Who').fill('nobody')
    await page.getByText('No matching entries.').waitFor()
    await isFine('nothing')
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
