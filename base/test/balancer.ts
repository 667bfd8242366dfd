// A minimal TCP balancer: sockets go in turn to the backends that report ready, and it does not read what is sent on them.
// If a backend refuses the connection, the next one is tried. An open socket is never cut.
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Backend {
  readonly host: string
  readonly port: number
}

export interface BalancerOptions {
  readonly backends: readonly Backend[]
  readonly healthPath?: string
  readonly everyMs?: number
  /** a backend that does not answer for this long is not ready */
  readonly patienceMs?: number
  /** any free port if it is left out */
  readonly port?: number
}

export interface BackendState extends Backend {
  /** whether it gets new sockets */
  readonly up: boolean
  /** the result of its last health check: 200, another status with its error code, or the code of a socket error */
  readonly said: number | string | undefined
  /** its open sockets, and how many it was given in all */
  readonly open: number
  readonly given: number
}

export interface Balancer {
  readonly url: string
  readonly port: number
  add(backend: Backend): void
  /** gives it no further socket; open ones continue */
  remove(backend: Backend): void
  states(): readonly BackendState[]
  /** each time a backend was found not ready, with the reason */
  downs(): readonly Pick<BackendState, 'port' | 'said'>[]
  /** sockets for which there was no backend */
  turnedAway(): number
  close(): Promise<void>
}

interface Known extends Backend {
  up: boolean
  said: number | string | undefined
  open: number
  given: number
}

function ask({ host, port }: Backend, path: string, patienceMs: number): Promise<number | string> {
  return new Promise((settle) => {
    const signal = AbortSignal.timeout(patienceMs)
    const asking = request({ host, port, path, agent: false, signal }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString()))
      answer.on('error', () => settle('cut'))
      answer.on('end', () => {
        const [, code] = /"code":"(\w+)"/.exec(text) ?? []
        settle(answer.statusCode === 200 ? 200 : `${answer.statusCode} ${code}`)
      })
    })
    asking.on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.name))
    asking.end()
  })
}

/** a connected socket, or undefined if no backend accepts it */
function reach({ host, port }: Backend): Promise<Socket | undefined> {
  return new Promise((settle) => {
    const far = connect({ host, port, allowHalfOpen: true, noDelay: true })
    far.once('error', () => settle(undefined))
    far.once('connect', () => settle(far))
  })
}

function join(near: Socket, far: Socket) {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.resetAndDestroy())
    // the pipe passes an end on; a lost connection has no end
    one.on('close', () => (one.readableEnded && one.writableFinished) || other.destroy())
    one.pipe(other)
  }
}

function createRing() {
  const all: Known[] = []
  const isSame = (one: Backend, { host, port }: Backend) => one.host === host && one.port === port
  let turn = 0
  return {
    all,
    add(backend: Backend) {
      if (all.some((one) => isSame(one, backend))) return
      all.push({ ...backend, up: false, said: undefined, open: 0, given: 0 })
    },
    remove(backend: Backend) {
      const at = all.findIndex((one) => isSame(one, backend))
      if (at >= 0) all.splice(at, 1)
    },
    /** the ready backends, starting with another one each time */
    inTurn(): readonly Known[] {
      const up = all.filter((one) => one.up)
      const first = turn++ % Math.max(1, up.length)
      return [...up.slice(first), ...up.slice(0, first)]
    },
  }
}

const asked = new WeakSet<Known>()

interface Looking {
  readonly path: string
  readonly patienceMs: number
  readonly down: () => void
}

async function look(one: Known, { path, patienceMs, down }: Looking) {
  if (asked.has(one)) return
  asked.add(one)
  one.said = await ask(one, path, patienceMs)
  if (one.up && one.said !== 200) down()
  one.up = one.said === 200
  asked.delete(one)
}

export async function startBalancer({ backends, everyMs = 100, patienceMs = 1_000, ...options }: BalancerOptions) {
  const { healthPath: path = '/readyz', port: at = 0 } = options
  const { all, add, remove, inTurn } = createRing()
  for (const backend of backends) add(backend)
  const sockets = new Set<Socket>()
  let turnedAway = 0
  const downs: Pick<BackendState, 'port' | 'said'>[] = []
  const note = ({ port: of, said }: Known) => void downs.push({ port: of, said })
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  async function serve(near: Socket) {
    keep(near)
    near.on('error', () => undefined)
    for (const backend of inTurn()) {
      const far = await reach(backend)
      if (!far) {
        if (backend.up) note({ ...backend, said: 'refused' })
        backend.up = false
        continue
      }
      if (near.destroyed) return void far.destroy()
      keep(far)
      backend.open++
      backend.given++
      far.once('close', () => backend.open--)
      return join(near, far)
    }
    turnedAway++
    near.resetAndDestroy()
    return undefined
  }

  // bytes of the caller stay in the socket until it is read
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (near) => void serve(near))
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const lookAtAll = () => Promise.all(all.map((one) => look(one, { path, patienceMs, down: () => note(one) })))
  await lookAtAll()
  const looking = setInterval(() => void lookAtAll(), everyMs)
  const { port } = server.address() as AddressInfo
  const balancer: Balancer = {
    url: `http://127.0.0.1:${port}`,
    port,
    add,
    remove,
    states: () => all.map((one) => ({ ...one })),
    downs: () => downs,
    turnedAway: () => turnedAway,
    async close() {
      clearInterval(looking)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return balancer
}
