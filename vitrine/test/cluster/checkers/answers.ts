// During every fault, an answer is the requested document or one of the documented refusals, in our own format and with the
// request id; never an internal failure, never an empty success.
import { type ProblemCode, problems } from '../../../src/problems.ts'
import type { Told } from '../request.ts'
import { type Checker, createFaults } from './checker.ts'

export interface Answers extends Checker {
  /** `whole`: whether the document of a 200 is the expected one */
  answered(where: string, told: Told, whole?: (json: any) => boolean): void
  /** status or code -> count; 0 means no answer */
  readonly tally: () => ReadonlyMap<string, number>
}

/** what a correct reader may get; other codes are listed where a test expects them */
export const expected: readonly ProblemCode[] = [
  ...(['key_rate_limited', 'upstream_rate_limited'] as const),
  ...(['upstream_unavailable', 'upstream_timeout', 'upstream_failed'] as const),
  ...(['store_unavailable', 'too_busy', 'stopping'] as const),
]
/** codes after a key or a connection was removed */
export const ended: readonly ProblemCode[] = ['key_invalid', 'connection_not_found']

function envelopeFault({ status, headers, json }: Told, allowed: ReadonlySet<string>): string | undefined {
  const { type, code, message, requestId, retryable } = json?.error ?? {}
  const row = problems[code as ProblemCode]
  if (!row) return 'not our envelope'
  if (!allowed.has(code)) return `${code} is none of the refusals that may come`
  if (row.status !== status || row.type !== type) return `${type} ${code} with ${status}`
  if (typeof message !== 'string' || message === '' || typeof retryable !== 'boolean') return 'an envelope with holes'
  if (requestId !== headers['x-request-id'] || requestId === undefined) return 'another request id'
  return undefined
}

export function createAnswers(codes: readonly ProblemCode[] = [...expected, ...ended]): Answers {
  const faults = createFaults()
  const allowed = new Set<string>(codes)
  const tally = new Map<string, number>()
  return {
    promise: 'every answer is good, or a refusal that is documented, in our words',
    answered(where, told, whole = (json) => json !== undefined) {
      const { status, json, text } = told
      const isSuccess = status >= 200 && status < 300
      const name = isSuccess || status === 0 ? String(status) : `${status} ${json?.error?.code ?? '?'}`
      tally.set(name, (tally.get(name) ?? 0) + 1)
      if (status === 0) return
      const fault = isSuccess ? (whole(json) ? undefined : 'not what was asked for') : envelopeFault(told, allowed)
      if (fault !== undefined) faults.add(`${where}: ${status}, ${fault}: ${text.slice(0, 300)}`)
    },
    tally: () => tally,
    faults: faults.all,
  }
}
