// Follows a command that goes on without its caller. Each follower reads at its own pace; one that falls behind loses lines, and
// is told which.
import type { KeptCommand, KeptEnd } from './kept-command.ts'
import type { LineWriter } from './stream.ts'

export interface FollowRequest {
  readonly after: number
  readonly signal: AbortSignal
}

/** Sends the lines after `after`. Undefined: the signal was aborted before the end. */
export async function follow(
  lines: LineWriter,
  kept: KeptCommand,
  { after, signal }: FollowRequest,
): Promise<KeptEnd | undefined> {
  let next = after + 1
  let wake = () => {}
  const unwatch = kept.watch(() => wake())
  const leave = () => wake()
  signal.addEventListener('abort', leave)
  try {
    await lines.send({ type: 'start', execId: kept.place.id, at: kept.startedAt })
    while (!signal.aborted) {
      const changed = new Promise<void>((ok) => (wake = ok))
      const { first, end } = kept
      const line = kept.line(next)
      if (next < first) {
        await lines.send({ type: 'lost', firstSeq: next, lastSeq: first - 1 })
        next = first
      } else if (line) {
        await lines.send(line)
        next++
      } else if (end) return end
      else await changed
    }
    return undefined
  } finally {
    unwatch()
    signal.removeEventListener('abort', leave)
  }
}
