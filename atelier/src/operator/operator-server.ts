// The operator endpoint: an address of its own, which shows the metrics to who has the operator's token.
import { createLockOut, type LockOut } from '../../../base/auth/rate-limits.ts'
import { createOperatorTokens, type OperatorTokens } from '../../../base/auth/operator-token.ts'
import { type Address, isLoopback } from '../../../base/core/setting-values.ts'
import type { Proxies } from '../../../base/web/address.ts'
import { problemOf } from '../../../base/web/failure.ts'
import { checkRequest, createHosts, hasContent } from '../../../base/web/request-checks.ts'
import { createHttpServer, type HttpServer } from '../../../base/web/server.ts'
import { ApiExchange } from '../api/exchange.ts'
import type { Observe } from '../events.ts'
import { Problem, refuse } from '../problems.ts'
import { product } from '../product.ts'
import type { Settings } from '../settings.ts'

const connectionsPerAddress = 100
const textType = 'text/plain; version=0.0.4; charset=utf-8'

export const metricsPath = '/metrics'
export const metricsOperation = 'readMetrics'

export interface TokenSource {
  readonly fixed?: string | undefined
  /** of the setting, with an absolute path */
  readonly file?: string | undefined
  readonly observe: Observe
}

/** refuses an address that the network reaches where no token is set */
export function openTokens(listen: Address, { fixed, file, observe }: TokenSource): OperatorTokens {
  const given = { ...(fixed !== undefined && { fixed }), ...(file !== undefined && { file }) }
  const tokens = createOperatorTokens({ product, ...given, observe })
  if (!isLoopback(listen) && !tokens.isConfigured)
    throw new Error(
      `operatorListen: ${listen.host} can be reached from the network, and no token is set. Set ATELIER_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback.`,
    )
  return tokens
}

export interface OperatorParts extends Pick<Settings, 'operatorListen'> {
  readonly tokens: OperatorTokens
  readonly metrics: () => Promise<string>
  readonly proxies: Proxies
  readonly observe: Observe
  readonly isStopping: () => boolean
  readonly now: () => number
}

/** A right token passes while its network is locked out; the lock-out bounds what is logged. */
function checkToken({ req, from }: ApiExchange, tokens: OperatorTokens, lockOut: LockOut) {
  const { authorization } = req.headers
  try {
    tokens.authenticate(authorization)
  } catch (error) {
    // a missing token is not a guess
    if (authorization === undefined) throw error
    const retryAfterSec = lockOut.waitOf(from)
    if (retryAfterSec > 0) throw new Problem('operator_locked_out', { retryAfterSec })
    lockOut.failed(from)
    throw error
  }
}

export function createOperatorServer(parts: OperatorParts): HttpServer {
  const { operatorListen, tokens, metrics, proxies, observe, now } = parts
  const lockOut = createLockOut({ now })
  // against names that lead a browser here
  const hosts = operatorListen !== 'off' && isLoopback(operatorListen) ? createHosts(undefined) : undefined

  async function answer(exchange: ApiExchange) {
    checkRequest(exchange, hosts)
    checkToken(exchange, tokens, lockOut)
    if (exchange.path !== metricsPath) throw new Problem('not_found')
    if (!exchange.isReading) throw refuse('method_not_allowed', { allowed: ['GET', 'HEAD'] })
    exchange.record.operation = metricsOperation
    if (hasContent(exchange.req)) throw new Problem('content_not_allowed')
    if (exchange.query !== '') throw new Problem('unknown_parameter')
    exchange.send(200, await metrics(), undefined, textType)
  }

  return createHttpServer(
    (req, res) => {
      const exchange = new ApiExchange(req, res, parts)
      answer(exchange).catch((error: unknown) => exchange.refuse(problemOf(error, exchange.id, observe)))
    },
    { proxies, hosts, connectionsPerAddress },
    observe,
  )
}
