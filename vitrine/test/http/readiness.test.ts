import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '../../src/settings.ts'
import { startService } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'
import { account, exchange, token } from '../operator/manager.ts'

const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

test('a service that cannot decrypt any hosted connection is alive but not ready, at both endpoints', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-readiness-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [right, other] = [keyOf('m1'), keyOf('m2')]
  const keys = join(folder, 'keys.txt')
  writeFileSync(keys, right)
  const file = { operatorListen: '127.0.0.1:0', masterKeysFile: keys, connections: {} }
  const start = () => startService('http://127.0.0.1:1', { folder, file, secrets: { operatorToken: token } })
  const portOf = (url: string | undefined) => Number(new URL(url ?? '').port)
  const first = await start()
  const body = { id: 'hosted', ...account, check: false }
  const made = await exchange(portOf(first.operatorUrl), 'POST', '/operator/v1/connections', { body })
  assert.equal(made.status, 201, made.text)
  await first.close()

  writeFileSync(keys, other)
  const service = await start()
  t.after(() => service.close())
  const endpoints = [service.port, portOf(service.operatorUrl)]
  const saying = (path: string, method = 'GET') =>
    Promise.all(
      endpoints.map(async (port) => {
        const { status, json } = await exchange(port, method, path, { token: null })
        return json?.error ? `${status} ${json.error.code}` : status
      }),
    )
  assert.deepEqual(await saying('/readyz'), ['503 connection_unreadable', '503 connection_unreadable'])
  assert.deepEqual(await saying('/readyz', 'HEAD'), [503, 503])
  for (const path of ['/livez', '/healthz'])
    for (const method of ['GET', 'HEAD']) assert.deepEqual(await saying(path, method), [200, 200])

  writeFileSync(keys, `${other}\n${right}`)
  const settings = readSettings({ masterKeysFile: keys, connections: {} }, {})
  assert.equal(await service.running.reload(() => settings), true)
  await until(async () => (await saying('/readyz')).join() === '200,200')
})
