// One browser has one session: what its other tabs do when it changes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openConsole, token } from '../support/console-scene.ts'
import { untilEqual, until } from '../../../base/test/until.ts'

const other = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'

/** a service of two operators */
function twoTokens(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-tokens-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tokens')
  writeFileSync(file, `${token}\n${other}\n`)
  return { file: { operatorTokenFile: file }, secrets: { operatorToken: undefined } }
}

test('a tab continues when its operator signed in again in another tab', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path: '/audit' })
  const again = await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token } })
  assert.equal(again.status(), 201)
  const made = page.waitForResponse((answer) => answer.url().includes('/operator/v1/keys') && answer.status() === 200)
  await page.getByRole('link', { name: 'Keys' }).click()
  await made
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('what one operator started is not sent as another operator who signed in beside it', async (t) => {
  const scene = await openConsole(t, twoTokens(t))
  if (!scene) return
  const page = await scene.page({ path: '/keys' })
  const { url } = scene
  // the stream would report the new session within two seconds: the action comes first
  await page.route(/\/operator\/v1\/(events|overview)/, () => {})
  await page.reload()
  const before = await page.locator('.who').innerText()
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('made by whom')
  await form.getByLabel('acme').check()
  await page.context().request.post(`${url}/operator/v1/session`, { data: { token: other } })
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.waitFor({ state: 'detached' })
  await until(async () => (await page.locator('.who').innerText()) !== before)
  const named = (await scene.service.running.keys.list()).map(({ name }) => name)
  assert.ok(!named.includes('made by whom'))
})

test("a request under way when a tab becomes another operator's is not repeated as that operator", async (t) => {
  const scene = await openConsole(t, twoTokens(t))
  if (!scene) return
  const page = await scene.page({ path: '/keys' })
  const before = await page.locator('.who').innerText()
  let asked = 0
  await page.route('**/operator/v1/keys', async (route) => {
    asked++
    await until(async () => (await page.locator('.who').innerText()) !== before)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('made by whom')
  await form.getByLabel('acme').check()
  await form.getByRole('button', { name: 'Create key' }).click()
  await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token: other } })
  const refused = await page.waitForResponse((answer) => answer.request().method() === 'POST')
  assert.equal(refused.status(), 403)
  await page.waitForTimeout(500)
  assert.equal(asked, 1)
  const named = (await scene.service.running.keys.list()).map(({ name }) => name)
  assert.ok(!named.includes('made by whom'))
})

test("a tab that becomes another operator's starts again, and keeps nothing of the first", async (t) => {
  const scene = await openConsole(t, twoTokens(t))
  if (!scene) return
  const page = await scene.page({ path: '/explorer?connection=acme&operation=listApps' })
  await page.getByLabel('limit').fill('17')
  const before = await page.locator('.who').innerText()
  await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token: other } })
  await until(async () => (await page.locator('.who').innerText()) !== before)
  await untilEqual(() => page.getByLabel('limit').inputValue(), '')
})
