// Sockets, apart for each connection: one that hangs, or whose answers are not its own, is nobody else's trouble.
import type { LookupFunction } from 'node:net'
import { Problem } from '../problem.ts'
import { limits } from './limits.ts'
import { createLookUp, type LookUpOptions } from './look-up.ts'
import { Pool } from './undici.ts'

/** what the operator chooses */
export interface Reach {
  readonly connectMs: number
  readonly headersMs: number
  readonly idleMs: number
  readonly totalMs: number
  /** calls of one platform key at once */
  readonly concurrency: number
  readonly privateAddresses: boolean
}

export interface PoolsOptions extends Reach, Pick<LookUpOptions, 'steady' | 'resolve'> {
  readonly origin: string
}

export interface Pools {
  /** the pool of this owner, which opens no socket before it is asked for one */
  of(owner: object): Pool
  close(): Promise<void>
}

const sweepMs = 30_000
/** a pool with its sockets is 25 KB: of thousands of connections in use, the one used longest ago gives up its own */
const mostPools = 2_000
/** how many are looked at for one that nobody waits for */
const mostLooks = 16

/** a name on this machine was meant to lead here */
const isLocal = (origin: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

const openPool = ({ origin, connectMs, headersMs, idleMs, concurrency }: PoolsOptions, lookup: LookupFunction): Pool =>
  new Pool(origin, {
    connections: concurrency,
    pipelining: 1,
    // one session for all callers would let one broken frame fail them together
    allowH2: false,
    connect: { timeout: connectMs, lookup },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: limits.headerBytes,
  })

/** in the order of use */
type Open = Map<object, Pool>

function letGo(pools: Open, owner: object, pool: Pool) {
  pools.delete(owner)
  void pool.close()
}

/** who has not been asked for a while holds neither sockets nor memory */
function sweep(pools: Open) {
  for (const [owner, pool] of pools) if (pool.stats.size === 0 && pool.stats.connected === 0) letGo(pools, owner, pool)
}

function makeRoom(pools: Open) {
  if (pools.size < mostPools) return
  for (const [owner, pool] of pools.entries().take(mostLooks))
    if (pool.stats.size === 0) return letGo(pools, owner, pool)
}

export function createPools(options: PoolsOptions): Pools {
  const { origin, privateAddresses, steady, resolve } = options
  const lookup = createLookUp({ insideToo: privateAddresses || isLocal(origin), steady, resolve })
  const pools: Open = new Map()
  let isClosed = false

  const open = (): Pool => openPool(options, lookup)

  const timer = setInterval(() => sweep(pools), sweepMs)
  timer.unref()

  return {
    of(owner) {
      if (isClosed) throw new Problem('stopping')
      const found = pools.get(owner)
      if (!found) makeRoom(pools)
      const pool = found ?? open()
      pools.delete(owner)
      pools.set(owner, pool)
      return pool
    },
    async close() {
      clearInterval(timer)
      isClosed = true
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}
