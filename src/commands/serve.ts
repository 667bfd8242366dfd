// `vitrine serve`: the service, in the foreground, until a signal.
import { openFiles, openKeyFiles } from '../secret-files.ts'
import type { Observe } from '../observe.ts'
import { type Settings, settingsTable } from '../settings.ts'
import { type Closing, openHouse } from '../wire.ts'
import { Complaint, orComplain } from './complaint.ts'
import { createDoctor } from './doctor-of-service.ts'
import { heedSignals, stopOnSignal } from './lifetime.ts'
import { createLog } from './log.ts'
import { gathering } from './outlet.ts'
import { say } from './output.ts'
import { watchFiles } from './reloading.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

/** says which files of secrets others on this machine can read */
function warnOfReaders(settings: Settings, folder: string) {
  for (const { setting, file } of [...openFiles(settings, folder), ...openKeyFiles(settings, folder)])
    say(`${setting} (${file}) can be read by others on this machine: chmod 600 it.`)
}

/**
 * A caller keeps an idle connection for as long as he is told, 5 seconds, and the service for one more: after that none of those
 * that were idle at the signal is left, and whoever was answered since was told to close his.
 */
const idleMs = 6_500

const closingOf = ({ drainSeconds }: Settings): Closing => {
  const graceMs = drainSeconds * 1_000
  return { graceMs, idleMs: graceMs === 0 ? 0 : Math.max(0, idleMs - graceMs) }
}

interface ServeOptions extends ConfigOption {
  readonly workers?: string
  /** looks at what it would stand on, and starts nothing */
  readonly check: boolean
}

function load({ workers, ...options }: Omit<ServeOptions, 'check'>): Loaded {
  const loaded = loadSettings(options)
  if (workers === undefined) return loaded
  try {
    return { ...loaded, settings: { ...loaded.settings, workers: settingsTable.workers.read(workers) } }
  } catch (error) {
    throw new Complaint(`--workers: ${(error as Error).message}.`, { cause: error })
  }
}

/** one process is as it always was: it loads nothing of this, and starts nobody */
async function crewOf({ settings, folder, secrets }: Loaded, observe: Observe) {
  if (settings.workers === 1) return {}
  const { createWorkers } = await import('./crew.ts')
  return createWorkers({ settings, folder, secrets, observe })
}

export async function serve({ check, ...options }: ServeOptions) {
  if (check) return (await import('./doctor.ts')).tellAll({ ids: [], read: () => load(options), starting: true })
  return start(options)
}

async function start(options: Omit<ServeOptions, 'check'>) {
  const { serves } = heedSignals()
  const loaded = load(options)
  const { settings, folder, secrets, file, settingsName } = loaded
  let note: Observe | undefined
  const observe = createLog(settings.log, gathering(process.stderr, settings.workers > 1), (event) => note?.(event))
  const crew = await crewOf(loaded, (event) => {
    note?.(event)
    observe(event)
  })
  // the file that was there at the start is now one that must be there: without it, nothing would be set
  const again = () => load(file === undefined ? options : { ...options, config: file })
  let listening: readonly string[] = []
  // the secrets are no longer where they were read
  const doctor = createDoctor(() => ({ ...(file === undefined ? loaded : again()), secrets, listening }))
  const house = await orComplain(() => openHouse(settings, { folder, secrets, settingsName, observe, doctor, ...crew }))
  note = house.note
  if ((await house.connections()).length === 0)
    say('There is no connection, so every read will be 404: see the guide on connections.')
  let latest = settings
  const stopWatching = watchFiles({ file, settings: () => latest }, folder, () =>
    house.reload(() => (latest = again().settings)),
  )
  warnOfReaders(settings, folder)
  stopOnSignal(() => {
    stopWatching()
    return house.close(closingOf(settings))
  }, observe)
  serves()
  const { url, operatorUrl } = await orComplain(() => house.listen())
  listening = [url, operatorUrl].filter((one) => one !== undefined)
}
