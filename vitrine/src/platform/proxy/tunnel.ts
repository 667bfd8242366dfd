// Opens a tunnel through an HTTP proxy with CONNECT. What comes back is a socket on which no byte was read yet, or an error
// that says what the proxy did.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { limits } from '../call/limits.ts'
import { ProxyError } from './proxy-error.ts'

export interface Proxy {
  readonly host: string
  readonly port: number
  /** whether it is reached over TLS */
  readonly secure: boolean
  /** the header of the credentials */
  readonly authorization: string | undefined
}

export interface TunnelOptions {
  readonly proxy: Proxy
  /** host:port */
  readonly target: string
  readonly lookup: LookupFunction
  /** of a proxy over TLS */
  readonly secureContext: SecureContext | undefined
}

const endOfHead = '\r\n\r\n'

function open({ proxy: { host, port, secure }, lookup, secureContext }: TunnelOptions): Socket {
  const where = { host, port, lookup, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
  if (!secure) return connect(where)
  const tls = { ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) }
  return connectTls({ ...where, ...tls, ...(secureContext && { secureContext }) })
}

function headOf({ proxy: { authorization }, target }: TunnelOptions): string {
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`]
  if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`)
  return `${lines.join('\r\n')}${endOfHead}`
}

function errorOfStatus(status: number): ProxyError {
  if (status === 407) return new ProxyError('proxy_sign_in', status)
  return new ProxyError(status >= 500 ? 'proxy_failed' : 'proxy_refused', status)
}

/** undefined: more bytes are needed */
function judge(bytes: Buffer): ProxyError | 'open' | undefined {
  const endAt = bytes.indexOf(endOfHead)
  const isHttp = /^HTTP\/1\.[01] [1-5]\d\d[ \r]/.test(bytes.toString('latin1', 0, 13))
  if (bytes.length >= 13 && !isHttp) return new ProxyError('proxy_malformed')
  if (endAt < 0 && bytes.length <= limits.headerBytes) return undefined
  if (endAt < 0 || endAt > limits.headerBytes) return new ProxyError('proxy_malformed', 'header')
  const status = Number(bytes.toString('latin1', 9, 12))
  if (!isHttp || status < 200) return new ProxyError('proxy_malformed')
  if (status > 299) return errorOfStatus(status)
  // the platform speaks second: bytes before our first are the proxy's own
  return endAt + endOfHead.length === bytes.length ? 'open' : new ProxyError('proxy_malformed', 'body')
}

const untrusted = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO)/

function errorOfSocket({ code = 'unknown' }: NodeJS.ErrnoException): ProxyError {
  return new ProxyError(untrusted.test(code) ? 'proxy_untrusted' : 'proxy_unreachable', code)
}

export function openTunnel(options: TunnelOptions, done: (error: ProxyError | undefined) => void): Socket {
  const socket = open(options)
  let bytes: Buffer = Buffer.alloc(0)
  let isDone = false
  const next = () => socket.read() as Buffer | null
  function settle(error?: ProxyError) {
    if (isDone) return
    isDone = true
    socket.off('readable', read)
    if (error) socket.destroy()
    done(error)
  }
  function read() {
    for (let part = next(); part && !isDone; part = next()) {
      bytes = Buffer.concat([bytes, part])
      const judged = judge(bytes)
      if (judged) settle(judged === 'open' ? undefined : judged)
    }
  }
  socket.once(options.proxy.secure ? 'secureConnect' : 'connect', () => {
    socket.on('readable', read)
    socket.write(headOf(options))
  })
  // stays: an error of a socket without a listener would end the process
  socket.on('error', (error) => settle(errorOfSocket(error)))
  socket.once('end', () => settle(new ProxyError('proxy_malformed', 'closed')))
  socket.once('close', () => settle(new ProxyError('proxy_unreachable', 'closed')))
  return socket
}
