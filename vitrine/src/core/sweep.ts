// Closes the signing keys of connections that another replica or a command removed or replaced.
import { repeat } from '../../../base/core/repeat.ts'
import type { Hosted } from '../connections/hosted.ts'
import type { Store } from '../store/store.ts'

const sweepMs = 1_000
/** acts that remove a row */
const leavings = ['connections.replace', 'connections.remove']
/** a row deleted by hand leaves no audit line */
const anywayMs = 60_000

/** an opened key must not outlive its row */
export function startSweeping(store: Store, hosted: Hosted, decideOld: () => Promise<void>): () => void {
  let last = -1
  let wasNew = false
  let sweptAt = performance.now()
  return repeat(async () => {
    const latest = await store.audit.latestOf(leavings)
    const isDue = performance.now() - sweptAt > anywayMs
    // and again a turn later: a cached record may have been opened after the first check
    if (latest !== last || wasNew || isDue) {
      await hosted.sweep()
      // replicas of an older version, during a rolling update, still create keys
      if (isDue) await decideOld()
      sweptAt = performance.now()
    }
    wasNew = latest !== last
    last = latest
  }, sweepMs)
}
