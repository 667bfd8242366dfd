// Tries whether the engine applies the seccomp profile: a small program makes the refused system calls in a container.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { putArchive } from './archive.ts'
import { carriedProgram, programFolder } from './carried-programs.ts'
import { containerState, createContainer, inTries, removeContainer, startContainer } from './containers.ts'
import type { EngineLink } from './link.ts'
import { type ContainerTemplate, type Engine, EngineError } from './port.ts'
import { profilePath } from './seccomp.ts'

/** in the order of resident/probe/probe.c, which exits with the number of the first one that is let through */
export const refusedCalls = [
  'keyctl',
  'add_key',
  'request_key',
  'unshare',
  'setns',
  'mount',
  'umount2',
  'open_tree',
  'move_mount',
  'clone (CLONE_NEWUSER)',
  'clone3',
  'bpf',
  'userfaultfd',
  'io_uring_setup',
  'perf_event_open',
  'syslog',
] as const

const name = 'probe'
const endLimitMs = 10_000

const probeTemplate = (image: string): ContainerTemplate => ({
  id: `probe_${randomBytes(13).toString('hex')}`,
  kind: 'container',
  image,
  command: [`/${programFolder}/${name}`],
  env: {},
  workingDir: '/',
  user: '1000:1000',
  limits: { cpu: 1, memoryMiB: 64, pids: 16, diskMiB: 64 },
  readOnlyRootfs: false,
  network: 'none',
})

async function endOf(link: EngineLink, id: string): Promise<number> {
  for (const endsAt = performance.now() + endLimitMs; performance.now() < endsAt; await pause(20)) {
    const state = await containerState(link, id)
    if (!state) throw new EngineError('container_gone')
    if (state.exitCode !== null) return state.exitCode
  }
  throw new EngineError('timeout')
}

async function runProbe(link: EngineLink, image: string, tar: Buffer): Promise<number> {
  const template = probeTemplate(image)
  const { id } = template
  await createContainer(link, template)
  try {
    await putArchive(link, id, '/', Readable.from([tar]), { bytes: tar.length })
    await startContainer(link, id)
    return await endOf(link, id)
  } finally {
    await removeContainer(link, id, false)
  }
}

/** of a container that a service at work removes meanwhile, since it does not know it: engines report that in many ways */
const passing = ['container_gone', 'container_stopped', 'path_gone', 'start_refused', 'failed'] as const

const runInTries = (link: EngineLink, image: string, tar: Buffer): Promise<number> =>
  inTries(passing, () => runProbe(link, image, tar))

async function examine(link: EngineLink, image: string): Promise<string | undefined> {
  const { hasOwnKernel, takesRuntime, architecture } = await link.info()
  const probe = carriedProgram(name, architecture)
  if (hasOwnKernel || !takesRuntime || !probe) return undefined
  try {
    const code = await runInTries(link, image, probe.tar)
    if (code === 0) return undefined
    const call = refusedCalls[code - 1]
    if (call === undefined) throw new EngineError('failed', `the probe of the seccomp profile ended with ${code}`)
    return `The engine lets containers make the system call ${call}: it does not apply the seccomp profile.`
  } catch (error) {
    const { cause } = error as EngineError
    if (!/seccomp/i.test(String(cause))) throw error
    return `The engine cannot use the seccomp profile ${profilePath(link.seccompProfile)}.`
  }
}

export function confinementOf(link: EngineLink): Engine['confinement'] {
  let provedAt: number | undefined
  // the image of another account may make the probe fail, so a result that is not there yet is shared for one image alone
  const underWay = new Map<string, Promise<string | undefined>>()
  return async (image) => {
    const { absences } = link.client
    if (provedAt === absences) return undefined
    const trying = underWay.get(image) ?? examine(link, image).finally(() => underWay.delete(image))
    underWay.set(image, trying)
    const problem = await trying
    if (problem === undefined) provedAt = absences
    return problem
  }
}

export const confinedEngine = (engine: Engine): Engine => ({
  ...engine,
  async create(template) {
    const problem = await engine.confinement(template.image)
    if (problem !== undefined) throw new EngineError('unconfined', problem)
    await engine.create(template)
  },
})
