// What a caller wants of a new container, and what the image gives where they want nothing.
import type { EgressWish, SecretWish } from '../egress/wish.ts'
import type { ContainerLimits } from '../engine/port.ts'
import { invalid } from '../problems.ts'
import type { ImageConfig } from '../store/image-rows.ts'

export interface ContainerWish {
  readonly image: string
  readonly name?: string | null
  readonly command?: readonly string[] | null
  readonly env?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly workingDir?: string | null
  readonly user?: string | null
  readonly limits?: Partial<ContainerLimits>
  readonly network?: 'none' | 'egress'
  readonly egress?: EgressWish | null
  readonly secrets?: Readonly<Record<string, SecretWish>>
  readonly readOnlyRootfs?: boolean
  readonly ttlSeconds?: number
  readonly idleTimeoutSeconds?: number | null
}

export const standardLimits: ContainerLimits = { cpu: 0.5, memoryMiB: 512, pids: 256, diskMiB: 1_024 }
export const standardTtlSeconds = 3_600
export const standardIdleSeconds = 900
const standardUser = '1000:1000'
const standardDirectory = '/'
const mostArgvBytes = 128 * 1024

/** with a group: the group of the same number where none is given */
export const userOf = (user: string): string => (user.includes(':') ? user : `${user}:${user}`)

/** a name of the image's own user list is not followed, save root */
function userOfImage({ user }: ImageConfig): string {
  if (user === 'root') return '0:0'
  return user !== null && /^\d+(:\d+)?$/.test(user) ? userOf(user) : standardUser
}

export function checkArgv(argv: readonly string[] | null | undefined) {
  if (argv?.[0] === '') throw invalid('command[0]', 'must not be empty')
  const bytes = (argv ?? []).reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  if (bytes > mostArgvBytes) throw invalid('command', `must have at most ${mostArgvBytes} bytes in all`)
}

export function checkEnv(env: Readonly<Record<string, string>> = {}) {
  const bytes = Object.entries(env).reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), 0)
  if (bytes > mostArgvBytes) throw invalid('env', `must have at most ${mostArgvBytes} bytes in all`)
}

export function checkDirectory(field: string, path: string | null | undefined) {
  if (typeof path !== 'string') return
  const segments = path.split('/').slice(1)
  const isPlain = path === '/' || segments.every((one) => one !== '' && one !== '.' && one !== '..')
  if (!path.startsWith('/') || !isPlain || Buffer.byteLength(path) > 4_096)
    throw invalid(field, 'must be an absolute path without empty, "." or ".." segments')
}

export function checkWish({ command, env, workingDir }: ContainerWish) {
  checkArgv(command)
  checkEnv(env)
  checkDirectory('workingDir', workingDir)
}

export interface Settled {
  readonly command: readonly string[] | null
  readonly workingDir: string
  readonly user: string
  readonly limits: ContainerLimits
  readonly network: 'none' | 'egress'
  readonly readOnlyRootfs: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly envNames: readonly string[]
}

export function settle(wish: ContainerWish, config: ImageConfig): Settled {
  const {
    command = null,
    env = {},
    labels = {},
    workingDir,
    user,
    limits,
    network = 'none',
    readOnlyRootfs = false,
  } = wish
  return {
    command,
    workingDir: workingDir ?? (config.workingDir || standardDirectory),
    user: user ? userOf(user) : userOfImage(config),
    limits: { ...standardLimits, ...limits },
    network,
    readOnlyRootfs,
    labels,
    envNames: Object.keys(env).toSorted(),
  }
}
