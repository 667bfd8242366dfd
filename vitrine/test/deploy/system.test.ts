// The systemd unit and haproxy.cfg, checked by systemd and HAProxy; and make-secrets.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { readMasterKeys } from '../../src/connections/master-keys.ts'
import { read, without } from './files.ts'

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const run = (program: string, ...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', timeout: 30_000 })
  return { said: `${stdout}${stderr}`, status }
}

test(
  'systemd accepts the unit without a warning, and rates its exposure low',
  { skip: without('systemd-analyze', '--version') },
  (t) => {
    const file = join(scratch(t), 'vitrine.service')
    writeFileSync(file, read('deploy/vitrine.service').replace('/usr/local/lib/vitrine/', `${resolve('.')}/`))
    const { said, status } = run('systemd-analyze', 'verify', '--man=no', file)
    assert.deepEqual([said, status], ['', 0])
    // with a limit, a database that is down for a minute at boot would stop the unit for good
    assert.match(read('deploy/vitrine.service'), /^StartLimitIntervalSec=0$/m)
    const rated = run('systemd-analyze', 'security', '--offline=true', '--no-pager', file)
    const [, exposure = ''] = /Overall exposure level for vitrine.service: ([\d.]+)/.exec(rated.said) ?? []
    assert.ok(exposure !== '' && Number(exposure) <= 1.5, rated.said)
  },
)

test(
  'HAProxy accepts the configuration of the balancer',
  { skip: without('haproxy', '-v') || without('openssl', 'version') },
  (t) => {
    const folder = scratch(t)
    const [key, certificate] = [join(folder, 'tls.pem.key'), join(folder, 'tls.pem')]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=localhost',
    ]
    assert.equal(run('openssl', ...made, '-keyout', key, '-out', certificate).status, 0)
    const file = join(folder, 'haproxy.cfg')
    const text = read('deploy/haproxy.cfg').replace('/run/secrets/tls.pem', certificate)
    writeFileSync(file, text)
    const { said, status } = run('haproxy', '-c', '-f', file)
    assert.equal(status, 0, said)
    assert.doesNotMatch(said.replaceAll(/.*could not resolve address.*/g, ''), /WARNING|ALERT/)
    writeFileSync(file, text.replace('http-check expect', 'http-check expekt'))
    assert.notEqual(run('haproxy', '-c', '-f', file).status, 0)
  },
)

const notRoot = process.getuid?.() === 0 ? false : 'NOT TRIED: files are given to other users, which only root can do'
test('without a working openssl, make-secrets fails and leaves no file', { skip: notRoot }, (t) => {
  const folder = scratch(t)
  writeFileSync(join(folder, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const secrets = join(folder, 'secrets')
  const { status } = run('env', `PATH=${folder}:${process.env['PATH']}`, 'sh', 'deploy/make-secrets', secrets)
  assert.deepEqual([status, readdirSync(secrets)], [1, []])
})

test(
  'make-secrets creates each secret once, for its one reader, with the same passwords on both sides',
  { skip: notRoot || without('openssl', 'version') },
  (t) => {
    const folder = join(scratch(t), 'secrets')
    const make = () => run('sh', 'deploy/make-secrets', folder)
    const first = make()
    assert.equal(first.status, 0, first.said)
    assert.match(first.said, /tls.pem is missing/)
    const files = readdirSync(folder).sort()
    const contents = () => files.map((file) => readFileSync(join(folder, file), 'utf8'))
    const owners = files.map((file) => {
      const { uid, mode } = statSync(join(folder, file))
      return `${file} ${uid} ${(mode & 0o777).toString(8)}`
    })
    assert.deepEqual(owners, [
      'database-password 999 400',
      'master-keys 65532 400',
      'operator-token 65532 400',
      'redis-password 65532 400',
      'redis-users 999 400',
      'store-password 65532 400',
    ])
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const [database = '', masterKeys = '', token = '', redis = '', users = '', store = ''] = contents()
    assert.equal(readMasterKeys(masterKeys).first, 'k1')
    assert.match(token, /^[0-9a-f]{64}\n$/)
    assert.equal(database, store)
    assert.ok(users.includes(`#${hash('sha256', redis.trim())} `))
    assert.ok(!users.includes(redis.trim()))
    const before = contents()
    assert.equal(make().status, 0)
    assert.deepEqual(contents(), before)
  },
)
