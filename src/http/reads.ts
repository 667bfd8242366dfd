// The one handler of every route: from an admitted question to a reply, under one deadline.
import { answer } from '../engine/answer.ts'
import type { Cursors } from '../engine/cursor.ts'
import type { PlatformRead } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Admitted } from './caller.ts'

export interface Reading {
  readonly cursors: Cursors
  /** the platform's origin */
  readonly origin: string
  /** budget of one facade request over all its platform calls */
  readonly timeoutMs: number
  /** aborted when the service can wait no longer for the platform */
  readonly giveUp: AbortSignal
  readonly observe: Observe
}

/** `leave` is called back when nobody waits for the answer any more */
export interface Waiting {
  onLeave(leave: () => void): void
  onPlatformCall(): void
}

export async function read(
  { open, ...question }: NonNullable<Admitted['asked']> & { query: string },
  { cursors, origin, timeoutMs, giveUp, observe }: Reading,
  waiting: Waiting,
): Promise<string> {
  const patience = new AbortController()
  const deadline = setTimeout(() => patience.abort(new DOMException('deadline', 'TimeoutError')), timeoutMs)
  const leave = () => patience.abort()
  waiting.onLeave(leave)
  if (giveUp.aborted) leave()
  giveUp.addEventListener('abort', leave)
  const get = (wanted: PlatformRead) => {
    if (patience.signal.aborted) throw new Problem('upstream_timeout', { cause: 'deadline between two calls' })
    waiting.onPlatformCall()
    return open.get(wanted, patience.signal)
  }
  try {
    const { body, unknown, duplicates } = await answer(
      { ...question, account: open.account },
      { get, cursors, origin, linkage: open.linkage },
    )
    const { type } = question.route
    if (unknown.length > 0) observe({ kind: 'drift', type, members: unknown })
    if (duplicates > 0) observe({ kind: 'duplicate', type, count: duplicates })
    return JSON.stringify(body)
  } finally {
    clearTimeout(deadline)
    giveUp.removeEventListener('abort', leave)
  }
}
