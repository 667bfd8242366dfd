// Handles SIGTERM, SIGINT and SIGHUP from the start of a service to its end.
import { exitOnSignal } from '../../../base/cli/exit-on-signal.ts'
import type { Observe } from '../events.ts'

/** a safety net: the service ends sooner by itself */
const closeLimitMs = 14_700

/** time for pending writes after a second signal */
const secondSignalLimitMs = 4_000

/** Exits with 0 on a signal before the service serves. A SIGHUP of that time is repeated when it does. */
export function watchSignals(): { serves: () => void } {
  let isAsked = false
  const leaveToOthers = exitOnSignal()
  process.on('SIGHUP', () => (isAsked = true))
  return {
    serves() {
      leaveToOthers()
      if (isAsked) process.emit('SIGHUP', 'SIGHUP')
    },
  }
}

/** Calls `close` for the first signal, and again for a second, which waits for writes only and exits with 1. */
export function closeOnSignal(close: () => Promise<void>, observe: Observe) {
  let signals = 0
  const fail = () => process.exit(1)
  const stop = (signal: NodeJS.Signals) => {
    signals++
    if (signals > 2) return
    observe({ kind: 'stopping', signal })
    setTimeout(fail, signals === 1 ? closeLimitMs : secondSignalLimitMs).unref()
    close().then(() => process.exit(signals === 1 ? 0 : 1), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
