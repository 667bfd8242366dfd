// When a request is started. The first on its socket is at once where it brings a key; what is pipelined behind others, or
// brings none, takes turns: a few in each turn of the event loop, one network after the other, and none on a socket whose
// caller does not read.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Starting {
  readonly socket: Socket
  readonly res: ServerResponse
  /** the caller's network, which is asked for only where it waits */
  readonly network: () => string
  readonly hasKey: boolean
  readonly start: () => void
}

export interface StartsOptions {
  /** unanswered requests of a socket, in their order */
  readonly answersOn: (socket: Socket) => ReadonlySet<ServerResponse>
  readonly most?: Partial<typeof bounds>
}

const bounds = {
  inOneTurn: 32,
  /** beside those: first requests of their sockets that bring a key, before they wait like the others */
  keyedInOneTurn: 128,
  /** bytes that were answered on a socket and are not in the network yet: beyond them none of its requests is started */
  unreadBytes: 64 * 1024,
  /** unanswered requests of one socket, beyond which none without a key is taken */
  onSocket: 32,
  /** requests that wait for their turn, beyond which none that is pipelined is taken: of one network, and in all */
  ofNetwork: 2_048,
  inAll: 8_192,
}

interface Line {
  readonly socket: Socket
  readonly network: string
  readonly waiting: Starting[]
}

/** of all its answers: those behind the first are kept by themselves until they follow */
function unreadOn(socket: Socket, answers: ReadonlySet<ServerResponse>): number {
  let bytes = 0
  for (const { writableLength } of answers) bytes += writableLength
  return Math.max(bytes, socket.writableLength)
}

/** lines of sockets, by network: each network is next once all the others have had their turn */
function createRing() {
  const networks = new Map<string, Set<Line>>()
  return {
    add(line: Line) {
      const lines = networks.get(line.network) ?? new Set()
      lines.add(line)
      networks.set(line.network, lines)
    },
    remove(line: Line) {
      const lines = networks.get(line.network)
      if (lines?.delete(line) && lines.size === 0) networks.delete(line.network)
    },
    next(): Line | undefined {
      const [first] = networks
      if (!first) return undefined
      const [network, lines] = first
      const [line] = lines
      networks.delete(network)
      if (line) lines.delete(line)
      if (lines.size > 0) networks.set(network, lines)
      return line
    },
  }
}

/** how many wait, of each network and in all */
function createCounts() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    total: () => total,
    of: (network: string): number => counts.get(network) ?? 0,
    add(network: string, change: number) {
      total += change
      const count = (counts.get(network) ?? 0) + change
      if (count === 0) counts.delete(network)
      else counts.set(network, count)
    },
  }
}

export class Starts {
  readonly #answersOn: StartsOptions['answersOn']
  readonly #most: typeof bounds
  readonly #lines = new Map<Socket, Line>()
  readonly #ring = createRing()
  readonly #counts = createCounts()
  #started = 0
  #keyed = 0
  #isTurnPlanned = false

  constructor({ answersOn, most }: StartsOptions) {
    this.#answersOn = answersOn
    this.#most = { ...bounds, ...most }
  }

  /** false where too many are unanswered to take another one; the first of a socket is always taken */
  admits({ socket, network, hasKey }: Pick<Starting, 'socket' | 'network' | 'hasKey'>): boolean {
    const { size } = this.#answersOn(socket)
    if (size === 0) return true
    const { inAll, ofNetwork, onSocket } = this.#most
    if (this.#counts.total() >= inAll || this.#counts.of(network()) >= ofNetwork) return false
    return hasKey || size < onSocket
  }

  /** starts it, now or in its turn; never where its socket has ended by then */
  enter(starting: Starting) {
    const { socket, hasKey, start } = starting
    const isFirst = this.#answersOn(socket).size === 1
    if (isFirst && hasKey && this.#keyed < this.#most.keyedInOneTurn) this.#keyed++
    else {
      const isFree = this.#counts.total() === 0 && this.#started < this.#most.inOneTurn
      if (!isFree || !(isFirst || this.#isRead(socket))) return this.#wait(starting)
      this.#started++
    }
    this.#planTurn()
    return start()
  }

  /** its socket has closed */
  gone(socket: Socket) {
    const line = this.#lines.get(socket)
    if (line) this.#leave(line)
  }

  #wait(starting: Starting) {
    const { socket } = starting
    const known = this.#lines.get(socket)
    const line = known ?? { socket, network: starting.network(), waiting: [] }
    line.waiting.push(starting)
    this.#counts.add(line.network, 1)
    this.#planTurn()
    if (known) return
    this.#lines.set(socket, line)
    this.#ring.add(line)
  }

  #leave(line: Line) {
    this.#counts.add(line.network, -line.waiting.length)
    this.#lines.delete(line.socket)
    this.#ring.remove(line)
  }

  #planTurn() {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn() {
    this.#isTurnPlanned = false
    this.#started = 0
    this.#keyed = 0
    while (this.#started < this.#most.inOneTurn) {
      const line = this.#ring.next()
      if (!line) break
      this.#startNext(line)
    }
    if (this.#started > 0) this.#planTurn()
  }

  #startNext(line: Line) {
    const [next] = line.waiting
    if (!next || line.socket.destroyed || line.socket.writableEnded) return this.#leave(line)
    if (this.#isHeldUp(line, next)) return
    line.waiting.shift()
    this.#counts.add(line.network, -1)
    if (line.waiting.length > 0) this.#ring.add(line)
    else this.#lines.delete(line.socket)
    this.#started++
    next.start()
  }

  #isRead(socket: Socket): boolean {
    return unreadOn(socket, this.#answersOn(socket)) <= this.#most.unreadBytes
  }

  /** true where it waits until an earlier answer has left; the first of a socket never does */
  #isHeldUp(line: Line, { socket, res }: Starting): boolean {
    const [first] = this.#answersOn(socket)
    if (!first || first === res || this.#isRead(socket)) return false
    first.once('close', () => {
      if (this.#lines.get(socket) !== line) return
      this.#ring.add(line)
      this.#planTurn()
    })
    return true
  }
}
