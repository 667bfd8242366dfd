// The proxy on streams, as a program in a container sees it, with names of the test's own.
import { duplexPair, type Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { createAddressRule } from '../../src/egress/addresses.ts'
import { createConnect, type Resolve } from '../../src/egress/destination.ts'
import { createConnectionCount } from '../../src/egress/connection-count.ts'
import { createProxy } from '../../src/egress/proxy.ts'
import type { Vault } from '../../src/egress/vault.ts'
import type { Event } from '../../src/events.ts'

export interface ProxyRigOptions {
  readonly hosts?: readonly string[]
  readonly operatorHosts?: readonly string[]
  readonly ports: readonly number[]
  readonly resolve?: Resolve
  readonly openNetworks?: readonly string[]
  readonly ofAccount?: number
  readonly roots?: readonly string[]
}

export interface ProxyRigSecrets {
  readonly secretHosts?: readonly string[]
  readonly vault?: Vault
}

export function openProxy(t: TestContext, options: ProxyRigOptions) {
  const { hosts = ['api.example.com'], operatorHosts = ['*'], ports, ofAccount = 100, roots = [] } = options
  const { resolve = async () => ['127.0.0.1'], openNetworks = ['127.0.0.0/8'] } = options
  const events: Event[] = []
  const connect = createConnect(resolve, createAddressRule(openNetworks))
  const connections = createConnectionCount(ofAccount, 1_000)
  const proxy = createProxy({ connect, connections, roots, observe: (event) => events.push(event) })
  t.after(() => proxy.close())
  const permit = { hosts, operatorHosts, ports }
  return {
    connections,
    outcomes: () => events.flatMap((event) => (event.kind === 'egress_connected' ? [event.outcome] : [])),
    bytes: () => events.flatMap((event) => (event.kind === 'egress_closed' ? [[event.sent, event.received]] : [])),
    close: () => proxy.close(),
    /** a connection of a program */
    connect(account = 'acc_1', { secretHosts = [], vault }: ProxyRigSecrets = {}): Duplex {
      const [program, service] = duplexPair()
      proxy.serve(service, { account, permit, secretHosts, vault })
      // as the relay does, which resets the connection
      program.once('close', () => service.destroy())
      t.after(() => program.destroy())
      return program
    },
  }
}

export type ProxyRig = ReturnType<typeof openProxy>

/** all that comes until the end, or until `isEnough` */
export async function readUntil(stream: Duplex, isEnough: (text: string) => boolean = () => false): Promise<string> {
  let text = ''
  stream.on('error', () => {})
  for (;;) {
    const piece = stream.read() as Buffer | null
    if (piece) text += piece.toString('latin1')
    if (isEnough(text) || stream.readableEnded || stream.destroyed) return text
    if (!piece)
      await new Promise<void>((ok) => {
        const go = () => {
          for (const name of ['readable', 'end', 'close']) stream.off(name, go)
          ok()
        }
        for (const name of ['readable', 'end', 'close']) stream.on(name, go)
      })
  }
}

/** sends these bytes and answers all that comes back */
export async function ask(rig: ProxyRig, bytes: string, isEnough?: (text: string) => boolean): Promise<string> {
  const program = rig.connect()
  program.write(bytes, 'latin1')
  return readUntil(program, isEnough)
}

export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)

/** the tunnel, once the proxy has said that it stands */
export async function openTunnel(rig: ProxyRig, authority: string, secrets?: ProxyRigSecrets): Promise<Duplex> {
  const program = rig.connect('acc_1', secrets)
  program.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const said = await readUntil(program, (text) => text.includes('\r\n\r\n'))
  if (statusOf(said) !== 200) throw new Error(said)
  return program
}
