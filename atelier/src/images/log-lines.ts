// Sends the log of a build as lines of JSON: the stored ones, and, if it is followed, those that come until the build ends.
import type { LineWriter } from '../exec/stream.ts'
import type { LogLine } from '../store/image-log-rows.ts'
import type { ImageRows } from '../store/image-rows.ts'
import type { Builder } from './builder.ts'

/** a build of another process reports nothing here, so its rows are read now and then */
const lookMs = 2_000
/** lines that come within this time are read and sent together */
const gatherMs = 50

const lineOf = ({ seq, at, step, stream, data }: LogLine): object =>
  stream === 'truncated'
    ? { type: 'truncated', seq, at: new Date(at).toISOString() }
    : { type: 'log', seq, at: new Date(at).toISOString(), step, stream, data }

const isOver = (status: string): boolean => status !== 'queued' && status !== 'building'

export interface LogRequest {
  readonly image: string
  readonly after: number
  readonly isFollowed: boolean
  readonly signal: AbortSignal
}

export async function sendLog(
  lines: LineWriter,
  { image, after, isFollowed, signal }: LogRequest,
  rows: Pick<ImageRows, 'log' | 'statusOf'>,
  builder: Pick<Builder, 'watch'>,
) {
  let last = after
  let wake = () => {}
  const unwatch = builder.watch(image, () => wake())
  signal.addEventListener('abort', () => wake())
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>((ok) => (wake = ok))
      // the status first: what is written before the end is read after it
      const status = (await rows.statusOf(image)) ?? 'cancelled'
      const some = await rows.log(image, last)
      if (some.length > 0) {
        await lines.send(...some.map(lineOf))
        last = some.at(-1)!.seq
        continue
      }
      if (!isFollowed || isOver(status)) return lines.end({ type: 'end', status })
      const late = setTimeout(wake, lookMs)
      await changed
      clearTimeout(late)
      if (!signal.aborted) await new Promise((ok) => setTimeout(ok, gatherMs))
    }
    return lines.close()
  } finally {
    unwatch()
  }
}
