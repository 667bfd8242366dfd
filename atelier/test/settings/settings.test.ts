import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { loadSettings } from '../../src/commands/settings-file.ts'
import { limitsOf, readSettings } from '../../src/settings.ts'

const listen = '127.0.0.1:8090'

test('only listen is required, and the rest has the default of the contract', () => {
  const settings = readSettings({ listen }, {})
  assert.deepEqual([settings.publicUrl, settings.store, settings.instance], ['http://127.0.0.1:8090', 'sqlite:data/atelier.db', 'main']) // prettier-ignore
  assert.deepEqual(limitsOf(settings), {
    containers: 10,
    memoryMiB: 4_096,
    cpu: 4,
    images: 20,
    imageBytes: 10_737_418_240,
    keys: 50,
    sshSessionsPerContainer: 4,
    execsPerContainer: 8,
    execs: 32,
    files: 4,
    fileBytes: 1_073_741_824,
    archiveEntries: 20_000,
    builds: 2,
    contextBytes: 268_435_456,
    buildLogBytes: 8_388_608,
    execOutputBytes: 67_108_864,
    // additions to the contract
    buildLogsBytes: 67_108_864,
    endedBuilds: 100,
    cachedSteps: 50,
    cacheBytes: 2_147_483_648,
    keptBytesPerCommand: 8_388_608,
    keptBytes: 33_554_432,
    egressConnections: 128,
  })
  assert.equal(readSettings({ listen, ssh: null }, {})['ssh.enabled'], false)
})

test('the environment sets what the file sets, and wins', () => {
  const settings = readSettings({ listen, limits: { cpu: 1 } }, { ATELIER_LIMITS_CPU: '2.5', ATELIER_INSTANCE: 'two' })
  assert.deepEqual([settings['limits.cpu'], settings.instance], [2.5, 'two'])
})

test('a text in place of a number or of true is refused in the file and accepted in a variable', () => {
  for (const [file, message] of [
    [{ limits: { containers: '3' } }, /^limits\.containers: must be a number without quotes in the file$/],
    [{ limits: { cpu: '2.5' } }, /^limits\.cpu: must be a number without quotes/],
    [{ ssh: { publicPort: '22' } }, /^ssh\.publicPort: must be a number without quotes/],
    [{ egress: 'true' }, /^egress: must be true or false without quotes in the file$/],
    [{ ssh: { enabled: 'false' } }, /^ssh\.enabled: must be true or false without quotes/],
  ] as const)
    assert.throws(() => readSettings({ listen, ...file }, {}), { message })
  const env = { ATELIER_LIMITS_CONTAINERS: '3', ATELIER_EGRESS: 'true', ATELIER_SSH_PUBLIC_PORT: '22' }
  const settings = readSettings({ listen }, env)
  assert.deepEqual([settings['limits.containers'], settings.egress, settings['ssh.publicPort']], [3, true, 22])
})

test('an unknown or wrong setting stops the start by name', () => {
  const cases: readonly [Record<string, unknown>, RegExp][] = [
    [{}, /listen/],
    [{ listen, colour: 1 }, /colour/],
    [{ listen, limits: { cpus: 1 } }, /limits\.cpus/],
    [{ listen, limits: { containers: -1 } }, /limits\.containers/],
    [{ listen, limits: { containers: 1.5 } }, /limits\.containers/],
    [{ listen, instance: 'A b' }, /instance/],
    [{ listen, publicUrl: 'http://atelier.example' }, /publicUrl/],
    [{ listen: '0.0.0.0:8090' }, /publicUrl/],
    [{ listen, store: 'mysql://x' }, /store/],
    [{ listen, engine: { runtime: 7 } }, /engine\.runtime/],
    [{ listen, engine: { commands: 'both' } }, /engine\.commands/],
    [{ listen, trustedProxies: ['10.0.0.0/33'] }, /trustedProxies/],
    [{ listen, subscription: { plans: 1 } }, /subscription/],
    [{ listen, oidc: { clientId: 'a' } }, /oidc\.issuer/],
    [{ listen, oidc: { issuer: 'https://id.example' } }, /oidc\.clientId/],
    [{ listen, oidc: { issuer: 'https://id.example', clientId: 'a', scope: 'b' } }, /oidc\.scope/],
    [{ listen, oidc: { createAccounts: true } }, /oidc\.issuer/],
    ...['http://id.example', 'id.example', 'https://id.example/?a=b', 'https://u:p@id.example'].map(
      (issuer): [Record<string, unknown>, RegExp] => [{ listen, oidc: { issuer, clientId: 'a' } }, /oidc\.issuer/],
    ),
  ]
  for (const [file, named] of cases) assert.throws(() => readSettings(file, {}), named, JSON.stringify(file))
  assert.throws(() => readSettings({ listen }, { ATELIER_LIMIT_CPU: '1' }), /ATELIER_LIMIT_CPU/)
})

test('a provider is set with its client, and its secret comes from a file or the environment', () => {
  const oidc = { issuer: 'https://id.example', clientId: 'atelier' }
  assert.equal(readSettings({ listen, oidc: null }, {}).oidc, undefined)
  assert.equal(readSettings({ listen }, {}).oidc, undefined)
  const none = { ...oidc, clientSecret: undefined, clientSecretFile: undefined, createAccounts: false }
  assert.deepEqual(readSettings({ listen, oidc }, {}).oidc, none)
  const env = { ATELIER_OIDC_CLIENT_SECRET: 'of the environment', ATELIER_OIDC_CREATE_ACCOUNTS: 'true' }
  const set = readSettings({ listen, oidc: { ...oidc, clientSecretFile: 'f' } }, env).oidc
  assert.deepEqual(set, { ...none, clientSecret: 'of the environment', clientSecretFile: 'f', createAccounts: true })
})

test('a wrong file has the line and column of what is wrong', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-settings-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'atelier.json')
  const cases = [
    [
      '{\n  "listen": "127.0.0.1:0",\n}',
      /atelier\.json:3:1: the settings file is not JSON: there is a comma after the last/,
    ],
    [
      '{\n  "listen": 7, "limits": { "cpu": "SECRET" } }',
      /atelier\.json:2:13: listen: .*\n.*atelier\.json:2:35: limits\.cpu: /,
    ],
  ] as const
  for (const [text, message] of cases) {
    writeFileSync(config, text)
    assert.throws(() => loadSettings({ config }), { message })
  }
  assert.throws(() => loadSettings({ config: join(folder, 'none.json') }), /none\.json cannot be read \(ENOENT\)/)
})
