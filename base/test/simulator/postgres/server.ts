// A PostgreSQL on a node of the simulation: a primary, or a hot standby that follows one and may lag behind it.
import type { Network } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import type { SimulatedSocket } from '../socket.ts'
import { type Entry, Rows } from './rows.ts'
import { type Asked, type Outcome, Session, type SessionHost } from './session.ts'
import type { Statements } from './statements.ts'
import { Turns } from './turns.ts'

/** what a real PostgreSQL must answer as well, in the order in which it was done */
export type Recorded =
  | { readonly kind: 'applied'; readonly entry: Entry }
  | { readonly kind: 'ended'; readonly session: number }
  /** what it had is gone; what another server had is applied next */
  | { readonly kind: 'emptied' }
  | (Asked & Outcome & { readonly kind: 'asked'; readonly session: number; readonly isStandby: boolean })

export interface PostgresOptions {
  readonly texts: ReadonlyMap<string, string>
  /** what every server of the installation begins with */
  readonly image?: Uint8Array | undefined
  readonly records?: boolean
  /** a primary answered a client */
  readonly served?: (client: SimulatedNode) => void
  /** a primary kept a transaction that changed something */
  readonly kept?: () => void
}

export class PostgresServer implements SessionHost {
  readonly node: SimulatedNode
  readonly version = 170_000
  readonly #network: Network
  readonly #options: PostgresOptions
  readonly #sessions = new Set<Session>()
  readonly #followers = new Set<PostgresServer>()
  readonly #stream = new Map<PostgresServer, { lastArrival: number }>()
  #log: Entry[] = []
  #primary: PostgresServer | undefined
  #nextSession = 1
  turns = new Turns<Statements>()
  rows!: Rows
  changed!: Rows
  isReadOnly = false
  isHanging = false
  isStarting = false
  /** the longest that a statement takes */
  mostMs = 0
  /** of what clients asked, while it is wanted */
  readonly recorded: Recorded[] | undefined

  constructor(network: Network, node: SimulatedNode, options: PostgresOptions) {
    this.#network = network
    this.node = node
    this.#options = options
    this.recorded = options.records ? [] : undefined
    this.#open()
    this.start()
  }

  #open() {
    const options = { ...this.#options, isStandby: () => this.isStandby() }
    this.rows = new Rows(options)
    this.changed = new Rows(options)
    for (const entry of this.#log) this.#apply(entry)
  }

  #apply(entry: Entry) {
    this.rows.apply(entry)
    this.changed.apply(entry)
  }

  now = (): number => this.node.now()
  isStandby = (): boolean => this.#primary !== undefined
  slowMs = (): number => (this.mostMs > 0 ? this.node.random.between(0, this.mostMs) : 0)

  /** how many transactions it has */
  get position(): number {
    return this.#log.length
  }

  start() {
    this.node.isDown = false
    this.isHanging = false
    this.#network.listen(this.node, (socket) => this.#accept(socket))
    if (this.#primary) this.follow(this.#primary)
  }

  /** the process ends, and its transactions with it; `isSilent`: with its machine, so that no connection is reset */
  kill(isSilent = false) {
    // nobody has a turn after another's end
    this.turns = new Turns()
    for (const session of this.#sessions) session.end()
    this.#network.dropAll(this.node, isSilent)
    this.#network.close(this.node)
    this.#network.simulation.kill(this.node)
  }

  /** ends all sessions as an administrator does */
  disconnectAll() {
    const text = 'terminating connection due to administrator command'
    this.#here(() => this.#sessions.forEach((session) => session.fail('57P01', text)))
  }

  hang(isHanging: boolean) {
    this.isHanging = isHanging
    if (!isHanging) this.#here(() => this.#sessions.forEach((session) => session.resume()))
  }

  /** in an event of this node, whose timers it sets */
  #here(act: () => void) {
    this.#network.simulation.after(0, act, this.node)
  }

  /** becomes a standby of this server: what it has beyond is dropped, and what it lacks is copied */
  follow(primary: PostgresServer) {
    if (this.#primary) this.#primary.#followers.delete(this)
    const isBehind = this.#log.every((entry, i) => entry === primary.#log[i])
    this.#primary = primary
    if (!isBehind) {
      this.#log = [...primary.#log]
      this.recorded?.push({ kind: 'emptied' }, ...this.#log.map((entry) => ({ kind: 'applied', entry }) as const))
      this.#close()
      this.#open()
    }
    primary.#followers.add(this)
    primary.#stream.set(this, { lastArrival: 0 })
    for (let i = this.#log.length; i < primary.#log.length; i++) primary.#ship(this, i)
  }

  /** becomes a primary with what it has */
  promote() {
    if (this.#primary) this.#primary.#followers.delete(this)
    this.#primary = undefined
  }

  #close() {
    this.rows.close()
    this.changed.close()
  }

  /** a transaction is kept here; those who follow hear of it later */
  committed(entry: Entry) {
    this.rows.apply(entry)
    this.#log.push(entry)
    for (const follower of this.#followers) this.#ship(follower, this.#log.length - 1)
    this.#options.kept?.()
  }

  #ship(follower: PostgresServer, index: number) {
    const entry = this.#log[index]
    const stream = this.#stream.get(follower)
    if (entry && stream)
      this.#network.carry(this.node, follower.node, stream, () => follower.#receive(this, index, entry))
  }

  #receive(primary: PostgresServer, index: number, entry: Entry) {
    if (this.#primary !== primary || this.#log.length !== index) return
    this.#apply(entry)
    this.#log.push(entry)
    this.recorded?.push({ kind: 'applied', entry })
  }

  #accept(socket: SimulatedSocket) {
    this.#sessions.add(new Session(this, socket, this.#nextSession++))
  }

  ended(session: Session) {
    this.#sessions.delete(session)
    this.recorded?.push({ kind: 'ended', session: session.id })
  }

  note(session: Session, asked: Asked, outcome: Outcome) {
    if (!this.isStandby()) this.#options.served?.(session.client)
    this.recorded?.push({ kind: 'asked', session: session.id, ...asked, ...outcome, isStandby: this.isStandby() })
  }
}
