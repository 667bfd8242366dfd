import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { openTestProvider } from '../../../base/test/oidc.ts'
import { examine } from '../../src/doctor/examine.ts'
import { readSettings } from '../../src/settings.ts'

test('the doctor says whether the provider can be used and whether others can read the secret', async (t) => {
  const provider = await openTestProvider(t, { redirectUri: 'http://localhost:1/auth/oidc/callback' })
  const folder = mkdtempSync(join(tmpdir(), 'atelier-doctor-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'oidc.secret')
  writeFileSync(file, 'a secret', { mode: 0o600 })
  const oidc = { issuer: provider.issuer, clientId: 'a', clientSecretFile: 'oidc.secret' }
  const settings = readSettings({ listen: '127.0.0.1:1', engine: { socket: join(folder, 'none') }, oidc }, {})
  const found = async () => (await examine(settings, folder)).map(({ problem }) => problem).join('\n')
  assert.doesNotMatch(await found(), /sign in|secret/)
  chmodSync(file, 0o644)
  assert.match(await found(), /Other users of this machine can read the client's secret/)
  provider.close()
  assert.match(await found(), /Nobody can sign in with http:\/\/127\.0\.0\.1:\d+: the provider cannot be reached/)
  writeFileSync(file, 'two\nlines')
  assert.match(await found(), /must be one line/)
  rmSync(file)
  assert.match(await found(), /cannot be read \(ENOENT\)/)
})
