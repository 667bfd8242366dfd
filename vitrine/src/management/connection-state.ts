// The state of a connection as both endpoints show it: every member is always there, null if unknown.
import type { Connection } from '../connections/connection.ts'
import { isoOf } from '../../../base/core/moment.ts'

export function shownState({ id, state }: Pick<Connection, 'id' | 'state'>) {
  const { breaker, retryAfterSec, hour, minute, pausedSec, running, waiting, ...rest } = state()
  const { keyRejected, lastAnswerAt, lastFailure } = rest
  return {
    connection: id,
    breaker,
    retryAfterSec,
    quota: { hour: hour ?? null, minute: minute ?? null, pausedSec },
    calls: { running, waiting },
    keyRejected,
    lastAnswerAt: isoOf(lastAnswerAt),
    lastFailure: lastFailure && { at: isoOf(lastFailure.at), code: lastFailure.code },
  }
}

export type ShownState = ReturnType<typeof shownState>
