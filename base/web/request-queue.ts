// When a request starts. The first of a socket starts at once if it has a key. Pipelined ones and those without a key take turns:
// a few in each turn of the event loop, networks in rotation, none on a socket whose caller does not read.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface QueuedRequest {
  readonly socket: Socket
  readonly res: ServerResponse
  /** all of its socket that are not fully sent */
  readonly answers: readonly ServerResponse[]
  readonly network: () => string
  readonly hasKey: boolean
  readonly start: () => void
}

const bounds = {
  inOneTurn: 32,
  /** in addition, first requests of their sockets with a key; beyond it they wait */
  keyedInOneTurn: 128,
  /** unsent bytes on a socket beyond which none of its requests starts */
  unreadBytes: 64 * 1024,
  /** unanswered requests on a socket beyond which none without a key is accepted */
  onSocket: 32,
  /** waiting requests, of one network and in all, beyond which no pipelined request is accepted */
  ofNetwork: 2_048,
  inAll: 8_192,
}

interface Line {
  readonly socket: Socket
  readonly network: string
  readonly waiting: QueuedRequest[]
}

/** answers behind the first buffer their own bytes until their turn */
function unreadOn({ socket, answers }: QueuedRequest): number {
  let bytes = 0
  for (const { writableLength } of answers) bytes += writableLength
  return Math.max(bytes, socket.writableLength)
}

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

export class RequestQueue {
  readonly #most: typeof bounds
  readonly #lines = new Map<Socket, Line>()
  readonly #ring = createRing()
  readonly #counts = createCounts()
  #started = 0
  #keyed = 0
  #isTurnPlanned = false

  constructor(most: Partial<typeof bounds> = {}) {
    this.#most = { ...bounds, ...most }
  }

  admits({ answers: { length }, network, hasKey }: Pick<QueuedRequest, 'answers' | 'network' | 'hasKey'>): boolean {
    if (length === 0) return true
    const { inAll, ofNetwork, onSocket } = this.#most
    if (this.#counts.total() >= inAll || this.#counts.of(network()) >= ofNetwork) return false
    return hasKey || length < onSocket
  }

  enter(starting: QueuedRequest) {
    const { answers, hasKey, start } = starting
    const isFirst = answers.length === 1
    if (isFirst && hasKey && this.#keyed < this.#most.keyedInOneTurn) this.#keyed++
    else {
      const isFree = this.#counts.total() === 0 && this.#started < this.#most.inOneTurn
      if (!isFree || !(isFirst || this.#isRead(starting))) return this.#wait(starting)
      this.#started++
    }
    this.#planTurn()
    return start()
  }

  gone(socket: Socket) {
    const line = this.#lines.get(socket)
    if (line) this.#leave(line)
  }

  #wait(starting: QueuedRequest) {
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

  #isRead(request: QueuedRequest): boolean {
    return unreadOn(request) <= this.#most.unreadBytes
  }

  #isHeldUp(line: Line, next: QueuedRequest): boolean {
    const { socket, res, answers } = next
    const [first] = answers
    if (!first || first === res || this.#isRead(next)) return false
    first.once('close', () => {
      if (this.#lines.get(socket) !== line) return
      this.#ring.add(line)
      this.#planTurn()
    })
    return true
  }
}
