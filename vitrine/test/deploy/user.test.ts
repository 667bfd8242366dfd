// The command line of the unit, run by a user who owns only the state folder, with secrets as systemd and container
// platforms provide them. deploy/try-unit runs the whole unit.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { until } from '../../../base/test/until.ts'
import { read } from './files.ts'

const user = 65_532
const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
const mayEnter = spawnSync('setpriv', [...as.slice(1), 'test', '-r', resolve('bin/vitrine')]).status === 0
const skip =
  process.getuid?.() !== 0 || !mayEnter ? 'NOT TRIED: only root becomes another user, who must see this folder' : false

function prepare(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  for (const name of ['state', 'cache']) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    chownSync(join(folder, name), user, user)
  }
  mkdirSync(join(folder, 'secrets'))
  const give = (name: string, text: string, mode: number) => {
    const file = join(folder, 'secrets', name)
    writeFileSync(file, text)
    chownSync(file, 0, user)
    chmodSync(file, mode)
  }
  give('master-keys', `${makeMasterKey('k1')}\n`, 0o440)
  give('operator-token', `${randomBytes(16).toString('hex')}\n`, 0o444)
  const endpoints = { listen: '127.0.0.1:0', operatorListen: '127.0.0.1:0', drainSeconds: 0 }
  writeFileSync(
    join(folder, 'vitrine.json'),
    JSON.stringify({ ...endpoints, store: `sqlite:${folder}/state/vitrine.db` }),
  )
  return folder
}

test(
  'the unit starts as an unprivileged user, reads its secrets, and warns of world-readable ones',
  { skip },
  async (t) => {
    const folder = prepare(t)
    const unit = read('deploy/vitrine.service')
      .replaceAll('%d', `${folder}/secrets`)
      .replaceAll('%C/vitrine', `${folder}/cache`)
    const [, line = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? []
    const [, ...words] = line.replace('/etc/vitrine', folder).split(' ')
    const env = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.+)$/gm)].map(([, name = '', value]) => [name, value]),
    )
    assert.deepEqual(Object.keys(env), [
      'VITRINE_MASTER_KEYS_FILE',
      'VITRINE_OPERATOR_TOKEN_FILE',
      'NODE_COMPILE_CACHE',
    ])
    const child = spawn('setpriv', [...as.slice(1), resolve('bin/vitrine'), ...words], {
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
    assert.match(said, /operatorTokenFile .* can be read by others/)
    assert.doesNotMatch(said, /masterKeysFile/)
  },
)
