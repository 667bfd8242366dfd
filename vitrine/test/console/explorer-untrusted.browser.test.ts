// Untrusted text in the explorer: whatever the platform sends is text, and nothing outside is loaded without a request.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test from 'node:test'
import type { Page, Route } from 'playwright-core'
import { routes } from '../../src/catalogue/index.ts'
import type { Field } from '../../src/catalogue/define.ts'
import { openConsole } from '../support/console-scene.ts'
import { type Call, send } from '../support/scripted-platform.ts'
import { cellsIn, openExplorer } from './explorer-scene.ts'
import { untilEqual, until } from '../../../base/test/until.ts'

const markup = '"><img src="https://elsewhere.example/x" onerror="document.title=1"><script>document.title=2</script>'
const payloads = [
  markup,
  'javascript:document.title=3',
  '<a href="javascript:document.title=4">https://elsewhere.example/</a>',
  '\u202Egnp.exe\u2066\u200B</div></table>',
  '{{7*7}}${document.title=5}\u0000\u001B[31m\r\n',
  'x'.repeat(100_000),
]

const text = (i: number): string => payloads[i % payloads.length] ?? markup

/** a value for a field, with a payload wherever a text can be */
function valueFor({ kind, items, properties }: Field, i: number): unknown {
  if (kind === 'array') return [0, 1, 2].map((n) => (items ? valueFor(items, i + n) : text(i + n)))
  if (kind === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? { any: { kind: 'string' } as const }).map(([name, one], n) => [
        name,
        valueFor(one, i + n),
      ]),
    )
  return kind === 'string' ? text(i) : kind === 'boolean' ? true : 7
}

const resource = (type: string, attributes: Readonly<Record<string, Field>>, at: number) => ({
  type,
  id: `${markup}${at}`,
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, field], i) => [name, valueFor(field, at + i)])),
})

const platform = (_: Call, res: ServerResponse) => {
  const { returns, type } = shown ?? assert.fail('nothing is read yet')
  send(res, { data: payloads.map((_payload, i) => resource(type, returns?.attributes ?? {}, i)), links: {} })
}

let shown = routes.find(({ operation }) => operation === 'listApps')

/** the traces of a payload that was more than text */
const alive = (page: Page): Promise<string[]> =>
  page.evaluate(`[
    ...[...document.querySelectorAll('main img, main script, main iframe, [onerror], a[href^="javascript" i], a[href*="elsewhere"]')].map((one) => one.outerHTML.slice(0, 200)),
    ...(/^[1-5]$/.test(document.title) ? [document.title] : []),
  ]`)

test('whatever the platform sends is shown as text, in the table, the fields and the JSON', async (t) => {
  const scene = await openConsole(t, { over: platform })
  if (!scene) return
  const { page, answer, choose, fillExample, sendFor, json, show } = await openExplorer(scene, 'listApps')
  for (const operation of ['listApps', 'listBetaFeedbackSubmissions', 'listExperimentTreatments']) {
    shown = routes.find((route) => route.operation === operation)
    await choose(operation)
    await fillExample()
    await page.getByRole('textbox', { name: 'limit' }).fill('50')
    await sendFor(200)
    await show('Table')
    const cells = (await cellsIn(answer)).flat()
    assert.ok(cells.some((cell) => cell.includes('<img src="https://elsewhere.example/x"')))
    assert.ok(
      cells.every((cell) => cell.length < 400),
      'a cell is short, whatever it holds',
    )
    assert.ok(!cells.some((cell) => cell.includes('\u202E')) && cells.some((cell) => cell.includes('⟨U+202E⟩gnp.exe')))
    assert.deepEqual(await alive(page), [], operation)
    await answer.locator('[data-row="3"]').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('<script>document.title=2</script>').first().waitFor()
    assert.ok((await dialog.innerText()).length < 40_000)
    await dialog
      .getByRole('button', { name: /more characters$/ })
      .first()
      .click()
    assert.ok((await dialog.innerText()).length > 100_000)
    assert.deepEqual(await alive(page), [], operation)
    await page.keyboard.press('Escape')
    assert.match(await json(), /"id": "\\"><img src=\\"https:\/\/elsewhere\.example\/x\\"/)
    assert.deepEqual(await alive(page), [], operation)
    await show('Platform calls')
    assert.deepEqual(await alive(page), [], operation)
  }
  assert.deepEqual(scene.complaints, [])
})

test('whatever the platform says when it refuses is inert', async (t) => {
  let said = ''
  const errors = (status: number) => [
    { status: String(status), code: said, title: said, detail: said, source: { parameter: said } },
  ]
  const statuses = [400, 403, 409, 500]
  let status = 400
  const scene = await openConsole(t, {
    over: (_, res) => send(res, { errors: errors(status) }, {}, status),
  })
  if (!scene) return
  const { page, answer, send: press, form } = await openExplorer(scene, 'listApps')
  for (status of statuses)
    for (said of payloads.slice(0, 5)) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/operator/v1/read'))
      await press()
      await answered
      await answer.getByText('The request was rejected.').waitFor()
      await form.getByRole('button', { name: 'Show plan' }).waitFor()
      assert.deepEqual(await alive(page), [], `${status} ${said}`)
    }
  assert.deepEqual(scene.complaints, [])
})

