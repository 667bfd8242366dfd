// How connections stand in several processes, told as one: the worst of what each has met, the latest of what it heard.
import type { LineState } from '../engine/port.ts'

export interface Standing {
  readonly id: string
  readonly state: () => LineState
}

const worse = { closed: 0, 'half-open': 1, open: 2 } as const
const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))

/** turns and quota are of the platform key, and the keeper's word: of two, the later or more careful one */
function quotaOf(a: LineState, b: LineState): Partial<LineState> {
  const scarcer = (x: LineState['hour'], y: LineState['hour']) =>
    x && y ? (x.remaining <= y.remaining ? x : y) : (x ?? y)
  const [hour, minute] = [scarcer(a.hour, b.hour), scarcer(a.minute, b.minute)]
  return {
    ...(hour && { hour }),
    ...(minute && { minute }),
    pausedSec: Math.max(a.pausedSec, b.pausedSec),
    running: Math.max(a.running, b.running),
    waiting: Math.max(a.waiting, b.waiting),
  }
}

function together(a: LineState, b: LineState): LineState {
  const lastFailure = (a.lastFailure?.at ?? 0) >= (b.lastFailure?.at ?? 0) ? a.lastFailure : b.lastFailure
  return {
    ...a,
    ...quotaOf(a, b),
    breaker: worse[a.breaker] >= worse[b.breaker] ? a.breaker : b.breaker,
    // the first of them to try finds out for itself
    retryAfterSec: least(a.retryAfterSec, b.retryAfterSec),
    keyRejected: a.keyRejected || b.keyRejected,
    lastAnswerAt:
      a.lastAnswerAt === null && b.lastAnswerAt === null ? null : Math.max(a.lastAnswerAt ?? 0, b.lastAnswerAt ?? 0),
    lastFailure,
  }
}

/** undefined where it stands nowhere */
export const mergeStates = ([first, ...rest]: readonly LineState[]): LineState | undefined =>
  first && rest.reduce(together, first)

export type Line = readonly [id: string, state: LineState]

export function mergeLines(all: readonly (readonly Line[])[]): Standing[] {
  const merged = new Map<string, LineState>()
  for (const [id, state] of all.flat()) {
    const known = merged.get(id)
    merged.set(id, known ? together(known, state) : state)
  }
  return [...merged].map(([id, state]) => ({ id, state: () => state }))
}
