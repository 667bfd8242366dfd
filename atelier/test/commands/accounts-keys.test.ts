import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { openStore } from '../../src/store/store.ts'

test('an account and its keys are made from the command line, and the key is alone on the last line', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-commands-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'atelier.json')
  writeFileSync(config, JSON.stringify({ listen: '127.0.0.1:1', store: 'sqlite:a.db', engine: { socket: 'none.sock' } }))
  const run = (input: string, ...args: string[]) =>
    spawnSync('bin/atelier', [...args, '--config', config], { encoding: 'utf8', input, timeout: 30_000 })
  const made = run('correct horse battery\n', 'accounts', 'create', '--email', 'a@x.org', '--password-file', '-')
  assert.match(made.stdout, /^acc_[0-9a-z]{26}\n$/)
  assert.equal(run('', 'accounts', 'create', '--email', 'A@x.org').status, 1)
  assert.equal(run('short', 'accounts', 'create', '--email', 'b@x.org', '--password-file', '-').status, 1)
  assert.match(run('', 'accounts', 'list').stdout, /a@x\.org/)
  const key = ['keys', 'create', '--account', 'a@x.org', '--name', 'ci']
  const { stdout, status } = run('', ...key, '--scopes', 'exec,files', '--expires', '90d')
  assert.equal(status, 0)
  assert.match(stdout.trimEnd().split('\n').at(-1) ?? '', /^atl_[0-9a-z]{8}_[\w-]{43}_[0-9a-f]{6}$/)
  for (const wrong of [['--scopes', 'all'], ['--expires', '0d'], ['--expires', '90']]) {
    const { status: refused, stderr } = run('', ...key, ...wrong)
    assert.deepEqual([refused === 0, stderr.includes(wrong[0] === '--scopes' ? 'all' : '--expires')], [false, true])
  }
  const store = await openStore(`sqlite:${join(folder, 'a.db')}`)
  const [account] = await store.accounts.list()
  const [stored] = await store.keys.page(account?.id ?? '', 0, undefined, 9)
  assert.deepEqual([stored?.scopes, stored?.createdBy], [['exec', 'files'], 'operator'])
  await store.close()
  const { status: found, stdout: said } = run('', 'doctor')
  assert.equal(found, 1)
  assert.match(said, /Fix: /)
}) // prettier-ignore
