// How a connection stands with the platform, as both doors tell it: every member always there, null where nothing is known.
import type { Connection } from '../connections/connection.ts'
import { isoOf } from './moment.ts'

export function shownState({ id, state }: Pick<Connection, 'id' | 'state'>) {
  const { breaker, retryAfterSec, hour, minute, pausedSec, running, waiting, ...rest } = state()
  const { keyRejected, lastAnswerAt, lastFailure } = rest
  return {
    ...{ connection: id, breaker, retryAfterSec },
    quota: { hour: hour ?? null, minute: minute ?? null, pausedSec },
    calls: { running, waiting },
    keyRejected,
    lastAnswerAt: isoOf(lastAnswerAt),
    lastFailure: lastFailure && { at: isoOf(lastFailure.at), code: lastFailure.code },
  }
}

export type ShownState = ReturnType<typeof shownState>
