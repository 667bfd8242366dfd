// The log of a build as lines of JSON: what is stored, and, where it is followed, what comes until the build ends.
import type { LineWriter } from '../exec/stream.ts'
import type { LogLine } from '../store/image-log-rows.ts'
import type { ImageRows } from '../store/image-rows.ts'
import type { Builder } from './builder.ts'

const pageLines = 500
/** a build of another process tells nothing here, so its rows are looked at now and then */
const lookMs = 2_000

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
  rows: ImageRows,
  builder: Pick<Builder, 'watch'>,
) {
  let last = after
  let wake = () => {}
  const unwatch = builder.watch(image, () => wake())
  signal.addEventListener('abort', () => wake())
  try {
    while (!signal.aborted) {
      const told = new Promise<void>((ok) => (wake = ok))
      // the status first: what is written before the end is read after it
      const found = await rows.find(image)
      const some = await rows.log(image, last, pageLines)
      for (const line of some) {
        await lines.send(lineOf(line))
        last = line.seq
      }
      if (some.length === pageLines) continue
      const status = found && found.deletedAt === null ? found.status : 'cancelled'
      if (!isFollowed || isOver(status)) return lines.end({ type: 'end', status })
      const late = setTimeout(wake, lookMs)
      await told
      clearTimeout(late)
    }
    return lines.close()
  } finally {
    unwatch()
  }
}
