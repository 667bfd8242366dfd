import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startDatabaseProxy } from '../stored-connections/database-proxy.ts'
import { barriers, inEachTheme, isTooWide, openConsole } from '../support/console-scene.ts'
import { openStore } from '../../src/store/open.ts'
import { untilEqual, until } from '../../../base/test/until.ts'

const chartOf = (page: Page, title: string): Locator =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** the numbers of the legend */
async function readingOf(chart: Locator): Promise<Record<string, string>> {
  const words = await chart.locator('.reading > div').allInnerTexts()
  return Object.fromEntries(words.map((text) => text.split('\n').map((word) => word.trim()) as [string, string]))
}

test('the charts show requests by pointer, by keyboard and as a table, and update live', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  for (let i = 1; i <= 3; i++) await scene.service.ask(`/apps?limit=${i}`)
  await scene.service.ask('/apps?limit=nothing')
  // an answer is counted when its last byte is sent, a moment after it was read
  await until(() => scene.service.events.filter(({ kind }) => kind === 'answered').length === 4)
  const page = await scene.page({ path: '/health' })
  await page.clock.install()
  await page.reload()
  const requests = chartOf(page, 'Requests')
  await requests.waitFor()
  await untilEqual(() => readingOf(requests), {
    Minute: 'last hour',
    Successful: '3',
    'Invalid request': '1',
    'Rate limited': '0',
    'Platform error': '0',
    'Vitrine error': '0',
    'Canceled by caller': '0',
  })
  const calls = await readingOf(chartOf(page, 'Platform calls'))
  assert.deepEqual([calls['Successful'], calls['Failed']], ['3', '0'])
  const times = await readingOf(chartOf(page, 'Response time'))
  assert.match(times['p99'] ?? '', /^[\d.]+ (ms|s)$/)

  // an hour ago there was no service
  const slider = page.getByRole('slider', { name: 'Requests, minute by minute' })
  await slider.focus()
  await page.keyboard.press('Home')
  await untilEqual(
    async () => [(await readingOf(requests))['Successful'], await slider.getAttribute('aria-valuenow')],
    ['–', '0'],
  )
  assert.match(
    (await slider.getAttribute('aria-valuetext')) ?? '',
    /^\d\d:\d\d: Successful no data, Invalid request no data, /,
  )
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('PageUp')
  await untilEqual(() => slider.getAttribute('aria-valuenow'), '11')
  await page.keyboard.press('Escape')
  await untilEqual(async () => (await readingOf(requests))['Minute'], 'last hour')

  // a minute without requests says so, instead of 0 ms
  const plot = page.getByRole('slider', { name: 'Response time, minute by minute' })
  const box = await plot.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 50, box.y + 60)
  await untilEqual(async () => (await readingOf(chartOf(page, 'Response time')))['p50'], '–')
  await page.mouse.move(0, 0)

  await requests.getByText('Show as table').click()
  const rows = requests.getByRole('row')
  await untilEqual(() => rows.count(), 61)
  const answered = await requests.locator('tbody td:nth-child(2)').allInnerTexts()
  assert.equal(
    answered.filter((text) => text !== '–').reduce((sum, text) => sum + Number(text), 0),
    3,
  )
  assert.ok(answered.includes('–'), 'minutes before the start are not known')
  await requests.locator('.gap').getByText('no data').waitFor()

  await page.evaluate('window.stayed = true')
  await scene.service.ask('/apps?limit=9')
  await page.clock.fastForward(11_000)
  await requests.locator('.reading').getByText('4', { exact: true }).waitFor()
  assert.equal(await page.evaluate('window.stayed'), true)
  const asked = page.getByRole('grid', { name: 'Top operations' }).getByRole('row').nth(1)
  assert.match(await asked.innerText(), /^listApps\s+5\s+0\s+[\d.]+ m?s$/)
  assert.deepEqual(scene.complaints, [])
})

