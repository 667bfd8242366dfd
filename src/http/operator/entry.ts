// Who comes to the operator's door, and for what: token or session, path, method, in this order and no other.
// An outsider gets one answer whatever he asks, and nothing of his body is read, but of the one request that holds a token.
import type { OperatorTokens, Recognised } from '../../keys/operator-token.ts'
import { Problem } from '../../problem.ts'
import type { LockOut } from '../lock-out.ts'
import type { Browser } from './browser.ts'
import { idForms, type Operation } from './operation.ts'
import { isCsrf, type Session, type Sessions } from './sessions.ts'
import { findPath, methodsOf, operationFor } from './table.ts'

export interface Knock {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  /** the caller's address */
  readonly from: string
  readonly browser: Browser
}

export interface Entry {
  who: string
  readonly from: string
  /** what was asked for, also where the answer is 401: the audit says so, the answer does not */
  readonly operation: Operation | undefined
  readonly id: string
  /** an id, where it has the form of one */
  target: string | null
  readonly browser: Browser
  session: Session | undefined
  isLetIn: () => boolean | Promise<boolean>
  /** whether the token was right, or the session, or none is needed, and path and method are known */
  admitted: boolean
}

export interface Guards {
  readonly tokens: Pick<OperatorTokens, 'recognise' | 'judge' | 'holds'>
  readonly sessions: Sessions
  readonly lockOut: LockOut
}

/** the id, where it has the form of one */
export function asTarget({ subject }: Operation, id: unknown): string | null {
  return subject !== undefined && typeof id === 'string' && idForms[subject].test(id) ? id : null
}

export function beginEntry({ path, method, from, browser }: Knock): Entry {
  const found = findPath(path)
  const operation = found && operationFor(found, method)
  const id = found?.id ?? ''
  const target = operation ? asTarget(operation, id) : null
  return {
    ...{ who: 'unknown', from, operation, id, target, browser },
    ...{ session: undefined, isLetIn: async () => false, admitted: false },
  }
}

/**
 * The right token is let in while its network is locked out: else anybody on the machine, or a page in its browser, could
 * shut the operator out. A token has 128 bits at least, so to hear more guesses helps nobody who guesses; the lock-out
 * bounds what is written of them. Looked at and counted in one go, so that many that come at once are all counted.
 */
function heed(from: string, { lockOut }: Guards, recognise: () => Recognised): Recognised {
  try {
    return recognise()
  } catch (error) {
    const retryAfterSec = lockOut.waitOf(from)
    if (retryAfterSec > 0) throw new Problem('operator_locked_out', { retryAfterSec })
    lockOut.failed(from)
    throw error
  }
}

/** who holds this token, asked from this address */
export const judge = (token: string, from: string, guards: Guards): Recognised =>
  heed(from, guards, () => guards.tokens.judge(token))

function enterByToken(entry: Entry, { authorization, from }: Knock, guards: Guards) {
  const { who, digest } = heed(from, guards, () => guards.tokens.recognise(authorization))
  entry.who = who
  entry.isLetIn = async () => guards.tokens.holds(digest)
}

async function enterBySession(entry: Entry, secret: string, { sessions }: Guards) {
  const { browser, operation } = entry
  const session = await sessions.find(secret)
  if (typeof session === 'string') throw new Problem(session === 'ended' ? 'session_ended' : 'session_unknown')
  entry.who = session.who
  entry.session = session
  entry.isLetIn = () => sessions.isLive(session)
  if (!operation?.withoutCsrf && !isCsrf(session, browser.csrf)) throw new Problem('csrf_missing')
}

/** whose token is in his body: a session that he has may end with this one */
async function enterToSignIn(entry: Entry, secret: string | undefined, { sessions }: Guards) {
  entry.browser.checkOrigin()
  const session = secret === undefined ? 'ended' : await sessions.find(secret)
  if (typeof session === 'object') entry.session = session
}

async function enter(entry: Entry, knock: Knock, guards: Guards) {
  const { operation, browser } = entry
  // a token that is given decides alone
  if (knock.authorization !== undefined) enterByToken(entry, knock, guards)
  else {
    const secret = browser.readSecret()
    if (operation?.opens) return enterToSignIn(entry, secret, guards)
    if (secret !== undefined) {
      browser.checkOrigin()
      return enterBySession(entry, secret, guards)
    }
    // who brings nothing guesses nothing
    if (!operation?.ofSession) throw new Problem('operator_token_missing')
  }
  if (operation?.ofSession) throw new Problem('session_missing')
}

/** fills in the entry, or throws a Problem */
export async function admit(entry: Entry, knock: Knock, guards: Guards) {
  await enter(entry, knock, guards)
  const found = findPath(knock.path)
  if (!found) throw new Problem('route_not_found', { message: 'There is no such operation.' })
  if (!entry.operation) throw new Problem('operation_not_allowed', { details: { allowed: methodsOf(found) } })
  entry.admitted = true
  if (entry.session && !entry.operation.watches) await guards.sessions.stir(entry.session)
}
