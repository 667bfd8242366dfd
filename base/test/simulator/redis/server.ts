// A Redis on a node of the simulation: reads commands from connections and answers each at once, in order.
import type { Network } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import type { SimulatedSocket } from '../socket.ts'
import { RedisStore, type Refusal } from './store.ts'
import type { RedisAnswer, Values } from './values.ts'
import { RedisError, Status } from './values.ts'

/** what a real Redis must answer as well */
export type Recorded =
  | {
      readonly kind: 'command'
      readonly at: number
      readonly words: readonly string[]
      readonly answer: RedisAnswer
      readonly refusal: string | undefined
      readonly listeners: number
      readonly runId: string
    }
  | { readonly kind: 'restored'; readonly copy: ReturnType<Values['copy']> }

/** the same bytes again and again: checks of health, above all */
const parsedBefore = new Map<string, readonly string[][]>()
const mostParsed = 1_000

/** the commands of a text, and how much of it they take */
function parse(text: string): { commands: string[][]; used: number } {
  const commands: string[][] = []
  let used = 0
  for (;;) {
    let at = used
    const count = () => {
      const end = text.indexOf('\r\n', at)
      if (end < 0) return -1
      const number = Number(text.slice(at + 1, end))
      at = end + 2
      return number
    }
    const words: string[] = []
    const length = count()
    if (length < 0) return { commands, used }
    for (let i = 0; i < length; i++) {
      const size = count()
      if (size < 0 || at + size + 2 > text.length) return { commands, used }
      words.push(text.slice(at, at + size))
      at += size + 2
    }
    commands.push(words)
    used = at
  }
}

function encode(answer: RedisAnswer): string {
  if (typeof answer === 'number') return `:${answer}\r\n`
  if (typeof answer === 'string') return `$${answer.length}\r\n${answer}\r\n`
  if (answer === null) return '$-1\r\n'
  if (answer instanceof Status) return `+${answer.text}\r\n`
  if (answer instanceof RedisError) return `-${answer.message}\r\n`
  return `*${answer.length}\r\n${answer.map(encode).join('')}`
}

type Subscribers = Map<string, Set<SimulatedSocket>>

export class RedisServer {
  readonly #network: Network
  readonly node: SimulatedNode
  #subscribers: Subscribers = new Map()
  #runs = 0
  #saved: ReturnType<Values['copy']> = new Map()
  store!: RedisStore
  /** it answers, and takes no writes */
  refusesSince = Infinity
  /** so many it was asked */
  commands = 0
  /** of what clients asked, while it is wanted */
  record: Recorded[] | undefined

  readonly #checkSha: string | undefined

  /** `checkSha`: of the script that checks health, which is run whole once */
  constructor(network: Network, node: SimulatedNode, checkSha?: string) {
    this.#network = network
    this.node = node
    this.#checkSha = checkSha
    this.start()
  }

  /** begins empty, or with an older copy */
  start(copy?: ReturnType<Values['copy']>) {
    const { node } = this
    this.#begin(copy)
    node.isDown = false
    this.refusesSince = Infinity
    this.#network.listen(node, (socket) => this.#accept(socket))
  }

  #begin(copy?: ReturnType<Values['copy']>) {
    const runId = (++this.#runs).toString(16).padStart(40, '0')
    const subscribers: Subscribers = new Map()
    this.#subscribers = subscribers
    this.store = new RedisStore({
      now: () => this.node.now(),
      runId,
      publish: (channel, message) => publish(subscribers, channel, message),
      checkSha: this.#checkSha,
    })
    if (copy) this.store.values.restore(copy)
    this.record?.push({ kind: 'restored', copy: this.store.values.copy() })
  }

  /** Its address leads to another server, which has all data. The old one is demoted, and keeps the connections that it has. */
  move() {
    if (this.node.isDown) return
    this.store.refusal = 'READONLY'
    this.refusesSince = Infinity
    this.#begin(this.store.values.copy())
  }

  /** the process ends; `isSilent`: with its machine, so that no connection is reset */
  kill(isSilent = false) {
    this.#network.dropAll(this.node, isSilent)
    this.#network.close(this.node)
    this.#network.simulation.kill(this.node)
  }

  refuse(refusal: Refusal | undefined) {
    this.store.refusal = refusal
    this.refusesSince = refusal ? this.#network.simulation.now : Infinity
  }

  /** what it kept some time ago, as it saves now and then */
  olderCopy(): ReturnType<Values['copy']> {
    return this.#saved
  }

  save() {
    if (this.node.isDown) return
    this.#saved = this.store.values.copy()
  }

  /** closes every connection, as a demotion does */
  disconnectAll() {
    this.#network.dropAll(this.node, false)
    this.#subscribers.clear()
  }

  #accept(socket: SimulatedSocket) {
    let rest = ''
    const [store, subscribers] = [this.store, this.#subscribers]
    const leave = () => {
      for (const listeners of subscribers.values()) listeners.delete(socket)
    }
    socket.on('error', leave)
    socket.on('close', leave)
    socket.onText = (piece) => {
      const text = rest + piece
      const known = parsedBefore.get(text)
      const { commands, used } = known ? { commands: known, used: text.length } : parse(text)
      if (!known && used === text.length && text.length < 512 && parsedBefore.size < mostParsed)
        parsedBefore.set(text, commands)
      rest = text.slice(used)
      let answers = ''
      for (const words of commands) answers += this.#answer(socket, words, store, subscribers)
      if (answers !== '') socket.writeBytes(answers)
    }
  }

  #answer(socket: SimulatedSocket, words: readonly string[], store: RedisStore, subscribers: Subscribers): string {
    const [name = '', ...rest] = words
    if (name === 'SUBSCRIBE') {
      const [channel = ''] = rest
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(socket))
      return encode(['subscribe', channel, 1])
    }
    this.commands++
    const answer = store.do(words)
    if (this.record && store === this.store) {
      const listeners = subscribers.values().next().value?.size ?? 0
      this.record.push({
        kind: 'command',
        at: this.node.now(),
        words,
        answer,
        refusal: store.refusal,
        listeners,
        runId: this.runId,
      })
    }
    return encode(answer)
  }

  get runId(): string {
    return this.#runs.toString(16).padStart(40, '0')
  }
}

function publish(subscribers: Subscribers, channel: string, message: string): number {
  const listeners = subscribers.get(channel)
  for (const socket of listeners ?? []) socket.writeBytes(encode(['message', channel, message]))
  return listeners?.size ?? 0
}
