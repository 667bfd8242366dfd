// Trying requests on the reference page, in a real browser: what is sent, what is shown, and where the key stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../base/test/until.ts'
import {
  cursor,
  hostile,
  key,
  open,
  openScene,
  panelOf,
  type Scene,
  sendRequest,
  singleParameter,
  visit,
  type Visit,
} from '../support/docs-scene.ts'

async function showsAnswersAsText({ page }: Visit) {
  const shown = await sendRequest(page)
  assert.deepEqual(JSON.parse(shown).items[0], hostile)
  assert.ok(!shown.includes('\u202E'), 'a sign that turns the text around is written out')
  assert.ok(shown.includes('9007199254740993'), 'a long number keeps its digits')
  assert.equal(await page.locator('main :is(img, [onerror], .json a, .json img)').count(), 0)
  const text = await panelOf(page).innerText()
  for (const part of ['200 OK', 'req_from_the_door', '"key";r=59;t=1']) assert.ok(text.includes(part), part)
}

async function keepsTheKey({ page }: Visit, { endpoint }: Scene) {
  await sendRequest(page)
  assert.equal(endpoint.seen.at(-1)?.authorization, `Bearer ${key}`)
  const curl = await panelOf(page).locator('.sample code').innerText()
  assert.ok(curl.endsWith('-H "Authorization: Bearer $VITRINE_KEY"'), curl)
  const stores = '{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state'
  const places = await page.evaluate<string>(`JSON.stringify([${stores}, document.documentElement.outerHTML])`)
  assert.ok(!places.includes(key))
  assert.ok(!endpoint.seen.some(({ url }) => url.href.includes(key)))
  await page.reload()
  assert.equal(await page.inputValue('#key'), '')
}

const chosen = (page: Visit['page']) => panelOf(page).getByRole('tab', { selected: true }).innerText()
const sample = (page: Visit['page']) => panelOf(page).locator('.sample code').innerText()

async function writesSamples({ page }: Visit, { base }: Scene) {
  const panel = panelOf(page)
  await page.fill('#key', key)
  await page.fill('#connection', "o'1")
  assert.equal(await chosen(page), 'curl')
  await panel.getByRole('tab', { name: 'Command line' }).click()
  assert.equal(
    await sample(page),
    `vitrine read listApps --url ${base} --connection 'o'\\''1' --sort name --fields name,bundleId,sku,primaryLocale --limit 2`,
  )
  // the command line takes a value that looks like an option only in this form
  await page.fill('#connection', '--all')
  assert.ok((await sample(page)).includes(' --connection=--all --sort name '))
  await page.fill('#connection', "o'1")
  await panel.getByRole('tab', { name: 'Command line' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(
    await sample(page),
    `const vitrine = new Vitrine({ url: '${base}', key, connection: 'o\\'1' })\n` +
      "const { items, nextCursor } = await vitrine.listApps({ sort: ['name'], fields: ['name', 'bundleId', 'sku', 'primaryLocale'], limit: 2 })",
  )
  await page.keyboard.press('ArrowRight')
  assert.equal(await chosen(page), 'curl')
  await page.keyboard.press('ArrowLeft')
  // a choice applies to every operation while the page is open
  await open(page, 'getEvent')
  assert.equal(await chosen(page), 'TypeScript')
  assert.match(await sample(page), /\nconst answer = await vitrine\.getEvent\(\{ eventId: '[\w-]+' \}\)$/)
  await open(page, 'whoami')
  assert.equal(await panelOf(page).getByRole('tab').count(), 0)
  assert.match(await sample(page), /^curl /)
  const places = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.equal(places, '[{},{},""]')
}

async function copies({ page }: Visit) {
  const panel = panelOf(page)
  await panel.locator('.sample').getByRole('button', { name: 'Copy' }).click()
  await panel.locator('.sample').getByRole('button', { name: 'Copied' }).waitFor()
  const text = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(text, await sample(page))
  assert.ok(text.includes('$VITRINE_KEY') && !text.includes(key))
  await sendRequest(page)
  await panel.locator('.copied').getByRole('button', { name: 'Copy' }).click()
  await panel.locator('.copied').getByRole('button', { name: 'Copied' }).waitFor()
  const answer = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))
  assert.equal(answer.items[0], hostile)
}

