// A SQLite file that is replaced or removed under a running service.
import assert from 'node:assert/strict'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startService } from '../support/service.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'

const ways: Record<string, (path: string) => void> = {
  'replaced by a copy': (path) => {
    copyFileSync(path, `${path}.new`)
    renameSync(`${path}.new`, path)
  },
  removed: (path) => rmSync(path),
  'removed with its journal': (path) => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  },
}

for (const [how, act] of Object.entries(ways))
  test(`a service whose store file was ${how} is not ready, within two seconds`, async (t) => {
    const platform = await startScriptedPlatform(() => {})
    const service = await startService(platform.url)
    t.after(async () => {
      await service.close()
      await platform.close()
    })
    assert.equal((await service.ask('/readyz')).status, 200)
    act(`${service.folder}/v.db`)
    await until(async () => (await service.ask('/readyz')).status === 503, 2_000)
    await pause(1_200)
    assert.equal((await service.ask('/readyz')).status, 503)
  })
