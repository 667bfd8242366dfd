// Whatever goes wrong, an answer is what was asked for or one of the refusals that the documentation names, in our words and
// with the id of the request; never a failure of our own, never an empty success.
import { type ProblemCode, problems } from '../../../src/problem.ts'
import type { Told } from '../asking.ts'
import { type Checker, createFaults } from './checker.ts'

export interface Answers extends Checker {
  /** `whole`: whether a document that came with 200 is what it should be */
  answered(where: string, told: Told, whole?: (json: any) => boolean): void
  /** status or code -> how often; 0 where no answer came */
  readonly tally: () => ReadonlyMap<string, number>
}

/** what a reader can meet here who does nothing wrong; the rest is told where a test expects it */
export const expected: readonly ProblemCode[] = [
  ...(['key_rate_limited', 'upstream_rate_limited'] as const),
  ...(['upstream_unavailable', 'upstream_timeout', 'upstream_failed'] as const),
  ...(['store_unavailable', 'too_busy', 'stopping'] as const),
]
/** and with what was taken away */
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