test('an untrusted id is selected unchanged, and stays one word of the samples', async (t) => {
  const scene = await openConsole(t, { over: platform })
  if (!scene) return
  shown = routes.find(({ operation }) => operation === 'listApps')
  const { page, form, field } = await openExplorer(scene, 'listAppVersionIds')
  await form.getByRole('button', { name: 'Browse… for appId' }).click()
  const rows = page.getByRole('dialog').locator('[data-row]')
  await rows.first().click()
  await untilEqual(() => field('appId').inputValue(), `${markup}0`)
  const lines = page.getByRole('region', { name: 'Code samples' })
  await lines.getByRole('tab', { name: 'Command line' }).click()
  assert.ok((await lines.locator('code').last().innerText()).includes(` --appId '${markup}0'`))
  assert.deepEqual(await alive(page), [])
  assert.deepEqual(scene.complaints, [])
})

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = (name: string) => `https://pictures.example.com/${name}.png?Signature=a%2Fb`

test('pictures are loaded only on request, and only those requested', async (t) => {
  const shots = [['a', 'b'], ['c'], []].map((names) => [
    ...names.map((name) => ({ url: picture(name), width: 100, height: 200 })),
    ...(names.length === 0 ? [{ url: 'http://pictures.example.com/plain.png' }, { url: 'javascript:1' }] : []),
  ])
  const type = 'betaFeedbackScreenshotSubmissions'
  const data = shots.map((screenshots, i) => ({ type, id: `f${i}`, attributes: { screenshots } }))
  const scene = await openConsole(t, { over: (_, res) => send(res, { data, links: {} }) })
  if (!scene) return
  const { page, answer, fillExample, sendFor, show } = await openExplorer(scene, 'listBetaFeedbackSubmissions')
  const asked: { url: string; referer: string | undefined }[] = []
  const serve = (route: Route) => {
    asked.push({ url: route.request().url(), referer: route.request().headers()['referer'] })
    const isThere = !route.request().url().includes('/b.png')
    return isThere ? route.fulfill({ contentType: 'image/png', body: Buffer.from(pixel, 'base64') }) : route.abort()
  }
  await page.route(/pictures\.example\.com/, serve)
  await fillExample()
  await page.getByRole('textbox', { name: 'limit' }).fill('50')
  await sendFor(200)
  for (const view of ['JSON', 'Platform calls', 'Table']) await show(view)
  assert.deepEqual(asked, [])
  assert.deepEqual(scene.complaints, [])

  await answer.getByRole('button', { name: 'Show picture', exact: true }).click()
  const shown = answer.getByRole('img', { name: 'screenshots' })
  await shown.and(page.locator('[src]')).waitFor()
  await untilEqual(() => shown.getAttribute('referrerpolicy'), 'no-referrer')
  await untilEqual(() => shown.getAttribute('loading'), 'lazy')
  await until(() => page.evaluate<boolean>(`document.querySelector('main img')?.complete === true`))
  assert.deepEqual(asked, [{ url: picture('c'), referer: undefined }])

  await answer.locator('[data-row="0"]').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const box = dialog.locator('.explorer-picture').first()
  const before = await box.boundingBox()
  await dialog.getByRole('button', { name: 'Show picture screenshots 1' }).click()
  await dialog.getByRole('img', { name: 'screenshots 1' }).waitFor()
  assert.deepEqual(await box.boundingBox(), before, 'nothing jumps')
  await page.keyboard.press('Escape')
  await answer.getByRole('button', { name: 'Show pictures on this page' }).click()
  await answer.getByText('Could not be loaded.').first().waitFor()
  assert.deepEqual(new Set(asked.map(({ url }) => url)), new Set([picture('a'), picture('b'), picture('c')]))
  assert.equal(asked.length, 3)
  assert.ok(asked.every(({ referer }) => referer === undefined))
  await untilEqual(() => answer.getByRole('button', { name: 'Show pictures on this page' }).count(), 0)
  await untilEqual(() => answer.getByText('Not shown: not an https address.').count(), 2)
  // the browser reports each of them, and the one that failed
  const told = scene.complaints.splice(0)
  assert.deepEqual(
    told.filter((one) => !/^(left for https:\/\/pictures\.example\.com|Failed to load resource)/.test(one)),
    [],
  )

  // the next response starts again
  await sendFor(200)
  await untilEqual(() => answer.getByRole('img').count(), 0)
  assert.equal(asked.length, 3)
  assert.deepEqual(scene.complaints, [])
})
