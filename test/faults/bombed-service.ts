// A service in a process of its own, so that what a bomb costs can be measured: its own memory and nobody else's. It is told
// which paths to ask, all at once, and tells what came and how much memory that took.
import { startService } from '../ground/service.ts'

export interface Blast {
  readonly paths: readonly string[]
}

export interface Damage {
  /** status, type and code of each answer */
  readonly ends: readonly string[]
  /** how much more memory the process held at most than it did before */
  readonly grownMiB: number
}

const [, , platformUrl = ''] = process.argv
const service = await startService(platformUrl, {
  file: { upstream: { timeoutMs: 60_000, idleMs: 30_000, headersMs: 30_000, concurrency: 64 } },
})

const MiB = 1 << 20
const peakMiB = (): number => process.resourceUsage().maxRSS / 1_024

async function detonate({ paths }: Blast): Promise<Damage> {
  const beforeMiB = process.memoryUsage.rss() / MiB
  const answers = await Promise.all(paths.map((path) => service.ask(path)))
  const ends = answers.map(({ status, json }) => `${status} ${json.error?.type} ${json.error?.code}`)
  return { ends, grownMiB: peakMiB() - beforeMiB }
}

process.on('message', (blast: Blast) => void detonate(blast).then((damage) => process.send?.(damage)))
process.on('disconnect', () => void service.close())
process.send?.('ready')
