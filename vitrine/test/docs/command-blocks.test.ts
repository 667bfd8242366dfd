// Every block of commands in the pages: run as it is printed on an installation over the sandbox, or listed with the reason why not.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { assertDecided, commandBlocks, strictCurl } from '../../../base/test/command-blocks.ts'
import { freePort } from '../../../base/test/free-port.ts'
import { until } from '../../../base/test/until.ts'
import { environment } from '../support/command-line.ts'

const blocks = commandBlocks(['README.md', 'docs/*.md', 'docs/{guides,operations}/*.md'])

/** before the service starts, and beside it */
const installing = [
  'docs/guides/vault.md: bin/vitrine vault new-key',
  'docs/guides/operator.md: bin/vitrine operator token',
  'docs/guides/connections.md: bin/vitrine connections add',
]
const serving = 'README.md: bin/vitrine keys create'
const using = [
  'README.md: VITRINE_KEY=',
  'README.md: curl -s',
  'README.md: export VITRINE_KEY=',
  'docs/guides/agents.md: bin/vitrine keys create',
  'docs/guides/backup.md: bin/vitrine store copy --to sqlite',
  'docs/guides/caching.md: curl -s',
  'docs/guides/command-line.md: VITRINE_KEY=',
  'docs/guides/command-line.md: vitrine whoami',
  'docs/guides/command-line.md: vitrine read listApps --sort',
  'docs/guides/command-line.md: vitrine read listApps --all',
  'docs/guides/doctor.md: bin/vitrine doctor',
  'docs/guides/doctor.md: bin/vitrine doctor --all',
  'docs/guides/doctor.md: curl -H',
  'docs/guides/keys.md: bin/vitrine keys create --name ci',
  'docs/guides/keys.md: bin/vitrine keys create --name tidal',
  'docs/guides/monitoring.md: api=',
  'docs/guides/operator.md: api=',
  'docs/guides/operator.md: curl -H',
  'docs/guides/operator.md: bin/vitrine audit',
  'docs/guides/paging.md: url=',
  'docs/guides/replicas.md: curl -H',
  'docs/guides/vault.md: bin/vitrine vault rotate',
  'docs/operations/runbooks.md: operator=',
  'docs/operations/upgrading.md: bin/vitrine status',
]
const run = [...installing, serving, ...using]

const listed: Readonly<Record<string, string>> = {
  'README.md: npm ci && npm start': 'installs the checkout again',
  'README.md: npm cit': 'runs all tests',
  'README.md: id ': 'output',
  'README.md: bin/vitrine      the launcher': 'a tree of folders',
  'docs/architecture.md: single-flight': 'a drawing',
  'docs/architecture.md: main': 'a drawing',
  'docs/performance.md: npm run bench': 'takes eleven minutes',
  'docs/reliability.md: node --disable-proto': 'runs a test',
  'docs/guides/backup.md: mv data': 'test/commands/backup-guide.test.ts runs it',
  'docs/guides/backup.md: VITRINE_STORE=sqlite': 'test/commands/backup-guide.test.ts runs it',
  'docs/guides/backup.md: bin/vitrine store copy --to "$POSTGRES"': 'test/commands/backup-guide.test.ts runs it',
  'docs/guides/backup.md: VITRINE_STORE="$POSTGRES"': 'test/commands/backup-guide.test.ts runs it',
  'docs/guides/backup.md: pg_dump': 'test/commands/backup-guide.test.ts runs it',
  'docs/guides/client.md: npm install': 'needs the package of a release',
  'docs/guides/client.md: ': 'TypeScript; test/client/types.test.ts compiles it',
  'docs/guides/command-line.md: id ': 'output',
  'docs/guides/command-line.md: export VITRINE_URL': 'reads a key from a terminal',
  'docs/guides/command-line.md: vitrine read <operation>': 'the form of a command',
  'docs/guides/command-line.md: secret-tool': 'needs a keyring of a desktop',
  'docs/guides/deploying.md: podman': 'needs an image of the service',
  'docs/guides/deploying.md: docker buildx': 'needs the internet',
  'docs/guides/deploying.md: sudo deploy/make-secrets':
    'needs an engine with compose; test/deploy/compose.test.ts reads the files',
  'docs/guides/deploying.md: sudo npm install':
    'needs the package of a release and systemd; test/deploy/system.test.ts',
  'docs/guides/deploying.md: kubectl': 'needs a cluster; test/deploy/kubernetes.test.ts checks the files',
  'docs/guides/deploying.md: cp deploy/helm': 'needs a cluster; test/deploy/helm.test.ts checks the chart',
  'docs/guides/deploying.md: settings:': 'settings',
  'docs/guides/doctor.md: bin/vitrine sandbox': 'stays in the foreground; test/doctor/broken-installations.test.ts',
  'docs/guides/drift.md: bin/vitrine review': 'needs the document of the vendor; test/review/command.test.ts',
  'docs/guides/drift.md: 29 routes': 'output',
  'docs/guides/drift.md: differences': 'TypeScript',
  'docs/guides/monitoring.md: X-Upstream': 'a header',
  'docs/guides/monitoring.md: event:': 'output',
  'docs/guides/monitoring.md: scrape_configs': 'settings of Prometheus',
  'docs/guides/opentelemetry.md: npm install': 'needs the internet',
  'docs/guides/opentelemetry.md: NODE_OPTIONS': 'needs a collector; test/commands/opentelemetry.test.ts',
  'docs/guides/proxy.md: x-proxy': 'settings of compose',
  'docs/guides/recipes.md: set -eu': 'a file of examples; test/examples/curl.test.ts runs it',
  'docs/guides/replicas.md: VITRINE_MASTER_KEYS': 'needs PostgreSQL and Redis',
  'docs/guides/replicas.md: VITRINE_LISTEN': 'needs PostgreSQL and Redis',
  'docs/guides/replicas.md: backend replicas': 'settings of HAProxy',
  'docs/guides/running.md: bin/vitrine s': 'stays in the foreground',
  'docs/operations/disaster-recovery.md: ': 'test/operations/drill.test.ts does what it describes',
  'docs/operations/sizing.md: maxmemory': 'settings of Redis',
  'docs/operations/soak.md: npm run soak': 'takes half an hour',
}

