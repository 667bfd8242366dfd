// The resident on real engines: what becomes of commands when the service, the connection, the resident or the container ends,
// and what a program that only plays a resident can do.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../../base/test/until.ts'
import { createEngine } from '../../../src/engine/create-engine.ts'
import { type Engine, EngineError } from '../../../src/engine/port.ts'
import { programTar } from '../../../src/engine/small-tar.ts'
import { containerMark } from '../../../src/exec/starter.ts'
import { makeId } from '../../../src/ids.ts'
import { proxyTo } from '../../engine/proxy.ts'
import {
  containerTemplate,
  execTemplate,
  onEveryWay,
  readAll,
  shell,
  startBy,
  starterOn,
  startContainer,
  type TestWay,
} from '../../engines.ts'

const byResident = { ways: ['resident'] } as const
const isFault =
  (...names: readonly string[]) =>
  (error: unknown) =>
    error instanceof EngineError && names.includes(error.fault)

const place = (container: string, user = '1000:1000') => ({ container, user })

/** the arguments of what runs, without the service's own */
async function running(engine: Engine, container: string) {
  const { stdout } = await shell(engine, container, 'ps -o args', { user: '0:0' })
  return stdout.split('\n').filter((line) => /^sleep \d{3}/.test(line)).toSorted() // prettier-ignore
}

const start = (at: Pick<TestWay, 'image'>, engine: Engine, more: Parameters<typeof startContainer>[1] = {}) =>
  startContainer(engine, { image: at.image, env: { ...containerMark, PATH: '/bin' }, ...more })

onEveryWay('another service that takes over ends the commands of callers; detached ones go on', async (at) => {
  const id = await start(at, at.engine)
  const earlier = createEngine({ socket: at.socket, instance: at.instance, runtime: null, usesResident: true })
  const starter = starterOn(earlier, 'resident')
  const kept = [makeId('ex'), makeId('ex')]
  for (const [index, user] of ['1000:1000', '7:7'].entries()) {
    await starter.start(makeId('ex'), execTemplate(id, ['sh', '-c', 'sleep 111 & sleep 112'], { user }), false)
    // its output is read by nobody afterwards, and is more than all that waits on the way
    const script = 'while [ ! -e /tmp/go ]; do sleep 0.2; done; dd if=/dev/zero bs=64k count=80 2>/dev/null; exec sleep 113'
    await starter.start(kept[index]!, execTemplate(id, ['sh', '-c', script], { user }), true)
  }
  await until(async () => (await running(at.engine, id)).length === 4)
  earlier.close()
  for (const user of ['1000:1000', '7:7']) await at.starter.killUnknown({ ...place(id, user), id: makeId('ex') }, kept)
  await until(async () => (await running(at.engine, id)).length === 0)
  await shell(at.engine, id, 'touch /tmp/go')
  await until(async () => (await running(at.engine, id)).join() === 'sleep 113,sleep 113')
  for (const user of ['1000:1000', '7:7'])
    assert.equal((await readAll(await startBy(at, execTemplate(id, ['echo', 'x'], { user })))).stdout, 'x\n')
}, byResident) // prettier-ignore

onEveryWay('a connection to the engine that breaks leaves outcomes unknown, and commands run again', async (at) => {
  const id = await start(at, at.engine)
  const wire = await proxyTo(at.socket)
  const engine = createEngine({ socket: wire.socket, instance: at.instance, runtime: null, usesResident: true })
  const starter = starterOn(engine, 'resident')
  for (const user of ['1000:1000', '7:7']) {
    const wish = execTemplate(id, ['sh', '-c', 'echo first; sleep 111'], { user })
    const command = await starter.start(makeId('ex'), wish, false)
    await assert.rejects(async () => {
      for await (const { data } of command.output) {
        assert.equal(data.toString(), 'first\n')
        wire.cut()
      }
    }, isFault('unavailable'))
    assert.equal(await command.exitCode(0), undefined)
    const again = await starter.start(makeId('ex'), execTemplate(id, ['echo', 'again'], { user }), false)
    assert.deepEqual((await readAll(again)).stdout, 'again\n')
  }
  // nothing goes on without a caller
  await until(async () => (await running(at.engine, id)).length === 0)
  engine.close()
  wire.close()
}, byResident) // prettier-ignore

onEveryWay('a container that ends says so to its commands', async (at) => {
  for (const end of [(id: string) => at.engine.stop(id, 0), (id: string) => at.engine.remove(id)]) {
    const id = await start(at, at.engine)
    const commands = await Promise.all(
      ['1000:1000', '7:7'].map((user) => startBy(at, execTemplate(id, ['sh', '-c', 'echo x; sleep 111'], { user }))),
    )
    for (const { output } of commands) await output[Symbol.asyncIterator]().next()
    await end(id)
    for (const command of commands)
      await assert.rejects(readAll(command), isFault('container_stopped', 'container_gone'))
  }
}, byResident) // prettier-ignore

