// Ctrl-C, SIGTERM and a closed terminal: the first one ends the work and lets it clean up, the second ends the process at once.
import { constants } from 'node:os'

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Ended by ${signal}.`)
    this.signal = signal
  }
}

/** the reader of the output closed it, as `head` does */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** as shells report it */
export const exitOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

const watched = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function watchSignals() {
  const stopper = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopper.signal.aborted) process.exit(exitOfSignal(signal))
    stopper.abort(new Interrupted(signal))
  }
  for (const signal of watched) process.on(signal, stop)
  return {
    signal: stopper.signal,
    stop: (reason: Error) => stopper.abort(reason),
    end() {
      for (const signal of watched) process.off(signal, stop)
    },
  }
}

export type Signals = ReturnType<typeof watchSignals>

/** rejects with the reason of the signal as soon as it is aborted */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** resolves when the bytes are taken: a slow reader slows the source */
export const writeTo = (stream: NodeJS.WriteStream, bytes: Uint8Array | string, signal: AbortSignal): Promise<void> =>
  unlessAborted(
    new Promise((ok, no) => {
      stream.write(bytes, (error) => {
        const { code } = (error ?? {}) as NodeJS.ErrnoException
        if (!error) ok()
        else no(code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? new ReaderGone() : error)
      })
    }),
    signal,
  )
