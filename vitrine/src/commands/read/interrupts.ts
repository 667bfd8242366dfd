// Ctrl-C and SIGTERM during a read: the first ends it with a message, the second at once.
import { constants } from 'node:os'

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Ended by ${signal}.`)
    this.signal = signal
  }
}

/** as shells report it */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** output that nothing reads must not delay the end */
const exitDelayMs = 1_000

export function watchInterrupts() {
  const stopper = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopper.signal.aborted) process.exit(signalExitCode(signal))
    setTimeout(() => process.exit(signalExitCode(signal)), exitDelayMs).unref()
    stopper.abort(new Interrupted(signal))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: stopper.signal,
    end() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
