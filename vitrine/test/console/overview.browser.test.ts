import assert from 'node:assert/strict'
import test from 'node:test'
import { barriers, inEachTheme, isTooWide, openConsole } from '../support/console-scene.ts'
import { cardOf, mark, pageOf, remember, stayed } from './overview-page.ts'
import { failingWith, told } from './overview-events.ts'
import { untilEqual, until } from '../../../base/test/until.ts'

test('a card shows reads of the public endpoint live, and no other card is drawn again', async (t) => {
  const scene = await openConsole(t, { file: { cacheSeconds: 60 } })
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  await cardOf(page, 'other').getByText('Idle').waitFor()
  await remember(page)
  await page.evaluate(`
    window.touched = new Set()
    new MutationObserver((all) => {
      for (const { target } of all) {
        const box = target.nodeType === 1 ? target : target.parentElement
        window.touched.add(box.closest('li')?.querySelector('h2').textContent ?? 'the list')
      }
    }).observe(document.querySelector('.overview-cards'), { subtree: true, childList: true, characterData: true, attributes: true })
  `)
  for (let i = 0; i < 4; i++) assert.equal((await scene.service.ask('/apps?limit=2')).status, 200)

  const card = cardOf(page, 'acme')
  await card.getByText('Healthy', { exact: true }).waitFor()
  await card.getByText('1 call', { exact: true }).waitFor()
  assert.equal(
    await card.getByRole('img').getAttribute('aria-label'),
    '1 call in the last hour, 0 failed; 1 in the busiest minute',
  )
  const meter = card.getByRole('meter', { name: 'Quota left, hour' })
  await untilEqual(() => meter.getAttribute('aria-valuetext'), '3,599 of 3,600 left')
  await card.getByText('3,599 of 3,600').waitFor()
  // three answers were cached, of the four calls that would have been made
  assert.match(await card.innerText(), /Calls saved\s+3 \(75 %\)/)
  assert.match(await card.innerText(), /Last success\s+(now|\d+ sec\. ago)/)
  assert.match(await card.innerText(), /Breaker\s+closed/)
  assert.match(await card.innerText(), /Drift\s+none/)
  await page.getByLabel('The service').getByText('1 call', { exact: true }).waitFor()
  assert.deepEqual([await stayed(page), await page.evaluate('[...window.touched]')], [true, ['acme']])
  assert.deepEqual(scene.complaints, [])
})

test('a failing platform shows live: errors, code, breaker, and the next retry', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  scene.sandbox.setFaults([{ kind: '503' }])
  const card = cardOf(page, 'solo')
  for (let i = 0; i < 12 && (await card.getByText('Not responding').count()) === 0; i++)
    await scene.service.ask(`/v1/connections/solo/apps?limit=${i + 1}`)
  await card.getByText('Not responding', { exact: true }).waitFor()
  await card
    .getByText(
      /^The platform is not responding\. (Retrying in \d+ s|The next request is sent as a trial)\. If this lasts, /,
    )
    .waitFor()
  await card.getByText('upstream_unavailable').waitFor()
  assert.match(await card.innerText(), /Breaker\s+open/)
  assert.match(await card.innerText(), /\d+ calls?\s+[1-9]\d* failed/)
  // problems are at the top of the list
  await untilEqual(() => page.getByRole('heading', { level: 2 }).first().innerText(), 'solo')
  assert.deepEqual(scene.complaints, [])
})

test('cards are filtered by name, state and problems, and an empty result says what to do', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await pageOf(scene, told)
  const names = () => page.locator('.overview-card h2').allInnerTexts()
  await cardOf(page, 'refused').waitFor()
  await untilEqual(names, ['refused', 'silent', 'low', 'unused', 'well'])
  await page.getByLabel('Sort by').selectOption('Name')
  await untilEqual(names, ['low', 'refused', 'silent', 'unused', 'well'])
  await page.getByLabel('Show').selectOption('problems')
  await untilEqual(names, ['low', 'refused', 'silent'])
  const filter = page.getByLabel('Filter connections')
  await filter.fill('not responding')
  await untilEqual(names, ['silent'])
  await filter.fill('nothing like it')
  await page.getByText('No matching connections.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  assert.equal((await names()).length, 5)
  const card = cardOf(page, 'low')
  await untilEqual(
    () => card.getByRole('link', { name: 'Explore low' }).getAttribute('href'),
    '/explorer?connection=low',
  )
  await card.getByRole('link', { name: 'Connection low' }).click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).search, '?id=low')
  assert.deepEqual(scene.complaints, [])
})

test('the order is frozen under the pointer, and updates afterwards', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  const names = () => page.locator('.overview-card h2').allInnerTexts()
  await page.getByRole('link', { name: 'Explore acme' }).focus()
  scene.sandbox.setFaults([{ kind: '503' }])
  await scene.service.ask('/v1/connections/solo/apps')
  await cardOf(page, 'solo').getByText('upstream_unavailable').waitFor()
  assert.deepEqual(await names(), ['acme', 'other', 'solo'])
  await page.getByLabel('Filter connections').focus()
  await page.locator('.overview-card h2', { hasText: 'solo' }).first().waitFor()
  await until(() => page.evaluate<boolean>(`document.querySelector('.overview-card h2')?.textContent === 'solo'`))
  assert.deepEqual(await names(), ['solo', 'acme', 'other'])
})

const hostile = '<img src="https://elsewhere.example/x" onerror="document.title=1">\u202Eevil'

test('words of the platform are shown as text on a card', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await pageOf(scene, [failingWith(hostile)])
  await page.getByText('<img src="https://elsewhere.example/x" onerror="document.title=1">⟨U+202E⟩evil').waitFor()
  await untilEqual(() => page.locator('main img').count(), 0)
  assert.equal(await page.title(), 'Overview · Vitrine')
  assert.deepEqual(scene.complaints, [])
})

test('the overview is accessible and not too wide, in both themes, wide and narrow', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (const [name, look] of inEachTheme) {
    const page = await pageOf(scene, told, look)
    await cardOf(page, 'refused').getByText('Key rejected').waitFor()
    await page.getByText('What the cards show').click()
    await page.getByText('Platform calls, one bar per minute.').waitFor()
    for (const view of ['Cards', 'List']) {
      await page.getByLabel('View', { exact: true }).selectOption(view)
      await page.locator(view === 'List' ? '.overview-rows' : '.overview-cards').waitFor()
      assert.deepEqual(await barriers(page), [], `${name}, ${view}`)
      assert.equal(await isTooWide(page), false, `${name}, ${view}`)
    }
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})
