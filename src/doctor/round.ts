// One round of checks: each has its time, is told as soon as it is known, and is not tried where what it needs has failed.
import { redact } from '../redact.ts'
import { type Check, type CheckId, checks } from './checks.ts'
import { fail, type Finding, skip, type Verdict } from './finding.ts'

export type Look = (signal: AbortSignal) => Verdict | Promise<Verdict>

export interface Round {
  look(id: CheckId, look: Look, group?: string): Promise<Verdict>
  /** goes on for one connection, from what is known by now; its findings are answered, not told */
  of(connection: string): Round & { readonly findings: readonly Finding[] }
}

export interface RoundOptions {
  readonly tell: (finding: Finding) => void
  /** told what is looked at now */
  readonly begin: (title: string) => void
  readonly patienceMs: number
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

async function inTime(look: Look, patienceMs: number): Promise<Verdict> {
  const signal = AbortSignal.timeout(patienceMs)
  const { promise, resolve } = Promise.withResolvers<Verdict>()
  const late = () =>
    resolve(fail(`It did not come to an end within ${patienceMs / 1_000} seconds.`, { cure: 'Try it again.' }))
  // a signal alone does not keep the process from ending
  const timer = setTimeout(late, patienceMs + 500)
  try {
    return await Promise.race([promise, Promise.resolve(look(signal))])
  } catch (error) {
    return fail('It could not be tried.', { cause: (error as Error).message })
  } finally {
    clearTimeout(timer)
  }
}

/** what needs this check is not tried */
function standDown(stopped: Standing['stopped'], id: CheckId, { state, stops }: Verdict) {
  const reason = stops ?? (state === 'fail' ? checks[id].ill : undefined)
  // one group that cannot be read is no reason to leave the next alone, but that the quota was spent meanwhile is
  if (id === 'group' && state === 'fail' && stops !== undefined) stopped.set('quota', stops)
  if (id !== 'group' && reason !== undefined) stopped.set(id, reason)
}

const titleOf = ({ title }: Check, connection?: string, group?: string): string =>
  [connection, group === undefined ? title : `${title} ${group}`].filter(Boolean).join(': ')

function roundOver(standing: Standing): Round {
  const { stopped, connection, begin, tell, patienceMs } = standing
  return {
    async look(id, look, group) {
      const check = checks[id]
      const stop = check.needs.map((need) => stopped.get(need)).find((reason) => reason !== undefined)
      begin(titleOf(check, connection, group))
      const begunMs = performance.now()
      const verdict = stop === undefined ? await inTime(look, patienceMs) : skip(stop)
      standDown(stopped, id, verdict)
      const tookMs = stop === undefined ? Math.round(performance.now() - begunMs) : undefined
      const name = group === undefined ? id : `${id}:${group}`
      tell(findingOf(verdict, { id: name, ...(connection !== undefined && { connection }), tookMs }))
      return verdict
    },
    of(id) {
      const findings: Finding[] = []
      const own = { ...standing, connection: id, stopped: new Map(stopped), tell: (one: Finding) => findings.push(one) }
      return { ...roundOver(own), findings }
    },
  }
}

export const createRound = (options: RoundOptions): Round => roundOver({ ...options, stopped: new Map() })
