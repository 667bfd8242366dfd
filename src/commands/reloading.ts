// Notices that a file which the settings stand on has changed, or that somebody said so with SIGHUP.
import { statSync } from 'node:fs'
import { within } from '../office.ts'
import type { Settings } from '../settings.ts'

const everyMs = 1_000
/** how soon a reading is repeated that failed for another reason than the settings */
const againMs = 3_000

export interface Watched {
  /** undefined where all settings stand in the environment */
  readonly file: string | undefined
  readonly settings: () => Settings
}

/** looked at by name each time: a mounted secret is replaced by moving a link */
function stampOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none'
  } catch {
    // a folder that may not be looked into for a moment
    return 'unknown'
  }
}

/** Calls `reload` when a file has changed since it was last looked at, and on SIGHUP; one at a time, and none is lost. */
export function watchFiles(watched: Watched, folder: string, reload: () => Promise<boolean>): () => void {
  const files = (): string[] => {
    const { connections, masterKeysFile } = watched.settings()
    const named = [...Object.values(connections).map((one) => one.privateKeyFile), masterKeysFile]
    const located = named.flatMap((name) => (name === undefined ? [] : [within(folder, name)]))
    return [...(watched.file === undefined ? [] : [watched.file]), ...located]
  }
  const look = () => new Map(files().map((file) => [file, stampOf(file)]))
  let seen = look()
  let asked = false
  let reloading = false

  async function turn() {
    if (reloading) return
    const now = look()
    if (!asked && [...now].every(([file, stamp]) => seen.get(file) === stamp)) return
    asked = false
    reloading = true
    const settled = await reload()
    reloading = false
    // where it was the store that failed, the settings are not done with
    if (!settled) setTimeout(() => (asked = true), againMs).unref()
    // what was changed while it was read counts as unseen; a file that is named now for the first time was read just now
    seen = new Map([...look()].map(([file, stamp]) => [file, now.get(file) ?? stamp]))
  }

  const timer = setInterval(() => void turn(), everyMs)
  const onHangUp = () => {
    asked = true
    void turn()
  }
  process.on('SIGHUP', onHangUp)
  return () => {
    clearInterval(timer)
    process.off('SIGHUP', onHangUp)
  }
}
