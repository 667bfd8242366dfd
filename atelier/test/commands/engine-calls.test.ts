import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Atelier } from '../../client/atelier.ts'
import { until } from '../../../base/test/until.ts'
import { onService, type Served } from '../client/engine-rig.ts'
import { atelier, endOf, start } from './program.ts'

const script = 'cat >/dev/null; echo out; echo err >&2; exit 3'

onService('run passes input and both outputs byte for byte, apart from each other', async (at) => {
  const input = randomBytes(200_000)
  const child = start(at, ['run', 'base', '--', 'sh', '-c', 'cat >f; cat f; cat f >&2'])
  const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (part: Buffer) => parts[stream].push(part))
  child.stdin.end(input)
  await new Promise((ok) => child.once('close', ok))
  assert.equal(child.exitCode, 0)
  assert.ok(Buffer.concat(parts.stdout).equals(input))
  assert.ok(Buffer.concat(parts.stderr).equals(input))
  assert.deepEqual(await atelier(at, ['run', 'base', '--', 'sh', '-c', script]), {
    code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  })
  const late = await atelier(at, ['run', '--timeout', '1s', 'base', '--', 'sleep', '60'])
  assert.equal(late.code, 124)
  assert.equal((await new Atelier(at).listContainers()).items.length, 0)
})

onService('Ctrl-C during run ends the command in the container and removes it', async (at) => {
  const child = start(at, ['run', 'base', '--', 'sh', '-c', 'echo begun; sleep 600'])
  child.stdin.end()
  const begun = new Promise((ok) => child.stdout.once('data', ok))
  const ended = endOf(child)
  await begun
  child.kill('SIGINT')
  assert.equal((await ended).code, 130)
  assert.equal((await new Atelier(at).listContainers()).items.length, 0)
})

function makeTree(folder: string) {
  mkdirSync(join(folder, 'tree/sub'), { recursive: true })
  writeFileSync(join(folder, 'tree/sub/tool'), '#!/bin/sh\necho tool\n')
  chmodSync(join(folder, 'tree/sub/tool'), 0o755)
  writeFileSync(join(folder, 'tree/grüße.txt'), 'hello\n')
  symlinkSync('sub/tool', join(folder, 'tree/link'))
  for (const name of ['tree/empty', 'empty']) writeFileSync(join(folder, name), '')
  const bytes = randomBytes(3_000_000)
  writeFileSync(join(folder, 'file.bin'), bytes)
  return bytes
}

async function copyBothWays(at: Served, folder: string, id: string) {
  const bytes = makeTree(folder)
  const go = async (...args: string[]) => {
    const { code, stderr } = await atelier(at, ['cp', ...args], { cwd: folder })
    return [code, stderr]
  }
  assert.deepEqual(await go('file.bin', `${id}:/home/u/new/name.bin`), [0, ''])
  assert.deepEqual(await go('file.bin', `${id}:/home/u/`), [0, ''])
  assert.deepEqual(await go('file.bin', `${id}:/home/u/new`), [0, ''])
  assert.deepEqual(await go('empty', `${id}:/home/u/`), [0, ''])
  assert.deepEqual(await go('tree', `${id}:/home/u/tree`), [0, ''])
  const command = ['sh', '-c', 'cd /home/u; cmp file.bin new/name.bin && cmp file.bin new/file.bin && tree/link']
  const { stdout } = await new Atelier(at).runCommand({ containerId: id, command })
  assert.equal(stdout, 'tool\n')
  assert.deepEqual(await go(`${id}:/home/u/file.bin`, 'back.bin'), [0, ''])
  assert.ok(readFileSync(join(folder, 'back.bin')).equals(bytes))
  assert.deepEqual(await go(`${id}:/home/u/tree`, 'back'), [0, ''])
  assert.equal(readFileSync(join(folder, 'back/grüße.txt'), 'utf8'), 'hello\n')
  assert.equal(statSync(join(folder, 'back/empty')).size, 0)
  assert.equal(statSync(join(folder, 'back/sub/tool')).mode & 0o777, 0o755)
  assert.equal(readlinkSync(join(folder, 'back/link')), 'sub/tool')
  const again = await go(`${id}:/home/u/tree`, './')
  assert.match(String(again[1]), /tree is there already/)
  assert.equal((await go(`${id}:/home/u/none`, 'x'))[0], 4)
  assert.equal((await go('none', `${id}:/home/u/x`))[0], 1)
  assert.deepEqual(readdirSync(folder).toSorted(), ['back', 'back.bin', 'empty', 'file.bin', 'tree'])
}

