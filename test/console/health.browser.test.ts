import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { layWire } from '../custody/tcp.ts'
import { openConsole } from '../ground/console-scene.ts'
import { comesTo, until } from '../ground/until.ts'

const chartOf = (page: Page, title: string): Locator =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** the numbers beside the names */
async function readingOf(chart: Locator): Promise<Record<string, string>> {
  const words = await chart.locator('.reading > div').allInnerTexts()
  return Object.fromEntries(words.map((text) => text.split('\n').map((word) => word.trim()) as [string, string]))
}

test('the charts show what was read, by pointer, by keys and as a table, and grow without a reload', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (let i = 1; i <= 3; i++) await scene.service.ask(`/apps?limit=${i}`)
  await scene.service.ask('/apps?limit=nothing')
  // an answer is counted when its last byte has left, a moment after it was read
  await until(() => scene.service.events.filter(({ kind }) => kind === 'answered').length === 4)
  const page = await scene.page({ path: '/health' })
  await page.clock.install()
  await page.reload()
  const requests = chartOf(page, 'Requests')
  await requests.waitFor()
  await comesTo(() => readingOf(requests), {
    ...{ Minute: 'the hour', Answered: '3', 'Wrong request': '1', Limited: '0' },
    ...{ 'Platform failed': '0', 'Vitrine failed': '0', 'Caller left': '0' },
  })
  const calls = await readingOf(chartOf(page, 'Calls of the platform'))
  assert.deepEqual([calls['Answered'], calls['Failed']], ['3', '0'])
  const times = await readingOf(chartOf(page, 'Time to answer'))
  assert.match(times['99 % within'] ?? '', /^[\d.]+ (ms|s)$/)

  // an hour ago nothing was asked
  const slider = page.getByRole('slider', { name: 'Requests, minute by minute' })
  await slider.focus()
  await page.keyboard.press('Home')
  await comesTo(
    async () => [(await readingOf(requests))['Answered'], await slider.getAttribute('aria-valuenow')],
    ['0', '0'],
  )
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^\d\d:\d\d: Answered 0, Wrong request 0, /)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('PageUp')
  await comesTo(() => slider.getAttribute('aria-valuenow'), '11')
  await page.keyboard.press('Escape')
  await comesTo(async () => (await readingOf(requests))['Minute'], 'the hour')

  // the quiet first minute of the times is told as such, and not as no time at all
  const plot = page.getByRole('slider', { name: 'Time to answer, minute by minute' })
  const box = await plot.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 50, box.y + 60)
  await comesTo(async () => (await readingOf(chartOf(page, 'Time to answer')))['Half within'], '–')
  await page.mouse.move(0, 0)

  await requests.getByText('As a table').click()
  const rows = requests.getByRole('row')
  await comesTo(() => rows.count(), 61)
  const answered = await requests.locator('tbody td:nth-child(2)').allInnerTexts()
  assert.equal(
    answered.reduce((sum, text) => sum + Number(text), 0),
    3,
  )

  await page.evaluate('window.stayed = true')
  await scene.service.ask('/apps?limit=9')
  await page.clock.fastForward(11_000)
  await requests.locator('.reading').getByText('4', { exact: true }).waitFor()
  assert.equal(await page.evaluate('window.stayed'), true)
  const asked = page.getByRole('grid', { name: 'Most asked operations' }).getByRole('row').nth(1)
  assert.match(await asked.innerText(), /^listApps\s+5\s+0\s+[\d.]+ m?s$/)
  assert.deepEqual(scene.complaints, [])
})

test('what is shown stays and says how old it is while nobody answers', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const wire = await layWire(scene.url)
  t.after(() => wire.close())
  const page = await scene.page({ at: wire.url.replace(/\/$/, ''), path: '/health' })
  await page.clock.install()
  await page.reload()
  await chartOf(page, 'Requests').waitFor()
  await wire.cut()
  await page.clock.fastForward(11_000)
  const age = page.getByText(/^As of \d\d:\d\d:\d\d, trying again\.$/)
  await age.waitFor()
  await comesTo(() => page.getByRole('slider').count(), 4)
  await wire.mend()
  await page.clock.fastForward(11_000)
  await age.waitFor({ state: 'detached' })
  assert.deepEqual(
    scene.complaints.filter((one) => !one.includes('ERR_CONNECTION')),
    [],
  )
})

test('a service that nobody asked anything shows empty charts, and says so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  await page.getByText('Nothing was asked in the last hour.').waitFor()
  assert.equal((await readingOf(chartOf(page, 'Requests')))['Answered'], '0')
  assert.equal((await readingOf(chartOf(page, 'Time of a call')))['Half within'], '–')
  assert.deepEqual(scene.complaints, [])
})

test('the vault tells which master key is needed, which is missing, and which can be taken away', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await page.route('**/operator/v1/vault', (route) =>
    route.fulfill({
      json: {
        writes: 'new',
        masterKeys: [
          { id: 'new', given: true, wraps: 41 },
          { id: 'old', given: true, wraps: 2 },
          { id: 'older', given: true, wraps: 0 },
          { id: 'lost', given: false, wraps: 1 },
        ],
      },
    }),
  )
  await page.goto(`${scene.url}/health`)
  const vault = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Vault' }) })
  await vault.getByText('Can be taken away').waitFor()
  assert.deepEqual(
    (await vault.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
    [
      'new Wraps new ones Wraps 41 credentials.',
      'old Still needed Wraps 2 credentials. Rotate on the machine, with vitrine vault rotate, and it is free.',
      'older Can be taken away Wraps 0 credentials.',
      'lost Missing here 1 credential cannot be opened without it.',
    ],
  )
  assert.deepEqual(scene.complaints, [])
})
