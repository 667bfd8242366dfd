// The connector of undici's clients: straight to a host, or through the tunnel of a proxy, with TLS to that host in both cases.
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { buildConnector as BuildConnector, errors as UndiciErrors } from 'undici'
import { createAddressLookup } from '../call/address-lookup.ts'
import type { Outbound } from './outbound.ts'
import { ProxyError } from './proxy-error.ts'
import { openTunnel, type Proxy } from './tunnel.ts'

type Connector = ReturnType<typeof BuildConnector>
type Where = Parameters<Connector>[0]
type Done = Parameters<Connector>[1]

export interface ConnectorOptions {
  readonly connectMs: number
  readonly steady: () => number
  readonly outbound: Pick<Outbound, 'to'>
  /** makes the connector to hosts without a proxy */
  readonly straight: (trust: { secureContext?: SecureContext }) => Connector
}

interface Undici {
  readonly buildConnector: typeof BuildConnector
  readonly errors: typeof UndiciErrors
}

interface Attempt {
  readonly proxy: Proxy
  readonly where: Where
  readonly lookup: LookupFunction
  readonly secureContext: SecureContext | undefined
  /** TLS to the host over an open tunnel */
  readonly secure: Connector
  readonly connectMs: number
}

const targetOf = ({ hostname, port }: Where): string =>
  `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port || 443}`

/** one time limit for proxy, tunnel and TLS together */
function connectThrough({ errors }: Undici, attempt: Attempt, done: Done) {
  const { proxy, where, lookup, secureContext, secure, connectMs } = attempt
  let socket: Socket
  let isDone = false
  let isOpen = false
  const settle: Done = (...result) => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    done(...result)
  }
  const give = (error: Error) => {
    settle(error, null)
    socket.destroy()
  }
  const late = () => give(isOpen ? new errors.ConnectTimeoutError() : new ProxyError('proxy_timeout'))
  const timer = setTimeout(late, connectMs)
  const closed = () => give(Object.assign(new Error('the tunnel was closed'), { code: 'ECONNRESET' }))
  socket = openTunnel({ proxy, target: targetOf(where), lookup, secureContext }, (error) => {
    if (error) return settle(error, null)
    isOpen = true
    // a tunnel that closes within the handshake is no error of the TLS socket
    socket.once('close', closed)
    secure({ ...where, httpSocket: socket }, (failed, ready) => (ready ? settle(null, ready) : give(failed)))
  })
}

/** made anew when other authorities are trusted, so that no TLS session outlives its trust */
function perTrust(make: ConnectorOptions['straight']) {
  let made: { readonly context: SecureContext | undefined; readonly connect: Connector } | undefined
  return (context: SecureContext | undefined): Connector => {
    if (!made || made.context !== context) made = { context, connect: make(context ? { secureContext: context } : {}) }
    return made.connect
  }
}

export function createConnector(undici: Undici, options: ConnectorOptions) {
  const { connectMs, steady, outbound, straight } = options
  // a proxy is inside as a rule
  const lookup = createAddressLookup({ privateAddresses: true, steady })
  const direct = perTrust(straight)
  const secured = perTrust((trust) => undici.buildConnector({ timeout: 0, allowH2: false, ...trust }))
  return (where: Where, done: Done) => {
    const { proxy, secureContext } = outbound.to(new URL(`${where.protocol}//${where.host ?? where.hostname}`))
    if (!proxy) return direct(secureContext)(where, done)
    const secure = secured(secureContext)
    return connectThrough(undici, { proxy, where, lookup, secureContext, secure, connectMs }, done)
  }
}
