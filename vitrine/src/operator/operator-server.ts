// The operator endpoint: management over HTTP, on a port of its own. Joins framing, authentication, operations and pages.
import { type CountedRefusals, createCountedRefusals } from '../../../base/watch/counted-refusals.ts'
import type { OperatorTokens } from '../../../base/auth/operator-token.ts'
import { product } from '../product.ts'
import type { Proxies } from '../../../base/web/address.ts'
import { problemOf, reportFailure } from '../../../base/web/failure.ts'
import { checkRequest } from '../../../base/web/request-checks.ts'
import { createLockOut, type LockOut } from '../../../base/auth/rate-limits.ts'
import { answerPage, type FindPage, type PageRow } from '../../../base/web/pages.ts'
import { type Pages, probePaths, publicPages, referenceNames, Site } from '../pages/pages.ts'
import { createHttpServer, type HttpServer, type ServerOptions } from '../../../base/web/server.ts'
import { browserOf } from '../../../base/auth/browser.ts'
import { type Console, isVisit } from '../../../base/web/console-pages.ts'
import { openConsole } from './console-pages.ts'
import { answerOperation, type OperationParts, redirect } from './answer-operation.ts'
import { asOperatorProblem, auditRefusal } from './refused-audit.ts'
import {
  authenticate,
  beginRequest,
  type Guards,
  judgeToken,
  type OperatorAttempt,
  type OperatorRequest,
} from './authenticate.ts'
import type { StreamOptions } from '../../../base/web/event-stream.ts'
import { eventsOperation } from '../management/status-operations.ts'
import { createLiveUpdates, type LiveUpdates, type LiveUpdatesOptions } from '../management/live-updates.ts'
import { OperatorExchange, type OperatorExchangeParts } from './operator-exchange.ts'
import { base, type ManagementParts } from '../management/operation.ts'
import { operationsOf } from '../management/operations.ts'
import { createSessions, type SessionMemory, type Sessions, sessionsOf } from '../../../base/auth/sessions.ts'
import { createPageMap } from '../../../base/web/target.ts'

/** of the public endpoint; the reference is that of the operator's description */
const shared = new Set([...probePaths, '/errors', '/errors/:code', '/errors.md', ...referenceNames])
const description = '/openapi.json'

const findRow = createPageMap<PageRow<Site>>(
  publicPages.flatMap((row) => {
    if (row.name !== description) return shared.has(row.name) ? [row] : []
    return [{ ...row, path: base + description }]
  }),
)

/** finds the open page of a path; undefined where the path needs a token */
function createOpenPages(shown: Console = openConsole()) {
  const mistyped: PageRow<Site> = { name: 'unknown', find: shown.missing }
  return (exchange: OperatorExchange): ReturnType<FindPage<Site>> => {
    const { path } = exchange
    const { name, page } = shown.find(path) ?? {}
    if (name !== undefined && page) return { name, find: () => page }
    return findRow(path) ?? (isVisit(exchange.req) && !path.startsWith('/operator/') ? mistyped : undefined)
  }
}

const browserNames = { name: product.name, path: base }

export interface OperatorServerParts
  extends
    Omit<ManagementParts, 'sessions' | 'recogniseToken' | 'live' | 'operationsOf'>,
    Pages,
    ServerOptions,
    OperatorExchangeParts {
  /** absent: the built one */
  readonly console?: Console
  readonly tokens: Pick<OperatorTokens, 'authenticate' | 'authenticateToken' | 'isValid' | 'validTokens'>
  /** absent: sessions are not shared with replicas */
  readonly share?: ((own: SessionMemory, parts: Pick<OperatorServerParts, 'tokens' | 'now'>) => Sessions) | undefined
  readonly pace?: Partial<Pace> | undefined
}

/** `patienceMs` is longer than `beatMs`, or idle streams would be closed */
export type Pace = Omit<LiveUpdatesOptions, 'failed'> & StreamOptions
const pace: Pace = { tickMs: 2_000, beatMs: 15_000, patienceMs: 60_000, most: 20, mostOfOne: 4 }

const attemptOf = ({ method, path, from, req }: OperatorExchange, proxies: Proxies): OperatorAttempt => ({
  method,
  path,
  authorization: req.headers.authorization,
  from,
  browser: browserOf(req, proxies, browserNames),
})

