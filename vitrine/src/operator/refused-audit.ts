// Refusals of the operator endpoint. Each is in the audit log before it is answered; if it cannot be written, the answer is 503,
// so no attempt goes unseen.
import { Problem, type ProblemCode } from '../problems.ts'
import type { CountedRefusals } from '../../../base/watch/counted-refusals.ts'
import type { AuditRecords, AuditEntry } from '../../../base/core/audit.ts'
import type { OperatorRequest } from './authenticate.ts'
import { isOpen } from '../../../base/operations/operation.ts'
import type { LockOut } from '../../../base/auth/rate-limits.ts'

/** corrects messages of the public endpoint that do not hold here, and names the member at fault first */
export function asOperatorProblem(problem: Problem): Problem {
  const { code, message, extras } = problem
  if (code === 'content_not_allowed')
    return new Problem(code, { message: 'The request has content, and this operation takes none: send no body.' })
  if (code === 'member_invalid' && extras.param !== undefined)
    return new Problem(code, { ...extras, message: `${extras.param}: ${message}` })
  return problem
}

/** where no operation was found */
const unknownAct = 'operator.enter'

/** no guesses, and callers could cause them without end */
const cheap: ReadonlySet<ProblemCode> = new Set([
  ...(['operator_token_missing', 'session_missing', 'session_ended', 'session_unknown'] as const),
  ...(['origin_not_allowed', 'csrf_missing'] as const),
])

function isAudited({ code, row }: Problem, { operation, from, admitted }: OperatorRequest, lockOut: LockOut): boolean {
  // not a browser's request for an icon, nor a page that was left open
  if (cheap.has(code)) return operation !== undefined && !operation.isPolling && lockOut.isAmongFirst(from)
  // once for each lock-out: a line for each attempt would fill the disk
  if (code === 'operator_locked_out') return lockOut.tell(from)
  if (row.status === 401) return true
  if (operation && isOpen(operation)) return lockOut.isAmongFirst(from)
  if (!admitted || operation?.method === 'GET') return false
  return operation?.readOnly !== true || code === 'role_insufficient'
}

interface Auditing {
  readonly audit: Pick<AuditRecords, 'append'>
  readonly lockOut: LockOut
  /** counts those that a caller repeats in the same minute */
  readonly repeated: Pick<CountedRefusals, 'counts'>
  readonly now: () => number
}

/** returns the problem to answer with: this one, once it is written */
export async function auditRefusal(
  problem: Problem,
  request: OperatorRequest,
  requestId: string,
  { audit, lockOut, repeated, now }: Auditing,
): Promise<Problem> {
  if (!isAudited(problem, request, lockOut)) return problem
  const { who, from, operation, target } = request
  const act = operation?.act ?? unknownAct
  const details = { code: problem.code }
  const entry: AuditEntry = { at: now(), who, from, requestId, act, target, outcome: 'denied', details }
  if (repeated.counts(entry)) return problem
  try {
    await audit.append([entry])
    return problem
  } catch (error) {
    if (error instanceof Problem) return error
    return new Problem('store_unavailable', { cause: 'a refusal could not be written to the audit' })
  }
}
