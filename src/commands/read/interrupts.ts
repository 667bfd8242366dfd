// Ctrl-C and SIGTERM while something is read: the first one ends the walk with a word, the second one at once.
import { constants } from 'node:os'

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Ended by ${signal}.`)
    this.signal = signal
  }
}

/** as shells count them */
export const exitOnSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

export interface Interrupts {
  readonly signal: AbortSignal
  readonly end: () => void
}

/** a reader who does not read holds the last word up; nobody waits longer for it */
const patienceMs = 1_000

export function watchInterrupts(): Interrupts {
  const stopper = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopper.signal.aborted) process.exit(exitOnSignal(signal))
    setTimeout(() => process.exit(exitOnSignal(signal)), patienceMs).unref()
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
