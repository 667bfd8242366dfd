// The bodies of all requests that make something. A caller's value stands only where it is data: never as an option or a name.
import { posix } from 'node:path'
import type { ContainerLimits, ContainerTemplate, EngineInfo, ExecTemplate } from './port.ts'

const mebibyte = 1024 * 1024
const volumeForbidden = /^\/(?:(?:proc|sys|dev|run)(?:\/.*)?)?$/s

/** what root needs in a build; a container has none */
const buildCapabilities = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETUID', 'SETGID']

/** without a user namespace all containers of the machine share this count for a uid: it only has to be a bound */
const sharedProcesses = 4_096
const ownProcesses = 1024

export interface ContainerPlan {
  readonly template: ContainerTemplate
  readonly argv: readonly string[]
  readonly marks: Readonly<Record<string, string>>
  readonly info: EngineInfo
  readonly runtime: string | null
  /** of SecurityOpt, as the engine's dialect takes it */
  readonly seccomp: string
  /** the argv is the resident: it needs no init, and its standard input stays open */
  readonly isResident?: boolean
  /** a container that holds the volume of the working directory */
  readonly volumesFrom?: string
}

const ulimit = (Name: string, value: number) => ({ Name, Soft: value, Hard: value })

const ulimits = ({ diskMiB }: ContainerLimits, processes: number) => [
  ulimit('nofile', 4096),
  ulimit('nproc', processes),
  ulimit('fsize', diskMiB * mebibyte),
  ulimit('core', 0),
]

export const variables = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`)

/** the working directory of a read-only container is a volume, unless nothing may be mounted there */
export function writableVolume({ readOnlyRootfs, workingDir }: ContainerTemplate) {
  const volume = posix.resolve('/', workingDir)
  return readOnlyRootfs && !volumeForbidden.test(volume) ? volume : undefined
}

function hostConfig(plan: ContainerPlan) {
  const { template, info, runtime, seccomp, isResident = false, volumesFrom } = plan
  const { limits, kind, readOnlyRootfs, network, id } = template
  const memory = limits.memoryMiB * mebibyte
  const hasOwnIds = info.dialect === 'podman' && kind === 'container'
  const volume = writableVolume(template)
  return {
    CapDrop: ['ALL'],
    ...(kind === 'build' && { CapAdd: buildCapabilities }),
    SecurityOpt: ['no-new-privileges', seccomp],
    NetworkMode: network === 'egress' ? id : 'none',
    IpcMode: 'private',
    CgroupnsMode: 'private',
    // with a size: without one Podman 4.3 locks itself up when several are made at once
    ...(hasOwnIds && { UsernsMode: 'auto:size=1024' }),
    Init: !isResident,
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(limits.cpu * 1e9),
    PidsLimit: limits.pids,
    Ulimits: ulimits(limits, hasOwnIds ? ownProcesses : sharedProcesses),
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    ShmSize: 64 * mebibyte,
    ...(readOnlyRootfs && { ReadonlyRootfs: true }),
    ...(readOnlyRootfs && volume !== '/tmp' && { Tmpfs: { '/tmp': 'size=64m,mode=1777' } }),
    ...(volumesFrom !== undefined && { VolumesFrom: [volumesFrom] }),
    ...(runtime !== null && { Runtime: runtime }),
  }
}

export function containerBody(plan: ContainerPlan) {
  const { template, argv, marks, isResident = false, volumesFrom } = plan
  const volume = writableVolume(template)
  return {
    Image: template.image,
    // the whole argv: nothing of the image's own is added to it
    Entrypoint: argv,
    Cmd: [],
    Env: variables(template.env),
    WorkingDir: template.workingDir,
    User: template.user,
    Labels: marks,
    ...(isResident && { OpenStdin: true, AttachStdin: true, StdinOnce: false }),
    ...(volume !== undefined && volumesFrom === undefined && { Volumes: { [volume]: {} } }),
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGTERM',
    StopTimeout: 0,
    HostConfig: hostConfig(plan),
  }
}

/** a container that is never started, so that its volume can be given an owner before a read-only one takes it over */
export const volumeHolderBody = (image: string, volume: string, marks: Readonly<Record<string, string>>) => ({
  Image: image,
  Entrypoint: ['/'],
  Cmd: [],
  Labels: marks,
  Volumes: { [volume]: {} },
  HostConfig: { CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], NetworkMode: 'none' },
})

export const networkBody = (id: string, marks: Readonly<Record<string, string>>) => ({
  Name: id,
  Driver: 'bridge',
  CheckDuplicate: true,
  Labels: marks,
})

export const execBody = ({ argv, env, workingDir, user, input, tty }: ExecTemplate) => ({
  AttachStdin: input,
  AttachStdout: true,
  AttachStderr: true,
  Tty: tty !== undefined,
  Cmd: argv,
  Env: variables(env),
  WorkingDir: workingDir,
  User: user,
})

/** what an image made of a container says of itself: nothing of how that container was run */
export const commitBody = (marks: Readonly<Record<string, string>>) => ({
  Entrypoint: [],
  Cmd: ['/bin/sh'],
  WorkingDir: '/',
  User: '0:0',
  Labels: marks,
})

/** Podman reads its own part of the commit from here instead */
export const commitChanges = (marks: Readonly<Record<string, string>>) =>
  [
    'ENTRYPOINT []',
    'CMD ["/bin/sh"]',
    'WORKDIR /',
    'USER 0:0',
    ...Object.entries(marks).map(([name, value]) => `LABEL ${name}=${value}`),
  ].join('\n')
