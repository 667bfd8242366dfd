import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import test from 'node:test'
import { exits, runExits } from '../../src/commands/call/exits.ts'
import { readFileSync } from 'node:fs'
import { readCopy } from '../../src/commands/call/place.ts'
import { readRunWish } from '../../src/commands/call/run-options.ts'
import { loadSettings } from '../../src/commands/settings-file.ts'
import { openUsedRig } from '../service-rig.ts'
import { atelier } from './program.ts'

test('containers are listed and removed by id and by name', async (t) => {
  const { service, key, create, engine } = await openUsedRig(t)
  const place = { url: service.url, key }
  const { body: named } = await create({ name: 'job', labels: { team: 'a' } })
  const { body: other } = await create()
  const { stdout } = await atelier(place, ['containers', 'list', '--label', 'team=a'])
  assert.deepEqual(
    JSON.parse(stdout).map(({ id }: { id: string }) => id),
    [named.id],
  )
  const table = await atelier(place, ['containers', 'list', '-o', 'table'])
  assert.match(table.stdout, /^ID +NAME +STATUS/)
  assert.equal(table.stdout.trim().split('\n').length, 3)
  const removed = await atelier(place, ['containers', 'remove', 'job', other.id, '--grace', '0'])
  assert.deepEqual(removed, { code: 0, stdout: `${named.id}\n${other.id}\n`, stderr: '' })
  assert.equal(engine.containers.size, 0)
  const lost = await atelier(place, ['containers', 'remove', 'job'])
  assert.equal(lost.code, 4)
  assert.match(lost.stderr, /no container with the name "job": atelier containers list/)
})

test('the two ends of a copy are told apart, and a container path is absolute', () => {
  assert.deepEqual(readCopy('a.txt', 'job:/home/u/'), {
    way: 'in',
    local: 'a.txt',
    remote: { container: 'job', path: '/home/u', isInto: true },
  })
  assert.deepEqual(readCopy('ct_1:/', './a:b').remote, { container: 'ct_1', path: '/', isInto: true })
  for (const [from, to] of [
    ['a', 'b'],
    ['a:/b', 'c:/d'],
    ['a', 'job:relative'],
    ['./a:/b', '/c:/d'],
  ] as const)
    assert.throws(() => readCopy(from, to), { exitCode: 2 }, `${from} ${to}`)
})

test('a secret is read from the environment, and goes to the hosts that are named', () => {
  const own = { API_KEY: 'from-here', OTHER: 'other-value' }
  const secret = ['API_KEY@api.example.com', 'OTHER@b.example.com', 'API_KEY@c.example.com']
  const { container } = readRunWish('base', ['ls'], { secret, egressHost: ['*.pypi.org'] }, own)
  assert.deepEqual(container.secrets, {
    API_KEY: { value: 'from-here', hosts: ['api.example.com', 'c.example.com'] },
    OTHER: { value: 'other-value', hosts: ['b.example.com'] },
  })
  assert.deepEqual(container.egress, { hosts: ['*.pypi.org'] })
  for (const wrong of ['API_KEY', 'API_KEY@', '@api.example.com', 'NONE@api.example.com', 'A@b@c'])
    assert.throws(() => readRunWish('base', ['ls'], { secret: [wrong] }, own), { exitCode: 2 })
})

test('a run is read from its options, and a wrong one is refused by name', () => {
  const wish = readRunWish('base', ['--', 'ls', '--', 'x'], { memory: '2g', cpu: '0.25', timeout: '10m' }, {})
  assert.deepEqual(wish.command, ['ls', '--', 'x'])
  assert.deepEqual([wish.container.limits, wish.timeoutSeconds], [{ memoryMiB: 2048, cpu: 0.25 }, 600])
  assert.equal(wish.container.ttlSeconds, 900)
  for (const [options, name] of [
    [{ memory: '1t' }, /--memory/],
    [{ cpu: 'all' }, /--cpu/],
    [{ timeout: '0s' }, /--timeout/],
    [{ timeout: '61m' }, /--timeout/],
    [{ env: ['=x'] }, /--env/],
    [{ env: ['NONE'] }, /NONE/],
  ] as const)
    assert.throws(() => readRunWish('base', ['ls'], options, {}), { message: name, exitCode: 2 })
})

test('the variables of callers do not disturb the commands of the operator', () => {
  const before = { ...process.env }
  try {
    Object.assign(process.env, {
      ATELIER_LISTEN: '127.0.0.1:1',
      ATELIER_URL: 'http://x',
      ATELIER_KEY: 'k',
      ATELIER_KEY_FILE: 'f',
    })
    assert.ok(loadSettings({}).settings)
  } finally {
    process.env = before
  }
})

test('the guide lists every exit code with its words', () => {
  const guide = readFileSync('docs/command-line.md', 'utf8')
  for (const { code, about } of [...exits, ...runExits])
    assert.ok(guide.includes(`| ${code} | ${about.replaceAll('|', '\\|')} |`), `${code}`)
})

test('the completion of bash offers commands, options and listed values', () => {
  const script = `source <(atelier completion bash)
    t() { COMP_WORDS=(atelier "$@"); COMP_CWORD=$#; _atelier; (IFS=,; echo "\${COMPREPLY[*]}"); }
    t con; t containers re; t run --mem; t containers list --output ''; t completion ''`
  const path = `${resolve('bin')}:${process.env['PATH']}`
  const said = execFileSync('bash', ['--norc', '-c', script], {
    env: { PATH: path },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.deepEqual(said.trim().split('\n'), ['containers', 'remove', '--memory', 'table,json', 'bash,zsh,fish'])
})
