// The shipped balancer in front of stand-ins for replicas, and callers from several addresses.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type HaproxyOptions, type Replica, startHaproxy } from '../support/haproxy.ts'

/** accepts the self-signed certificate of the test */
export const trusting = { rejectUnauthorized: false }
export const [attacker, other] = ['127.0.0.2', '127.0.0.3']

interface StandIn extends Replica {
  /** requests received, without the balancer's own */
  readonly asked: () => number
}

export const slowly =
  (ms: number): RequestListener =>
  (_, res) =>
    void setTimeout(() => res.end('{}'), ms)

/** stands in for a replica: both endpoints at one port */
export async function standIn(
  t: TestContext,
  answer = slowly(0),
  check: () => number | undefined = () => 200,
): Promise<StandIn> {
  let asked = 0
  const server = createServer((req, res) => {
    if (/^\/(readyz|livez)$/.test(req.url ?? '')) {
      const status = check()
      return status === undefined ? undefined : void res.writeHead(status).end()
    }
    asked++
    return answer(req, res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, operatorPort: port, asked: () => asked }
}

export async function startScene(
  t: TestContext,
  { answer, changes }: { answer?: RequestListener } & Partial<HaproxyOptions>,
) {
  const replicas = [await standIn(t, answer), await standIn(t, answer)] as const
  return { haproxy: await startHaproxy(t, { replicas, ...(changes && { changes }) }), replicas }
}

export function get(port: number, from = other, path = '/', timeout = 4_000): Promise<number> {
  return new Promise((ok, no) => {
    const options = { host: '127.0.0.1', port, path, localAddress: from, agent: false, timeout, ...trusting }
    request(options, (res) => res.resume().on('end', () => ok(res.statusCode ?? 0)))
      .on('timeout', function (this: { destroy(error: Error): void }) {
        this.destroy(new Error('no answer'))
      })
      .on('error', no)
      .end()
  })
}

export const secure = (port: number, protocol = 'http/1.1') =>
  connectTls({
    socket: connect({ port, host: '127.0.0.1', localAddress: attacker }),
    ALPNProtocols: [protocol],
    ...trusting,
  })

/** opens idle sockets; returns those still open a moment later */
export async function holdSilent(t: TestContext, port: number, count: number, from = attacker): Promise<() => number> {
  const open = new Set<Socket>()
  t.after(() => open.forEach((socket) => socket.destroy()))
  const one = () =>
    new Promise<void>((done) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from }, done)
      open.add(socket)
      socket.on('error', () => done()).on('close', () => open.delete(socket))
    })
  for (let n = 0; n < count; n += 100) await Promise.all(Array.from({ length: Math.min(100, count - n) }, one))
  await sleep(300)
  return () => open.size
}
