// A socket pool for each connection, so that a hanging or broken socket harms no other connection.
import type { LookupFunction } from 'node:net'
import type { Pool } from 'undici'
import { Problem } from '../../problems.ts'
import { limits } from './limits.ts'
import { type AddressLookupOptions, createAddressLookup } from './address-lookup.ts'

export interface Reach {
  readonly connectMs: number
  readonly headersMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly concurrency: number
  readonly privateAddresses: boolean
}

export interface PoolsOptions extends Reach, Pick<AddressLookupOptions, 'steady' | 'resolve'> {
  readonly origin: string
}

export type Pools = ReturnType<typeof createPools>

const sweepMs = 30_000
/** a pool with its sockets takes 25 KB: beyond so many, the least recently used idle one of the first 16 is closed */
const [mostPools, mostLooks] = [2_000, 16]
const isLocal = (origin: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/** loaded by the first read: its 120 files would slow the start */
const loadUndici = () => import('undici')

type Undici = Awaited<ReturnType<typeof loadUndici>>

const openPool = (
  undici: Undici,
  { origin, connectMs, headersMs, idleMs, concurrency }: PoolsOptions,
  lookup: LookupFunction,
): Pool =>
  new undici.Pool(origin, {
    connections: concurrency,
    pipelining: 1,
    // on one HTTP/2 session a broken frame would fail all calls together
    allowH2: false,
    connect: { timeout: connectMs, lookup },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: limits.headerBytes,
  })

type Open = Map<object, Pool>

function closePool(pools: Open, owner: object, pool: Pool) {
  pools.delete(owner)
  void pool.close()
}

function sweep(pools: Open) {
  for (const [owner, pool] of pools)
    if (pool.stats.size === 0 && pool.stats.connected === 0) closePool(pools, owner, pool)
}

function makeRoom(pools: Open) {
  if (pools.size < mostPools) return
  for (const [owner, pool] of pools.entries().take(mostLooks))
    if (pool.stats.size === 0) return closePool(pools, owner, pool)
}

export function createPools(options: PoolsOptions) {
  const { origin, privateAddresses, steady, resolve } = options
  const lookup = createAddressLookup({ privateAddresses: privateAddresses || isLocal(origin), steady, resolve })
  const pools: Open = new Map()
  let undici: Undici | undefined
  let isClosed = false

  const timer = setInterval(() => sweep(pools), sweepMs)
  timer.unref()

  return {
    async of(owner: object): Promise<Pool> {
      undici ??= await loadUndici()
      if (isClosed) throw new Problem('stopping')
      const found = pools.get(owner)
      if (!found) makeRoom(pools)
      const pool = found ?? openPool(undici, options, lookup)
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
