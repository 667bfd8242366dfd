import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../../src/engine/port.ts'
import {
  execTemplate,
  onEveryWay,
  readAll,
  startBy,
  startContainer as startAny,
  type TestWay,
  uniqueId,
} from '../engines.ts'

type More = Partial<Parameters<typeof execTemplate>[2]>

const startContainer = ({ engine, image }: TestWay, more: Parameters<typeof startAny>[1] = {}) =>
  startAny(engine, { image, ...more })
const run = async (at: TestWay, container: string, argv: readonly string[], more: More = {}) =>
  readAll(await startBy(at, execTemplate(container, argv, more)))
const shell = (at: TestWay, container: string, script: string, more: More = {}) =>
  run(at, container, ['/bin/sh', '-c', script], more)

onEveryWay('a command has its arguments, its environment, its directory and its user', async (at) => {
  const id = await startContainer(at, { env: { A: 'container', B: 'kept' } })
  const script = 'printf "%s|" "$@"; echo "$A $B"; pwd; id -u; id -g'
  const more = { env: { A: 'exec = 1' }, workingDir: '/tmp', user: '7:8' }
  const result = await run(at, id, ['sh', '-c', script, 'sh', '', 'a  b', '"$HOME"'], more)
  const stdout = '|a  b|"$HOME"|exec = 1 kept\n/tmp\n7\n8\n'
  assert.deepEqual(result, { stdout, stderr: '', exitCode: 0, startFailure: undefined })
})

onEveryWay('output and errors stay apart, and the exit code is the command’s own', async (at) => {
  const id = await startContainer(at)
  for (const code of [0, 1, 125, 126, 127, 137]) {
    const result = await shell(at, id, `echo out; echo Error: err >&2; exit ${code}`)
    const wanted = { stdout: 'out\n', stderr: 'Error: err\n', exitCode: code, startFailure: undefined }
    assert.deepEqual(result, wanted)
  }
})

onEveryWay('10 MiB reach a slow reader whole, and the command waits meanwhile', async (at) => {
  const id = await startContainer(at)
  const script = 'dd if=/dev/zero bs=1M count=10 2>/dev/null; touch /tmp/done; exit 3'
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', script]))
  let bytes = 0
  let pieces = 0
  for await (const { data } of exec.output) {
    if (pieces === 0) {
      await pause(500)
      assert.equal(await at.engine.stat(id, '/tmp/done'), undefined)
    }
    pieces += 1
    bytes += data.length
  }
  assert.deepEqual([bytes, await exec.exitCode()], [10 * 1024 * 1024, 3])
})

onEveryWay('input reaches the command byte by byte, and its end too', async (at) => {
  const id = await startContainer(at)
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'wc -c; echo over >&2'], { input: true }))
  const reading = readAll(exec)
  for (let piece = 0; piece < 64; piece += 1) await exec.write(Buffer.alloc(65_536, piece))
  exec.endInput()
  const result = await reading
  assert.deepEqual([result.stdout.trim(), result.stderr, result.exitCode], [String(64 * 65_536), 'over\n', 0])
})

onEveryWay('a command that reads no input may be written to', async (at) => {
  const id = await startContainer(at)
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'exec <&-; echo no'], { input: true }))
  const reading = readAll(exec)
  for (let piece = 0; piece < 32; piece += 1) await exec.write(Buffer.alloc(65_536))
  exec.endInput()
  const { stdout, stderr, exitCode } = await reading
  // Podman may lose the end of the output here, and then says so
  assert.deepEqual([stdout, stderr, exitCode], [exec.isCut && stdout === '' ? '' : 'no\n', '', 0])
})

onEveryWay('without input a command reads the end at once', async (at) => {
  const id = await startContainer(at)
  assert.deepEqual((await run(at, id, ['cat'])).exitCode, 0)
})