async function turnsPages({ page }: Visit, { endpoint }: Scene) {
  await sendRequest(page)
  const first = endpoint.seen.at(-1)?.url.searchParams
  await panelOf(page).getByRole('button', { name: 'Next page' }).click()
  await until(() => page.evaluate<boolean>("!document.querySelector('.next')"))
  const second = endpoint.seen.at(-1)?.url.searchParams
  assert.deepEqual(Object.fromEntries(second ?? []), { ...Object.fromEntries(first ?? []), cursor })
}

async function composes({ page }: Visit, { endpoint }: Scene) {
  const panel = panelOf(page)
  await page.fill('#connection', "a b/c'")
  await page.locator('.select', { hasText: 'sort: ' }).locator('summary').click()
  await page.getByRole('checkbox', { name: '-sku' }).click()
  await sendRequest(page)
  const sent = endpoint.seen.at(-1)?.url
  assert.equal(sent?.pathname, '/v1/connections/a%20b%2Fc%27/apps')
  assert.equal(sent?.searchParams.get('sort'), 'name,-sku')
  const asked = endpoint.seen.length
  await page.fill('#connection', '..')
  await panel.getByRole('button', { name: 'Send' }).click()
  assert.match(await panel.locator('.status').innerText(), /connectionId cannot be/)
  assert.equal(endpoint.seen.length, asked, 'nothing is sent up the path')
}

/** the description is large: a fast reader types before it has come */
async function keepsWhatIsTyped({ browser, base, endpoint }: Scene) {
  const page = await (await browser.newContext()).newPage()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/openapi.json', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${base}/docs/listApps`)
  await page.fill('#key', key)
  await page.fill('#connection', 'studio')
  goOn()
  await panelOf(page).getByRole('button', { name: 'Send' }).click()
  await panelOf(page).getByText('200 OK').waitFor()
  const { url, authorization } = endpoint.seen.at(-1) ?? {}
  assert.deepEqual([url?.pathname, authorization], ['/v1/connections/studio/apps', `Bearer ${key}`])
}

async function choosesOne({ page }: Visit, { endpoint }: Scene) {
  const field = page.locator('.select', { hasText: `${singleParameter}: ` })
  await field.locator('summary').click()
  // located lazily, so that each waits until it is present
  const [first, second] = [field.getByRole('checkbox').nth(0), field.getByRole('checkbox').nth(1)]
  await first.click()
  await second.click()
  assert.equal(await first.isChecked(), false)
  await sendRequest(page)
  assert.equal(endpoint.seen.at(-1)?.url.searchParams.get(singleParameter), await second.getAttribute('value'))
}

/** a visit whose requests fail, which the browser itself logs on the console */
async function saysWhatFailed({ browser, base, endpoint }: Scene) {
  endpoint.broken = true
  const { page } = await visit(browser, `${base}/docs/listApps`)
  const alert = page.getByRole('alert')
  assert.match(await alert.innerText(), /cannot be shown[^]*the service answered 503/)
  endpoint.broken = false
  await alert.getByRole('button', { name: 'Try again' }).click()
  await panelOf(page).waitFor()
  await page.route('**/v1/**', (route) => route.abort())
  await panelOf(page).getByRole('button', { name: 'Send' }).click()
  await panelOf(page).getByText('No answer.').waitFor()
}

test('requests can be tried on the reference page', async (t) => {
  const scene = await openScene(t)
  if (scene === undefined) return
  const { promise } = scene
  await promise('hostile text in an answer is shown as text', showsAnswersAsText, '/listApps')
  await promise('the key is sent and kept nowhere', (one) => keepsTheKey(one, scene), '/listApps')
  await promise('each request is written for three kinds of callers', (one) => writesSamples(one, scene), '/listApps')
  await promise('a line and an answer can be copied, without the key', copies, '/listApps', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await promise('Next page sends the cursor beside the same query', (one) => turnsPages(one, scene), '/listApps')
  await promise('what is filled in is what is sent', (one) => composes(one, scene), '/listApps')
  await promise('a list of one item offers a single choice', (one) => choosesOne(one, scene), '/listApps')
  await t.test('what is typed before the description has come is kept', () => keepsWhatIsTyped(scene))
  await t.test('a failed request shows a plain message and can be retried', () => saysWhatFailed(scene))
})
