import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { layWire } from '../custody/tcp.ts'
import { type ConsoleScene, openConsole, token } from '../ground/console-scene.ts'
import { account, exchange } from '../operator/manager.ts'
import { startService } from '../ground/service.ts'
import { cardOf, mark, remember, stayed } from './overview-page.ts'

/** Chromium itself says of each request that found nobody */
const isOutage = (complaint: string): boolean => /ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET|NETWORK)/.test(complaint)

async function throughWire(t: TestContext, scene: ConsoleScene) {
  const wire = await layWire(scene.url)
  t.after(() => wire.close())
  const at = wire.url.replace(/\/$/, '')
  return { wire, page: await scene.page({ at }) }
}

test('when the line drops what is shown stays and says how old it is, and catches up when the line is back', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { wire, page } = await throughWire(t, scene)
  const door = Number(new URL(scene.url).port)
  const put = (id: string) => exchange(door, 'POST', '/operator/v1/connections', { body: { id, ...account } })
  const remove = (id: string) => exchange(door, 'DELETE', `/operator/v1/connections/${id}`)
  for (const id of ['short', 'shorter']) assert.equal((await put(id)).status, 201)
  await cardOf(page, 'short').getByText('Idle').waitFor()
  await remove('shorter')
  await cardOf(page, 'shorter').waitFor({ state: 'detached' })
  await scene.service.ask('/apps')
  await cardOf(page, 'acme').getByText('1 call', { exact: true }).waitFor()
  await remember(page)
  await wire.cut()
  await mark(page, 'Reconnecting')
  await mark(page, 'Offline')
  const age = page.getByText(/^As of \d\d:\d\d:\d\d, trying again\.$/)
  await age.waitFor()
  await scene.service.ask('/apps?limit=3')
  await remove('short')
  await put('newcomer')
  await cardOf(page, 'acme').getByText('1 call', { exact: true }).waitFor()

  await wire.mend()
  await mark(page, 'Live')
  await cardOf(page, 'acme').getByText('2 calls', { exact: true }).waitFor()
  await cardOf(page, 'newcomer').getByText('Idle').waitFor()
  assert.deepEqual([await cardOf(page, 'short').count(), await age.count()], [0, 0])
  assert.equal(await stayed(page), true)
  assert.deepEqual(
    scene.complaints.filter((one) => !isOutage(one)),
    [],
  )
})

test('a line that is silent without a word is given up, and opened again', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { wire, page } = await throughWire(t, scene)
  await mark(page, 'Live')
  await page.clock.install()
  await page.reload()
  await mark(page, 'Live')
  await wire.hush()
  await page.clock.fastForward(41_000)
  await mark(page, 'Reconnecting')
  await wire.heed()
  await page.clock.fastForward(41_000)
  await mark(page, 'Live')
  assert.deepEqual(
    scene.complaints.filter((one) => !isOutage(one)),
    [],
  )
})

test('where no stream is to be had the page asks now and then, and goes on showing what changes', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ signedIn: false })
  await page.context().route('**/operator/v1/events', (route) => route.fulfill({ status: 503, body: '' }))
  await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token } })
  await page.clock.install()
  await page.reload()
  await mark(page, 'Asking')
  await page.getByText(/^As of /).waitFor()
  await scene.service.ask('/apps')
  await page.clock.fastForward(11_000)
  await cardOf(page, 'acme').getByText('1 call', { exact: true }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a session that ends elsewhere ends here: the page goes to the sign-in by itself', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  const other = await page.context().newPage()
  await other.goto(`${scene.url}/keys`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session is over. Sign in to go on.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a service that was started again has forgotten the session, and says so', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const scene = await openConsole(t, { folder })
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  await scene.service.close()
  await mark(page, 'Reconnecting')
  const again = await startService(scene.sandbox.url, {
    folder,
    file: { operatorListen: new URL(scene.url).host },
    secrets: { operatorToken: token },
  })
  t.after(() => again.close())
  await page.getByText('Your session is over. Sign in to go on.').waitFor()
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await mark(page, 'Live')
  await cardOf(page, 'acme').getByText('Idle').waitFor()
  assert.deepEqual(
    scene.complaints.filter((one) => !isOutage(one)),
    [],
  )
})
