// Podman with gVisor as its runtime, which starts no engine of its own in the other tests.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import test, { before, after } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { makeBaseImages } from '../../src/demo/base-image.ts'
import { startPrivateEngine, type PrivateEngine } from '../../src/demo/private-engine.ts'
import { makePrivateFolder, removePrivateFolder } from '../../src/demo/private-folder.ts'
import { findEnginePrograms } from '../../src/demo/programs.ts'
import { createEngine } from '../../src/engine/create-engine.ts'
import { type Engine, EngineError } from '../../src/engine/port.ts'
import { directoryTar } from '../../src/engine/small-tar.ts'
import { makeId } from '../../src/ids.ts'
import { text, withRig } from '../images/build-rig.ts'
import { commandsOn, openContainer } from '../exec/command-rig.ts'
import { baseImage, removeAll, shell, startContainer, starterOn } from '../engines.ts'

const programs = process.getuid?.() === 0 ? findEnginePrograms() : undefined
const isMissing = !programs || spawnSync('runsc', ['--version']).status !== 0
const skip = isMissing ? 'NOT RUN: not root, no Podman, or no runsc (package runsc)' : false
const options = { skip, timeout: 120_000 }

const folder = `/tmp/atelier-gvisor-${process.pid}`
const runtime = `${folder}-bin/runsc`
/** the process of gVisor counts in the limit of processes, with some 60 threads */
const limits = { cpu: 1, memoryMiB: 256, pids: 256, diskMiB: 64 }
let podman: PrivateEngine
let engine: Engine

before(async () => {
  if (skip || !programs) return
  mkdirSync(`${folder}-bin`)
  // runsc of Debian 12 takes the network of a container for that of the host on newer kernels
  writeFileSync(runtime, '#!/bin/sh\nexec runsc --network=none "$@"\n')
  chmodSync(runtime, 0o755)
  await makePrivateFolder(folder)
  podman = await startPrivateEngine(folder, { ...programs, runtime })
  await makeBaseImages(podman.socket, programs.busybox, true)
  engine = createEngine({ socket: podman.socket, instance: 'gvisor', runtime, usesResident: true })
})

after(async () => {
  if (skip) return
  await removeAll(engine)
  engine.close()
  await podman.stop()
  await removePrivateFolder(folder)
  rmSync(`${folder}-bin`, { recursive: true })
})

test('gVisor: containers have a kernel of their own, which no profile has to confine', options, async () => {
  const info = await engine.info()
  assert.deepEqual([info.hasOwnKernel, info.takesRuntime, info.keepsAliveWithoutShell], [true, true, false])
  assert.equal(await engine.confinement(baseImage), undefined)
  const id = await startContainer(engine, { limits })
  assert.equal((await shell(engine, id, 'uname -r')).stdout, '4.4.0\n')
})

test('gVisor: commands of the resident run, and a timeout kills them with their children', options, async () => {
  const starter = starterOn(engine, 'resident')
  const image = await engine.adopt(baseImage, makeId('img'))
  const { commands, escalated } = commandsOn({ engine, starter })
  const { id, start } = await openContainer({ engine, image }, commands, { withOther: false, limits })
  const sleepers = async () => (await shell(engine, id, 'ps | grep -c "[s]leep 432.$"')).stdout
  const { command } = await start('sleep 4321 & trap "" TERM; setsid sleep 4322 & wait')
  await until(async () => (await sleepers()) === '2\n')
  command.kill('timeout')
  await command.killing
  assert.equal(await sleepers(), '0\n')
  assert.deepEqual(escalated, new Set())
})

test('gVisor: a build has its files before and after a RUN', options, () =>
  withRig({ engine, dialect: 'podman', socket: podman.socket, instance: 'gvisor' }, async (rig) => {
    const steps =
      'FROM base\nCOPY a /srv/\nRUN cat /srv/a > /made; sleep 1000 &\nWORKDIR /srv\nCOPY a b\nRUN cat b a /made > all'
    const image = await rig.ready(steps, { files: [text('a', 'A')] })
    const id = await startContainer(engine, { image: image.engineId!, limits })
    assert.equal((await shell(engine, id, 'cat /srv/all')).stdout, 'AAA')
  }),
)

test(
  'gVisor: Podman 4.3 reaches no file of a running container: nothing is written anywhere else',
  options,
  async () => {
    const id = await startContainer(engine, { limits })
    await shell(engine, id, 'echo hi > /home/u/f')
    if (!(await engine.info()).version.startsWith('4.3.')) return
    assert.equal(await engine.stat(id, '/home/u/f'), undefined)
    const failed = engine.putArchive(id, '/home/u', Readable.from([directoryTar('x', 0, 0)]))
    await assert.rejects(failed, (error) => error instanceof EngineError && error.fault === 'failed')
    assert.equal((await shell(engine, id, 'ls /home/u')).stdout, 'f\n')
  },
)

test('gVisor: files below the working directory are counted as disk, and files in /tmp are not', options, async () => {
  const id = await startContainer(engine, { limits })
  await shell(engine, id, 'dd if=/dev/zero of=/home/u/f bs=1M count=5; dd if=/dev/zero of=/tmp/f bs=1M count=5')
  const size = await engine.size(id)
  assert.ok(size >= 5 * 1_048_576 && size < 6 * 1_048_576, `${size}`)
})
