// Keeps in one place what must be exact over all workers: turns and quota of platform keys, rates of facade keys, failures
// of networks. The very parts that keep them in a service of one process; workers ask, and are told.
import { LRUCache } from 'lru-cache'
import { createRates, type Rates } from '../keys/rate.ts'
import { createGovernor, type Governor } from '../platform/governor.ts'
import { createGate } from './gate.ts'
import type { Hearing, Put, ToKeeper, ToWorker } from './messages.ts'
import { createTelling, type Listener } from './telling.ts'
import { createTurns } from './turns.ts'

export interface KeeperOptions {
  /** calls of one platform key at once */
  readonly concurrency: number
  /** of facade keys that have no rate of their own; 0: none */
  readonly perMinute: number
  /** failures a minute from one neighbourhood; 0: no limit */
  readonly failuresPerMinute: number
  /** told when somebody is turned away because too many wait */
  readonly shed: () => void
}

/** one worker, as the keeper sees it */
export interface Client {
  readonly hearing: Hearing<ToKeeper>
  /** tells what has changed and is not yet told */
  refresh(): void
  /** it is gone: what it held is free */
  leave(): void
}

/** what other replicas have a part in */
export interface Kept {
  readonly rates: Rates
  readonly replicas: () => number
  /** takes turns at platform keys, where other replicas use them, too */
  readonly governorOf?: ((key: string) => Governor) | undefined
}

export interface Keeper {
  /** until then there is nobody else */
  share(kept: Kept): void
  governorOf(key: string): Governor
  enter(put: Put<ToWorker>): Client
}

const mostKeys = 20_000
export function createKeeper({ concurrency, perMinute, failuresPerMinute, shed }: KeeperOptions): Keeper {
  const governors = new LRUCache<string, Governor>({ max: mostKeys })
  let kept: Kept = { rates: createRates(perMinute), replicas: () => 1 }
  const make = () => createGovernor({ most: concurrency, steady: () => performance.now(), shed })

  function governorOf(key: string): Governor {
    const found = governors.get(key) ?? kept.governorOf?.(key) ?? make()
    governors.set(key, found)
    return found
  }

  async function take(put: Put<ToWorker>, id: number, key: Parameters<Rates['take']>[0]) {
    put(['took', id, (await kept.rates.take(key)) ?? null])
  }

  const telling = createTelling(governorOf)
  const gate = createGate(failuresPerMinute, () => kept.replicas(), telling.listeners)

  return {
    governorOf,
    share: (all) => (kept = all),
    enter(put) {
      const own: Listener = { put, known: new Set(), stale: new Set(), toldAt: 0 }
      telling.listeners.add(own)
      gate.welcome(put)
      const turns = createTurns(governorOf, telling, own)
      return {
        hearing: {
          ...turns.hearing,
          take: (id, key, ownPerMinute) => void take(put, id, { id: key, perMinute: ownPerMinute }),
          failed: (address) => gate.failed(address),
        },
        refresh: () => telling.tell(own),
        leave() {
          telling.listeners.delete(own)
          turns.close()
        },
      }
    },
  }
}
