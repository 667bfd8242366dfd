// Who comes to the operator's door, and for what: lock-out, token, path, method, in this order and no other.
// An outsider gets one answer whatever he asks, and nothing of his body is read.
import type { OperatorTokens } from '../../keys/operator-token.ts'
import { Problem } from '../../problem.ts'
import type { LockOut } from '../lock-out.ts'
import { idForms, type Operation } from './operation.ts'
import { findPath, methodsOf, operationFor } from './table.ts'

export interface Knock {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  /** the caller's address */
  readonly from: string
}

export interface Entry {
  who: string
  readonly from: string
  /** what was asked for, also where the answer is 401: the audit says so, the answer does not */
  readonly operation: Operation | undefined
  readonly id: string
  /** an id, where it has the form of one */
  target: string | null
  /** whether the token was right, and path and method are known */
  admitted: boolean
}

/** the id, where it has the form of one */
export function asTarget({ subject }: Operation, id: unknown): string | null {
  return subject !== undefined && typeof id === 'string' && idForms[subject].test(id) ? id : null
}

export function beginEntry({ path, method, from }: Knock): Entry {
  const found = findPath(path)
  const operation = found && operationFor(found, method)
  const id = found?.id ?? ''
  return { who: 'unknown', from, operation, id, target: operation ? asTarget(operation, id) : null, admitted: false }
}

function recognise({ authorization, from }: Knock, tokens: Pick<OperatorTokens, 'recognise'>, lockOut: LockOut) {
  const retryAfterSec = lockOut.waitOf(from)
  if (retryAfterSec > 0) throw new Problem('operator_locked_out', { retryAfterSec })
  try {
    return tokens.recognise(authorization)
  } catch (error) {
    if (authorization !== undefined) lockOut.failed(from)
    throw error
  }
}

/** fills in the entry, or throws a Problem */
export function admit(entry: Entry, knock: Knock, tokens: Pick<OperatorTokens, 'recognise'>, lockOut: LockOut) {
  entry.who = recognise(knock, tokens, lockOut).who
  const found = findPath(knock.path)
  if (!found) throw new Problem('route_not_found', { message: 'There is no such operation.' })
  if (!entry.operation) throw new Problem('operation_not_allowed', { details: { allowed: methodsOf(found) } })
  entry.admitted = true
}
