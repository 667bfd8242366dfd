// What release:check says of two builds: every planted difference, and the place of it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { copySources } from './release/source-copy.ts'
import { differences } from './release/differences.ts'

const made = new Date('2020-01-01T00:00:00Z')

/** two equal folders, each with a text, a program, a link and some bytes */
function twoFolders(t: TestContext): [string, string] {
  const scratch = mkdtempSync(join(tmpdir(), 'differences-test-'))
  t.after(() => rmSync(scratch, { recursive: true, force: true }))
  return ['a', 'b'].map((name) => {
    const folder = join(scratch, name)
    mkdirSync(join(folder, 'in'), { recursive: true })
    writeFileSync(join(folder, 'in/text'), 'one\ntwo\nthree\n')
    writeFileSync(join(folder, 'in/bytes'), Buffer.from([1, 0, 2, 3]))
    symlinkSync('text', join(folder, 'in/link'))
    for (const file of ['in/text', 'in/bytes', 'in']) utimesSync(join(folder, file), made, made)
    return folder
  }) as [string, string]
}

function pack(folder: string, ...options: string[]) {
  const order = ['--sort=name', '--owner=0', '--group=0', ...options]
  execFileSync('tar', ['-czf', join(folder, 'packed.tgz'), ...order, '-C', folder, 'in'])
  rmSync(join(folder, 'in'), { recursive: true })
}

test('equal folders and archives have no difference', (t) => {
  const [first, second] = twoFolders(t)
  assert.deepEqual(differences(first, second, 'x'), [])
  for (const folder of [first, second]) pack(folder)
  assert.deepEqual(differences(first, second, 'x'), [])
})

test('a line, a byte, a mode, a link and a missing file are named with their place', (t) => {
  const [first, second] = twoFolders(t)
  writeFileSync(join(second, 'in/text'), 'one\ntwo!\nthree\n')
  writeFileSync(join(second, 'in/bytes'), Buffer.from([1, 0, 7, 3]))
  rmSync(join(second, 'in/link'))
  symlinkSync('bytes', join(second, 'in/link'))
  writeFileSync(join(first, 'old'), '')
  writeFileSync(join(second, 'new'), '')
  assert.deepEqual(differences(first, second, 'x'), [
    'x/in/bytes: byte 2: 0203, then 0703 (4 and 4 bytes)',
    'x/in/link: leads to text, then to bytes',
    'x/in/text:2: "two", then "two!"',
    'x/new: only in the second build',
    'x/old: only in the first build',
  ])
  chmodSync(join(second, 'in/text'), 0o600)
  assert.match(differences(first, second, 'x')[2] ?? '', /^x\/in\/text: mode 100644, then 100600$/)
})

test('a difference inside an archive is named by its member', (t) => {
  const [first, second] = twoFolders(t)
  writeFileSync(join(second, 'in/text'), 'one\ntwo\nThree\n')
  utimesSync(join(second, 'in/text'), made, made)
  for (const folder of [first, second]) pack(folder)
  assert.deepEqual(differences(first, second, 'x'), ['x/packed.tgz/in/text:3: "three", then "Three"'])
})

test('times, owners and the order of members count', (t) => {
  for (const option of ['--mtime=2001-01-01', '--owner=7', '--sort=none']) {
    const [first, second] = twoFolders(t)
    pack(first)
    // in the order given, which is not the order of names
    if (option === '--sort=none')
      execFileSync('tar', ['-czf', join(second, 'packed.tgz'), '--owner=0', '--group=0', '-C', second, 'in/text', 'in'])
    else pack(second, option)
    rmSync(join(second, 'in'), { recursive: true, force: true })
    assert.match(differences(first, second, 'x')[0] ?? '', /^x\/packed\.tgz \(list of members\):\d+: /, option)
  }
})

test('the sources are copied as a clone with the umask has them, without what is ignored or removed', (t) => {
  const [first, second] = twoFolders(t)
  execFileSync('git', ['init', '-q', first])
  writeFileSync(join(first, '.gitignore'), 'ignored\nnode_modules\n')
  for (const file of ['ignored', 'program', 'removed']) writeFileSync(join(first, file), '')
  chmodSync(join(first, 'program'), 0o755)
  execFileSync('git', ['add', '.'], { cwd: first })
  rmSync(join(first, 'removed'))
  mkdirSync(join(first, 'node_modules/tool'), { recursive: true })
  const date = new Date('2001-02-03T04:05:06Z')
  const to = join(second, 'copy')
  copySources({ from: first, to, umask: 0o077, date })
  assert.deepEqual(readdirSync(to), ['.gitignore', 'in', 'node_modules', 'program'])
  const modeOf = (file: string) => statSync(join(to, file)).mode & 0o777
  assert.deepEqual([modeOf('in'), modeOf('in/text'), modeOf('program')], [0o700, 0o600, 0o700])
  assert.equal(statSync(join(to, 'in/text')).mtimeMs, date.getTime())
  assert.ok(statSync(join(to, 'node_modules/tool')).isDirectory())
})
