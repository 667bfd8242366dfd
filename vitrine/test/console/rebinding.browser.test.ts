import assert from 'node:assert/strict'
import test from 'node:test'
import { openBrowser } from '../../../base/test/browser.ts'
import { buildConsole } from '../support/console-build.ts'
import { startManager, token } from '../operator/manager.ts'

test('a page under a rebound host name gets nothing from either port, and causes no lock-out', async (t) => {
  const what = 'A page under a rebound name'
  const browser = await openBrowser(t, what, ['--host-resolver-rules=MAP rebound.example 127.0.0.1'])
  if (!browser) return
  buildConsole()
  const manager = await startManager(t)
  const page = await (await browser.newContext()).newPage()
  const asks = (url: string, secret: string) =>
    page.evaluate(
      `fetch('${url}', { headers: { authorization: 'Bearer ${secret}' } })
        .then(async (answer) => answer.status + ' ' + ((await answer.json()).error ?? {}).code)`,
    )
  for (const [port, open, path] of [
    [manager.port, '/keys', '/operator/v1/keys'],
    [manager.service.port, '/docs', '/v1/whoami'],
  ] as const) {
    const origin = `http://rebound.example:${port}`
    const answer = await page.goto(`${origin}${open}`)
    assert.equal(answer?.status(), 421)
    for (let i = 0; i < 15; i++) assert.equal(await asks(`${origin}${path}`, 'x'.repeat(40)), '421 host_not_allowed')
  }
  assert.equal((await manager.ask('GET', '/keys')).status, 200, 'the operator is not locked out')
  assert.deepEqual(await manager.audit({ outcome: 'denied' }), [])
  // the same browser, under the port's own name
  await page.goto(`http://localhost:${manager.port}/keys`)
  assert.equal(await asks(`http://localhost:${manager.port}/operator/v1/keys`, token), '200 undefined')
})