onEveryWay('commands have the resident in a container with a command of its own, and where nothing else is', async (at) => {
  const own = await start(at, at.engine, { command: ['sleep', '999'] })
  assert.match((await readAll(await startBy(at, execTemplate(own, ['ps', '-o', 'args'])))).stdout, /resident/)
  const bare = await at.engine.adopt('localhost/base-noshell:1', makeId('img'))
  // the image stays the operator's: it has no mark that this instance would remove it by
  const { labels } = (await at.engine.image(bare)) ?? assert.fail()
  assert.deepEqual([labels['atelier.instance'] || '', labels['atelier.id'] || ''], ['', ''])
  const id = await start({ image: bare }, at.engine, { workingDir: '/' })
  const wish = { ...execTemplate(id, ['/bin/true']), workingDir: '/' }
  assert.equal((await readAll(await startBy(at, wish))).exitCode, 0)
}, byResident) // prettier-ignore

onEveryWay('a resident that a command has killed takes no command of others along', async (at) => {
  const [id, other] = [await start(at, at.engine, { command: ['sleep', '999'] }), await start(at, at.engine)]
  const bystander = await startBy(at, execTemplate(other, ['sh', '-c', 'sleep 2; exit 4']))
  const script = 'echo x; for p in /proc/[0-9]*; do [ "$(cat $p/comm)" = resident ] && kill -9 ${p#/proc/}; done; exec sleep 111' // prettier-ignore
  const killer = await startBy(at, execTemplate(id, ['sh', '-c', script]))
  await assert.rejects(readAll(killer), isFault('unavailable'))
  assert.equal((await readAll(await startBy(at, execTemplate(id, ['echo', 'again'])))).stdout, 'again\n')
  await until(async () => (await running(at.engine, id)).join() === 'sleep 999')
  assert.equal((await readAll(bystander)).exitCode, 4)
}, byResident) // prettier-ignore

/** reads a greeting and answers it, as the resident does */
const hello = `dd bs=1 count=65561 of=/dev/null 2>/dev/null; dd bs=1 count=16 of=/tmp/nonce 2>/dev/null
printf '\\101\\0\\0\\0\\0\\0\\0\\0\\26'; cat /tmp/nonce; printf '\\1\\1\\0\\0\\0\\0'`
const liars = {
  'says nothing': 'exec sleep 999',
  'is no program': '',
  'ends at once': 'exit 0',
  'sends zeros': 'exec cat /dev/zero',
  'sends noise': 'while :; do echo noise noise noise; done',
  'answers, and ends': `${hello}\nexit 0`,
  'answers, and sends zeros': `${hello}\nexec cat /dev/zero`,
  'answers, and sends output of no command': `${hello}\nwhile :; do printf '\\104\\0\\0\\0\\377\\0\\0\\0\\2\\1x'; done`,
  'answers, and sends noise': `${hello}\nwhile :; do echo noise; done`,
}

onEveryWay('a program that plays the resident, badly or well, harms its own container alone', async (at) => {
  const other = await start(at, at.engine)
  const before = process.memoryUsage().rss
  for (const [name, script] of Object.entries(liars)) {
    const template = containerTemplate({ image: at.image, env: { ...containerMark, PATH: '/bin' } })
    await at.engine.create(template)
    const program = Buffer.from(script === '' ? 'nonsense' : `#!/bin/sh\n${script}\n`)
    await at.engine.putArchive(template.id, '/', Readable.from([programTar('.atelier', 'resident', program)]))
    await at.engine.start(template.id).catch(() => {})
    const command = startBy(at, execTemplate(template.id, ['echo', 'x'])).then(readAll)
    const bystander = await readAll(await startBy(at, execTemplate(other, ['echo', 'fine'])))
    assert.deepEqual([bystander.stdout, bystander.exitCode], ['fine\n', 0], name)
    // by the engine, or not at all; never a wrong end
    await command.then(
      ({ stdout, exitCode }) => assert.deepEqual([stdout, exitCode], ['x\n', 0], name),
      (error: unknown) => assert.ok(isFault('unavailable', 'container_stopped')(error), `${name}: ${String(error)}`),
    )
    await at.engine.remove(template.id)
  }
  await pause(0)
  assert.ok(process.memoryUsage().rss - before < 256 * 1024 ** 2)
}, { ...byResident, timeoutMs: 240_000 }) // prettier-ignore
