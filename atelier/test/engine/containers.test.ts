import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../base/test/until.ts'
import { createEngine } from '../../src/engine/create-engine.ts'
import { type Engine, EngineError, type EngineEvent } from '../../src/engine/port.ts'
import { containerTemplate, onEveryEngine, shell, shellessImage, startContainer, uniqueId } from '../engines.ts'

const fault = (name: string) => (error: unknown) => {
  assert.ok(error instanceof EngineError, String(error))
  assert.deepEqual([error.fault, error.message], [name, `engine: ${name}`])
  return true
}

/** without the engine's own ids */
const listed = async (engine: Engine) => (await engine.list()).map(({ id, kind, running }) => ({ id, kind, running }))

onEveryEngine('the dialect is found by asking', async ({ engine, dialect }) => {
  await engine.ping()
  const { version, architecture, storage, ...info } = await engine.info()
  assert.match(storage, /^\//)
  assert.match(version, /^\d+\.\d+/)
  assert.equal(architecture, { x64: 'amd64', arm64: 'arm64' }[process.arch as string])
  const isPodman = dialect === 'podman'
  const wanted = {
    dialect,
    keepsAliveWithoutShell: isPodman,
    userNamespaces: isPodman,
    hasOwnKernel: false,
    takesRuntime: true,
  }
  assert.deepEqual(info, wanted)
})

onEveryEngine('a container lives from its creation to its removal', async ({ engine }) => {
  const template = containerTemplate()
  const { id } = template
  assert.equal(await engine.state(id), undefined)
  await engine.create(template)
  assert.deepEqual(await engine.state(id), { running: false, exitCode: null, oomKilled: false })
  await assert.rejects(engine.create(template), fault('name_taken'))
  await engine.start(id)
  await engine.start(id)
  assert.equal((await engine.state(id))?.running, true)
  assert.deepEqual(await listed(engine), [{ id, kind: 'container', running: true }])
  await engine.stop(id, 2)
  await engine.stop(id, 2)
  const state = await engine.state(id)
  assert.deepEqual([state?.running, typeof state?.exitCode], [false, 'number'])
  assert.deepEqual(await listed(engine), [{ id, kind: 'container', running: false }])
  await engine.remove(id)
  await engine.remove(id)
  await engine.stop(id, 0)
  assert.deepEqual([await engine.state(id), await engine.list()], [undefined, []])
  await assert.rejects(engine.start(id), fault('container_gone'))
})

onEveryEngine('ten containers are made, started and removed at once', async ({ engine }) => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => startContainer(engine)))
  const running = (await engine.list()).filter((container) => container.running)
  assert.deepEqual(running.map(({ id }) => id).sort(), ids.sort())
  await Promise.all(ids.map((id) => engine.remove(id)))
  assert.deepEqual(await engine.list(), [])
})

onEveryEngine('its own command is the whole argv, and its exit ends the container', async ({ engine }) => {
  const command = ['sh', '-c', '[ "$#|$1|$2" = "2||a  b" ] && [ "$A" = "x=y" ] && exit 42', 'sh', '', 'a  b']
  const id = await startContainer(engine, { command, env: { A: 'x=y' } })
  await until(async () => (await engine.state(id))?.running === false)
  assert.equal((await engine.state(id))?.exitCode, 42)
})

onEveryEngine('a container that ignores TERM is killed after its grace, and removed at once', async ({ engine }) => {
  const command = ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done']
  const id = await startContainer(engine, { command })
  await pause(300)
  const startedAt = performance.now()
  await engine.stop(id, 1)
  const tookMs = performance.now() - startedAt
  assert.ok(tookMs > 900 && tookMs < 8000, `${tookMs}`)
  const other = await startContainer(engine, { command })
  await engine.remove(other)
  assert.equal(await engine.state(other), undefined)
})

onEveryEngine('inside there is no power, no network, and every limit', async ({ engine, dialect }) => {
  const id = await startContainer(engine)
  for (const user of ['1000:1000', '0:0']) {
    const { stdout } = await shell(engine, id, 'cat /proc/self/status /proc/self/uid_map; ls /sys/class/net', { user })
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) assert.match(stdout, new RegExp(`Cap${set}:\\s+0{16}`))
    assert.match(stdout, /NoNewPrivs:\s+1\n/)
    assert.match(stdout, /Seccomp:\s+2\n/)
    assert.match(stdout, dialect === 'podman' ? /\n\s+0\s+1\d{6}\s+1024\nlo\n$/ : /\n\s+0\s+0\s+4294967295\nlo\n$/)
  }
  const limits = await shell(engine, id, 'ulimit -n; ulimit -Hn; ulimit -f; ulimit -c; df -k /dev/shm | tail -1')
  assert.match(limits.stdout, /^4096\n4096\n131072\n0\nshm\s+65536/)
  const { stdout } = await shell(engine, id, 'cat /proc/1/cmdline | tr "\\0" " "')
  assert.match(stdout, /init/)
})

