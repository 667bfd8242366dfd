// A host with a secret behind the proxy, and a program that speaks TLS to it as in a container.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { type Identity, makeIdentity } from '../../../base/test/certificates.ts'
import { makeVault, makePlaceholder } from '../../src/egress/vault.ts'
import { openProxy, openTunnel } from './proxy-rig.ts'

export const ca = makeIdentity({ name: 'test authority' })
export const value = 'sk-canary-5b1e7c'

export type Answer = (req: IncomingMessage, res: ServerResponse) => void

async function openApi(t: TestContext, identity: Identity, answer: Answer, echo?: Answer) {
  const asked: { headers: Record<string, unknown>; url: string; body: string }[] = []
  let secured = 0
  const server = createServer(
    { key: identity.key.export({ type: 'pkcs8', format: 'pem' }), cert: identity.cert },
    (req, res) => {
      if (echo) return echo(req, res)
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => parts.push(part))
      req.on('end', () => {
        asked.push({ headers: req.headers, url: req.url ?? '', body: Buffer.concat(parts).toString() })
        answer(req, res)
      })
    },
  )
  server.on('secureConnection', () => (secured += 1))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => (server.closeAllConnections(), server.close()))
  return { port: (server.address() as AddressInfo).port, asked, secured: () => secured }
}

interface SceneOptions {
  readonly identity?: Identity
  readonly answer?: Answer
  /** in place of `answer`, before the body of the request is read */
  readonly echo?: Answer
  readonly roots?: readonly string[]
  readonly hosts?: readonly string[]
}

export async function openScene(t: TestContext, options: SceneOptions = {}) {
  const { answer = (_, res) => res.end('fine'), roots = [ca.cert], hosts = ['api.example.com'] } = options
  const { identity = makeIdentity({ name: 'api', by: ca, host: 'api.example.com' }) } = options
  const api = await openApi(t, identity, answer, options.echo)
  const placeholder = makePlaceholder()
  const vault = makeVault({ API_KEY: { value, placeholder, hosts, header: 'authorization' } }, 'ct_1')
  const rig = openProxy(t, { ports: [api.port], roots, hosts: ['api.example.com', 'other.example.com'] })
  const secrets = { secretHosts: hosts, vault }
  const host = `api.example.com:${api.port}`
  /** TLS as a program in the container begins it */
  const secure = async (servername = 'api.example.com', trusted = vault.certificate) => {
    const socket = connectTls({ socket: await openTunnel(rig, host, secrets), servername, ca: trusted, ALPNProtocols: ['h2', 'http/1.1'] }) // prettier-ignore
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    return socket
  }
  return { api, rig, vault, placeholder, host, secrets, secure }
}
