// Ends a service in order: serves on for a grace period, finishes what is under way, then writes what is pending.
import { setTimeout } from 'node:timers/promises'
import { type AbortGroup, withDeadline } from '../core/abort.ts'
import type { HttpServer } from './server.ts'

export interface Closing {
  readonly graceMs?: number
  /** how long idle sockets may then stay: a request may be on its way */
  readonly idleMs?: number
}

const patienceMs = 9_000
const unsentMs = 1_500
/** for the last writes; a store that is away is not waited for */
const lastMs = 1_700

export function createShutdown(servers: readonly HttpServer[], stop: AbortGroup, last: () => Promise<void>) {
  const hurry = new AbortController()
  let ended: Promise<void> | undefined

  async function shut({ graceMs = 0, idleMs = 0 }: Closing) {
    const { signal } = hurry
    const giveUp = () => stop.abort(new DOMException('the service stops', 'AbortError'))
    const late = globalThis.setTimeout(giveUp, patienceMs)
    signal.addEventListener('abort', giveUp)
    await setTimeout(graceMs, undefined, { signal }).catch(() => {})
    const mostMs = patienceMs + unsentMs - graceMs
    await Promise.all(servers.map(({ drain }) => drain({ mostMs, idleMs, hurry: signal })))
    clearTimeout(late)
    await withDeadline(last(), lastMs, () => {})
  }

  /** a second call waits for no caller, only for `last` */
  return (closing: Closing = {}): Promise<void> => {
    if (ended) hurry.abort()
    return (ended ??= shut(closing))
  }
}
