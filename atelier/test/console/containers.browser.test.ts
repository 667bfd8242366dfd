// Containers in the console: created, used and deleted in a real browser, over an engine in memory.
import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { assertAccessible, type ConsoleScene, email, openConsole, password } from './scene.ts'

type Page = Awaited<ReturnType<ConsoleScene['page']>>

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function create(page: Page, name: string) {
  await button(page, 'Create container').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Image').fill('base')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

async function livesThrough(scene: ConsoleScene) {
  const page = await scene.page({ path: '/console/containers' })
  await create(page, 'job-7')
  const panel = page.getByRole('region', { name: 'job-7' })
  await panel.getByText('0.5 CPUs, 512 MiB memory, 1 GiB disk, 256 processes').waitFor()
  await page.getByRole('meter', { name: 'Containers' }).and(page.locator('[aria-valuetext="1 of 10"]')).waitFor()
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete container' }).click()
  await page.getByText('Container job-7 was deleted.').waitFor()
  await page.getByText('No containers yet.').waitFor()
  assert.equal(scene.engine.containers.size, 0)
}

async function followsOthers(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const page = await scene.page({ path: '/console/containers' })
  await page.getByText('No containers yet.').waitFor()
  const made = await scene.call('POST', '/containers', { key, body: { image: 'base', name: 'from-a-program' } })
  assert.equal(made.status, 201)
  await page.getByRole('row', { name: /from-a-program/ }).click()
  await page.getByRole('heading', { name: 'from-a-program' }).waitFor()
  await scene.call('DELETE', `/containers?id=${made.body.id}`, { key })
  await page.getByText('No containers yet.').waitFor()
  await page.getByText('it was deleted').waitFor()
}

const hostile = `<img src=x onerror="document.title='owned'"> \u202Egnp\u0007`
const inert = `<img src=x onerror="document.title='owned'"> \u27E8U+202E\u27E9gnp\u27E8U+0007\u27E9`

async function isInert(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const made = await scene.call('POST', '/containers', {
    key,
    body: { image: 'base', command: ['say', hostile], labels: { team: hostile } },
  })
  const page = await scene.page({ path: `/console/containers?id=${made.body.id}` })
  const panel = page.getByRole('region', { name: made.body.id })
  await panel.getByText(`team=${inert}`).waitFor()
  await panel.getByLabel('Run', { exact: true }).selectOption('argv')
  await panel.getByRole('textbox', { name: 'Command' }).fill(`say\n${hostile}`)
  await button(page, 'Run').click()
  await panel.getByText(/^Exit code 0 after /).waitFor()
  assert.equal(await panel.getByRole('region', { name: 'Output' }).innerText(), inert)
  assert.equal(await page.locator('#main img').count(), 0)
  assert.equal(await page.title(), 'Containers · Atelier')
  await scene.call('DELETE', `/containers?id=${made.body.id}`, { key })
}

async function isStopped(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const made = await scene.call('POST', '/containers', { key, body: { image: 'base' } })
  const commands = () => scene.engine.containers.get(made.body.id)?.commands.size
  const page = await scene.page({ path: `/console/containers?id=${made.body.id}` })
  await page.getByLabel('Run', { exact: true }).selectOption('argv')
  await page.getByRole('textbox', { name: 'Command' }).fill('hang')
  await button(page, 'Run').click()
  await until(() => commands() === 1, 30_000)
  await button(page, 'Stop').click()
  await page.getByText('Stopped: every process of the command is killed.').waitFor()
  await until(() => commands() === 0, 30_000)
  await page.getByRole('textbox', { name: 'Command' }).fill('missing')
  await button(page, 'Run').click()
  await page.getByRole('alert').getByText('The program does not exist').waitFor()
  await scene.call('DELETE', `/containers?id=${made.body.id}`, { key })
}

async function refusesAtItsField(scene: ConsoleScene) {
  const page = await scene.page({ path: '/console/containers' })
  await button(page, 'Create container').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await dialog.getByText('Choose an image.').waitFor()
  await dialog.getByLabel('Image').and(page.locator(':focus')).waitFor()
  await dialog.getByLabel('Image').fill('nothing')
  await dialog.getByLabel('Memory (MiB)').fill('99999')
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await dialog.getByLabel('Memory (MiB)').and(page.locator('[aria-invalid="true"]')).waitFor()
  await dialog.getByLabel('Memory (MiB)').fill('4096')
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await dialog.getByText('There is no such image. Choose one from the list.').waitFor()
  await dialog.getByLabel('Image').fill('base')
  await create4GiB(scene)
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await dialog.getByText(/^Your account has 4,096 of 4,096 MiB of memory\./).waitFor()
  await assertAccessible(page, 'the form')
}

async function restsUnattended(scene: ConsoleScene) {
  const page = await scene.page()
  await page.clock.install()
  await page.reload()
  const state = (word: string) => page.getByRole('banner').getByRole('status').filter({ hasText: word }).waitFor()
  await state('Live')
  await page.clock.fastForward(16 * 60_000)
  await state('Paused')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.fastForward(60_000)
  assert.deepEqual(asked, [])
  await page.keyboard.press('Tab')
  await state('Live')
  assert.ok(asked.length > 0)
}

async function saysThatItEnded(scene: ConsoleScene) {
  const page = await scene.page({ path: '/console/containers' })
  await page.getByRole('button', { name: 'Create container' }).first().waitFor()
  const { request } = page.context()
  const { csrfToken } = await (await request.get(`${scene.service.url}/auth/session`)).json()
  const headers = { origin: scene.service.url, 'x-csrf-token': csrfToken }
  assert.equal((await request.post(`${scene.service.url}/auth/logout`, { headers })).status(), 204)
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Containers' }).waitFor()
}

async function create4GiB({ account, key, call }: ConsoleScene) {
  const { text } = await key(account)
  const limits = { memoryMiB: 4096 }
  assert.equal((await call('POST', '/containers', { key: text, body: { image: 'base', limits } })).status, 201)
}

async function isAccessible(scene: ConsoleScene) {
  const { text: key } = await scene.key(scene.account)
  const made = await scene.call('POST', '/containers', { key, body: { image: 'base', name: 'seen' } })
  for (const path of ['/console', `/console/containers?id=${made.body.id}`]) {
    const page = await scene.page({ path })
    await page.getByText('seen').first().waitFor()
    await assertAccessible(page, path)
    await page.context().close()
  }
  await scene.call('DELETE', `/containers?id=${made.body.id}`, { key })
}

test('containers in the console', { timeout: 300_000 }, async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const promise = (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })
  await promise('one is created, seen with its limits, and deleted after a question', livesThrough)
  await promise('what programs create and delete is shown by itself', followsOthers)
  await promise('what callers and commands wrote is text, and what cannot be seen is shown', isInert)
  await promise('a command is stopped, and one that cannot start says why', isStopped)
  await promise('the pages are accessible in both themes, and fit a phone', isAccessible)
  await promise('it stops asking when nobody is there, and goes on', restsUnattended)
  await promise('an ended session is said, and signing in leads back to the page', saysThatItEnded)
  await promise('what is wrong with a new container is said at its field', refusesAtItsField)
})
