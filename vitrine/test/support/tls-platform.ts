// A platform behind TLS with a certificate or handshake chosen by the test, until `heal` makes it a correct one.
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { type Identity, makeIdentity } from '../../../base/test/certificates.ts'
import { type RawPlatform, type RawScript, startRawPlatform } from './raw-platform.ts'

export const authority = makeIdentity({ name: 'Authority of tests' })
export const trusted = makeIdentity({ name: 'The platform', by: authority, host: '127.0.0.1' })

export interface TlsPlatform extends RawPlatform {
  /** bytes of requests received so far */
  readonly heard: () => number
  readonly heal: () => void
}

/** handles a new socket */
export type Handshake = (socket: Socket, ready: (socket: Socket) => void) => void

export const presentCertificate = ({ key, cert }: Identity, options: tls.TlsOptions = {}): Handshake => {
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

/** Trusts the certificate authority of these tests, until the returned function is called. */
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
    heal: () => void (handshake = presentCertificate(trusted)),
  })
}
