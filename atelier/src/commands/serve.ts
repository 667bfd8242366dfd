// `atelier serve`: runs the service in the foreground until a signal.
import { exitOnSignal } from '../../../base/cli/exit-on-signal.ts'
import { asUserError } from '../../../base/cli/user-error.ts'
import { createEventLog } from '../../../base/watch/log.ts'
import { gathering } from '../../../base/watch/log-stream.ts'
import { events, type Observe } from '../events.ts'
import { openService } from '../service.ts'
import type { Settings } from '../settings.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

/** the service ends sooner by itself */
const closeLimitMs = 9_500

/** loaded only where they are shown */
async function openMetrics({ operatorListen }: Settings) {
  if (operatorListen === 'off') return undefined
  const [{ createMetrics }, { operations }] = await Promise.all([
    import('../metrics/metrics.ts'),
    import('../metrics/operations.ts'),
  ])
  return createMetrics(operations)
}

export async function serve(options: ConfigOption) {
  const { settings, folder } = loadSettings(options)
  const metrics = await openMetrics(settings)
  const note: Observe = (event) => metrics?.note(event)
  const log: Observe = createEventLog({ table: events }, 'all', gathering(process.stderr), note)
  const observe: Observe = (event) => (log(event), note(event))
  const operatorToken = process.env['ATELIER_OPERATOR_TOKEN'] || undefined
  // ends as after a crash: its state may be out of date, and the other service ends its commands
  const storeTaken = () => process.exit(1)
  const opening = { folder, observe, metrics, operatorToken, storeTaken, awaitsStore: true }
  const leaveToOthers = exitOnSignal()
  const service = await asUserError(() => openService(settings, opening))
  leaveToOthers()
  const stop = (signal: NodeJS.Signals) => {
    observe({ kind: 'stopping', signal })
    setTimeout(() => process.exit(1), closeLimitMs).unref()
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  try {
    await asUserError(() => service.listen())
  } catch (error) {
    // what runs already would keep the process alive
    await service.close()
    throw error
  }
}
