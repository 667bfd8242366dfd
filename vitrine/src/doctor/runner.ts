// Runs checks: each has a time limit, is reported as soon as it ends, and is skipped if one that it needs has failed.
import { withDeadline } from '../../../base/core/abort.ts'
import { redact } from '../../../base/core/redact.ts'
import { type CheckId, checks, titleOf } from './checks.ts'
import { fail, type DoctorFinding, skip, type Verdict } from './finding.ts'

export type CheckFunction = (signal: AbortSignal) => Verdict | Promise<Verdict>

export interface CheckRunner {
  run(id: CheckId, check: CheckFunction, group?: string): Promise<void>
  /** a runner for the checks of one connection; failures so far count for it */
  forConnection(connection: string, report: RunnerOptions['report']): CheckRunner
}

export interface RunnerOptions {
  readonly report: (finding: DoctorFinding) => void
  /** takes the title of each check that starts */
  readonly started: (title: string) => void
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

interface RunState extends RunnerOptions {
  readonly connection?: string
  /** checks whose dependents are skipped, with the reason */
  readonly stopped: Map<string, string>
}

/** Messages of libraries may hold secrets, so all texts are redacted. */
function findingOf(id: string, verdict: Verdict, connection?: string, tookMs?: number): DoctorFinding {
  const { state, says, cause, cure } = verdict
  return {
    id,
    ...(connection !== undefined && { connection }),
    state,
    says: redact(says),
    ...(cause && { cause: redact(cause) }),
    ...(cure && { cure: redact(cure) }),
    ...(tookMs !== undefined && { tookMs }),
  }
}

type Limits = Pick<RunnerOptions, 'timeoutMs' | 'signal'>

async function runWithin(check: CheckFunction, { timeoutMs, signal: end }: Limits): Promise<Verdict> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(end ? [end] : [])])
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const ended = () => reject(end?.reason as Error)
  const late = () => fail(`The check did not end within ${timeoutMs / 1_000} seconds.`, { cure: 'Try again.' })
  end?.addEventListener('abort', ended)
  try {
    // the timer of AbortSignal.timeout does not keep the process alive
    return await withDeadline(Promise.race([aborted, check(signal)]), timeoutMs + 500, late)
  } catch (error) {
    end?.throwIfAborted()
    return fail('The check failed to run.', { cause: (error as Error).message })
  } finally {
    end?.removeEventListener('abort', ended)
  }
}

function noteFailure(stopped: RunState['stopped'], id: CheckId, { state, stops }: Verdict) {
  const reason = stops ?? (state === 'fail' ? checks[id].problem : undefined)
  // a group that cannot be read does not stop the next one, but a spent quota does
  if (id === 'group' && state === 'fail' && stops !== undefined) stopped.set('quota', stops)
  if (id !== 'group' && reason !== undefined) stopped.set(id, reason)
}

function runnerOver(state: RunState): CheckRunner {
  const { stopped, connection, started, report, signal } = state
  return {
    async run(id, check, group) {
      signal?.throwIfAborted()
      const name = group === undefined ? id : `${id}:${group}`
      started([connection, titleOf(name)].filter(Boolean).join(': '))
      const reason = checks[id].needs.map((need) => stopped.get(need)).find((one) => one !== undefined)
      const startedMs = performance.now()
      const verdict = reason === undefined ? await runWithin(check, state) : skip(reason)
      noteFailure(stopped, id, verdict)
      const tookMs = reason === undefined ? Math.round(performance.now() - startedMs) : undefined
      report(findingOf(name, verdict, connection, tookMs))
    },
    forConnection: (id, reportOwn) =>
      runnerOver({ ...state, connection: id, stopped: new Map(stopped), report: reportOwn }),
  }
}

export const createRunner = (options: RunnerOptions): CheckRunner => runnerOver({ ...options, stopped: new Map() })
