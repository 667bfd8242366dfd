// What the operator's door refuses, as it is kept and as it is said. A refusal is in the audit before it is answered; what
// cannot be kept is answered with 503, so that nobody tries unseen.
import type { Observe } from '../../observe.ts'
import { Problem, type ProblemCode } from '../../problem.ts'
import type { CountedRefusals } from '../../counted-refusals.ts'
import type { AuditRecords, Deed } from '../../store/records.ts'
import { tellFailure } from '../framework.ts'
import { malformed, wrongType } from '../body.ts'
import type { Entry } from './entry.ts'
import type { LockOut } from '../lock-out.ts'

/** the failure of anything else than a check */
export function problemOf(error: unknown, requestId: string, observe: Observe): Problem {
  if (error instanceof Problem) return error
  const { statusCode } = error as { statusCode?: number }
  if (statusCode === 415) return malformed(wrongType)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('malformed_request')
  return tellFailure(error, requestId, observe)
}

/** the words of the public door that are not true here, and the member at fault before what is wrong with it */
export function inOurWords(problem: Problem): Problem {
  const { code, message, extras } = problem
  if (code === 'content_not_allowed')
    return new Problem(code, { message: 'The request has content, and this operation takes none: send no body.' })
  if (code === 'member_invalid' && extras.param !== undefined)
    return new Problem(code, { ...extras, message: `${extras.param}: ${message}` })
  return problem
}

const knocking = 'operator.enter'

/** of somebody who guesses nothing, and could bring them about without end */
const cheap: ReadonlySet<ProblemCode> = new Set([
  ...(['operator_token_missing', 'session_missing', 'session_ended', 'session_unknown'] as const),
  ...(['origin_not_allowed', 'csrf_missing'] as const),
])

function isKept({ code, row }: Problem, { operation, from, admitted }: Entry, lockOut: LockOut): boolean {
  // a browser that looks for an icon did not try to act, nor did a page that was left open overnight
  if (cheap.has(code)) return operation !== undefined && !operation.watches && lockOut.isAmongFirst(from)
  // once for each lock-out, and not for all that is tried meanwhile: else it would fill the disk
  if (code === 'operator_locked_out') return lockOut.tell(from)
  if (row.status === 401) return true
  if (operation?.opens) return lockOut.isAmongFirst(from)
  return admitted && operation?.method !== 'GET' && operation?.looks !== true
}

interface Keeping {
  readonly audit: Pick<AuditRecords, 'append'>
  readonly lockOut: LockOut
  /** those that one caller repeats in the same minute */
  readonly repeated: Pick<CountedRefusals, 'counts'>
  readonly now: () => number
}

/** the problem to answer with: this one, once it is kept */
export async function keepDenial(
  problem: Problem,
  entry: Entry,
  requestId: string,
  { audit, lockOut, repeated, now }: Keeping,
): Promise<Problem> {
  if (!isKept(problem, entry, lockOut)) return problem
  const { who, from, operation, target } = entry
  const act = operation?.act ?? knocking
  const deed: Deed = {
    ...{ at: now(), who, from, requestId, act, target, outcome: 'denied', details: { code: problem.code } },
  }
  if (repeated.counts(deed)) return problem
  try {
    await audit.append([deed])
    return problem
  } catch (error) {
    if (error instanceof Problem) return error
    return new Problem('store_unavailable', { cause: 'a refusal could not be written to the audit' })
  }
}
