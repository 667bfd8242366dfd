// Ends what was begun with a key when the key ends: running commands, log followers, transfers, SSH connections.
// Keys may be revoked by another process, so living ones are asked for every two seconds.
import type { ApiKeys } from './api-keys.ts'

const everyMs = 2_000

export interface KeyHolders {
  /** `end` is called once if the key ends first; the returned function gives the place back */
  hold(keyId: string, end: () => void): () => void
  check(): Promise<void>
  close(): void
}

export function createKeyHolders({ livingOf }: Pick<ApiKeys, 'livingOf'>): KeyHolders {
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
    hold(keyId, end) {
      const ends = held.get(keyId) ?? new Set()
      held.set(keyId, ends.add(end))
      return () => {
        ends.delete(end)
        if (ends.size === 0 && held.get(keyId) === ends) held.delete(keyId)
      }
    },
    check,
    close: () => clearInterval(timer),
  }
}
