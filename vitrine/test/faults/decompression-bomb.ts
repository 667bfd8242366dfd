// A service as a process, so that only its own memory is measured. It gets a list of paths, requests them all at once, and
// reports the answers and the memory they took.
import { startService } from '../support/service.ts'

export interface Blast {
  readonly paths: readonly string[]
}

export interface Damage {
  /** status, type and code of each answer */
  readonly ends: readonly string[]
  /** the peak of the process's memory above its earlier size */
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
