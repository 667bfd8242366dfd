import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'
import { atelier, endOf, start } from './program.ts'

async function openPlace(t: TestContext) {
  const rig = await openUsedRig(t)
  return { ...rig, place: { url: rig.service.url, key: rig.key } }
}

test('run puts out what the command puts out, ends with its code, and removes the container', async (t) => {
  const { place, engine } = await openPlace(t)
  assert.deepEqual(await atelier(place, ['run', 'base', 'say', 'hello']), { code: 0, stdout: 'hello', stderr: '' })
  const ended = await atelier(place, ['run', '--cpu', '0.2', 'base', '--memory', '64m', '--', 'exit', '7'])
  assert.deepEqual(ended, { code: 7, stdout: '', stderr: '' })
  assert.equal(engine.containers.size, 0)
})

test('run passes options on to the container, and keeps it where it is told to', async (t) => {
  const { place, engine, call, key } = await openPlace(t)
  const options = [
    '--env',
    'A=b=c',
    '-e',
    'HERE',
    '--workdir',
    '/tmp',
    '--memory',
    '1g',
    '--user',
    '7:8',
    '--name',
    'job',
  ]
  const { code, stderr } = await atelier(place, ['run', '--keep', ...options, 'base', '--', 'say', 'x'], {
    env: { HERE: 'yes' },
  })
  assert.equal(code, 0)
  const [[id, { template }]] = [...engine.containers] as unknown as [[string, { template: Record<string, any> }]]
  assert.equal(stderr, `atelier: kept ${id}\n`)
  assert.deepEqual([template['env'].A, template['env'].HERE, template['user']], ['b=c', 'yes', '7:8'])
  const { body } = await call('GET', `/containers?id=${id}`, { key })
  const [{ name, workingDir, limits }] = body.items
  assert.deepEqual([name, workingDir, limits.memoryMiB], ['job', '/tmp', 1024])
})

test('run tells its own failures from those of the command by its exit codes', async (t) => {
  const { place, engine } = await openPlace(t)
  const missing = await atelier(place, ['run', 'base', 'missing'])
  assert.equal(missing.code, 127)
  assert.match(missing.stderr, /exec_start_failed/)
  const image = await atelier(place, ['run', 'none', 'say'])
  assert.equal(image.code, 125)
  assert.match(
    image.stderr,
    /^atelier: There is no such image[^\n]*\n {2}type +image_not_found\n {2}request id +req_\w+\n$/,
  )
  for (const args of [
    ['base'],
    ['--memory', 'much', 'base', 'say'],
    ['--colour', 'base'],
    ['--timeout', '2h', 'base', 'say'],
  ])
    assert.equal((await atelier(place, ['run', ...args])).code, 125, args.join(' '))
  assert.equal(engine.containers.size, 0)
})

test('a detached command runs on, and logs follows it to its end and ends with its code', async (t) => {
  const { place, engine } = await openPlace(t)
  const started = await atelier(place, ['run', '--detach', 'base', '--', 'hang'])
  const [, container = '', command = ''] = /^(ct_\w{26}) (ex_\w{26})\n$/.exec(started.stdout) ?? []
  assert.deepEqual([started.code, started.stderr], [0, ''])
  assert.deepEqual(engine.commandsOf(container).map(({ id }) => id), [command]) // prettier-ignore
  const child = start(place, ['logs', command])
  const ended = endOf(child)
  engine.commandsOf(container)[0]?.say('größer\n')
  await once(child.stdout, 'data')
  engine.commandsOf(container)[0]?.end(7)
  assert.deepEqual(await ended, { code: 7, stdout: 'größer\n', stderr: '' })
  const again = await atelier(place, ['logs', command])
  assert.deepEqual(again, { code: 7, stdout: 'größer\n', stderr: '' })
  const lines = (await atelier(place, ['logs', command, '-o', 'json'])).stdout.trim().split('\n')
  assert.deepEqual(lines.map((line) => JSON.parse(line).type), ['start', 'stdout', 'exit']) // prettier-ignore
})

test('logs tells why a detached command could not be started, and what it cannot have is refused', async (t) => {
  const { place, engine } = await openPlace(t)
  const { stdout } = await atelier(place, ['run', '--detach', '-o', 'json', 'base', 'missing'])
  const missing = await atelier(place, ['logs', JSON.parse(stdout).execId])
  assert.deepEqual([missing.code, missing.stdout], [127, ''])
  assert.match(missing.stderr, /exec_start_failed/)
  const { size } = engine.containers
  for (const option of [['--timeout', '1m'], ['--keep']]) {
    const { code, stderr } = await atelier(place, ['run', '--detach', ...option, 'base', 'say'])
    assert.equal(code, 125)
    assert.match(stderr, new RegExp(`--detach takes no ${option[0]}`))
  }
  const unknown = await atelier(place, ['logs', 'ex_00000000000000000000000000'])
  assert.equal(unknown.code, 125)
  assert.match(unknown.stderr, /exec_not_found/)
  assert.equal(engine.containers.size, size)
})

