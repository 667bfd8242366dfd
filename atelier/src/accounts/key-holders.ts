// Ends what was begun with a key or a session when that ends: running commands, log followers, transfers, SSH connections.
// Both may be ended by another process, so living ones are asked for every two seconds.
import type { ApiKeys } from './api-keys.ts'
import { isSessionId, type Sessions } from './sessions.ts'

const everyMs = 2_000

export interface KeyHolders {
  /** `id`: of a key or a session. `end` is called once if that ends first; the returned function gives the place back */
  hold(id: string, end: () => void): () => void
  check(): Promise<void>
  close(): void
}

/** which keys and sessions have not ended */
export type LivingOf = (ids: readonly string[]) => Promise<ReadonlySet<string>>

export const livingOfBoth =
  (keys: Pick<ApiKeys, 'livingOf'>, sessions: Pick<Sessions, 'livingOf'>): LivingOf =>
  async (ids) => {
    const { session = [], key = [] } = Object.groupBy(ids, (id) => (isSessionId(id) ? 'session' : 'key'))
    const [some, others] = await Promise.all([
      key.length > 0 ? keys.livingOf(key) : new Set<string>(),
      sessions.livingOf(session),
    ])
    return new Set([...some, ...others])
  }

export function createKeyHolders({ livingOf }: { readonly livingOf: LivingOf }): KeyHolders {
  const held = new Map<string, Set<() => void>>()

  async function check() {
    const ids = [...held.keys()]
    if (ids.length === 0) return
    // a store that does not answer ends nothing: the next check does
    const living = await livingOf(ids).catch(() => new Set(ids))
    for (const id of ids)
      if (!living.has(id)) {
        const ends = held.get(id) ?? []
        held.delete(id)
        for (const end of ends) end()
      }
  }

  const timer = setInterval(() => void check(), everyMs)
  timer.unref()
  return {
    hold(id, end) {
      const ends = held.get(id) ?? new Set()
      held.set(id, ends.add(end))
      return () => {
        ends.delete(end)
        if (ends.size === 0 && held.get(id) === ends) held.delete(id)
      }
    },
    check,
    close: () => clearInterval(timer),
  }
}
