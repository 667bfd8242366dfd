// An engine in memory: what the service makes of its answers is tested with it, and what happens when the service or the engine
// ends at any step. Several connections share one `FakeEngine`, as several processes share a real one.
import { EventEmitter, on } from 'node:events'
import { type Readable, Readable as Stream } from 'node:stream'
import {
  type ContainerTemplate,
  type Engine,
  type EngineChannel,
  EngineError,
  type EngineExec,
  type EngineImage,
  type ExecTemplate,
} from '../src/engine/port.ts'
import { type FakeCommand, startCommand } from './fake-command.ts'

interface FakeContainer {
  readonly template: ContainerTemplate
  isRunning: boolean
  exitCode: number | null
  readonly commands: Map<string, FakeCommand>
}

const waiting: unknown[] = []

/** Stays reachable: an open file of a process that counts as dead is not collected, which Node reports as an error. */
export const never = <T>(): Promise<T> => new Promise<T>((...settle) => void waiting.push(settle))

const image: EngineImage = {
  id: 'sha256:base',
  sizeBytes: 1_000,
  env: ['PATH=/bin'],
  command: ['/bin/sh'],
  entrypoint: null,
  workingDir: '/home/u',
  user: '',
  labels: {},
}

const madePrefix = 'sha256:made-'

/** `gate` stands before each call and after it: a test lets the caller die there */
export type Gate = <T>(name: string, act: () => Promise<T>) => Promise<T>

export class FakeEngine {
  /** that were made, by our ids */
  readonly images = new Map<string, string>()
  readonly containers = new Map<string, FakeContainer>()
  readonly calls: string[] = []
  /** what containers hold, in bytes; null: it cannot be determined */
  readonly sizes = new Map<string, number | null>()
  /** containers that cannot be removed */
  readonly stuck = new Set<string>()
  isAway = false
  /** the problem that a probe of the seccomp profile finds */
  unconfined: string | undefined
  /** plays the relay of every container; undefined: no image carries one */
  relay: ((template: ExecTemplate) => EngineChannel) | undefined
  /** thrown by the next call of this name */
  readonly faults = new Map<string, EngineError>()
  /** of each call until it is deleted */
  readonly lastingFaults = new Map<string, EngineError>()
  readonly #told = new EventEmitter().setMaxListeners(0)

  leave() {
    this.isAway = true
    this.#told.emit('lost')
  }

  comeBack() {
    this.isAway = false
  }

  /** a container ends by itself */
  exit(id: string, exitCode: number) {
    const container = this.containers.get(id)
    if (!container) return
    container.isRunning = false
    container.exitCode = exitCode
    for (const { end } of container.commands.values()) end(137)
    this.#told.emit('event', { id, kind: 'died' })
  }

  commandsOf(id: string): readonly FakeCommand[] {
    return [...(this.containers.get(id)?.commands.values() ?? [])]
  }