/** refusals of one caller for one cause that get their own audit lines in a minute: as many as failures before a lock-out */
const mostRefusedApart = 10

function openLive(parts: OperatorServerParts): LiveUpdates {
  const failed = (error: unknown) => void reportFailure(error, eventsOperation.operationId, parts.observe)
  return createLiveUpdates(parts, { ...pace, ...parts.pace, failed })
}

const operationPartsOf = (parts: OperatorServerParts, guards: Guards, live: LiveUpdates): OperationParts => ({
  ...parts,
  operationsOf,
  sessions: guards.sessions,
  recogniseToken: (token, from) => judgeToken(token, from, guards),
  live: live.open,
  pace: { ...pace, ...parts.pace },
})

function openSessions({ tokens, now, share }: OperatorServerParts): Sessions {
  const memory = createSessions({ tokens, now })
  return share?.(memory, { tokens, now }) ?? sessionsOf(memory)
}

const countRepeated = ({ audit, now }: OperatorServerParts) =>
  createCountedRefusals({ write: (entry) => audit.append([entry]), now, apart: mostRefusedApart })

/** other origins may not embed anything of this endpoint either */
const unshared = ['cross-origin-resource-policy', 'same-origin'] as const

interface Refusing extends Pick<OperatorServerParts, 'audit' | 'now' | 'observe'> {
  readonly lockOut: LockOut
  readonly repeated: CountedRefusals
}

async function refuse(
  exchange: OperatorExchange,
  error: unknown,
  request: OperatorRequest | undefined,
  refusing: Refusing,
) {
  const problem = problemOf(error, exchange.id, refusing.observe)
  const kept = request ? await auditRefusal(problem, request, exchange.id, refusing) : problem
  const isPage = request?.operation?.answer === 'redirect' && exchange.req.headers.accept?.includes('text/html')
  if (!isPage) return exchange.refuse(asOperatorProblem(kept))
  // a person came by a link: the console says why
  exchange.record.code = kept.code
  if (typeof kept.extras.cause === 'string') exchange.record.reason = kept.extras.cause
  redirect(exchange, 303, `/?refused=${kept.code}`)
}

async function answerAuthenticated(
  exchange: OperatorExchange,
  parts: OperatorServerParts,
  guards: Guards & Refusing,
  operationParts: OperationParts,
) {
  let request: OperatorRequest | undefined
  try {
    checkRequest(exchange, parts.hosts)
    const attempt = attemptOf(exchange, parts.proxies)
    // from here on, refusals are audited
    request = beginRequest(attempt)
    await authenticate(request, attempt, guards)
    exchange.record.operation = request.operation?.operationId ?? 'unknown'
    await answerOperation(exchange, request, operationParts)
  } catch (error) {
    await refuse(exchange, error, request, guards)
  }
}

export function createOperatorServer(parts: OperatorServerParts): HttpServer {
  const { observe, now, tokens, audit, hosts, examinations } = parts
  const lockOut = createLockOut({ now })
  const repeated = countRepeated(parts)
  const sessions = openSessions(parts)
  const live = openLive(parts)
  const guards = { tokens, lockOut, sessions, repeated, audit, now, observe }
  const operationParts = operationPartsOf(parts, guards, live)
  const pageOf = createOpenPages(parts.console)
  const site = new Site(parts, { descriptionPath: base + description, inMarkdown: false })

  async function answer(exchange: OperatorExchange) {
    exchange.fields.push(...unshared)
    const page = pageOf(exchange)
    if (!page) return answerAuthenticated(exchange, parts, guards, operationParts)
    return answerPage(exchange, page, site, hosts).catch((error) => refuse(exchange, error, undefined, guards))
  }

  const server = createHttpServer(
    (req, res) => void answer(new OperatorExchange(req, res, parts)).catch(() => res.destroy()),
    parts,
    observe,
  )
  return {
    listen: server.listen,
    async drain(how) {
      // event streams and examinations do not end by themselves
      live.close()
      await Promise.all([examinations.close(), server.drain(how)])
      sessions.close()
      await repeated.close()
    },
  }
}
