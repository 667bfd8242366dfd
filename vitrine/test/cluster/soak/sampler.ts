// Measures a replica every few seconds: from the kernel, from its own metrics, and after a garbage collection.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { operatorToken } from '../../stored-connections/program.ts'
import { ask } from '../request.ts'
import type { Cluster } from '../cluster.ts'
import type { Replica } from '../replica.ts'

export const measures = ['rssMiB', 'heapMiB', 'codeMiB', 'descriptors', 'sockets', 'timers', 'lagMs'] as const
export type Measure = (typeof measures)[number]

export interface Sample {
  readonly replica: string
  /** seconds since the load started */
  readonly at: number
  /** measures that were not available are left out */
  readonly values: Readonly<Partial<Record<Measure, number>>>
}

const MiB = 1 << 20

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const residentMiB = (pid: number): number | undefined => {
  const kb = /^VmRSS:\s*(\d+) kB/m.exec(attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')?.[1]
  return kb === undefined ? undefined : Number(kb) / 1_024
}

function descriptorsOf(pid: number) {
  const names = attempt(() => readdirSync(`/proc/${pid}/fd`))
  const kinds = names?.map((name) => attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? '')
  return kinds && { descriptors: kinds.length, sockets: kinds.filter((kind) => kind.startsWith('socket:')).length }
}

const valueOf = (text: string, name: RegExp): number | undefined => {
  const found = new RegExp(`^${name.source} (\\S+)$`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

async function countedBy(replica: Replica) {
  const { status, text } = await ask(`${replica.operatorUrl}/metrics`, operatorToken, { mostMs: 3_000 })
  if (status !== 200) return {}
  const timers = valueOf(text, /nodejs_active_resources\{type="Timeout"\}/)
  const lagSec = valueOf(text, /nodejs_eventloop_lag_p99_seconds/)
  return { ...(timers !== undefined && { timers }), ...(lagSec !== undefined && { lagMs: lagSec * 1_000 }) }
}

function heapOf(folder: string, pid: number) {
  const vitals = attempt(() => JSON.parse(readFileSync(join(folder, 'vitals.json'), 'utf8')))
  return vitals?.pid === pid ? { heapMiB: vitals.objects / MiB, codeMiB: vitals.compiled / MiB } : {}
}

export interface Sampler {
  readonly samples: readonly Sample[]
  stop(): void
}

export function startSampler(cluster: Cluster, everyMs: number): Sampler {
  const samples: Sample[] = []
  const begunAt = performance.now()
  let rounds = 0

  async function look(replica: Replica, isCollecting: boolean) {
    const pid = replica.pid()
    const at = (performance.now() - begunAt) / 1_000
    const rssMiB = residentMiB(pid)
    // the result of the previous collection; the next one is requested now
    const heap = isCollecting ? heapOf(replica.folder, pid) : {}
    const counted = await countedBy(replica)
    if (isCollecting && replica.isRunning()) replica.signal('SIGWINCH')
    const held = { ...(rssMiB !== undefined && { rssMiB }), ...heap }
    samples.push({ replica: replica.name, at, values: { ...held, ...descriptorsOf(pid), ...counted } })
  }

  const timer = setInterval(() => {
    const isCollecting = rounds++ % 6 === 0
    for (const replica of cluster.replicas) void look(replica, isCollecting)
  }, everyMs)
  return { samples, stop: () => clearInterval(timer) }
}
