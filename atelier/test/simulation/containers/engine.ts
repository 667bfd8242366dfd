// The engine inside: containers, images and events behind the HTTP API that the product's client speaks, in either dialect. It may
// refuse, act and answer something else, answer late or never, and tell of the past.
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Random } from '../../../../base/test/simulator/random.ts'
import { noIlls } from './engine-ills.ts'
import { type Answering, type EngineReply, type EngineRequest, EngineServer } from './engine-server.ts'

export const instance = 'main'
const repository = `localhost/atelier/${instance}`

export interface Made {
  /** the engine's own */
  readonly engineId: string
  readonly name: string
  readonly image: string
  readonly argv: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  state: 'created' | 'running' | 'exited'
  exitCode: number
}

/** what the world watches */
export interface EngineWatch {
  acted(): void
  created(made: Made): void
  /** asked for by the service */
  ends(made: Made): void
  imageRemoved(tag: string): void
}

interface CreateBody {
  readonly Image: string
  readonly Labels: Made['labels']
  readonly Entrypoint: readonly string[]
}

const workMs = [2, 80] as const
const lateMs = [100, 30_000] as const
const failure: EngineReply = { status: 500, body: { message: 'container storage: /var/lib/x' } }
const absent: EngineReply = { status: 404, body: { message: 'no such thing' } }
const done: EngineReply = { status: 204 }
/** every path is a program, save the root */
const statHeader = (path: string | null) => {
  const stat = { size: 1, mode: path === '/' ? 2 ** 31 + 0o755 : 0o755, mtime: '2024-04-24T00:00:00Z' }
  return { 'x-docker-container-path-stat': Buffer.from(JSON.stringify(stat)).toString('base64') }
}

const labelOf = ({ labels }: Made): string | undefined => labels['atelier.id']

export class SimulatedEngine {
  readonly node: SimulatedNode
  readonly ills = noIlls()
  /** by name */
  readonly containers = new Map<string, Made>()
  /** of this instance, by tag */
  readonly images = new Map<string, string>()
  readonly #network: Network
  readonly #server: EngineServer
  readonly #random: Random
  readonly #isPodman: boolean
  readonly #watch: EngineWatch
  readonly #listeners = new Set<(line: string) => void>()
  /** until then it may act on requests of which it closed the connection */
  actsUntil = 0

  constructor(network: Network, isPodman: boolean, watch: EngineWatch) {
    this.#network = network
    this.#isPodman = isPodman
    this.#watch = watch
    this.node = network.simulation.addNode('engine')
    this.#random = network.simulation.random.fork('engine')
    this.#server = new EngineServer(network, this.node, (request, answering) => this.#receive(request, answering))
  }

  get requests(): number {
    return this.#server.requests
  }

  start() {
    this.#network.simulation.start(this.node, () => this.#server.listen())
  }

  /** its process is gone; containers may live on */
  die(keepsContainers: boolean) {
    const { simulation } = this.#network
    this.#network.dropAll(this.node, false)
    this.#network.close(this.node)
    this.#server.forgetAll()
    this.#listeners.clear()
    simulation.kill(this.node)
    if (!keepsContainers) for (const made of this.containers.values()) this.#end(made, 137)
  }

  /** closes all connections, that of the events too */
  disconnect() {
    this.#listeners.clear()
    this.#server.closeAll()
  }

  /** the first process of a container ends */
  exit(made: Made, exitCode: number) {
    if (made.state !== 'running') return
    this.#end(made, exitCode)
    this.#tell(made, this.#isPodman ? 'died' : 'die')
  }

  /** it is gone, and nobody asked for it */
  vanish(made: Made) {
    this.exit(made, 137)
    this.containers.delete(made.name)
    this.#tell(made, this.#isPodman ? 'remove' : 'destroy')
  }

  add(name: string, labels: Made['labels'], state: Made['state']): Made {
    const engineId = this.#random.bytes(32).toString('hex')
    const made: Made = { engineId, name, labels, image: 'sha256:other', argv: [], state, exitCode: 0 }
    this.containers.set(name, made)
    return made
  }