onEveryEngine('a build’s root may own files, and nothing more', async ({ engine }) => {
  const id = await startContainer(engine, { kind: 'build', user: '0:0' })
  assert.deepEqual((await engine.list())[0]?.kind, 'build')
  const { stdout } = await shell(engine, id, 'cat /proc/self/status; cat /proc/self/uid_map', { user: '0:0' })
  const bits = [0, 1, 3, 4, 6, 7].reduce((sum, bit) => sum + 2 ** bit, 0)
  assert.match(stdout, new RegExp(`CapBnd:\\s+${bits.toString(16).padStart(16, '0')}\\n`))
  assert.match(stdout, /NoNewPrivs:\s+1\n/)
  assert.match(stdout, /\n\s+0\s+0\s+4294967295\n$/)
})

onEveryEngine('a read-only container can be written in its directory and in /tmp alone', async ({ engine }) => {
  for (const workingDir of ['/home/u', '/srv/new', '/tmp', '/']) {
    const id = await startContainer(engine, { readOnlyRootfs: true, workingDir })
    const script = 'touch f && echo here; touch /tmp/t && echo tmp; touch /etc/x || echo no; df -k /tmp | tail -1'
    const { stdout } = await shell(engine, id, script, { workingDir })
    assert.match(stdout, workingDir === '/' ? /^tmp\nno\n/ : /^here\ntmp\nno\n/, workingDir)
    if (workingDir !== '/tmp') assert.match(stdout, /\ntmpfs\s+65536/)
  }
})

onEveryEngine('what a container writes is counted, in its volume too', async ({ engine }) => {
  const plain = await startContainer(engine)
  const readOnly = await startContainer(engine, { readOnlyRootfs: true })
  for (const id of [plain, readOnly]) await shell(engine, id, 'dd if=/dev/zero of=big bs=1M count=5')
  const sizes = await engine.sizes()
  assert.deepEqual([...sizes.keys()].sort(), [plain, readOnly].sort())
  for (const [id, size] of sizes) assert.ok(size !== null && size >= 5_242_880 && size < 6_291_456, `${id} ${size}`)
})

const deepTree = 'n=$(printf "%0200d" 0); for i in $(seq 50); do mkdir $n && cd $n || break; done'

onEveryEngine(
  'a path that the engine cannot measure leaves the sizes of all other containers known',
  async ({ engine }) => {
    const deep = await startContainer(engine)
    const deepVolume = await startContainer(engine, { readOnlyRootfs: true })
    const plain = await startContainer(engine)
    const volume = await startContainer(engine, { readOnlyRootfs: true })
    const idle = await startContainer(engine)
    for (const id of [plain, volume, deepVolume]) await shell(engine, id, 'dd if=/dev/zero of=big bs=1M count=5')
    for (const id of [deep, deepVolume]) await shell(engine, id, deepTree)
    const sizes = await engine.sizes()
    for (const id of [deep, deepVolume]) assert.equal(sizes.get(id), null)
    for (const id of [plain, volume]) {
      const size = sizes.get(id) ?? 0
      assert.ok(size >= 5 * 1024 * 1024 && size < 6 * 1024 * 1024, `${id} ${size}`)
    }
    assert.ok((sizes.get(idle) ?? 1_000) < 1_000)
    await assert.rejects(engine.size(deep), fault('failed'))
    assert.ok((await engine.size(plain)) >= 5_242_880)
  },
)

onEveryEngine('an image without a shell lives where the engine keeps it alive', async ({ engine, dialect }) => {
  const template = containerTemplate({ image: shellessImage, workingDir: '/' })
  if (dialect === 'docker') {
    await assert.rejects(engine.create(template), fault('no_shell'))
    assert.deepEqual(await engine.list(), [])
    return
  }
  await engine.create(template)
  await engine.start(template.id)
  assert.equal((await engine.state(template.id))?.running, true)
})

onEveryEngine('what cannot be created or started says why and names no path of the host', async ({ engine }) => {
  const missing = containerTemplate({ image: `localhost/${uniqueId('none')}:1` })
  await assert.rejects(engine.create(missing), fault('image_gone'))
  const start = () => startContainer(engine, { workingDir: '/etc/passwd' })
  await assert.rejects(start, fault('bad_working_dir'))
})

