// Why a terminal is closed, as a WebSocket says it: a code, and a reason of at most 123 bytes. 4000 and an HTTP status stand for a problem
// that the same request would have met before its upgrade.
import type { AnyProblem } from '../../../base/core/problem.ts'
import type { KillReason } from '../exec/command.ts'

export interface Closing {
  readonly code: number
  readonly reason: string
}

const mostReasonBytes = 123

export const shellEnded: Closing = { code: 1000, reason: 'The shell has ended.' }
export const notControl: Closing = { code: 1008, reason: 'A text message must be a known one, as JSON.' }
export const longControl: Closing = { code: 1009, reason: 'A text message is too long.' }
export const tooMuchTaken: Closing = { code: 1008, reason: 'More output was confirmed than was sent.' }

const endings: Readonly<Record<KillReason, Closing>> = {
  caller_gone: { code: 1000, reason: '' },
  key_ended: { code: 4401, reason: 'The API key or the session has ended.' },
  container_ended: { code: 4409, reason: 'The container has ended.' },
  stopping: { code: 1012, reason: 'The service is restarting.' },
  // no terminal is killed for these
  timeout: { code: 1011, reason: '' },
  output_limit: { code: 1011, reason: '' },
}

export const closingOf = (reason: KillReason): Closing => endings[reason]

export function closingFor({ message, row: { status } }: AnyProblem): Closing {
  const code = status === 503 ? 1013 : status >= 500 ? 1011 : 4000 + status
  return { code, reason: Buffer.byteLength(message) > mostReasonBytes ? '' : message }
}