  #end(made: Made, exitCode: number) {
    if (made.state !== 'running') return
    made.state = 'exited'
    made.exitCode = exitCode
  }

  #tell(made: Made, Action: string) {
    if (this.node.isDown || made.labels['atelier.instance'] !== instance || this.#random.chance(this.ills.hides)) return
    const line = JSON.stringify({ Type: 'container', Action, Actor: { Attributes: made.labels } })
    for (const tell of this.#listeners) tell(`${line}\n`)
  }

  /** in an event of this node: the time that it takes, then the act, then the answer */
  #receive(request: EngineRequest, answering: Answering) {
    const { simulation } = this.#network
    if (request.path === '/events') {
      this.#listeners.add(answering.stream())
      return
    }
    const { refuses, late, slowMs } = this.ills
    const tookMs = this.#random.between(...workMs) + this.#random.between(0, slowMs)
    const after = (ms: number, act: () => void) => simulation.after(ms, act, this.node)
    if (this.#random.chance(refuses)) after(tookMs, () => answering.answer(failure))
    else if (this.#random.chance(late)) {
      answering.close()
      const inMs = this.#random.between(...lateMs)
      this.actsUntil = Math.max(this.actsUntil, simulation.now + inMs)
      after(inMs, () => this.#act(request))
    } else after(tookMs, () => this.#answer(this.#act(request), answering))
  }

  #answer(reply: EngineReply, answering: Answering) {
    const { denies, drops, silent } = this.ills
    if (this.#random.chance(silent)) return
    if (this.#random.chance(drops)) answering.close()
    else answering.answer(this.#random.chance(denies) ? failure : reply)
  }

  #act(request: EngineRequest): EngineReply {
    const { method, path } = request
    if (method !== 'GET') this.#watch.acted()
    const [kind, name = '', action = ''] = path.split('/').slice(1)
    if (kind === '_ping') return { status: 200 }
    if (kind === 'version')
      return {
        status: 200,
        body: { Version: '4.3.1', Arch: 'amd64', Components: [{ Name: this.#isPodman ? 'Podman Engine' : 'Engine' }] },
      }
    if (kind === 'info') return { status: 200, body: {} }
    if (kind === 'networks') return method === 'GET' ? { status: 200, body: [] } : absent
    if (kind === 'images') return this.#actOnImage(method, path.slice('/images/'.length))
    if (kind !== 'containers') return absent
    if (name === 'json') return this.#list(request)
    if (name === 'create') return this.#create(request)
    return this.#actOn(name, action, request)
  }

  #actOnImage(method: string, name: string): EngineReply {
    if (name === 'json') {
      const tagged = [...this.images].map(([tag, Id]) => ({ Id, RepoTags: [`${repository}:${tag}`] }))
      return { status: 200, body: tagged }
    }
    if (method !== 'DELETE') return absent
    const tag = name.slice(repository.length + 1)
    if (this.images.delete(tag)) this.#watch.imageRemoved(tag)
    return done
  }

  #list({ query }: EngineRequest): EngineReply {
    const { label } = JSON.parse(query.get('filters') ?? '{}') as { readonly label?: readonly string[] }
    const isWanted = ({ labels }: Made) =>
      label?.every((one) => labels[one.slice(0, one.indexOf('='))] === one.slice(one.indexOf('=') + 1)) ?? true
    const all = this.ills.staleList ?? [...this.containers.values()]
    const body = all
      .filter((made) => isWanted(made) && (query.get('all') === '1' || made.state === 'running'))
      .map(({ engineId, labels, state }) => ({ Id: engineId, Labels: labels, State: state, SizeRw: 1_000 }))
    return { status: 200, body }
  }

  #create({ query, body }: EngineRequest): EngineReply {
    const name = query.get('name') ?? ''
    const { Image, Labels, Entrypoint } = JSON.parse(body) as CreateBody
    if (this.containers.has(name)) return { status: this.#isPodman ? 500 : 409, body: { message: 'name in use' } }
    if (this.ills.hasNoImage || ![...this.images.values()].includes(Image)) return absent
    const engineId = this.#random.bytes(32).toString('hex')
    const made: Made = { engineId, name, image: Image, argv: Entrypoint, labels: Labels, state: 'created', exitCode: 0 }
    this.containers.set(name, made)
    this.#watch.created(made)
    return { status: 201, body: { Id: engineId } }
  }

  #actOn(name: string, action: string, { method, query }: EngineRequest): EngineReply {
    const made = this.containers.get(name) ?? [...this.containers.values()].find(({ engineId }) => engineId === name)
    if (!made) return absent
    if (method === 'DELETE') return this.#remove(made)
    if (action === 'start') {
      if (made.state === 'running') return { status: 304 }
      if (made.argv[0] === 'broken') return failure
      made.state = 'running'
      return done
    }
    if (action === 'stop') {
      this.#watch.ends(made)
      if (made.state !== 'running') return { status: 304 }
      this.exit(made, 143)
      return done
    }
    if (action === 'archive') return { status: 200, headers: statHeader(query.get('path')) }
    if (action === 'json') return { status: 200, body: inspected(made) }
    if (made.state !== 'running') return { status: this.#isPodman ? 500 : 409, body: { message: 'state improper' } }
    return { status: 200, body: action === 'top' ? { Processes: [1, 2] } : { pids_stats: { current: 2 } } }
  }

  #remove(made: Made): EngineReply {
    this.#watch.ends(made)
    this.vanish(made)
    return done
  }
}

const inspected = (made: Made) => ({
  State: { Running: made.state === 'running', Status: made.state, ExitCode: made.exitCode, OOMKilled: false },
  Config: { WorkingDir: '/', User: '', OpenStdin: false, Labels: made.labels, name: labelOf(made) },
})