onEveryEngine('what a command would run is found by looking', async ({ engine }) => {
  const template = containerTemplate({ command: ['no-such'] })
  await engine.create(template)
  const find = (argv0: string, workingDir = '/home/u', searchPath = '/nowhere:/etc:/bin:/usr/bin') =>
    engine.findProgram(template.id, { argv0, workingDir, searchPath })
  assert.deepEqual(await find('sh'), { path: '/bin/sh' })
  assert.deepEqual(await find('/bin/sh'), { path: '/bin/sh' })
  assert.deepEqual(await find('./sh', '/bin'), { path: '/bin/sh' })
  assert.deepEqual(await find('sh', '/no/such'), { path: '/bin/sh' })
  assert.deepEqual(await find('passwd', '/home/u', '/etc'), { failure: 'not_executable' })
  for (const argv0 of ['no-such', '/etc/passwd/x', 's*', './sh'])
    assert.deepEqual(await find(argv0), { failure: 'not_found' })
  for (const argv0 of ['/etc', '/etc/passwd']) assert.deepEqual(await find(argv0), { failure: 'not_executable' })
  assert.deepEqual(await find('sh', '/etc/passwd'), { failure: 'bad_working_dir' })
})

async function follow(engine: Engine, signal: AbortSignal) {
  const seen: EngineEvent[] = []
  const events = await engine.events(signal)
  const reading = (async () => {
    for await (const event of events) seen.push(event)
  })()
  return { seen, reading }
}

onEveryEngine('events tell of deaths and removals of this instance alone', async ({ engine, socket, instance }) => {
  const other = createEngine({ socket, instance: `${instance}-b`, runtime: null })
  const abort = new AbortController()
  const { seen, reading } = await follow(engine, abort.signal)
  const stranger = await startContainer(other)
  await other.remove(stranger)
  const id = await startContainer(engine, { command: ['true'] })
  await until(() => seen.length > 0)
  assert.deepEqual(seen, [{ id, kind: 'died' }])
  await engine.remove(id)
  await until(() => seen.length > 1)
  assert.deepEqual(seen[1], { id, kind: 'removed' })
  abort.abort()
  await reading
  other.close()
})

onEveryEngine('an image becomes ours, is committed, loaded and removed', async ({ engine }) => {
  const [adopted, committed, empty] = [uniqueId('img'), uniqueId('img'), uniqueId('img')]
  const base = await engine.image('localhost/base-busybox:1')
  assert.ok(base && base.sizeBytes > 1_000_000)
  assert.deepEqual([base.workingDir, base.env], ['/home/u', ['PATH=/bin:/usr/bin:/sbin:/usr/sbin']])
  assert.equal(await engine.adopt('localhost/base-busybox:1', adopted), base.id)
  await assert.rejects(engine.adopt('localhost/none:1', uniqueId('img')), fault('image_gone'))
  assert.equal(await engine.image('../containers/json?x='), undefined)

  const secret = { kind: 'build', env: { SECRET: 'x' }, command: ['sleep', '100'], user: '0:0' } as const
  const id = await startContainer(engine, { ...secret, image: base.id })
  await shell(engine, id, 'echo made >/made', { user: '0:0' })
  const engineId = await engine.commit(id, committed)
  const image = await engine.image(engineId)
  const own = [image?.command, image?.entrypoint, image?.workingDir, image?.user]
  assert.deepEqual(own, [['/bin/sh'], null, '/', '0:0'])
  assert.equal(image?.labels['atelier.id'], committed)
  assert.equal(image?.labels['atelier.kind'], 'image')
  assert.equal(await engine.createEmptyImage(empty), (await engine.images()).get(empty))
  const ours = new Map([
    [adopted, base.id],
    [committed, engineId],
  ])
  for (const [ourId, itsId] of ours) assert.equal((await engine.images()).get(ourId), itsId)

  const from = await startContainer(engine, { image: engineId })
  assert.equal((await shell(engine, from, 'cat /made')).stdout, 'made\n')
  await assert.rejects(engine.removeImage(committed), fault('image_in_use'))
  await engine.remove(from)
  for (const ourId of [adopted, committed, empty]) await engine.removeImage(ourId)
  await engine.removeImage(committed)
  assert.deepEqual(await engine.images(), new Map())
  assert.equal((await engine.image('localhost/base-busybox:1'))?.id, base.id)
  await assert.rejects(engine.load(Readable.from([Buffer.alloc(4096, 'x')])), fault('failed'))
})
