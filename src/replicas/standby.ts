// Lets a service read on while the database is away, and tells other services of what is taken away here. One that reaches
// both the database and Redis tells for those that reach only one of them.
import type { Observe } from '../observe.ts'
import type { Vigil } from '../store/outage.ts'
import type { Store } from '../store/records.ts'
import { boardOver } from './board.ts'
import type { Redis } from './redis.ts'
import { createTakings, type Evidence } from './takings.ts'
import { createVigil } from './vigil.ts'

const readMs = 200
const relayMs = 1_000

/** the acts that take something away, or narrow it */
export const takingActs: readonly string[] = ['keys.revoke', 'keys.reroll', 'connections.replace', 'connections.remove']

export interface StandbyOptions {
  readonly redis: Redis
  readonly store: Store
  readonly boundMs: number
  readonly observe: Observe
  readonly now: () => number
  readonly steady: () => number
}

export interface Standby {
  readonly untold: Evidence['untold']
  readonly isStoreUp: () => boolean
  close(): void
}

/** one turn at a time: the next is left out where one takes longer */
function often(act: () => Promise<void>, everyMs: number): () => void {
  let underWay = false
  const timer = setInterval(() => {
    if (underWay) return
    underWay = true
    // what cannot be asked is told of elsewhere; the next turn asks again
    void act()
      .catch(() => undefined)
      .finally(() => (underWay = false))
  }, everyMs).unref()
  return () => clearInterval(timer)
}

function relaying(audit: Store['audit'], evidence: Evidence): () => Promise<void> {
  let last: number | undefined
  return async () => {
    const seq = await audit.latestOf(takingActs)
    if (seq === last) return
    await evidence.relay(seq)
    last = seq
  }
}

/** for a command: it takes away, and believes nothing */
export function tellOf({ redis, store, ...rest }: StandbyOptions): Pick<Standby, 'untold'> {
  const takings = createTakings({ ...rest, board: boardOver(redis) })
  store.attend({ takings })
  return { untold: takings.untold }
}

/** where nothing can vouch for what was found: it is told whether the database answers, and nothing is believed */
export function watch({ store, observe, steady }: Pick<StandbyOptions, 'store' | 'observe' | 'steady'>): Standby {
  const evidence = { stamp: () => undefined, standing: async () => undefined }
  const vigil = createVigil({ ...partsOf(store), observe, steady, evidence, boundMs: 0 })
  store.attend({ vigil })
  return {
    untold: () => undefined,
    isStoreUp: () => isUp(store, vigil),
    close() {
      vigil.close()
      store.attend({ vigil: undefined })
    },
  }
}

const isUp = (store: Store, vigil: Vigil): boolean => !vigil.isAway() && store.isStandby?.() !== true

const partsOf = (store: Store) => ({ place: store.place, knock: () => store.knock?.() ?? Promise.resolve() })

export async function attend({ redis, store, ...rest }: StandbyOptions): Promise<Standby> {
  const evidence = createTakings({ ...rest, board: boardOver(redis) })
  const vigil = createVigil({ ...rest, ...partsOf(store), evidence })
  const relay = relaying(store.audit, evidence)
  // before anything is found: what was relayed is known, and the mark stands from then on
  await relay().catch(() => undefined)
  await evidence.read()
  store.attend({ takings: evidence, vigil })
  const stops = [often(evidence.read, readMs), often(relay, relayMs)]
  return {
    untold: evidence.untold,
    isStoreUp: () => isUp(store, vigil),
    close() {
      for (const stop of stops) stop()
      vigil.close()
      store.attend({ takings: undefined, vigil: undefined })
    },
  }
}
