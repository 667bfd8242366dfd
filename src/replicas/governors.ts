// The governors of platform keys in a service that has, or may have, replicas.
import type { Governor } from '../platform/governor.ts'
import { createSharedGovernor, partOf, type SharedGovernorOptions } from '../platform/shared-governor.ts'
import type { LedgerOf, LedgerOptions } from './ledger.ts'
import type { Redis } from './redis.ts'

type GovernorOf = (key: string) => Governor

/** how long after the end of its time a call that was given up may still reach the platform */
const lateMs = 5_000

export interface GovernorsOptions extends Omit<SharedGovernorOptions, 'ledger'> {
  readonly redis: Redis | undefined
  /** what one call of the platform may take in all */
  readonly totalMs: number
}

async function ledgersOver(redis: Redis, options: Omit<LedgerOptions, 'redis'>): Promise<LedgerOf> {
  const { createLedgers } = await import('./ledger.ts')
  return createLedgers({ redis, ...options })
}

export async function openGovernors({ redis, totalMs, ...options }: GovernorsOptions): Promise<GovernorOf> {
  const { most, replicas } = options
  const mostInFlight = () => replicas() * partOf(most, replicas())
  const ledgerOf = redis && (await ledgersOver(redis, { holdMs: totalMs + lateMs, mostInFlight }))
  return (key) => createSharedGovernor({ ...options, ledger: ledgerOf?.(key) })
}
