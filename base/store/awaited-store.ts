// Tries again to open a store whose server cannot be reached yet: after a reboot, services start in any order.
import { setTimeout as pause } from 'node:timers/promises'

/** another try may succeed: the server was not reached, or is starting, stopping or full */
export class StoreSilent extends Error {}

const mostMs = 60_000
const pauseMs = 1_000

export interface Awaiting {
  /** called once, before the first pause */
  readonly waits: (reason: string, mostMs: number) => void
  /** milliseconds of a clock that is never set */
  readonly steady?: () => number
  readonly rest?: (ms: number) => Promise<unknown>
}

/** Throws the last failure when the time is over, and every other failure at once. */
export async function awaitStore<T>(open: () => Promise<T>, { waits, steady, rest = pause }: Awaiting): Promise<T> {
  const now = steady ?? (() => performance.now())
  const endsMs = now() + mostMs
  for (let tries = 1; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreSilent) || now() >= endsMs) throw error
      if (tries === 1) waits(String(error.cause), mostMs)
    }
    await rest(pauseMs)
  }
}
