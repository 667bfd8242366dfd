// `vitrine serve`: the service, in the foreground, until a signal.
import { openHouse } from '../wire.ts'
import { orComplain } from './complaint.ts'
import { stopOnSignal } from './lifetime.ts'
import { createLog } from './log.ts'
import { say } from './output.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

/** time for a load balancer to see that readiness has gone */
const graceMs = 500

export async function serve(options: ConfigOption) {
  const { settings, folder } = loadSettings(options)
  const observe = createLog(settings.log)
  const house = await orComplain(() => openHouse(settings, { folder, observe }))
  if (house.connections.length === 0)
    say('No connection is set, so every read will be 404: see the guide on connections.')
  stopOnSignal(() => house.close({ graceMs }), observe)
  await orComplain(() => house.listen())
}
