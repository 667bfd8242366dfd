import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createDoctor } from '../../src/commands/doctor-of-service.ts'
import { barriers, isTooWide, looks, openConsole } from '../ground/console-scene.ts'
import { createScripted, openDisordered } from '../operator/doctor-scene.ts'
import { exchange, fingerprint } from '../operator/manager.ts'
import { comesTo } from '../ground/until.ts'

const panelOf = (page: Page): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'The doctor' }) })
const groupsOf = (page: Page): Promise<string[]> =>
  panelOf(page).locator('.health-groups > details > summary').allInnerTexts()
const start = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start the doctor' }).click()

test('the doctor names what is ill with its cause and its cure, who started him and when, and still does after a reload', async (t) => {
  const { read } = await openDisordered(t, 'group-refused')
  const scene = await openConsole(t, { doctor: createDoctor(read) })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByText('The doctor has not looked yet.').waitFor()
  await panel
    .getByText("It asks the platform: about 8 calls of each connection's quota, so about 25 calls for 3 connections.")
    .waitFor()
  await start(page)
  for (const visit of ['as it is', 'loaded anew']) {
    if (visit === 'loaded anew') await page.reload()
    await panel.getByText(`, started by ${fingerprint}, all connections: 1 failed, `).waitFor()
    const finding = panel.getByRole('listitem').filter({ hasText: 'Failed' })
    assert.match(await finding.innerText(), /^Failed\s+Group reviews .+\n+Cause: .+\n+Cure: .+$/)
    assert.deepEqual(await groupsOf(page), ['demo 1 failed, 11 well', 'Installation 14 well'])
    assert.equal(await panel.getByText('Key file').count(), 0, 'what is well is folded')
  }
  await panel.getByText('11 are well').first().click()
  await panel.getByText('Key file').waitFor()
  assert.deepEqual(scene.complaints, [])
})

const hostile = '<img src="https://elsewhere.example/x" onerror="document.title=1"><b>bold</b>\u202Eevil'
const inert = '<img src="https://elsewhere.example/x" onerror="document.title=1"><b>bold</b>⟨U+202E⟩evil'

test('he looks at chosen connections, is followed while he looks, is stopped, and his words are text', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByLabel('Look at').selectOption('Chosen connections')
  await start(page)
  await panel.getByText('Choose a connection.').waitFor()
  await comesTo(() => page.evaluate('document.activeElement.closest(".health-pick") !== null'), true)
  await panel.getByLabel('Filter connections').fill('so')
  await panel.getByLabel('solo').check()
  await panel.getByLabel('Filter connections').fill('')
  await panel.getByText('about 9 calls for 1 connection.').waitFor()
  await start(page)
  await panel.getByText('Looks at 1 chosen connection').waitFor()
  const { round } = rounds[0] ?? assert.fail('no round')
  assert.deepEqual(round.ids, ['solo'])

  round.begin(`solo: ${hostile}`)
  await panel.getByText(`Looks at solo: ${inert}`).waitFor()
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
  await panel.getByText(`Cure: ${inert}`).waitFor()
  await comesTo(() => panel.locator('img, b').count(), 0)
  assert.equal(await page.title(), 'Health · Vitrine')
  assert.deepEqual(await groupsOf(page), ['solo 1 failed, 1 not tried', 'Installation 1 well'])

  await panel.getByRole('button', { name: 'Stop the doctor' }).click()
  await panel.getByText(`, started by ${fingerprint}, 1 chosen connection: 1 failed, 1 well, 1 not tried.`).waitFor()
  await panel.getByText(/^Stopped before the end/).waitFor()
  assert.equal(round.signal.aborted, true)
  assert.deepEqual(scene.complaints, [])
})

test('what somebody else has started is shown as it goes on, and a second start is refused with the reason', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await panel.getByText('The doctor has not looked yet.').waitFor()
  const { port } = new URL(scene.url)
  assert.equal((await exchange(Number(port), 'POST', '/operator/v1/doctor', { body: {} })).status, 201)
  await start(page)
  await panel.getByText('doctor_busy').waitFor()
  await panel.getByText('Looks at all connections').waitFor()
  rounds[0]?.fail(new Error('the disk is gone'))
  await panel.getByText(/^Could not go on to the end/).waitFor()
  await panel.getByText('Cause: the disk is gone').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('what was not tried is not called well, and what is left out is counted', async (t) => {
  const { doctor, rounds } = createScripted()
  const scene = await openConsole(t, { doctor })
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  const panel = panelOf(page)
  await start(page)
  await panel.getByText('Looks at all connections').waitFor()
  const { round, done } = rounds[0] ?? assert.fail('no round')
  round.tell({ id: 'clock', title: 'Clock', state: 'warn', says: 'It is late.', cause: 'a', cure: 'b' })
  for (const connection of ['one', 'two'])
    round.tell({ id: 'key-file', title: 'Key file', connection, state: 'ok', says: 'It holds a key.' })
  round.tell({ id: 'token', title: 'Token', connection: 'two', state: 'skip', says: 'Not tried: so.' })
  await panel.getByText('1 connection is well').waitFor()
  assert.deepEqual(await groupsOf(page), [
    'Installation 1 to see to',
    '1 connection has nothing ill, and was not tried in full',
    '1 connection is well',
  ])
  for (let i = 0; i < 1_000; i++)
    round.tell({ id: 'token', title: 'Token', connection: `c${i}`, state: 'ok', says: 'It is taken.' })
  done()
  await panel.getByText('1,003 more findings are counted above and not listed').waitFor()
  assert.deepEqual(await groupsOf(page), ['Installation 1 to see to'])
  await panel.getByText(/^Done .*: 1 to see to, 1,002 well, 1 not tried\.$/).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('the health page has no barrier and is not too wide, in both themes, wide and narrow', async (t) => {
  const { read } = await openDisordered(t, 'clock-drift')
  const scene = await openConsole(t, { doctor: createDoctor(read) })
  if (!scene) return
  await scene.service.ask('/apps')
  for (const [name, look] of looks) {
    const page = await scene.page({ ...look, path: '/health' })
    const panel = panelOf(page)
    await page.getByRole('figure').first().waitFor()
    await panel.getByLabel('Look at').selectOption('Chosen connections')
    if ((await panel.getByText('See to it').count()) === 0) {
      await panel.getByLabel('Look at').selectOption('All connections (3)')
      await start(page)
      await panel.getByText('See to it').waitFor()
      await panel.getByLabel('Look at').selectOption('Chosen connections')
    }
    await page.getByText('As a table').first().click()
    await page.getByRole('region', { name: 'Requests as a table' }).waitFor()
    await panel
      .getByText(/are well$/)
      .first()
      .click()
    assert.deepEqual(await barriers(page), [], name)
    assert.equal(await isTooWide(page), false, name)
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
