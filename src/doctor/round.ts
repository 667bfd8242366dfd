// One round of checks: each has its time, is told as soon as it is known, and is not tried where what it needs has failed.
import { redact } from '../redact.ts'
import { type CheckId, checks, titleOf } from './checks.ts'
import { fail, type Finding, skip, type Verdict } from './finding.ts'

export type Look = (signal: AbortSignal) => Verdict | Promise<Verdict>

export interface Round {
  look(id: CheckId, look: Look, group?: string): Promise<Verdict>
  /** goes on for one connection, from what is known by now; what it finds is told here */
  of(connection: string, tell: RoundOptions['tell']): Round
}

export interface RoundOptions {
  readonly tell: (finding: Finding) => void
  /** told what is looked at now */
  readonly begin: (title: string) => void
  readonly patienceMs: number
  /** ends the round: what is under way is let go of, and nothing more is looked at */
  readonly signal?: AbortSignal | undefined
}

interface Standing extends RoundOptions {
  readonly connection?: string
  /** why what needs them is not tried */
  readonly stopped: Map<CheckId, string>
}

interface Of extends Pick<Finding, 'connection'> {
  readonly id: string
  readonly tookMs: number | undefined
}

/** what a library says may hold anything, so all words go through the net */
const findingOf = ({ state, says, cause, cure }: Verdict, { id, connection, tookMs }: Of): Finding => ({
  ...{ id, ...(connection !== undefined && { connection }), state, says: redact(says) },
  ...{ ...(cause && { cause: redact(cause) }), ...(cure && { cure: redact(cure) }) },
  ...(tookMs !== undefined && { tookMs }),
})

async function inTime(look: Look, { patienceMs, signal: end }: Pick<RoundOptions, 'patienceMs' | 'signal'>) {
  const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(end ? [end] : [])])
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
  const late = () =>
    resolve(fail(`It did not come to an end within ${patienceMs / 1_000} seconds.`, { cure: 'Try it again.' }))
  const ended = () => reject(end?.reason as Error)
  // a signal alone does not keep the process from ending
  const timer = setTimeout(late, patienceMs + 500)
  end?.addEventListener('abort', ended)
  try {
    return await Promise.race([promise, Promise.resolve(look(signal))])
  } catch (error) {
    end?.throwIfAborted()
    return fail('It could not be tried.', { cause: (error as Error).message })
  } finally {
    clearTimeout(timer)
    end?.removeEventListener('abort', ended)
  }
}

/** what needs this check is not tried */
function standDown(stopped: Standing['stopped'], id: CheckId, { state, stops }: Verdict) {
  const reason = stops ?? (state === 'fail' ? checks[id].ill : undefined)
  // one group that cannot be read is no reason to leave the next alone, but that the quota was spent meanwhile is
  if (id === 'group' && state === 'fail' && stops !== undefined) stopped.set('quota', stops)
  if (id !== 'group' && reason !== undefined) stopped.set(id, reason)
}

function roundOver(standing: Standing): Round {
  const { stopped, connection, begin, tell, signal } = standing
  return {
    async look(id, look, group) {
      signal?.throwIfAborted()
      const name = group === undefined ? id : `${id}:${group}`
      const stop = checks[id].needs.map((need) => stopped.get(need)).find((reason) => reason !== undefined)
      begin([connection, titleOf(name)].filter(Boolean).join(': '))
      const begunMs = performance.now()
      const verdict = stop === undefined ? await inTime(look, standing) : skip(stop)
      standDown(stopped, id, verdict)
      const tookMs = stop === undefined ? Math.round(performance.now() - begunMs) : undefined
      tell(findingOf(verdict, { id: name, ...(connection !== undefined && { connection }), tookMs }))
      return verdict
    },
    of: (id, tell) => roundOver({ ...standing, connection: id, stopped: new Map(stopped), tell }),
  }
}

export const createRound = (options: RoundOptions): Round => roundOver({ ...options, stopped: new Map() })
