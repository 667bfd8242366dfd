// What every part of the engine's client stands on: the connection, the marks of this instance, and the dialect, found by asking.
import { LRUCache } from 'lru-cache'
import { type EngineClient, type EngineReply, readJson, refusalOf } from './client.ts'
import { EngineError, type EngineInfo } from './port.ts'

export interface EngineOptions {
  readonly socket: string
  /** small letters, digits and single `.`, `_`, `-`: it becomes part of a repository's name */
  readonly instance: string
  readonly runtime: string | null
  /** a path in place of the shipped seccomp profile */
  readonly seccompProfile?: string | null
  /** whether images are given the resident, and containers are kept alive by it */
  readonly usesResident?: boolean
}

export const limits = {
  look: 10_000,
  change: 60_000,
  list: 30_000,
  path: 60_000,
  transfer: 90_000,
  image: 600_000,
  load: 1_800_000,
} as const

export const labels = {
  instance: 'atelier.instance',
  id: 'atelier.id',
  kind: 'atelier.kind',
  /** of an image that carries the resident, and of its containers: its version and the first digits of its SHA-256 */
  resident: 'atelier.resident',
} as const

interface Version {
  readonly Version: string
  readonly Arch?: string
  readonly Components?: readonly { readonly Name: string }[]
}

interface SystemInfo {
  readonly DockerRootDir?: string
  readonly DefaultRuntime?: string
  readonly Runtimes?: Readonly<Record<string, unknown>> | null
  readonly SecurityOptions?: readonly string[] | null
}

/** Podman's Docker dialect ignores the member in silence; there its own configuration has to name the runtime. */
function takesRuntime(runtime: string, isPodman: boolean, { DefaultRuntime, Runtimes }: SystemInfo): boolean {
  if (DefaultRuntime === runtime) return true
  // newer Docker also takes the name or the path of a shim, which it does not list
  return !isPodman && (/[./]/.test(runtime) || Object.hasOwn(Runtimes ?? {}, runtime))
}

/** gVisor and Kata, by the names of their runtimes and shims */
const ownKernels = /(?:^|[/.-])(?:runsc|kata)/

export class EngineLink {
  readonly client: EngineClient
  readonly instance: string
  readonly runtime: string | null
  readonly seccompProfile: string | null
  readonly usesResident: boolean
  /** by the engine's id of an image, which stands for its content: the label of its resident */
  readonly residents = new LRUCache<string, string>({ max: 10_000 })
  #known: { readonly losses: number; readonly info: Promise<EngineInfo> } | undefined

  constructor(client: EngineClient, { instance, runtime, seccompProfile = null, usesResident = false }: EngineOptions) {
    this.client = client
    this.instance = instance
    this.runtime = runtime
    this.seccompProfile = seccompProfile
    this.usesResident = usesResident
  }

  filters(more: Readonly<Record<string, readonly string[]>> = {}) {
    return { filters: JSON.stringify({ label: [`${labels.instance}=${this.instance}`], ...more }) }
  }

  marks(id: string, kind: 'container' | 'build' | 'image' | 'checkpoint') {
    return { [labels.instance]: this.instance, [labels.id]: id, [labels.kind]: kind }
  }

  async isPodman() {
    return (await this.info()).dialect === 'podman'
  }

  info(): Promise<EngineInfo> {
    const { losses } = this.client
    if (this.#known?.losses !== losses) {
      const info = this.#ask()
      info.catch(() => (this.#known = undefined))
      this.#known = { losses, info }
    }
    return this.#known.info
  }

  async #ask(): Promise<EngineInfo> {
    const get = async <T>(path: string) => {
      const reply = await this.client.call({ method: 'GET', path, timeoutMs: limits.look })
      return readJson(expectOk(reply)) as T
    }
    const [version, system] = await Promise.all([get<Version>('/version'), get<SystemInfo>('/info')])
    const isPodman = version.Components?.some(({ Name }) => Name === 'Podman Engine') ?? false
    const hasOwnKernel = ownKernels.test(this.runtime ?? system.DefaultRuntime ?? '')
    return {
      dialect: isPodman ? 'podman' : 'docker',
      version: version.Version,
      // Podman's init waits below another init by a system call that gVisor lacks
      keepsAliveWithoutShell: isPodman && !hasOwnKernel,
      architecture: version.Arch ?? '',
      userNamespaces: isPodman || (system.SecurityOptions?.includes('name=userns') ?? false),
      hasOwnKernel,
      storage: system.DockerRootDir ?? '',
      takesRuntime: this.runtime === null || takesRuntime(this.runtime, isPodman, system),
    }
  }
}

export function expectOk(reply: EngineReply) {
  if (reply.status >= 400) throw refusalOf(reply)
  return reply
}

/** what a failed call on a container means, judged by the container's state and by no words */
export async function containerFailure(link: EngineLink, id: string, reply: EngineReply): Promise<EngineError> {
  const state = await inspectState(link, id)
  if (!state) return refusalOf(reply, 'container_gone')
  return refusalOf(reply, state.State.Running ? 'failed' : 'container_stopped')
}

export interface Inspected {
  readonly Id: string
  readonly State: {
    readonly Running: boolean
    readonly Status: string
    readonly ExitCode: number
    readonly OOMKilled: boolean
  }
  readonly Config: {
    readonly WorkingDir: string
    readonly User: string
    readonly OpenStdin: boolean
    readonly Labels: Readonly<Record<string, string>> | null
  }
}

export async function inspectState(link: EngineLink, id: string): Promise<Inspected | undefined> {
  const path = `/containers/${encodeURIComponent(id)}/json`
  const reply = await link.client.call({ method: 'GET', path, timeoutMs: limits.look })
  return reply.status === 404 ? undefined : (readJson(expectOk(reply)) as Inspected)
}
