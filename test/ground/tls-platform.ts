// A platform behind TLS, whose certificate or handshake a test chooses. Until it is healed it shows what the test wants.
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { type Identity, makeIdentity } from './certificates.ts'
import { type RawPlatform, type RawScript, startRawPlatform } from './raw-platform.ts'

export const authority = makeIdentity({ name: 'Authority of tests' })
export const trusted = makeIdentity({ name: 'The platform', by: authority, host: '127.0.0.1' })

export interface TlsPlatform extends RawPlatform {
  /** how many bytes of requests were ever read */
  readonly heard: () => number
  readonly heal: () => void
}

/** what becomes of a socket that wants to begin */
export type Handshake = (socket: Socket, ready: (socket: Socket) => void) => void

export const shows = ({ key, cert }: Identity, options: tls.TlsOptions = {}): Handshake => {
  const pem = key.export({ type: 'pkcs8', format: 'pem' })
  const server = tls.createServer({ key: pem, cert, ...options })
  let begin: ((socket: Socket) => void) | undefined
  server.on('secureConnection', (socket) => begin?.(socket))
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return (socket, ready) => {
    begin = ready
    server.emit('connection', socket)
  }
}

/** Trusts the authority of these tests; what is given back ends that. */
export function trustAuthority(): () => void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, authority.cert])
  return () => tls.setDefaultCACertificates(before)
}

export async function startTlsPlatform(sick: Handshake, script: RawScript): Promise<TlsPlatform> {
  let handshake = sick
  let heard = 0
  const platform = await startRawPlatform(script, {
    wrap: (socket, ready) =>
      handshake(socket, (secure) => {
        secure.on('data', (part) => (heard += part.length))
        ready(secure)
      }),
  })
  return Object.assign(platform, {
    url: platform.url.replace('http:', 'https:'),
    heard: () => heard,
    heal: () => void (handshake = shows(trusted)),
  })
}
