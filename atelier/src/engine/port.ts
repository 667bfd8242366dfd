// What the service asks of a container engine. Both dialects implement it; no word of the engine leaves it.
import type { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'

/**
 * `unavailable`: it was not reached, or broke off; the outcome of a change is then unknown. `no_shell`: nothing in the image
 * keeps a container without a command alive. `no_place`: something stands where the resident belongs. `start_refused`,
 * `bad_working_dir`: the container is there, but cannot run. `unconfined`: the engine does not apply the seccomp profile.
 */
export type EngineFault =
  | 'unavailable'
  | 'timeout'
  | 'container_gone'
  | 'container_stopped'
  | 'image_gone'
  | 'name_taken'
  | 'path_gone'
  | 'no_space'
  | 'no_shell'
  | 'unconfined'
  | 'no_place'
  | 'bad_working_dir'
  | 'start_refused'
  | 'image_in_use'
  | 'failed'

/** why a command could not be started; `other`: the container has no processes left, or the like */
export type StartFailure = 'not_found' | 'not_executable' | 'bad_working_dir' | 'other'

/** `cause` is for the log alone: it may hold the engine's own words */
export class EngineError extends Error {
  readonly fault: EngineFault

  constructor(fault: EngineFault, cause?: unknown) {
    super(`engine: ${fault}`, { cause })
    this.name = 'EngineError'
    this.fault = fault
  }
}

export interface EngineInfo {
  readonly dialect: 'podman' | 'docker'
  readonly version: string
  /** it brings an init of its own that keeps a container without a shell alive */
  readonly keepsAliveWithoutShell: boolean
  readonly userNamespaces: boolean
  /** as the engine names it: `amd64`, `arm64` */
  readonly architecture: string
  /** its runtime gives a container a kernel of its own, which seccomp on the host does not concern */
  readonly hasOwnKernel: boolean
  /** the engine takes the operator's `engine.runtime`, or none was asked for; else no container is created */
  readonly takesRuntime: boolean
  /** folder of its images and containers, on its machine */
  readonly storage: string
}

export interface ContainerLimits {
  readonly cpu: number
  readonly memoryMiB: number
  readonly pids: number
  readonly diskMiB: number
}

/** `build`: no user namespace, and root keeps the capabilities that a RUN needs */
export type ContainerKind = 'container' | 'build'

export interface ContainerTemplate {
  /** our id is the engine's name */
  readonly id: string
  readonly kind: ContainerKind
  /** the engine's id of the image */
  readonly image: string
  /** null: the resident keeps the container alive where its image carries it; else the engine's init or `sleep` does */
  readonly command: readonly string[] | null
  readonly env: Readonly<Record<string, string>>
  readonly workingDir: string
  readonly user: string
  readonly limits: ContainerLimits
  readonly readOnlyRootfs: boolean
  readonly network: 'none' | 'egress'
}

export interface ContainerState {
  readonly running: boolean
  readonly exitCode: number | null
  readonly oomKilled: boolean
}

export interface EngineContainer {
  readonly id: string
  /** what `remove` takes for an object that somebody else made with our labels */
  readonly engineId: string
  readonly kind: ContainerKind
  readonly running: boolean
}

export interface ExecTemplate {
  readonly container: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDir: string
  readonly user: string
  /** false: the command reads the end of input at once */
  readonly input: boolean
  readonly tty?: { readonly columns: number; readonly rows: number }
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly data: Buffer
}

export interface EngineExec {
  /** Reads from the engine only as fast as it is read. Ends when the stream ends, which is no proof that the command has. */
  readonly output: AsyncIterable<OutputChunk>
  /** resolves when more may be written; what the command takes no more is dropped */
  write(data: Uint8Array): Promise<void>
  endInput(): void
  resize(columns: number, rows: number): Promise<void>
  /** Asks until the engine says that the command has ended, for at most `patienceMs`; undefined: it does not say so. */
  exitCode(patienceMs?: number): Promise<number | undefined>
  /** reads what is left and drops it: a killed command whose output stays unread holds up others */
  drain(): void
  /** set once the output has ended, or been drained: the command never ran; the engine's own words are taken out of the output */
  readonly startFailure: StartFailure | undefined
  /** set once the output has ended: the engine says that it may have lost the last of it, and the command took not all input */
  readonly isCut: boolean
  /** closes the connection; the command goes on */
  leave(): void
}

/** The streams of a process in a container, as bytes both ways. Standard error is dropped. */
export interface EngineChannel {
  /** nothing is read before there is a listener */
  onData(listener: (piece: Buffer) => void): void
  /** settles when nothing more comes; never fails */
  readonly ended: Promise<void>
  write(data: Uint8Array): void
  /** bytes that were written and not yet taken */
  readonly unsent: number
  close(): void
}

export interface EngineResident {
  /** it is the container's first process, and `attach` reaches it */
  readonly isFirst: boolean
  /** of the container's first process */
  readonly user: string
  /** it has the subcommand `archive`; older programs do not */
  readonly readsFiles: boolean
}

export interface PathState {
  readonly type: 'file' | 'directory' | 'symlink' | 'other'
  /** permission bits, setuid, setgid and sticky included */
  readonly mode: number
  readonly size: number
  readonly modifiedAt: Date
  /** of a symlink: the absolute path that it leads to in the end, where the engine tells; that path may be absent */
  readonly linkTarget: string | null
}

export interface ProgramQuery {
  readonly argv0: string
  readonly searchPath: string
  readonly workingDir: string
}

export type ProgramFound = { readonly path: string } | { readonly failure: Exclude<StartFailure, 'other'> }

export interface EngineImage {
  readonly id: string
  readonly sizeBytes: number
  readonly env: readonly string[]
  readonly command: readonly string[] | null
  readonly entrypoint: readonly string[] | null
  readonly workingDir: string
  readonly user: string
  readonly labels: Readonly<Record<string, string>>
}

export interface EngineEvent {
  readonly id: string
  readonly kind: 'died' | 'removed'
}

export interface TarOptions {
  readonly bytes?: number | undefined
  /** nobody else needs the chunks of the tar: their memory is freed as they are sent */
  readonly freesChunks?: boolean
  /** breaks the call off, even if the whole tar was sent */
  readonly signal?: Signal
}

export interface Engine {
  /** asks once and keeps the answer until the connection is lost */
  info(): Promise<EngineInfo>
  ping(): Promise<void>
  close(): void
  /**
   * Tries in a container of this image whether the engine applies the seccomp profile, and remembers that it does. Returns the
   * problem as a sentence; undefined: there is none.
   */
  confinement(image: string): Promise<string | undefined>

  create(template: ContainerTemplate): Promise<void>
  start(id: string): Promise<void>
  /** TERM, then KILL after the grace; a container that is absent or stopped is no error */
  stop(id: string, graceSeconds: number): Promise<void>
  /** with its volumes and network; an absent container is no error */
  remove(id: string): Promise<void>
  state(id: string): Promise<ContainerState | undefined>
  list(): Promise<readonly EngineContainer[]>
  /** bytes that a container has written over its image, running or not */
  size(id: string): Promise<number>
  /** bytes that each running container of this instance has written; null: the engine cannot determine them */
  sizes(): Promise<ReadonlyMap<string, number | null>>
  /** resolves once events are being told, until the signal; ends with an error when the connection is lost */
  events(signal: AbortSignal): Promise<AsyncIterable<EngineEvent>>

  /** how many a running container has, its init and what keeps it alive included */
  processes(id: string): Promise<number>

  exec(template: ExecTemplate): Promise<EngineExec>
  /** a command whose streams carry a protocol: nothing is taken out of them */
  open(template: ExecTemplate): Promise<EngineChannel>
  attach(id: string): Promise<EngineChannel>
  resident(id: string): Promise<EngineResident | undefined>

  /** does not follow a symlink at the end; a name with `*` counts as absent */
  stat(id: string, path: string, signal?: Signal): Promise<PathState | undefined>
  /** the tar is uncompressed and ours; it is extracted as root below `directory`, which exists */
  putArchive(id: string, directory: string, tar: Readable, options?: TarOptions): Promise<void>
  getArchive(id: string, path: string): Promise<Readable>
  /**
   * Looks along `searchPath` for what a command would run, following links, in a container that need not run: its init hides
   * that a command could not be started.
   */
  findProgram(id: string, program: ProgramQuery): Promise<ProgramFound>

  image(reference: string): Promise<EngineImage | undefined>
  images(): Promise<ReadonlyMap<string, string>>
  /**
   * The file system of a container, and the resident, as an image of this instance; answers its id. Of the container's settings
   * only its env goes along, so a build's container gets none that is a secret.
   */
  commit(container: string, imageId: string): Promise<string>
  /** The file system of a build's container as it stands, without the resident, for later steps alone; answers its id. */
  checkpoint(container: string, imageId: string): Promise<string>
  createEmptyImage(imageId: string): Promise<string>
  /** an image of the operator, with the resident, as one of this instance (`image_gone`: there is none); answers its id */
  adopt(reference: string, imageId: string): Promise<string>
  /** of `docker save` or `podman save`; answers the references that it held */
  load(archive: Readable): Promise<readonly string[]>
  /** never by force: `image_in_use` while a container stands on it; an absent image is no error */
  removeImage(imageId: string): Promise<void>
}
