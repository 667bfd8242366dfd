// The engines that tests may use: TEST_PODMAN and TEST_DOCKER, a socket each. A test without one is skipped
// and says so.
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { createEngine } from '../src/engine/create-engine.ts'
import type { ContainerTemplate, Engine, EngineExec, ExecTemplate } from '../src/engine/port.ts'
import { createEngineStarter } from '../src/exec/engine-starter.ts'
import { createResidentStarter } from '../src/exec/resident/starter.ts'
import type { CommandStarter } from '../src/exec/starter.ts'
import { makeId } from '../src/ids.ts'

export const baseImage = 'localhost/base-busybox:1'
export const shellessImage = 'localhost/base-noshell:1'

/** what starts commands: the setting `engine.commands` */
export const commandWays = ['engine', 'resident'] as const
export type CommandWay = (typeof commandWays)[number]

export interface TestEngine {
  readonly engine: Engine
  readonly dialect: 'podman' | 'docker'
  readonly socket: string
  readonly instance: string
}

const sockets = [
  ['podman', 'TEST_PODMAN'],
  ['docker', 'TEST_DOCKER'],
] as const

export const uniqueId = (prefix: string) => `${prefix}_${randomBytes(13).toString('hex')}`

/** everything that this instance still has goes */
export async function removeAll(engine: Engine) {
  await Promise.all((await engine.list()).map(({ id }) => engine.remove(id)))
  for (const id of (await engine.images()).keys()) await engine.removeImage(id)
}

interface EngineTestOptions {
  readonly timeoutMs?: number
  readonly usesResident?: boolean
}

/** one test for each engine; each has an instance of its own, which is empty afterwards */
export function onEveryEngine(
  title: string,
  work: (at: TestEngine) => Promise<void>,
  { timeoutMs = 120_000, usesResident = false }: EngineTestOptions = {},
) {
  for (const [dialect, variable] of sockets) {
    const socket = process.env[variable]
    const skip = socket === undefined ? `no ${variable}` : false
    test(`${title} (${dialect})`, { skip, timeout: timeoutMs }, async () => {
      const instance = `t-${randomBytes(6).toString('hex')}`
      const engine = createEngine({ socket: socket ?? '', instance, runtime: null, usesResident })
      try {
        await work({ engine, dialect, socket: socket ?? '', instance })
      } finally {
        await removeAll(engine)
        engine.close()
      }
    })
  }
}

export const starterOn = (engine: Engine, way: CommandWay): CommandStarter =>
  way === 'engine' ? createEngineStarter(engine) : createResidentStarter(engine, createEngineStarter(engine))

export interface TestWay extends TestEngine {
  readonly way: CommandWay
  readonly starter: CommandStarter
  /** with a shell; it carries the resident where that starts the commands */
  readonly image: string
}

/** one test for each engine and each way to start commands: a second starter is finished when it passes the suite */
export function onEveryWay(
  title: string,
  work: (at: TestWay) => Promise<void>,
  { ways = commandWays, ...options }: { readonly timeoutMs?: number; readonly ways?: readonly CommandWay[] } = {},
) {
  for (const way of ways) {
    const usesResident = way === 'resident'
    const prepare = async (at: TestEngine) => {
      const image = usesResident ? await at.engine.adopt(baseImage, makeId('img')) : baseImage
      await work({ ...at, way, starter: starterOn(at.engine, way), image })
    }
    onEveryEngine(`${title} (by the ${way})`, prepare, { ...options, usesResident })
  }
}

export const containerTemplate = (more: Partial<ContainerTemplate> = {}): ContainerTemplate => ({
  id: uniqueId('ct'),
  kind: 'container',
  image: baseImage,
  command: null,
  env: {},
  workingDir: '/home/u',
  user: '1000:1000',
  limits: { cpu: 0.5, memoryMiB: 128, pids: 64, diskMiB: 64 },
  readOnlyRootfs: false,
  network: 'none',
  ...more,
})

/** a running container */
export async function startContainer(engine: Engine, more: Partial<ContainerTemplate> = {}) {
  const template = containerTemplate(more)
  await engine.create(template)
  await engine.start(template.id)
  return template.id
}

export const execTemplate = (container: string, argv: readonly string[], more: Partial<ExecTemplate> = {}) => ({
  container,
  argv,
  env: {},
  workingDir: '/home/u',
  user: '1000:1000',
  input: false,
  ...more,
})

export async function readAll(exec: EngineExec) {
  const text = { stdout: '', stderr: '' }
  for await (const { stream, data } of exec.output) text[stream] += data.toString('latin1')
  return { ...text, exitCode: await exec.exitCode(), startFailure: exec.startFailure }
}

/** by the way of the test, as the service does it */
export const startBy = ({ starter }: Pick<TestWay, 'starter'>, template: ExecTemplate) =>
  starter.start(makeId('ex'), template, false)

/** runs a command to its end */
export const run = async (
  engine: Engine,
  container: string,
  argv: readonly string[],
  more: Partial<ExecTemplate> = {},
) => readAll(await engine.exec(execTemplate(container, argv, more)))

export const shell = (engine: Engine, container: string, script: string, more: Partial<ExecTemplate> = {}) =>
  run(engine, container, ['/bin/sh', '-c', script], more)
