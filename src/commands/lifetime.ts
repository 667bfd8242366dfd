// What signals mean to a service, from its beginning to its end: what is under way finishes, and nothing waits for ever.
import type { Observe } from '../observe.ts'

/** the service ends itself sooner; this is for what nobody thought of */
const patienceMs = 14_700

/** what is under way when a second signal comes has so long to be written; a store that is away is not waited for */
const hurriedMs = 4_000

/**
 * A signal that comes before there is anything to finish ends the process with status 0: the first process of a container does
 * not hear one that nobody listens for. Answers a function that leaves signals to others.
 */
export function endOnSignal(): () => void {
  const end = () => process.exit(0)
  process.on('SIGTERM', end).on('SIGINT', end)
  return () => void process.off('SIGTERM', end).off('SIGINT', end)
}

/**
 * From the beginning on every signal meets somebody: the first process of a container does not hear one that nobody listens for,
 * and a hang-up ends any other. Until the service serves there is nothing to finish; to read the settings again waits for it.
 */
export function heedSignals(): { serves: () => void } {
  let isAsked = false
  const leaveToOthers = endOnSignal()
  process.on('SIGHUP', () => (isAsked = true))
  return {
    serves() {
      leaveToOthers()
      if (isAsked) process.emit('SIGHUP', 'SIGHUP')
    },
  }
}

/**
 * `close` is called for the first signal, and again for the second: then it waits for no caller any more, and only for what is still to be
 * written. The status is 1 then, as where it fails or takes too long. Further signals change nothing: the end is seconds away.
 */
export function stopOnSignal(close: () => Promise<void>, observe: Observe) {
  let signals = 0
  const fail = () => process.exit(1)
  const stop = (signal: NodeJS.Signals) => {
    signals++
    if (signals > 2) return
    observe({ kind: 'stopping', signal })
    setTimeout(fail, signals === 1 ? patienceMs : hurriedMs).unref()
    close().then(() => process.exit(signals === 1 ? 0 : 1), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
