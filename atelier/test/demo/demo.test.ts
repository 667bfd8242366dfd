// The demo as a user runs it: every line that it prints is pasted into a shell, and nothing is left afterwards.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { findEnginePrograms, installLine } from '../../src/demo/programs.ts'

const isRoot = process.getuid?.() === 0
const skip = !isRoot ? 'not root' : findEnginePrograms() ? false : `no Podman: ${installLine}`

interface Demo {
  readonly child: ChildProcess
  readonly folder: string
  readonly output: () => string
}

function launch(folder: string): Demo {
  const child = spawn(process.execPath, ['bin/start.mjs', 'demo', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ATELIER_LISTEN: '127.0.0.1:0', ATELIER_SSH_LISTEN: '127.0.0.1:0' },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (text += data.toString()))
  return { child, folder, output: () => text }
}

async function isUp({ child, output }: Demo) {
  await until(() => output().includes('Ctrl-C stops it') || child.exitCode !== null, 60_000)
  assert.equal(child.exitCode, null, output())
}

/** command lines of processes that name the folder */
const processesOf = (folder: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      const text = readFileSync(file, 'utf8').replaceAll('\0', ' ')
      return text.includes(folder) && !text.includes('start.mjs') ? [text] : []
    } catch {
      return []
    }
  })

async function stop({ child, folder, output }: Demo) {
  child.kill('SIGINT')
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  assert.equal(code, 0, output())
  assert.equal(existsSync(folder), false)
  assert.deepEqual(processesOf(folder), [])
}

const newFolder = (): string => join(tmpdir(), `atelier-demo-test-${process.pid}`)
const mountsBelow = (folder: string) => readFileSync('/proc/self/mounts', 'utf8').includes(folder)
const files = ['/etc/subuid', '/etc/subgid']
const contents = () => files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined))

/** the commands of the welcome text, by the words above them */
const linesOf = (text: string): [about: string, command: string][] =>
  [...text.matchAll(/^# (.*)\n(.*)$/gm)].map(([, about = '', command = '']) => [about, command])

const between = '--- next ---'

/** what each part of the output of the lines must be, in their order */
const expected: readonly RegExp[] = [
  /^$/,
  /^ct_[0-9a-z]{26}\n$/,
  /"exitCode":0.*"stdout":"uid=1000\(u\) gid=1000\(u\)(?: groups=1000\(u\))?\\nLinux /,
  /"data":"1\\n".*\n.*"data":"2\\n".*\n.*"data":"3\\n".*\n.*"type":"exit"/,
  /^\{"path":"\/home\/u\/note.txt","sizeBytes":13,/,
  /^from outside\n$/,
  /^img_[0-9a-z]{26}\n$/,
  /"type":"end","status":"ready"/,
  /^ssh_[0-9a-z]{26}\n$/,
  /^from outside\n$/,
  /"status":"deleted".*\n204\n$/,
]

test('every line that the demo prints works, and Ctrl-C leaves nothing', { skip, timeout: 120_000 }, async () => {
  const before = contents()
  const demo = launch(newFolder())
  try {
    await isUp(demo)
    const lines = linesOf(demo.output())
    assert.equal(lines.length, expected.length)
    const script = lines.map(([, command]) => command).join(`\necho '${between}'\n`)
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 60_000 })
    const parts = stdout.split(`${between}\n`)
    for (const [i, [about]] of lines.entries()) assert.match(parts[i] ?? '', expected[i] ?? /^$/, about)
    await stop(demo)
    assert.equal(mountsBelow(demo.folder), false)
    assert.deepEqual(contents(), before)
  } finally {
    demo.child.kill('SIGKILL')
  }
})

test(
  'a demo that is killed takes its engine along, and the next start clears its folder',
  { skip, timeout: 120_000 },
  async () => {
    const folder = newFolder()
    const killed = launch(folder)
    await isUp(killed)
    const create = linesOf(killed.output())
      .slice(0, 2)
      .map(([, command]) => command)
    const { stdout } = spawnSync('bash', ['-c', create.join('\n')], { encoding: 'utf8', timeout: 30_000 })
    assert.match(stdout, /^ct_/)
    assert.ok(processesOf(folder).length > 0)
    killed.child.kill('SIGKILL')
    await until(() => processesOf(folder).length === 0)
    const stored = readFileSync(join(folder, 'root/overlay-containers/containers.json'), 'utf8')
    const [{ id } = { id: '' }] = JSON.parse(stored) as { id: string }[]
    const demo = launch(folder)
    await isUp(demo)
    assert.deepEqual(globSync(`/sys/fs/cgroup/{,*/}libpod_parent/libpod-${id}`), [])
    await stop(demo)
  },
)

test('two demos do not share a folder', { skip, timeout: 120_000 }, async () => {
  const first = launch(newFolder())
  await isUp(first)
  const second = launch(first.folder)
  await once(second.child, 'exit')
  assert.match(second.output(), /^Another program uses /m)
  await stop(first)
})

test('without Podman the demo prints the line that installs it, and fails', () => {
  const words = ['bin/start.mjs', 'demo', '--folder', newFolder()]
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: '/nowhere' } })
  assert.deepEqual([stderr.match(/^ {2}apt-get install .*podman.*$/gm)?.length, status], [1, 1], stderr)
  assert.equal(existsSync(newFolder()), false)
})

test('a folder that holds something else is refused and stays as it is', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-other-'))
  mkdirSync(join(folder, 'root'))
  writeFileSync(join(folder, 'precious'), '')
  const words = ['bin/start.mjs', 'demo', '--folder', folder]
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.match(stderr, /holds something else/)
  assert.equal(status, 1)
  assert.deepEqual(readdirSync(folder).toSorted(), ['precious', 'root'])
  rmSync(folder, { recursive: true })
})
