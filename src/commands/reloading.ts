// Notices that a file which the settings stand on has changed, or that somebody said so with SIGHUP.
import { statSync } from 'node:fs'
import { within } from '../office.ts'
import type { Settings } from '../settings.ts'

const everyMs = 1_000
/** how soon a reading is repeated that failed for another reason than the settings */
const againMs = 3_000
/** files that are looked at in one go */
const stretch = 500

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

async function lookAt(files: readonly string[]): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  for (const file of files) {
    stamps.set(file, stampOf(file))
    // thousands are looked at in steps, between which callers are served
    if (stamps.size % stretch === 0) await new Promise((ok) => setImmediate(ok))
  }
  return stamps
}

/** each once, though many connections may name it */
function filesOf({ file }: Watched, { connections, masterKeysFile }: Settings, folder: string): readonly string[] {
  const named = new Set([...Object.values(connections).map((one) => one.privateKeyFile), masterKeysFile])
  const located = [...named].flatMap((name) => (name === undefined ? [] : [within(folder, name)]))
  return [...new Set([...(file === undefined ? [] : [file]), ...located])]
}

/** Calls `reload` when a file has changed since it was last looked at, and on SIGHUP; one at a time, and none is lost. */
export function watchFiles(watched: Watched, folder: string, reload: () => Promise<boolean>): () => void {
  let known: { readonly settings: Settings; readonly files: readonly string[] } | undefined
  const files = (): readonly string[] => {
    const settings = watched.settings()
    if (known?.settings !== settings) known = { settings, files: filesOf(watched, settings, folder) }
    return known.files
  }
  const look = () => lookAt(files())
  let seen = new Map(files().map((file) => [file, stampOf(file)]))
  let asked = false
  let busy = false

  async function turn() {
    const now = await look()
    if (!asked && [...now].every(([file, stamp]) => seen.get(file) === stamp)) return
    asked = false
    const settled = await reload()
    // where it was the store that failed, the settings are not done with
    if (!settled) setTimeout(() => (asked = true), againMs).unref()
    // what was changed while it was read counts as unseen; a file that is named now for the first time was read just now
    seen = new Map([...(await look())].map(([file, stamp]) => [file, now.get(file) ?? stamp]))
  }

  function turnAlone() {
    if (busy) return
    busy = true
    void turn().finally(() => (busy = false))
  }

  const timer = setInterval(turnAlone, everyMs)
  const onHangUp = () => {
    asked = true
    turnAlone()
  }
  process.on('SIGHUP', onHangUp)
  return () => {
    clearInterval(timer)
    process.off('SIGHUP', onHangUp)
  }
}
