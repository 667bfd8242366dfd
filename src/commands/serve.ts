// `vitrine serve`: the service, in the foreground, until a signal.
import { statSync } from 'node:fs'
import { within } from '../office.ts'
import type { Observe } from '../observe.ts'
import { type Settings, settingsTable } from '../settings.ts'
import { openHouse } from '../wire.ts'
import { Complaint, orComplain } from './complaint.ts'
import { stopOnSignal } from './lifetime.ts'
import { createLog } from './log.ts'
import { gathering } from './outlet.ts'
import { say } from './output.ts'
import { watchFiles } from './reloading.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

/** time for a load balancer to see that readiness has gone */
const graceMs = 500

/** says which files of secrets others on this machine can read */
function warnOfReaders({ masterKeysFile, operatorTokenFile, connections }: Settings, folder: string) {
  const named = {
    ...{ masterKeysFile, operatorTokenFile },
    ...Object.fromEntries(
      Object.entries(connections).map(([id, one]) => [`connections.${id}.privateKeyFile`, one.privateKeyFile]),
    ),
  }
  for (const [name, file] of Object.entries(named)) {
    const mode = file === undefined ? 0 : (statSync(within(folder, file), { throwIfNoEntry: false })?.mode ?? 0)
    if ((mode & 0o044) !== 0) say(`${name} (${file}) can be read by others on this machine: chmod 600 it.`)
  }
}

interface ServeOptions extends ConfigOption {
  readonly workers?: string
}

function load({ workers, ...options }: ServeOptions): Loaded {
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

export async function serve(options: ServeOptions) {
  const loaded = load(options)
  const { settings, folder, secrets, file } = loaded
  let note: Observe | undefined
  const observe = createLog(settings.log, gathering(process.stderr, settings.workers > 1), (event) => note?.(event))
  const crew = await crewOf(loaded, (event) => {
    note?.(event)
    observe(event)
  })
  const house = await orComplain(() => openHouse(settings, { folder, secrets, observe, ...crew }))
  note = house.note
  if ((await house.connections()).length === 0)
    say('There is no connection, so every read will be 404: see the guide on connections.')
  let latest = settings
  const stopWatching = watchFiles({ file, settings: () => latest }, folder, () =>
    // the file that was there at the start is now one that must be there: without it, nothing would be set
    house.reload(() => (latest = load(file === undefined ? options : { ...options, config: file }).settings)),
  )
  warnOfReaders(settings, folder)
  stopOnSignal(() => {
    stopWatching()
    return house.close({ graceMs })
  }, observe)
  await orComplain(() => house.listen())
}
