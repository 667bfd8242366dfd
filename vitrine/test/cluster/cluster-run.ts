// One run of a cluster: steady load, one fault after the other, and checkers that watch all the time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { keyCanaries } from '../support/canaries.ts'
import { type Chance, createChance } from '../secrets/random.ts'
import type { Told } from './request.ts'
import { type Checks, createChecks } from './checks.ts'
import { type Cluster, type ClusterOptions, managed, startCluster } from './cluster.ts'
import type { Fault } from './faults.ts'
import { type Endpoint, keepReading, keepWalking, type Reader, readOnce, type Scene } from './load.ts'
import { keepReplacing, keepRevoking } from './operators.ts'
import type { Quota } from './platform.ts'

export interface Episode {
  readonly faults: readonly Fault[]
  readonly forMs: number
  readonly calmMs: number | (() => number)
}

export interface CourseOptions extends ClusterOptions {
  readonly seed: number
  readonly episodes: (cluster: Cluster, chance: Chance) => Iterable<Episode>
  readonly say?: (line: string) => void
  readonly seen?: (endpoint: Endpoint, told: Told) => void
  /** called when the load has started */
  readonly begun?: (cluster: Cluster) => void
  /** called when it is over, before anything is closed */
  readonly ended?: () => void
  readonly walkers?: number
  /** continues to the end, whatever fails on the way */
  readonly goesOn?: boolean
}

export interface Outcome {
  readonly checks: Checks
  /** each promise with its violations */
  readonly report: readonly { readonly promise: string; readonly faults: readonly string[] }[]
  readonly told: readonly string[]
  readonly recoveredMs: readonly number[]
  readonly episodes: number
}

const size = 600
export const quotas: Readonly<Record<string, Quota>> = {
  // hundreds of keys come and go, each with a share, and paging must still have enough
  [managed.wide]: { hour: 90_000_000 },
  [managed.narrow]: { minute: 60, hour: 1_000 },
}

/** readers below their rate, above it and without one, on both connections */
const wishes = [
  { perMinute: 100, everyMs: 250, connection: 'wide' },
  { perMinute: 40, everyMs: 700, connection: 'wide' },
  { perMinute: 5_000, everyMs: 120, connection: 'wide' },
  { perMinute: null, everyMs: 120, connection: 'wide' },
  { perMinute: null, everyMs: 500, connection: 'narrow' },
  { perMinute: 600, everyMs: 500, connection: 'narrow' },
]

async function makeReaders(cluster: Cluster, checks: Checks): Promise<Reader[]> {
  const readers: Reader[] = []
  for (const { perMinute, everyMs, connection } of wishes) {
    const { id, key } = await cluster.issue(perMinute === null ? {} : { perMinute })
    cluster.canaries.push(...keyCanaries('a key', key))
    if (perMinute !== null) checks.rates.limit(id, perMinute)
    readers.push({ key, keyId: id, connection, everyMs })
  }
  return readers
}

async function runEpisode({ faults, forMs, calmMs }: Episode, checks: Checks, say: (line: string) => void) {
  const begunAt = performance.now()
  say(faults.map(({ words }) => words).join(', and '))
  await Promise.all(faults.map((fault) => fault.begin()))
  await sleep(forMs)
  await Promise.all(faults.map((fault) => fault.end()))
  await sleep(Math.max(0, typeof calmMs === 'number' ? calmMs : calmMs()))
  // detection and recounting take a moment
  if (faults.some(({ apart }) => apart)) checks.rates.apart(begunAt, performance.now() + 2_000)
}

/** everything that Redis stores, in the bytes of a snapshot */
async function lookIntoRedis({ redis }: Cluster, checks: Checks) {
  if (!redis) return
  const client = new Redis(redis.url)
  const names = await client.keys('*')
  for (const name of names) {
    const value = await client.dumpBuffer(name)
    checks.secrets.wrote(`Redis ${name}`, Buffer.concat([Buffer.from(`${name} `), value ?? Buffer.alloc(0)]))
  }
  client.disconnect()
}

async function awaitRecovery(scene: Scene, reader: Reader): Promise<number[]> {
  const { cluster, checks } = scene
  const endpoints = [...cluster.replicas, { name: 'balancer', url: cluster.balancer.url }]
  return Promise.all(
    endpoints.map((endpoint) =>
      checks.recovery.await(endpoint.name, async () => (await readOnce(scene, reader, endpoint)).status),
    ),
  )
}

export async function runCourse(options: CourseOptions): Promise<Outcome> {
  const chance = createChance(options.seed)
  const cluster = await startCluster({ platform: { quotas, size }, ...options })
  const told: string[] = []
  const say = (words: string) => {
    told.push(`${(performance.now() / 1_000).toFixed(1)} s: ${words}`)
    options.say?.(told.at(-1) ?? '')
  }
  const over = new AbortController()
  const checks = createChecks(cluster, quotas)
  try {
    const scene: Scene = {
      cluster,
      checks,
      size,
      signal: over.signal,
      chance: createChance(options.seed + 1),
      ...(options.seen && { seen: options.seen }),
    }
    const readers = await makeReaders(cluster, checks)
    const free = readers[3] as Reader
    const holder = await cluster.issue()
    const load = Promise.all([
      ...readers.map((reader) => keepReading(scene, reader)),
      ...Array.from({ length: options.walkers ?? 3 }, () => keepWalking(scene, free.key)),
      keepRevoking(scene),
      keepReplacing(scene, holder),
    ])
    options.begun?.(cluster)
    await sleep(500)
    let episodes = 0
    for (const episode of options.episodes(cluster, chance)) {
      await runEpisode(episode, checks, say)
      episodes++
      if (checks.faults().length > 0 && !options.goesOn) break
    }
    say('the last fault is over')
    const recoveredMs = await awaitRecovery(scene, free)
    over.abort()
    await load
    options.ended?.()
    for (const replica of cluster.replicas) checks.secrets.wrote(`log of ${replica.name}`, replica.log())
    await lookIntoRedis(cluster, checks)
    const report = checks.all.map(({ promise, faults }) => ({ promise, faults: faults() }))
    return { checks, report, told, recoveredMs, episodes }
  } finally {
    over.abort()
    await cluster.close()
  }
}
