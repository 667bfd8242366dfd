// The subcommand that writes a tar, beside GNU tar as the reader.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'

const program = resolve(`resident/bin/resident-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`)
const archive = (path: string) => spawnSync(program, ['archive', path], { timeout: 10_000, maxBuffer: 1 << 26 })

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a tree is written as it is: long names, links, hard links and empty folders', (t) => {
  const [from, to] = [folderOf(t), folderOf(t)]
  const long = 'n'.repeat(200)
  mkdirSync(join(from, 'd', 'empty'), { recursive: true })
  mkdirSync(join(from, long))
  writeFileSync(join(from, long, long), Buffer.alloc(100_001, 'x'))
  writeFileSync(join(from, 'd', 'none'), '')
  linkSync(join(from, long, long), join(from, 'd', 'hard'))
  symlinkSync('t'.repeat(300), join(from, 'd', 'link'))
  for (let n = 0; n < 3_000; n += 1) writeFileSync(join(from, 'd', `f${n}`), `content ${n}`)
  const { status, stdout } = archive(from)
  assert.equal(status, 0)
  execFileSync('tar', ['-x', '-C', to], { input: stdout })
  execFileSync('diff', ['-r', '--no-dereference', from, join(to, 't')])
  const tree = execFileSync('tar', ['-tv'], { input: stdout, encoding: 'utf8' })
  assert.equal(tree.split('\n').filter((line) => line.includes(' link to ')).length, 1)
})

test('a file is one entry; a FIFO, a link and an absent path are refused without waiting', (t) => {
  const folder = folderOf(t)
  const at = (name: string) => join(folder, name)
  writeFileSync(at('file'), 'content')
  symlinkSync('file', at('link'))
  execFileSync('mkfifo', [at('fifo')])
  assert.deepEqual(execFileSync('tar', ['-xO'], { input: archive(at('file')).stdout }), readFileSync(at('file')))
  const ends = ['fifo', 'link', 'absent', 'file/below'].map((name) => archive(at(name)))
  assert.deepEqual(
    ends.map(({ status, stdout }) => [status, stdout.length]),
    [[4, 0], [4, 0], [3, 0], [3, 0]],
  ) // prettier-ignore
})

test('a folder that is removed while it is read ends there, and the rest of the tree is written', async (t) => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'removed'))
  const size = 8 * 1024 * 1024
  writeFileSync(join(folder, 'removed', 'big'), Buffer.alloc(size))
  const reader = spawn(program, ['archive', folder], { stdio: ['ignore', 'pipe', 'ignore'] })
  const { stdout } = reader
  const ended = once(reader, 'close')
  // most of the file is still to be read from its open folder: the reader waits for room in the pipe
  await once(stdout, 'readable')
  rmSync(join(folder, 'removed'), { recursive: true })
  writeFileSync(join(folder, 'removed'), 'a file now')
  const tar = Buffer.concat(await stdout.toArray())
  assert.deepEqual(await ended, [0, null])
  assert.ok(tar.length > size)
})

test('a tar breaks off where an entry cannot be opened for want of descriptors, and FIFOs are left out', (t) => {
  const folder = folderOf(t)
  execFileSync('mkfifo', [join(folder, 'fifo')])
  const withLimit = (descriptors: number) =>
    spawnSync('/bin/sh', ['-c', `ulimit -n ${descriptors}; exec "$0" archive "$1"`, program, folder]).status
  assert.equal(withLimit(5), 0)
  writeFileSync(join(folder, 'file'), 'content')
  assert.equal(withLimit(5), 1)
  assert.equal(withLimit(6), 0)
})
