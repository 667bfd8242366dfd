// The terminals of the service: how many an account and a container may have, what ends them, and their end when the service stops.
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { KeyHolders, LivingOf } from '../accounts/key-holders.ts'
import type { Counter } from '../api/counters.ts'
import type { ApiExchange } from '../api/exchange.ts'
import type { Identity } from '../api/route.ts'
import { Problem } from '../problems.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import { readHandshake } from './handshake.ts'
import { Terminal, type TerminalParts, type TerminalWish } from './terminal.ts'

const mostOfContainer = 4
const mostOfAccount = 16
const usualPingMs = 15_000
/** of a message: larger pieces of input come in several */
const mostMessageBytes = 64 * 1024

/** the types leave `closeTimeout` out: how long the closing handshake may take */
const options: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: mostMessageBytes,
  maxFragments: 1_024,
  closeTimeout: 1_000,
}

export interface TerminalsParts extends Pick<TerminalParts, 'engine' | 'containers' | 'commands' | 'observe'> {
  readonly keyHolders: Pick<KeyHolders, 'hold'>
  readonly livingOf: LivingOf
  readonly counter: Counter
  readonly pingMs?: number
}

export interface TerminalRequest {
  readonly caller: Identity
  readonly record: ContainerRecord
  readonly wish: TerminalWish
  readonly exchange: ApiExchange
}

export interface Terminals {
  /** throws what refuses it; afterwards the socket is a WebSocket, or closed */
  open(request: TerminalRequest): Promise<void>
  /** resolves when every shell has ended */
  close(): Promise<void>
}

function takePlaces({ id, account }: ContainerRecord, counter: Counter): (() => void)[] {
  const inContainer = counter.take(`terminal ${id}`, mostOfContainer, 'terminal_limit')
  try {
    return [inContainer, counter.take(`terminals ${account}`, mostOfAccount, 'terminal_limit')]
  } catch (error) {
    inContainer()
    throw error
  }
}

type Ending = 'key_ended' | 'container_ended'

/** Holds the places of a terminal and what may end it, until `release`. */
class Hold {
  readonly #releases: (() => void)[]
  #ended: Ending | undefined
  #terminal: Terminal | undefined

  constructor(holder: string, record: ContainerRecord, { counter, containers, keyHolders }: TerminalsParts) {
    this.#releases = takePlaces(record, counter)
    this.#releases.push(
      containers.work.begin(record.id, () => this.#end('container_ended')),
      keyHolders.hold(holder, () => this.#end('key_ended')),
    )
  }

  begin(terminal: Terminal) {
    this.#terminal = terminal
    if (this.#ended) terminal.end(this.#ended)
  }

  release() {
    for (const one of this.#releases.splice(0)) one()
  }

  #end(reason: Ending) {
    this.#ended ??= reason
    this.#terminal?.end(reason)
  }
}

export function createTerminals(parts: TerminalsParts): Terminals {
  const { containers, livingOf, observe, pingMs = usualPingMs } = parts
  const open = new Set<Terminal>()
  const server = new WebSocketServer(options)

  function begin(ws: WebSocket, { caller, record, wish, exchange }: TerminalRequest, hold: Hold) {
    const { id: requestId, from } = exchange
    const { keyId, account: accountId } = caller
    const beganAt = performance.now()
    const whose = { requestId, containerId: record.id, accountId, ...(keyId !== undefined && { keyId }), from }
    observe({ kind: 'terminal_opened', ...whose })
    ws.once('close', (code) =>
      observe({ kind: 'terminal_closed', requestId, code, durationMs: Math.round(performance.now() - beganAt) }),
    )
    const terminal = new Terminal(ws, { ...parts, record, requestId, wish, pingMs })
    open.add(terminal)
    void terminal.ended.then(() => open.delete(terminal))
    hold.begin(terminal)
  }

  /** the socket is a WebSocket, or closed */
  function accept(request: TerminalRequest, hold: Hold) {
    const { exchange } = request
    const { req, record } = exchange
    const take = readHandshake(exchange)
    record.upgraded = true
    const taken = take()
    if (!taken) return hold.release()
    taken.socket.setKeepAlive(true)
    taken.socket.once('close', () => hold.release())
    // the service speaks none, and the library would refuse some by itself
    delete req.headers['sec-websocket-protocol']
    server.handleUpgrade(req, taken.socket, taken.head, (ws) => begin(ws, request, hold))
  }

  return {
    async open(request) {
      const { caller, record } = request
      const holder = caller.keyId ?? caller.session?.id ?? ''
      const hold = new Hold(holder, record, parts)
      try {
        // first held, then looked at: no end is missed in between
        const [living] = await Promise.all([livingOf([holder]), containers.running(record.account, record.id)])
        if (!living.has(holder)) throw new Problem(caller.keyId === undefined ? 'session_required' : 'unauthorized')
        accept(request, hold)
      } catch (error) {
        hold.release()
        throw error
      }
    },
    async close() {
      const all = [...open]
      for (const one of all) one.end('stopping')
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
