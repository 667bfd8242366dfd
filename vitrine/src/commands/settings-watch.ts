// Reloads the settings when one of their files changes, or on SIGHUP.
import { statSync } from 'node:fs'
import { within } from '../core/located.ts'
import type { Settings } from '../settings.ts'

const everyMs = 1_000
/** delay before a reload that the store interrupted is repeated */
const againMs = 3_000
const filesPerStep = 500

export interface Watched {
  /** undefined if all settings are in the environment */
  readonly file: string | undefined
  readonly settings: () => Settings
}

/** by path each time: a mounted secret is replaced by moving a link */
function stampOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none'
  } catch {
    // a folder that is unreadable for a moment
    return 'unknown'
  }
}

async function stampsOf(files: readonly string[]): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  for (const file of files) {
    stamps.set(file, stampOf(file))
    // with thousands of files, let requests run in between
    if (stamps.size % filesPerStep === 0) await new Promise((ok) => setImmediate(ok))
  }
  return stamps
}

const liveFiles = ['masterKeysFile', 'upstream.proxyPasswordFile', 'upstream.caFile'] as const

/** connections may share a key file */
function filesOf({ file }: Watched, settings: Settings, folder: string): readonly string[] {
  const ofConnections = Object.values(settings.connections).map((one) => one.privateKeyFile)
  const named = new Set([...ofConnections, ...liveFiles.map((name) => settings[name])])
  const located = [...named].flatMap((name) => (name === undefined ? [] : [within(folder, name)]))
  return [...new Set([...(file === undefined ? [] : [file]), ...located])]
}

/** Calls `reload` after a change and on SIGHUP, one at a time; no change is lost. */
export function watchSettings(watched: Watched, folder: string, reload: () => Promise<boolean>): () => void {
  let known: { readonly settings: Settings; readonly files: readonly string[] } | undefined
  const files = (): readonly string[] => {
    const settings = watched.settings()
    if (known?.settings !== settings) known = { settings, files: filesOf(watched, settings, folder) }
    return known.files
  }
  const stampAll = () => stampsOf(files())
  let seen = new Map(files().map((file) => [file, stampOf(file)]))
  let asked = false
  let busy = false

  async function checkFiles() {
    const now = await stampAll()
    if (!asked && [...now].every(([file, stamp]) => seen.get(file) === stamp)) return
    asked = false
    const settled = await reload()
    // the store failed, not the settings
    if (!settled) setTimeout(() => (asked = true), againMs).unref()
    // a change during the reload counts as new; a newly named file was read just now
    seen = new Map([...(await stampAll())].map(([file, stamp]) => [file, now.get(file) ?? stamp]))
  }

  function checkAlone() {
    if (busy) return
    busy = true
    void checkFiles().finally(() => (busy = false))
  }

  const timer = setInterval(checkAlone, everyMs)
  const onHangUp = () => {
    asked = true
    checkAlone()
  }
  process.on('SIGHUP', onHangUp)
  return () => {
    clearInterval(timer)
    process.off('SIGHUP', onHangUp)
  }
}
