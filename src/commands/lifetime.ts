// From the first signal to the end of the process: what is under way finishes, and nothing waits for ever.
import type { Observe } from '../observe.ts'

const patienceMs = 14_000

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
