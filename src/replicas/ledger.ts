// The quota of platform keys, kept in Redis for all replicas. What is put there are counts, below hashes of names.
import { hash, randomBytes } from 'node:crypto'
import type { Window } from '../engine/port.ts'
import type { Ledger, Standing, Use } from '../platform/ledger.ts'
import { ledgerScript } from './ledger-script.ts'
import type { Redis, Value } from './redis.ts'
import { usesScript } from './uses-script.ts'

export interface LedgerOptions {
  readonly redis: Pick<Redis, 'run' | 'name' | 'isUp' | 'state'>
  /** how long after its reservation a call may still reach the platform */
  readonly holdMs: number
  /** calls that all replicas together can have in flight */
  readonly mostInFlight: () => number
  /** how long the platform's hour is, where a test has less time; its minute is a sixtieth of it */
  readonly hourMs?: number
}

const windowOf = (limit: number, remaining: number): Window | undefined =>
  limit < 0 ? undefined : { limit, remaining: Math.floor(remaining) }

/** longer than anything waits that was not tampered with */
const mostWaitMs = 2 * 3_600_000
/** reservations that are remembered here */
const mostOpen = 1_000

function standingOf(told: unknown, act: string): Standing | undefined {
  if (!Array.isArray(told) || told.length !== 9 || !told.every(Number.isSafeInteger)) return undefined
  if (Math.max(...told.slice(1, 3)) > mostWaitMs) return undefined
  const [granted, waitMs, pausedMs, careful, idleMs, hourLimit, hourLeft, minuteLimit, minuteLeft] = told as number[]
  // who is not let in has something to wait for
  if (act === 'reserve' && granted !== 1 && waitMs === 0) return undefined
  const [hour, minute] = [windowOf(hourLimit ?? -1, hourLeft ?? 0), windowOf(minuteLimit ?? -1, minuteLeft ?? 0)]
  return {
    ...{ granted: granted === 1, waitMs: waitMs ?? 0, pausedMs: pausedMs ?? 0, careful: careful === 1 },
    ...{ idleMs: idleMs ?? 0, ...(hour && { hour }), ...(minute && { minute }) },
  }
}

type End = 'ended' | 'release'

/**
 * Reservations, and of those whose end could not be told, how they ended. While one call finds out for all, a reservation that
 * nobody ends would hold everybody back.
 */
function createOpen() {
  const open = new Map<string, End | undefined>()

  /** those of which nobody could be told for long end there by themselves */
  function begin(id: string) {
    open.set(id, undefined)
    const [eldest] = open.keys()
    if (open.size > mostOpen && eldest !== undefined) open.delete(eldest)
  }

  return {
    said(act: string, id: string, isHeard: boolean) {
      if (act === 'reserve') begin(id)
      else if (isHeard) open.delete(id)
      else if (open.has(id)) open.set(id, act === 'release' ? 'release' : 'ended')
    },
    /** each is told once at a time */
    untold(): (readonly [End, string])[] {
      const ends = [...open].flatMap(([id, end]) => (end ? [[end, id] as const] : []))
      for (const [, id] of ends) open.set(id, undefined)
      return ends
    },
  }
}

/** whether the server that is asked has heard of all our calls */
function createDoubts(redis: LedgerOptions['redis']) {
  /** since when it is the one that has; undefined: it has not */
  let knownSince: number | undefined
  /** a call was made that it was not told of: what it says next is doubted there before it is heard here */
  let hasMissed = false
  return {
    /** what is said after it is also heard after it */
    tell(act: string): boolean {
      const { since } = redis.state()
      const isDoubted = (act === 'reserve' || (act === 'look' && hasMissed)) && knownSince !== since
      if (isDoubted) [knownSince, hasMissed] = [since, false]
      return isDoubted
    },
    unheard: () => void (knownSince = undefined),
    missed: () => void ([knownSince, hasMissed] = [undefined, true]),
  }
}

/** facade keys of one platform key that are told apart */
const mostKeys = 1_000

async function tellUses(redis: LedgerOptions['redis'], name: string, values: readonly Value[]) {
  const told = await redis.run(usesScript, [name], values)
  if (!Array.isArray(told)) return undefined
  const uses = new Map<string, Use>()
  for (let i = 0; i < told.length; i += 3)
    uses.set(String(told[i]), { calls: Number(told[i + 1]), idleMs: Number(told[i + 2]) })
  return uses
}

/** `key` names a platform key */
export type LedgerOf = (key: string) => Ledger

export function createLedgers({ redis, holdMs, mostInFlight, hourMs = 3_600_000 }: LedgerOptions): LedgerOf {
  const own = randomBytes(9).toString('base64url')
  return (key) => {
    const name = redis.name('quota', hash('sha256', key, 'base64url').slice(0, 22))
    const [open, doubts] = [createOpen(), createDoubts(redis)]
    async function say(act: string, id: string, ...values: readonly Value[]): Promise<Standing | undefined> {
      const isDoubted = doubts.tell(act)
      const told = await redis.run(
        ledgerScript,
        [name],
        [act, `${own}${id}`, isDoubted ? 1 : 0, mostInFlight(), holdMs, hourMs, ...values],
      )
      const standing = standingOf(told, act)
      open.said(act, id, standing !== undefined)
      if (standing) for (const end of open.untold()) void say(...end)
      else doubts.unheard()
      return standing
    }

    return {
      isUp: () => redis.isUp(),
      reserve: (id, isTrial) => say('reserve', id, isTrial ? 1 : 0),
      heard: (id, { hour, minute }, isRefusal) => {
        const told = [hour?.limit, hour?.remaining, minute?.limit, minute?.remaining]
        return say('heard', id, isRefusal ? 1 : 0, ...told.map((value) => value ?? ''))
      },
      rest: (retryAfterSec) => say('rest', '', retryAfterSec === undefined ? '' : Math.ceil(retryAfterSec * 1_000)),
      ended: (id) => say('ended', id),
      release: (id) => say('release', id),
      look: () => say('look', ''),
      uses: (told) => tellUses(redis, `${name}:uses`, [hourMs, mostKeys, ...[...told].flat()]),
      missed: doubts.missed,
    }
  }
}