  #find(id: string): FakeContainer {
    const found = this.containers.get(id)
    if (!found) throw new EngineError('container_gone')
    return found
  }

  #events(signal: AbortSignal) {
    const lost = new AbortController()
    this.#told.once('lost', () => lost.abort())
    // listens at once, also before anyone reads
    const told = on(this.#told, 'event', { signal: AbortSignal.any([signal, lost.signal]) })
    return (async function* () {
      for await (const [event] of told) yield event as { id: string; kind: 'died' }
    })()
  }

  #exec(template: ExecTemplate): EngineExec {
    const container = this.#find(template.container)
    if (!container.isRunning) throw new EngineError('container_stopped')
    return startCommand(container.commands, template)
  }

  #create(template: ContainerTemplate) {
    if (this.containers.has(template.id)) throw new EngineError('name_taken')
    if (!this.#image(template.image)) throw new EngineError('image_gone')
    this.containers.set(template.id, { template, isRunning: false, exitCode: null, commands: new Map() })
  }

  /** an image of ours is there or not; any other one is the base */
  #image(reference: string): EngineImage | undefined {
    if (reference === 'none') return undefined
    if (!reference.startsWith(madePrefix)) return image
    return [...this.images.values()].includes(reference) ? { ...image, id: reference } : undefined
  }

  #commit(container: string, imageId: string): string {
    this.#find(container)
    this.images.set(imageId, `${madePrefix}${imageId}`)
    return `${madePrefix}${imageId}`
  }

  #removeImage(imageId: string) {
    const users = [...this.containers.values()].filter(({ template }) => template.image === this.images.get(imageId))
    if (users.length > 0) throw new EngineError('image_in_use')
    this.images.delete(imageId)
  }

  #remove(id: string) {
    if (this.stuck.has(id)) throw new EngineError('failed')
    this.#stop(id, 137)
    this.containers.delete(id)
  }

  #stop(id: string, exitCode: number) {
    if (this.containers.get(id)?.isRunning) this.exit(id, exitCode)
  }

  #answer<T>(name: string, act: () => T): T {
    if (this.isAway) throw new EngineError('unavailable', 'connect ENOENT /secret/engine.sock')
    const fault = this.faults.get(name) ?? this.lastingFaults.get(name)
    this.faults.delete(name)
    if (fault) throw fault
    this.calls.push(name)
    return act()
  }

  connect(gate: Gate = (_, act) => act()): Engine {
    const call = <T>(name: string, act: () => T): Promise<T> => gate(name, async () => this.#answer(name, act))
    return {
      info: () => call('info', () => ({ ...infoOf })),
      ping: () => call('ping', () => {}),
      close: () => {},
      confinement: () => call('confinement', () => this.unconfined),
      create: (template) => call('create', () => this.#create(template)),
      start: (id) => call('start', () => void (this.#find(id).isRunning = true)),
      stop: (id) => call('stop', () => this.#stop(id, 143)),
      remove: (id) => call('remove', () => this.#remove(id)),
      state: (id) => call('state', () => this.#state(id)),
      list: () => call('list', () => this.#list()),
      size: () => call('size', () => 1_000),
      sizes: () => call('sizes', () => new Map(this.sizes)),
      events: (signal) => call('events', () => this.#events(signal)),
      processes: (id) => call('processes', () => 2 + this.#find(id).commands.size),
      exec: (template) => call('exec', () => this.#exec(template)),
      open: (template) => call('open', () => (this.relay ?? noChannel)(template)),
      attach: () => call('attach', noChannel),
      resident: () => call('resident', () => this.relay && { isFirst: false, user: '1000:1000', readsFiles: false }),
      stat: () => call('stat', () => undefined),
      putArchive: (_id, _directory, tar: Readable) => call('putArchive', () => void tar.resume()),
      getArchive: () => call('getArchive', () => Stream.from([])),
      findProgram: (_id, { argv0 }) =>
        call('findProgram', () => (argv0 === 'missing' ? { failure: 'not_found' } : { path: argv0 })),
      image: (reference) => call('image', () => this.#image(reference)),
      images: () => call('images', () => new Map(this.images)),
      commit: (container, imageId) => call('commit', () => this.#commit(container, imageId)),
      checkpoint: (container, imageId) => call('checkpoint', () => this.#commit(container, imageId)),
      createEmptyImage: (imageId) => call('createEmptyImage', () => imageId),
      adopt: () => call('adopt', () => image.id),
      load: () => call('load', () => []),
      removeImage: (imageId) => call('removeImage', () => this.#removeImage(imageId)),
    }
  }

  #state(id: string) {
    const found = this.containers.get(id)
    return found && { running: found.isRunning, exitCode: found.exitCode, oomKilled: false }
  }

  #list() {
    return [...this.containers.values()].map(({ template: { id, kind }, isRunning: running }) => ({
      id,
      engineId: id,
      kind,
      running,
    }))
  }
}

const noChannel = (): EngineChannel => {
  throw new EngineError('failed')
}

const infoOf = {
  dialect: 'podman',
  version: '4.3.1',
  keepsAliveWithoutShell: true,
  userNamespaces: true,
  hasOwnKernel: false,
  architecture: 'amd64',
  takesRuntime: true,
  storage: '/nowhere',
} as const