test('the last day and week come from the store, with gaps where no service ran, after a restart too', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const hour = Math.floor(Date.now() / 3_600_000)
  const sums = (ok: number, failed: number) => ({
    requests: [ok, 0, 0, failed, 0, 0],
    latencies: { 40: ok },
    calls: [ok, failed],
    callLatencies: { 40: ok },
    operations: { listBuilds: [ok + failed, failed] },
  })
  const store = await openStore(`sqlite:${join(scene.service.folder, 'v.db')}`)
  t.after(() => store.close())
  const rows = new Map([
    [hour - 2, sums(1_200, 3)],
    [hour - 30, sums(70, 0)],
  ])
  await store.hours.add(rows, (_, more) => JSON.stringify(more), 0)
  const page = await scene.page({ path: '/health' })
  await page.getByRole('tab', { name: '24 h' }).click()
  const requests = chartOf(page, 'Requests')
  await untilEqual(async () => (await readingOf(requests))['Successful'], '1,200')
  assert.equal((await readingOf(requests))['Hour'], 'last 24 hours')
  const rest = await requests.getByRole('slider').getAttribute('aria-valuemax')
  assert.equal(rest, '23')
  assert.ok((await requests.locator('.gap rect').count()) >= 2)
  const asked = page.getByRole('grid', { name: 'Top operations' }).getByRole('row').nth(1)
  assert.match(await asked.innerText(), /^listBuilds\s+1,203\s+3 \(< 1 %\)$/)
  await page.getByRole('tab', { name: '7 d' }).click()
  await untilEqual(async () => (await readingOf(requests))['Successful'], '1,270')
  assert.equal(await requests.getByRole('slider').getAttribute('aria-valuemax'), '167')
  await page.reload()
  await untilEqual(async () => (await readingOf(requests))['Successful'], '1,270')
  for (const [theme, options] of inEachTheme) {
    const each = await scene.page({ ...options, path: '/health?range=7d' })
    await untilEqual(async () => (await readingOf(chartOf(each, 'Requests')))['Successful'], '1,270')
    assert.deepEqual(await barriers(each), [], theme)
    assert.equal(await isTooWide(each), false, theme)
    await each.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})

test('while the service is down, the data stays and shows its age', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const wire = await startDatabaseProxy(scene.url)
  t.after(() => wire.close())
  const page = await scene.page({ at: wire.url.replace(/\/$/, ''), path: '/health' })
  await page.clock.install()
  await page.reload()
  await chartOf(page, 'Requests').waitFor()
  await wire.cut()
  await page.clock.fastForward(11_000)
  const age = page.getByText(/^Last updated \d\d:\d\d:\d\d\. Retrying\.$/)
  await age.waitFor()
  await untilEqual(() => page.getByRole('slider').count(), 4)
  await wire.mend()
  await page.clock.fastForward(11_000)
  await age.waitFor({ state: 'detached' })
  assert.deepEqual(
    scene.complaints.filter((one) => !one.includes('ERR_CONNECTION')),
    [],
  )
})

test('a service without requests shows empty charts, and says so', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/health' })
  await page.getByText('No requests in the last hour.').waitFor()
  assert.equal((await readingOf(chartOf(page, 'Requests')))['Successful'], '0')
  assert.equal((await readingOf(chartOf(page, 'Platform call time')))['p50'], '–')
  assert.deepEqual(scene.complaints, [])
})

test('the vault shows which master key is needed, which is missing, and which can be removed', async (t) => {
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
  await vault.getByText('Can be removed').waitFor()
  assert.deepEqual(
    (await vault.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
    [
      'new Active master key Encrypts 41 credentials.',
      'old In use Encrypts 2 credentials. Run vitrine vault rotate on the server to free it.',
      'older Can be removed Encrypts 0 credentials.',
      'lost Missing 1 credential cannot be decrypted without it.',
    ],
  )
  assert.deepEqual(scene.complaints, [])
})
