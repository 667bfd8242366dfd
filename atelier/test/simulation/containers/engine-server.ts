// The HTTP of the simulated engine: reads requests from connections, and writes what its routes answer.
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { SimulatedSocket } from '../../../../base/test/simulator/socket.ts'

export interface EngineRequest {
  readonly method: string
  /** without the version */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface EngineReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** how a request is answered; a connection of an engine that went away answers nothing */
export interface Answering {
  answer(reply: EngineReply): void
  /** the connection closes without an answer */
  close(): void
  /** begins an answer without an end; what is returned adds a line */
  stream(): (line: string) => void
}

export type Handle = (request: EngineRequest, answering: Answering) => void

function parseRequest(text: string): { request: EngineRequest; used: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...fields] = text.slice(0, headEnd).split('\r\n')
  const length = fields.find((field) => field.toLowerCase().startsWith('content-length:'))
  const used = headEnd + 4 + Number(length?.split(':')[1] ?? 0)
  if (text.length < used) return undefined
  const [method = '', target = ''] = first.split(' ')
  const [path = '', query] = target.split('?')
  const request = {
    method,
    path: decodeURIComponent(path.replace(/^\/v1\.41/, '')),
    query: new URLSearchParams(query),
    body: text.slice(headEnd + 4, used),
  }
  return { request, used }
}

function write(socket: SimulatedSocket, method: string, { status, body, headers = {} }: EngineReply) {
  const text = body === undefined || method === 'HEAD' ? '' : JSON.stringify(body)
  const fields = Object.entries({ ...headers, 'content-length': String(text.length) })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} Status\r\n${head}\r\n${text}`)
}

export class EngineServer {
  readonly #network: Network
  readonly #node: SimulatedNode
  readonly #handle: Handle
  readonly #sockets = new Set<SimulatedSocket>()
  /** requests so far */
  requests = 0

  constructor(network: Network, node: SimulatedNode, handle: Handle) {
    this.#network = network
    this.#node = node
    this.#handle = handle
  }

  listen() {
    this.#network.listen(this.#node, (socket) => this.#accept(socket))
  }

  #accept(socket: SimulatedSocket) {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    let text = ''
    socket.onText = (piece) => {
      text += piece
      const parsed = parseRequest(text)
      if (!parsed) return
      text = text.slice(parsed.used)
      this.requests++
      this.#handle(parsed.request, this.#answering(socket, parsed.request))
    }
  }

  #answering(socket: SimulatedSocket, { method }: EngineRequest): Answering {
    return {
      answer: (reply) => write(socket, method, reply),
      close: () => void socket.end(),
      stream() {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        return (line) => void socket.write(`${line.length.toString(16)}\r\n${line}\r\n`)
      },
    }
  }

  /** closes connections, busy or kept */
  closeAll() {
    for (const socket of this.#sockets) socket.end()
    this.#sockets.clear()
  }

  forgetAll() {
    this.#sockets.clear()
  }
}
