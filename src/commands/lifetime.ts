// What signals mean to a service, from its beginning to its end: what is under way finishes, and nothing waits for ever.
import type { Observe } from '../observe.ts'

/** the service ends itself sooner; this is for what nobody thought of */
const patienceMs = 14_700

/**
 * From the beginning on every signal meets somebody: the first process of a container does not hear one that nobody listens for,
 * and a hang-up ends any other. Until the service serves there is nothing to finish; to read the settings again waits for it.
 */
export function heedSignals(): { serves: () => void } {
  let isAsked = false
  const end = () => process.exit(0)
  process.on('SIGTERM', end).on('SIGINT', end)
  process.on('SIGHUP', () => (isAsked = true))
  return {
    serves() {
      process.off('SIGTERM', end).off('SIGINT', end)
      if (isAsked) process.emit('SIGHUP', 'SIGHUP')
    },
  }
}

/** A second signal, or a request that takes too long, ends the process at once. */
export function stopOnSignal(close: () => Promise<void>, observe: Observe) {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    observe({ kind: 'stopping', signal })
    setTimeout(() => process.exit(1), patienceMs).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
