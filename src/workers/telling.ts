// What workers are told of platform keys that they read through: with the next turn that is theirs, or soon.
import type { Governor } from '../platform/governor.ts'
import type { Put, ToWorker } from './messages.ts'

/** how old a worker's picture of a platform key may become that others have changed */
const tellMs = 100
/** and no sooner with a turn than so long after the last time: under load each turn would carry the same */
const againMs = 5

/** what each worker has not yet been told of platform keys that it reads through */
export interface Listener {
  readonly put: Put<ToWorker>
  readonly known: Set<string>
  readonly stale: Set<string>
  toldAt: number
}

export type Telling = ReturnType<typeof createTelling>

export function createTelling(governorOf: (key: string) => Governor) {
  const listeners = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined

  function tell(listener: Listener) {
    const { put, stale } = listener
    listener.toldAt = performance.now()
    for (const key of stale) {
      const governor = governorOf(key)
      const typicalMs = governor.typicalMs()
      put(['state', key, { ...governor.state(), ...(typicalMs !== undefined && { typicalMs }) }])
    }
    stale.clear()
  }

  return {
    listeners,
    tell,
    tellAlong(listener: Listener) {
      if (performance.now() - listener.toldAt > againMs) tell(listener)
    },
    changed(key: string) {
      for (const { known, stale } of listeners) if (known.has(key)) stale.add(key)
      timer ??= setTimeout(() => {
        timer = undefined
        listeners.forEach(tell)
      }, tellMs).unref()
    },
  }
}