onService('cp copies files and trees both ways, and leaves nothing half done', async (at) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-cp-'))
  try {
    const { id } = await new Atelier(at).createContainer({ image: 'base' })
    await copyBothWays(at, folder, id)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

onService('a hostile tree from a container cannot lead out of its directory', async (at) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-cp-'))
  try {
    const { id } = await new Atelier(at).createContainer({ image: 'base' })
    const lines = [
      `ln -s ${folder} out`,
      'ln -s .. up',
      'ln -s . here',
      'ln -s here/../../x climb',
      'mkfifo fifo',
      'echo ok >ok',
    ]
    const command = ['sh', '-c', `mkdir -p /home/u/t && cd /home/u/t && ${lines.join(' && ')}`]
    assert.equal((await new Atelier(at).runCommand({ containerId: id, command })).exitCode, 0)
    const { code, stderr } = await atelier(at, ['cp', `${id}:/home/u/t`, join(folder, 't')])
    assert.equal(code, 0)
    assert.match(stderr, /^atelier: left out \d names that cannot be copied: /)
    for (const name of ['out', 'up', 'climb', 'fifo'])
      assert.ok(!lstatSync(join(folder, 't', name), { throwIfNoEntry: false }), name)
    assert.equal(readFileSync(join(folder, 't/ok'), 'utf8'), 'ok\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

onService('ssh runs a command exactly as it was given, with a key that is gone afterwards', async (at) => {
  const { id } = await new Atelier(at).createContainer({ image: 'base', name: 'job' })
  const temporary = mkdtempSync(join(tmpdir(), 'atelier-tmp-'))
  try {
    const env = { TMPDIR: temporary }
    const words = await atelier(at, ['ssh', 'job', '--', 'sh', '-c', 'printf "%s|" "a  b" "$0"; exit 5', "it's"], {
      env,
    })
    assert.deepEqual(words, { code: 5, stdout: "a  b|it's|", stderr: '' })
    const line = await atelier(at, ['ssh', id, 'read x; echo "$x" | tr a-z A-Z'], { env, input: 'hello\n' })
    assert.deepEqual(line, { code: 0, stdout: 'HELLO\n', stderr: '' })
    const child = start(at, ['ssh', 'job', '--', 'sh', '-c', 'echo begun; sleep 600'], { env })
    const begun = new Promise((ok) => child.stdout.once('data', ok))
    const ended = endOf(child)
    await begun
    child.kill('SIGTERM')
    assert.notEqual((await ended).code, 0)
    await until(() => readdirSync(temporary).length === 0)
    const lost = await atelier(at, ['ssh', 'none', 'ls'])
    assert.equal(lost.code, 255)
    assert.ok(existsSync(temporary))
  } finally {
    rmSync(temporary, { recursive: true })
  }
})

onService('logs shows a build to its end, and fails with it', async (at) => {
  const client = new Atelier(at)
  await client.createImage({ name: 'good', dockerfile: 'FROM base\nRUN echo from the build' })
  const good = await atelier(at, ['logs', 'good', '--follow'])
  assert.equal(good.code, 0)
  assert.match(good.stdout, /^==> .*\n(.*\n)*from the build\n/)
  const { id } = await client.createImage({ name: 'bad', dockerfile: 'FROM base\nRUN exit 9' })
  const bad = await atelier(at, ['logs', id, '-f', '-o', 'json'])
  assert.equal(bad.code, 1)
  const events = bad.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(events.at(-1), { type: 'end', status: 'failed' })
  assert.match((await atelier(at, ['logs', id])).stderr, /the build failed: /)
})
