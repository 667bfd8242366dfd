import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createDoctor } from '../../src/commands/service-doctor.ts'
import { barriers, isTooWide, inEachTheme, openConsole } from '../support/console-scene.ts'
import { createScripted, openDisordered } from '../operator/doctor-scene.ts'
import { exchange, fingerprint } from '../operator/manager.ts'
import { untilEqual } from '../../../base/test/until.ts'

const panelOf = (page: Page): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Doctor' }) })
const groupsOf = (page: Page): Promise<string[]> =>
  panelOf(page).locator('.health-groups > details > summary').allInnerTexts()
const start = (page: Page): Promise<void> => page.getByRole('button', { name: 'Run checks' }).click()

test('the doctor reports problems with cause and fix, and who started it when, also after a reload', async (t) => {
  const { read } = await openDisordered(t, 'group-refused')
  const scene = await openConsole(t, { doctor: createDoctor(read) })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByText('No checks run yet.').waitFor()
  await panel.getByText('Uses about 8 platform calls per connection, so about 25 calls for 3 connections.').waitFor()
  await start(page)
  for (const visit of ['as it is', 'loaded anew']) {
    if (visit === 'loaded anew') await page.reload()
    await panel.getByText(`, started by ${fingerprint}, all connections: 1 failed, `).waitFor()
    const finding = panel.getByRole('listitem').filter({ hasText: 'Failed' })
    assert.match(await finding.innerText(), /^Failed\s+Group reviews .+\n+Cause: .+\n+Fix: .+$/)
    assert.deepEqual(await groupsOf(page), ['demo 1 failed, 11 passed', 'Installation 16 passed'])
    assert.equal(await panel.getByText('Key file').count(), 0, 'what is well is folded')
  }
  await panel.getByText('11 passed', { exact: true }).first().click()
  await panel.getByText('Key file').waitFor()
  assert.deepEqual(scene.complaints, [])
})

const hostile = '<img src="https://elsewhere.example/x" onerror="document.title=1"><b>bold</b>\u202Eevil'
const inert = '<img src="https://elsewhere.example/x" onerror="document.title=1"><b>bold</b>⟨U+202E⟩evil'

test('checks run for selected connections, are followed, can be stopped, and their words are text', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByLabel('Check', { exact: true }).selectOption('Selected connections')
  await start(page)
  await panel.getByText('Select a connection.').waitFor()
  await untilEqual(() => page.evaluate('document.activeElement.closest(".chooser") !== null'), true)
  await panel.getByLabel('Search connections').fill('so')
  await panel.getByLabel('solo').check()
  await panel.getByLabel('Search connections').fill('')
  await panel.getByText('about 9 calls for 1 connection.').waitFor()
  await start(page)
  await panel.getByText('Checking 1 selected connection').waitFor()
  const { round } = rounds[0] ?? assert.fail('no round')
  assert.deepEqual(round.ids, ['solo'])

  round.begin(`solo: ${hostile}`)
  await panel.getByText(`Checking solo: ${inert}`).waitFor()
  round.tell({
    id: 'token',
    title: hostile,
    connection: 'solo',
    state: 'fail',
    says: hostile,
    cause: hostile,
    cure: hostile,
  })
  round.tell({ id: 'quota', title: 'Quota', connection: 'solo', state: 'skip', says: 'Not tried: no token.' })
  round.tell({ id: 'store', title: 'Store', state: 'ok', says: 'It opens.' })
  await panel.getByText(`Cause: ${inert}`).waitFor()
  await panel.getByText(`Fix: ${inert}`).waitFor()
  await untilEqual(() => panel.locator('img, b').count(), 0)
  assert.equal(await page.title(), 'Health · Vitrine')
  assert.deepEqual(await groupsOf(page), ['solo 1 failed, 1 skipped', 'Installation 1 passed'])

  await panel.getByRole('button', { name: 'Stop checks' }).click()
  await panel.getByText(`, started by ${fingerprint}, 1 selected connection: 1 failed, 1 passed, 1 skipped.`).waitFor()
  await panel.getByText(/^Stopped early/).waitFor()
  assert.equal(round.signal.aborted, true)
  assert.deepEqual(scene.complaints, [])
})

test('checks that another operator started are shown live, and a second start is refused with the reason', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByText('No checks run yet.').waitFor()
  const { port } = new URL(scene.url)
  assert.equal((await exchange(Number(port), 'POST', '/operator/v1/doctor', { body: {} })).status, 201)
  await start(page)
  await panel.getByText('doctor_busy').waitFor()
  await panel.getByText('Checking all connections').waitFor()
  rounds[0]?.fail(new Error('the disk is gone'))
  await panel.getByText(/^Failed before the end/).waitFor()
  await panel.getByText('Cause: the disk is gone').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('skipped checks are not shown as passed, and omitted findings are counted', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await start(page)
  await panel.getByText('Checking all connections').waitFor()
  const { round, done } = rounds[0] ?? assert.fail('no round')
  round.tell({ id: 'clock', title: 'Clock', state: 'warn', says: 'It is late.', cause: 'a', cure: 'b' })
  for (const connection of ['one', 'two'])
    round.tell({ id: 'key-file', title: 'Key file', connection, state: 'ok', says: 'It holds a key.' })
  round.tell({ id: 'token', title: 'Token', connection: 'two', state: 'skip', says: 'Not tried: so.' })
  await panel.getByText('1 connection passed').waitFor()
  assert.deepEqual(await groupsOf(page), [
    'Installation 1 warning',
    '1 connection has no problems but was not fully checked',
    '1 connection passed',
  ])
  for (let i = 0; i < 1_000; i++)
    round.tell({ id: 'token', title: 'Token', connection: `c${i}`, state: 'ok', says: 'It is taken.' })
  done()
  await panel.getByText('1,003 more findings are counted above but not listed').waitFor()
  assert.deepEqual(await groupsOf(page), ['Installation 1 warning'])
  await panel.getByText(/^Finished .*: 1 warning, 1,002 passed, 1 skipped\.$/).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('the health page is accessible and not too wide, in both themes, wide and narrow', async (t) => {
  const { read } = await openDisordered(t, 'clock-drift')
  const scene = await openConsole(t, { doctor: createDoctor(read) })
  if (!scene) return
  await scene.service.ask('/apps')
  for (const [name, look] of inEachTheme) {
    const page = await scene.page({ ...look, path: '/health' })
    const panel = panelOf(page)
    await page.getByRole('figure').first().waitFor()
    await panel.getByLabel('Check', { exact: true }).selectOption('Selected connections')
    if ((await panel.getByText('Warning', { exact: true }).count()) === 0) {
      await panel.getByLabel('Check', { exact: true }).selectOption('All connections (3)')
      await start(page)
      await panel.getByText('Warning', { exact: true }).first().waitFor()
      await panel.getByLabel('Check', { exact: true }).selectOption('Selected connections')
    }
    await page.getByText('Show as table').first().click()
    await page.getByRole('region', { name: 'Requests as a table' }).waitFor()
    await panel
      .getByText(/passed$/)
      .first()
      .click()
    assert.deepEqual(await barriers(page), [], name)
    assert.equal(await isTooWide(page), false, name)
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
