// `vitrine serve`: runs the service in the foreground until a signal.
import { idHint, oddIds } from '../connection-settings.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import type { Observe } from '../events.ts'
import { keyFilesOf, secretFilesOf, type Settings } from '../settings.ts'
import type { Closing } from '../../../base/web/shutdown.ts'
import { openService } from '../service.ts'
import { asUserError } from '../../../base/cli/user-error.ts'
import { createDoctor } from './service-doctor.ts'
import { watchSignals, closeOnSignal } from './signals.ts'
import { createLog } from './log.ts'
import { gathering } from '../../../base/watch/log-stream.ts'
import { listeningLines } from './listening.ts'
import { say } from '../../../base/cli/output.ts'
import { watchSettings } from './settings-watch.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

function warnOfReaders(settings: Settings, folder: string) {
  for (const { setting, file } of openFiles([...secretFilesOf(settings), ...keyFilesOf(settings)], folder))
    say(`${setting} (${file}) can be read by others on this machine: chmod 600 it.`)
}

function hintAtIds({ connections }: Settings) {
  for (const [id, account] of Object.entries(connections))
    for (const name of oddIds(account))
      say(`connections.${id}.${name} does not look like the platform's. ${idHint(name)}`)
}

/** Answers ask callers to keep an idle socket for 5 s, and the service keeps it for one more: then none is left. */
const idleMs = 6_500

const closingOf = ({ drainSeconds }: Settings): Closing => {
  const graceMs = drainSeconds * 1_000
  return { graceMs, idleMs: graceMs === 0 ? 0 : Math.max(0, idleMs - graceMs) }
}

/** `check`: only checks what the service needs */
export async function serve({ check, ...options }: ConfigOption & { check: boolean }) {
  if (check)
    return (await import('./doctor.ts')).runAndReport({ ids: [], read: () => loadSettings(options), starting: true })
  return start(options)
}

async function start(options: ConfigOption) {
  const { serves } = watchSignals()
  const loaded = loadSettings(options)
  const { settings, folder, secrets, file, settingsName } = loaded
  let note: Observe | undefined
  const observe = createLog(settings.log, gathering(process.stderr), (event) => note?.(event))
  // a reload without the file would unset everything, so the file is now required
  const again = () => loadSettings(file === undefined ? options : { ...options, config: file })
  let listening: readonly string[] = []
  // secrets were taken out of the environment at the first load
  const doctor = createDoctor(() => ({ ...(file === undefined ? loaded : again()), secrets, listening }))
  const opening = { folder, secrets, settingsName, observe, doctor, awaitsStore: true }
  const house = await asUserError(() => openService(settings, opening))
  note = house.note
  if ((await house.connections()).length === 0)
    say('There is no connection yet, so every read answers 404: see the guide on connections.')
  let latest = settings
  const stopWatching = watchSettings({ file, settings: () => latest }, folder, () =>
    house.reload(() => (latest = again().settings)),
  )
  warnOfReaders(settings, folder)
  hintAtIds(settings)
  closeOnSignal(() => {
    stopWatching()
    return house.close(closingOf(settings))
  }, observe)
  serves()
  const at = await asUserError(() => house.listen())
  listening = [at.url, at.operatorUrl].filter((one) => one !== undefined)
  if (process.stderr.isTTY) for (const line of listeningLines(loaded, at)) say(line)
}
