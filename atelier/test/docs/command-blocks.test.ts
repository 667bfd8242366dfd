// Every block of commands in the pages: run as it is printed against a service of its own, or listed with the reason why not.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { assertDecided, type CommandBlock, commandBlocks, strictCurl } from '../../../base/test/command-blocks.ts'
import { freePort } from '../../../base/test/free-port.ts'
import { until } from '../../../base/test/until.ts'
import { baseImage, removeAll } from '../engines.ts'
import { createEngine } from '../../src/engine/create-engine.ts'

const blocks = commandBlocks(['README.md', 'docs/*.md'])

/** in their order: the first one makes the installation, which the others use */
const run = [
  "README.md: echo '{",
  'README.md: URL=',
  'README.md: export ATELIER_URL=',
  'docs/command-line.md: atelier run busybox',
  'docs/command-line.md: read -r container command',
  'docs/command-line.md: atelier cp src/',
  'docs/command-line.md: source <(atelier completion',
  'docs/doctor.md: atelier doctor',
  'docs/backup.md: atelier backup',
  'docs/oidc.md: atelier accounts create',
  'docs/running.md: atelier accounts create',
  'docs/ssh.md: curl -s',
]

const listed: Readonly<Record<string, string>> = {
  'README.md: apt-get install': 'installs packages; test/demo/demo.test.ts runs the demo',
  'README.md: bin/atelier       starts': 'a tree of folders',
  'docs/backup.md: systemctl stop': 'needs systemd; test/commands/backup.test.ts restores',
  'docs/backup.md: pg_dump': 'needs PostgreSQL',
  'docs/backup.md: pg_restore': 'needs PostgreSQL',
  'docs/backup.md: journalctl': 'needs the journal of systemd',
  'docs/client.md: npm install ./atelier': 'needs the package of a release',
  'docs/egress.md: atelier run python': 'needs an image with Python and the internet',
  'docs/egress.md: API_KEY=sk-': 'needs an image with Python and the internet; test/egress/secrets.test.ts',
  'docs/resident.md: resident/build': 'needs a compiler, and writes to the checkout',
  'docs/isolation.md: printf': 'changes settings of the kernel',
  'docs/monitoring.md: scrape_configs:': 'settings of Prometheus',
  'docs/running.md: install -D': 'writes to /etc',
  'docs/running.md: cp deploy/': 'writes to /etc; test/deploy/unit.test.ts reads the files',
  'docs/running.md: podman build': 'builds an image of the service',
  'docs/running.md: podman pull': 'needs the internet',
  'docs/running.md: map $http_upgrade': 'settings of nginx',
  'docs/running.md: defaults': 'settings of HAProxy',
  'docs/running.md: atelier.example {': 'settings of Caddy',
  'docs/ssh.md: scp -P': 'needs a session of SSH; test/ssh/sftp.test.ts',
  'docs/terminal.md: read -r CT': 'needs wscat',
}

test('every block of commands is run here, or listed with its reason', () => assertDecided(blocks, run, listed))

interface Place {
  readonly folder: string
  readonly listen: string
  readonly socket: string
  readonly env: NodeJS.ProcessEnv
}

async function openPlace(t: TestContext, socket: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-blocks-'))
  const instance = `t-${randomBytes(6).toString('hex')}`
  const engine = createEngine({ socket, instance, runtime: null, usesResident: false })
  t.after(async () => {
    await removeAll(engine)
    engine.close()
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/report.html'), 'a report')
  symlinkSync(resolve('bin/atelier'), join(folder, 'bin/atelier'))
  writeFileSync(join(folder, 'bin/curl'), strictCurl, { mode: 0o755 })
  const listen = `127.0.0.1:${await freePort()}`
  const env = {
    PATH: `${folder}/bin:${process.env['PATH']}`,
    HOME: folder,
    ATELIER_INSTANCE: instance,
    ATELIER_SSH_LISTEN: `127.0.0.1:${await freePort()}`,
  }
  return { folder, listen, socket, env }
}

/** replaces the words that stand for something of the reader */
const filledIn = (text: string, { folder, listen, socket }: Place, values: Readonly<Record<string, string>>): string =>
  Object.entries({
    '127.0.0.1:8090': listen,
    '/run/podman/podman.sock': socket,
    'localhost/my-base:1': baseImage,
    '/var/backups': folder,
    ...values,
  }).reduce((all, [word, instead]) => all.replaceAll(word, instead), text)

const bash = ({ folder, env }: Place, text: string, more: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((ok, no) => {
    const options = { cwd: folder, env: { ...env, ...more }, timeout: 60_000 }
    execFile('/bin/bash', ['-euo', 'pipefail', '-c', text], options, (error, out, err) =>
      error ? no(new Error(`${text}\n${out}${err}`)) : ok(out),
    ).stdin?.end()
  })

const blockOf = (start: string): CommandBlock => blocks.find(({ name }) => name.startsWith(start)) ?? assert.fail(start)

/** the block of the README that makes an installation, up to its last line, which stays in the foreground */
async function install(t: TestContext, place: Place): Promise<string> {
  const lines = filledIn(blockOf(run[0] ?? '').text, place, {}).split('\n')
  assert.equal(lines.at(-1), 'bin/atelier serve')
  const out = await bash(place, lines.slice(0, -1).join('\n'))
  const key = /^atl_\S+$/m.exec(out)?.[0] ?? assert.fail(out)
  const service = spawn('bin/atelier', ['serve'], { cwd: place.folder, env: place.env, stdio: 'ignore' })
  t.after(async () => {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  })
  await until(() => fetch(`http://${place.listen}/readyz`).then(({ ok }) => ok, () => false)) // prettier-ignore
  await bash(place, `bin/atelier images import --name busybox --reference ${baseImage}`)
  return key
}

const socket = process.env['TEST_PODMAN'] ?? process.env['TEST_DOCKER']

test('the printed commands work, one page after the other', { skip: socket ? false : 'no engine' }, async (t) => {
  const place = await openPlace(t, socket ?? '')
  const key = await install(t, place)
  const caller = { ATELIER_URL: `http://${place.listen}`, ATELIER_KEY: key, URL: `http://${place.listen}`, AUTH: `Authorization: Bearer ${key}` } // prettier-ignore
  const made = await fetch(`${caller.URL}/containers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image: 'busybox', name: 'job-7' }),
  })
  const { id } = (await made.json()) as { id: string }
  const publicKey = (await bash(place, 'ssh-keygen -q -t ed25519 -N "" -f k && cut -d" " -f1,2 k.pub')).trim()
  const values = {
    'atl_…': key,
    'ssh-ed25519 AAAA…': publicKey,
    'make test': 'true',
    'job-7:/home/u/report.html': 'job-7:/home/u/src/report.html',
    'you@example.org --password-file -': 'third@example.org --password-file password',
    'you@example.org': 'another@example.org',
  }
  for (const start of run.slice(1))
    await bash(place, filledIn(blockOf(start).text, place, values), { ...caller, CT: id })
})
