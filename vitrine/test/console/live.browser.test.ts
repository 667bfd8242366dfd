import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { startDatabaseProxy } from '../stored-connections/database-proxy.ts'
import { type ConsoleScene, openConsole, token } from '../support/console-scene.ts'
import { account, exchange } from '../operator/manager.ts'
import { startService } from '../support/service.ts'
import { cardOf, mark, remember, stayed } from './overview-page.ts'

/** Chromium logs each request that failed */
const isOutage = (complaint: string): boolean => /ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET|NETWORK)/.test(complaint)

async function throughWire(t: TestContext, scene: ConsoleScene) {
  const wire = await startDatabaseProxy(scene.url)
  t.after(() => wire.close())
  const at = wire.url.replace(/\/$/, '')
  return { wire, page: await scene.page({ at }) }
}

test('when the connection drops, the data stays and shows its age, and catches up later', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { wire, page } = await throughWire(t, scene)
  const endpoint = Number(new URL(scene.url).port)
  const put = (id: string) => exchange(endpoint, 'POST', '/operator/v1/connections', { body: { id, ...account } })
  const remove = (id: string) => exchange(endpoint, 'DELETE', `/operator/v1/connections/${id}`)
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
  const age = page.getByText(/^Last updated \d\d:\d\d:\d\d\. Retrying\.$/)
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

test('a silent stream is closed and opened again', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { wire, page } = await throughWire(t, scene)
  await mark(page, 'Live')
  await page.clock.install()
  await page.reload()
  await mark(page, 'Live')
  await wire.silence()
  await page.clock.fastForward(41_000)
  await mark(page, 'Reconnecting')
  await wire.unsilence()
  await page.clock.fastForward(41_000)
  await mark(page, 'Live')
  assert.deepEqual(
    scene.complaints.filter((one) => !isOutage(one)),
    [],
  )
})

test('without a stream the page polls, and still shows changes', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ signedIn: false })
  await page.context().route('**/operator/v1/events', (route) => route.fulfill({ status: 503, body: '' }))
  await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token } })
  await page.clock.install()
  await page.reload()
  await mark(page, 'Polling')
  await page.getByText(/^Last updated /).waitFor()
  await scene.service.ask('/apps')
  await page.clock.fastForward(11_000)
  await cardOf(page, 'acme').getByText('1 call', { exact: true }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a session that ends elsewhere ends here, and the page shows the sign-in', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page()
  await mark(page, 'Live')
  const other = await page.context().newPage()
  await other.goto(`${scene.url}/keys`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('after a restart the session is gone, and the page says so', async (t) => {
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
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await mark(page, 'Live')
  await cardOf(page, 'acme').getByText('Idle').waitFor()
  assert.deepEqual(
    scene.complaints.filter((one) => !isOutage(one)),
    [],
  )
})
