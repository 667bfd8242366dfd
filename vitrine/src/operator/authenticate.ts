// Authenticates a request to the operator endpoint: token or session, then path, then method, always in this order.
// Without a valid one every request gets the same answer and its body is not read, except at sign-in.
import type { OperatorTokens, RecognisedToken } from '../../../base/auth/operator-token.ts'
import { Problem } from '../problems.ts'
import type { LockOut } from '../../../base/auth/rate-limits.ts'
import type { Browser } from '../../../base/auth/browser.ts'
import { accepts, isOpen } from '../../../base/operations/operation.ts'
import { type ManagementOperation, subjects } from '../management/operation.ts'
import { isCsrf, type Session, type Sessions } from '../../../base/auth/sessions.ts'
import { mayDo, neededRole, roleOf } from '../management/roles.ts'
import { findOperation } from '../management/operations.ts'

export interface OperatorAttempt {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  /** the caller's address */
  readonly from: string
  readonly browser: Browser
}

export type OperatorRequest = ReturnType<typeof beginRequest>

export interface Guards {
  readonly tokens: Pick<OperatorTokens, 'authenticate' | 'authenticateToken' | 'isValid'>
  readonly sessions: Sessions
  readonly lockOut: LockOut
}

/** undefined ids and those of another form become null */
export function asTarget({ subject }: ManagementOperation, id: unknown): string | null {
  return subject !== undefined && typeof id === 'string' && subjects[subject].idForm.test(id) ? id : null
}

export function beginRequest({ path, method, from, browser }: OperatorAttempt) {
  const { operation, id = '' } = findOperation(path, method) ?? {}
  return {
    who: 'unknown',
    from,
    /** also known where the answer is 401: it goes into the audit log, never into the answer */
    operation,
    id,
    /** the id, if it has the form of one */
    target: operation ? asTarget(operation, id) : null,
    browser,
    session: undefined as Session | undefined,
    /** whether the token or session is still valid */
    isStillValid: (): boolean | Promise<boolean> => false,
    /** authenticated, and its path and method are known */
    admitted: false,
  }
}

/**
 * A valid token passes while its network is locked out, or any program on the machine could lock the operator out. Guessing
 * 128 bits is hopeless; the lock-out only bounds what is logged. Synchronous, so that parallel guesses are all counted.
 */
function countFailures(from: string, { lockOut }: Guards, recognise: () => RecognisedToken): RecognisedToken {
  try {
    return recognise()
  } catch (error) {
    const retryAfterSec = lockOut.waitOf(from)
    if (retryAfterSec > 0) throw new Problem('operator_locked_out', { retryAfterSec })
    lockOut.failed(from)
    throw error
  }
}

/** the holder of this token, for a caller at this address */
export const judgeToken = (token: string, from: string, guards: Guards): RecognisedToken =>
  countFailures(from, guards, () => guards.tokens.authenticateToken(token))

function byToken(request: OperatorRequest, { authorization, from }: OperatorAttempt, guards: Guards) {
  const { who, digest } = countFailures(from, guards, () => guards.tokens.authenticate(authorization))
  request.who = who
  request.isStillValid = async () => guards.tokens.isValid(digest)
}

async function bySession(request: OperatorRequest, secret: string, { sessions }: Guards) {
  const { browser, operation } = request
  const session = await sessions.find(secret)
  if (typeof session === 'string') throw new Problem(session === 'ended' ? 'session_ended' : 'session_unknown')
  request.who = session.who
  request.session = session
  request.isStillValid = () => sessions.isLive(session)
  if (!operation?.withoutCsrf && !isCsrf(session, browser.csrf)) throw new Problem('csrf_missing')
}

/** The token is in the body. A session of the same browser ends when the new one begins. */
async function atSignIn(request: OperatorRequest, secret: string | undefined, { sessions }: Guards) {
  // the provider leads the browser here; its cookie is of this site alone, and is not sent
  if (request.operation?.answer === 'redirect') return
  request.browser.checkOrigin()
  const session = secret === undefined ? 'ended' : await sessions.find(secret)
  if (typeof session === 'object') request.session = session
}

async function identify(request: OperatorRequest, attempt: OperatorAttempt, guards: Guards) {
  const { operation, browser } = request
  // a token takes precedence over a session
  if (attempt.authorization !== undefined) byToken(request, attempt, guards)
  else {
    const secret = browser.readSecret()
    if (operation && isOpen(operation)) return atSignIn(request, secret, guards)
    if (secret !== undefined) {
      browser.checkOrigin()
      return bySession(request, secret, guards)
    }
    // a missing token is not a guess
    if (accepts(operation ?? {}, 'token')) throw new Problem('operator_token_missing')
  }
  if (!accepts(operation ?? {}, 'token')) throw new Problem('session_missing')
}

/** completes the request, or throws a Problem */
export async function authenticate(request: OperatorRequest, attempt: OperatorAttempt, guards: Guards) {
  await identify(request, attempt, guards)
  const found = findOperation(attempt.path, attempt.method)
  if (!found) throw new Problem('route_not_found', { message: 'There is no such operation.' })
  if (!request.operation) throw new Problem('operation_not_allowed', { details: { allowed: found.allowed } })
  request.admitted = true
  const role = roleOf(request.session)
  const needed = neededRole(request.operation)
  if (!mayDo(role, request.operation)) throw new Problem('role_insufficient', { details: { needed, role } })
  if (request.session && !request.operation.isPolling) await guards.sessions.touch(request.session)
}