test('every block of commands is run here, or listed with its reason', () => assertDecided(blocks, run, listed))

interface Place {
  readonly folder: string
  readonly listen: string
  readonly operatorListen: string
  readonly keyId: string
  readonly issuerId: string
}

const bash = (folder: string, text: string, env: Record<string, string> = {}): Promise<string> =>
  new Promise((ok, no) => {
    const clean = environment({ PATH: `${folder}/bin:${process.env['PATH']}`, ...env })
    const options = { cwd: folder, env: clean, timeout: 20_000 }
    execFile('/bin/bash', ['-euo', 'pipefail', '-c', text], options, (error, out, err) =>
      error ? no(new Error(`${text}\n${out.slice(-1_000)}${err.slice(-1_000)}`)) : ok(out),
    ).stdin?.end()
  })

function start(t: TestContext, folder: string, args: readonly string[]) {
  const child = spawn(join(folder, 'bin/vitrine'), args, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'ignore'] }) // prettier-ignore
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  return child
}

async function openPlace(t: TestContext): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-blocks-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'backup'))
  symlinkSync(resolve('bin/vitrine'), join(folder, 'bin/vitrine'))
  writeFileSync(join(folder, 'bin/curl'), strictCurl, { mode: 0o755 })
  let said = ''
  start(t, folder, ['sandbox', '--port', '0', '--data', 'sandbox']).stdout?.on('data', (part: Buffer) => {
    said += part.toString()
  })
  await until(() => said.trimEnd().endsWith('}'))
  const { upstream, connections } = JSON.parse(said)
  const [listen, operatorListen] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const files = { masterKeysFile: 'master-keys.txt', operatorTokenFile: 'operator-token.txt' }
  const settings = { listen, operatorListen, store: 'sqlite:data/vitrine.db', upstream, connections, ...files }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify(settings))
  const { keyId, issuerId, privateKeyFile } = connections.demo
  writeFileSync(join(folder, `AuthKey_${keyId}.p8`), readFileSync(privateKeyFile))
  return { folder, listen, operatorListen, keyId, issuerId }
}

/** the words that stand for something of the reader's own */
const filledIn = (text: string, place: Place, values: Readonly<Record<string, string>> = {}): string =>
  Object.entries({
    '127.0.0.1:8080': place.listen,
    '127.0.0.1:8081': place.operatorListen,
    '2X9R4HXF34': place.keyId,
    '57246542-96fe-…': place.issuerId,
    '/etc/vitrine/vitrine.json': 'vitrine.json',
    ...values,
  }).reduce((all, [word, instead]) => all.replaceAll(word, instead), text)

const textOf = (start: string): string => (blocks.find(({ name }) => name.startsWith(start)) ?? assert.fail(start)).text

test('the printed commands work, one page after the other', async (t) => {
  const place = await openPlace(t)
  const { folder, listen, operatorListen } = place
  for (const one of installing) await bash(folder, filledIn(textOf(one), place))
  const lines = filledIn(textOf(serving), place).split('\n')
  assert.equal(lines.at(-1), 'bin/vitrine serve')
  await bash(folder, lines.slice(0, -1).join('\n'))
  const made = await bash(folder, "bin/vitrine keys create --name all --connections '*' 2>&1")
  const key = /vtr_(?:live|test)_\w+/.exec(made)?.[0] ?? assert.fail(made)
  start(t, folder, ['serve'])
  await until(() => fetch(`http://${listen}/readyz`).then(({ ok }) => ok, () => false)) // prettier-ignore
  const api = `http://${operatorListen}/operator/v1`
  const auth = `Authorization: Bearer ${readFileSync(join(folder, 'operator-token.txt'), 'utf8').trim()}`
  const env = {
    VITRINE_URL: `http://${listen}`,
    VITRINE_KEY: key,
    VITRINE_CONNECTION: 'demo',
    url: `http://${listen}/v1/connections/demo/apps`,
    api,
    auth,
    json: 'Content-Type: application/json',
  }
  // a stream without an end
  const values = { 'vtr_test_…': key, '/events" -N': '/events" -N --max-time 1 || [ $? = 28 ]' }
  for (const one of using) await bash(folder, filledIn(textOf(one), place, values), env)
})