test('run with --output json prints one object, and still ends with the code of the command', async (t) => {
  const { place } = await openPlace(t)
  const { code, stdout } = await atelier(place, ['run', '-o', 'json', 'base', 'say', 'hello'])
  const { containerId, exitCode, stdout: said } = JSON.parse(stdout)
  assert.deepEqual([code, exitCode, said], [0, 0, 'hello'])
  assert.match(containerId, /^ct_/)
  const failed = await atelier(place, ['run', '-o', 'json', 'none', 'say'])
  assert.equal(failed.stdout, '')
  assert.equal(JSON.parse(failed.stderr).error.type, 'image_not_found')
})

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  test(`${signal} ends the command, and the container is removed`, async (t) => {
    const { place, engine } = await openPlace(t)
    const child = start(place, ['run', 'base', 'hang'])
    child.stdin.end()
    const ended = endOf(child)
    await until(() => [...engine.containers.keys()].some((id) => engine.commandsOf(id).length > 0))
    child.kill(signal)
    assert.equal((await ended).code, code)
    assert.equal(engine.containers.size, 0)
  })

/** passes everything on, and holds the answer to a creation back until `release` */
async function openHolding(t: TestContext, url: string) {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const proxy = createServer((req, res) => {
    const { method, headers } = req
    const isHeld = method === 'POST' && req.url === '/containers'
    const onward = request(`${url}${req.url}`, { method, headers, agent: false }, (answer) => {
      const passOn = () => {
        res.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(res)
      }
      if (!isHeld) return passOn()
      asked.resolve()
      return void held.promise.then(passOn)
    })
    req.pipe(onward)
  }).listen(0, '127.0.0.1')
  t.after(() => void proxy.close())
  await once(proxy, 'listening')
  const { port } = proxy.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, asked: asked.promise, release: held.resolve }
}

test('a signal while the container is made removes it as soon as it is there', async (t) => {
  const { place, engine } = await openPlace(t)
  const holding = await openHolding(t, place.url)
  const child = start({ ...place, url: holding.url }, ['run', 'base', 'hang'])
  child.stdin.end()
  const ended = endOf(child)
  await holding.asked
  assert.equal(engine.containers.size, 1)
  child.kill('SIGTERM')
  holding.release()
  assert.equal((await ended).code, 143)
  assert.equal(engine.containers.size, 0)
})

test('a reader that closes the output ends the command, and the container is removed', async (t) => {
  const { place, engine } = await openPlace(t)
  const child = start(place, ['run', 'base', 'say', 'hello'])
  child.stdout.destroy()
  child.stdin.end()
  const [code] = await once(child, 'close')
  assert.equal(code, 141)
  assert.equal(engine.containers.size, 0)
})

test('input beyond what a command takes is refused with a way out, and nothing is left', async (t) => {
  const { place, engine } = await openPlace(t)
  const { code, stderr } = await atelier(place, ['run', 'base', 'say', 'x'], { input: Buffer.alloc(1_100_000) })
  assert.equal(code, 125)
  assert.match(stderr, /atelier cp/)
  assert.equal(engine.containers.size, 0)
})

test('an input that is left open is waited for with a word about it, and read to its end', async (t) => {
  const { place, engine } = await openPlace(t)
  const child = start(place, ['run', 'base', 'say', 'x'])
  const said = new Promise<string>((ok) => child.stderr.once('data', (part: Buffer) => ok(part.toString())))
  const ended = endOf(child)
  assert.match(await said, /^atelier: Waiting for the end of standard input; --no-stdin/)
  child.stdin.end()
  assert.equal((await ended).stdout, 'x')
  const without = start(place, ['run', '--no-stdin', 'base', 'say', 'y'])
  assert.equal((await endOf(without)).stdout, 'y')
  assert.equal(engine.containers.size, 0)
})

test('the key comes from the environment or a file; anything else is never sent, and never shown', async (t) => {
  const { place } = await openPlace(t)
  const folder = mkdtempSync(join(tmpdir(), 'atelier-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  writeFileSync(file, `${place.key}\n`)
  const list = ['containers', 'list']
  assert.equal((await atelier({ ...place, key: '' }, list, { env: { ATELIER_KEY_FILE: file } })).stdout, '[]\n')
  assert.equal((await atelier({ ...place, key: '' }, [...list, '--key-file', file])).code, 0)
  const none = await atelier({ ...place, key: '' }, list)
  assert.equal(none.code, 3)
  assert.match(none.stderr, /^atelier: There is no API key: set ATELIER_KEY/)
  const other = await atelier({ ...place, key: 'another-secret' }, list)
  assert.equal(other.code, 3)
  assert.ok(!other.stderr.includes('another-secret'))
  const wrong = await atelier({ url: 'http://me:hunter2@127.0.0.1:1', key: place.key }, list)
  assert.equal(wrong.code, 2)
  assert.ok(!wrong.stderr.includes('hunter2'))
  const plain = await atelier({ url: 'http://example.org', key: place.key }, list)
  assert.match(plain.stderr, /--insecure/)
  const away = await atelier({ url: 'http://127.0.0.1:9', key: place.key }, list)
  assert.equal(away.code, 6)
  assert.match(away.stderr, /cannot be reached: .*\n.*ATELIER_URL/)
})