onEveryWay('a terminal has a size, takes a new one, and ends with its input', async (at) => {
  const id = await startContainer(at)
  const tty = { columns: 101, rows: 33 }
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'sleep 0.3; stty size; cat'], { input: true, tty }))
  const reading = readAll(exec)
  await pause(700)
  await exec.resize(80, 24)
  await exec.write(Buffer.from('hello\n'))
  await pause(100)
  exec.endInput()
  const { stdout, stderr, exitCode } = await reading
  assert.match(stdout, /^33 101\r\nhello\r\nhello\r\n/)
  assert.deepEqual([stderr, exitCode], ['', 0])
})

onEveryWay('a command that cannot be started says why, in our words alone', async (at) => {
  const id = await startContainer(at)
  await shell(
    at,
    id,
    'echo x >/tmp/format; echo "#!/no/such" >/tmp/interpreter; chmod 755 /tmp/format /tmp/interpreter',
  )
  const cases = [
    [['no-such'], {}, 'not_found'],
    [['/no/such'], {}, 'not_found'],
    [['/etc/passwd/x'], {}, 'not_found'],
    [['/etc/passwd'], {}, 'not_executable'],
    [['/etc'], {}, 'not_executable'],
    [['/tmp/format'], {}, 'not_executable'],
    [['/tmp/interpreter'], {}, 'not_found'],
    [['true'], { workingDir: '/no/such' }, 'bad_working_dir'],
    [['true'], { workingDir: '/etc/passwd' }, 'bad_working_dir'],
    [['no-such'], { input: true }, 'not_found'],
    [['no-such'], { input: true, tty: { columns: 80, rows: 24 } }, 'not_found'],
  ] as const
  for (const [argv, more, failure] of cases) {
    const { stdout, stderr, startFailure } = await run(at, id, argv, more)
    assert.deepEqual([argv, startFailure, stdout, stderr], [argv, failure, '', ''])
  }
})

onEveryWay('a command whose output only resembles the engine’s words is an ordinary one', async (at) => {
  const id = await startContainer(at)
  for (const text of [
    'Error: no',
    'OCI runtime exec failed?',
    'exec /x: permission denied',
    'E',
    'Error: ',
    'exec /',
  ]) {
    const { stdout, exitCode, startFailure } = await run(at, id, ['sh', '-c', `echo "$0"; exit 127`, text])
    assert.deepEqual([stdout, exitCode, startFailure], [`${text}\n`, 127, undefined])
  }
})

onEveryWay('the exit code outlives a reader who stands still', async (at) => {
  const id = await startContainer(at)
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'dd if=/dev/zero bs=1k count=40 2>/dev/null; exit 9']))
  const chunks = exec.output[Symbol.asyncIterator]()
  await chunks.next()
  await pause(14_000)
  while (!(await chunks.next()).done);
  assert.equal(await exec.exitCode(), 9)
})

onEveryWay('what is drained is dropped, and the reader sees the end', async (at) => {
  const id = await startContainer(at)
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'dd if=/dev/zero bs=1M count=10 2>/dev/null; exit 4']))
  const chunks = exec.output[Symbol.asyncIterator]()
  await chunks.next()
  exec.drain()
  while (!(await chunks.next()).done);
  assert.equal(await exec.exitCode(), 4)
})

onEveryWay('a command that is left goes on', async (at) => {
  const id = await startContainer(at)
  const exec = await startBy(at, execTemplate(id, ['sh', '-c', 'sleep 1; touch /tmp/after; exit 6']))
  exec.leave()
  for await (const chunk of exec.output) assert.fail(`unexpected ${chunk.stream}`)
  assert.equal(await exec.exitCode(100), undefined)
  assert.equal(await exec.exitCode(), 6)
  assert.equal((await at.engine.stat(id, '/tmp/after'))?.type, 'file')
})

onEveryWay('a container that is stopped or gone takes no command', async (at) => {
  const id = await startContainer(at)
  await at.engine.stop(id, 0)
  const fault = (name: string) => (error: unknown) => error instanceof EngineError && error.fault === name
  await assert.rejects(run(at, id, ['true']), fault('container_stopped'))
  await assert.rejects(run(at, uniqueId('ct'), ['true']), fault('container_gone'))
})
