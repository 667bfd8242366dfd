// Ledgers of one platform key, as replicas have them.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createLedgers } from '../../src/replicas/ledger.ts'
import { patientRedis } from '../ground/patient-redis.ts'

export interface Scene {
  readonly holdMs?: number
  readonly hourMs?: number
  readonly mostInFlight?: number
  readonly replicas?: number
}

/** a ledger of one platform key for each of some replicas, with a connection of its own */
export function ledgers(t: TestContext, { holdMs = 1_000, hourMs, mostInFlight = 0, replicas = 2 }: Scene = {}) {
  const installation = randomBytes(6).toString('hex')
  return Array.from({ length: replicas }, () => {
    const redis = patientRedis(t, installation)
    return createLedgers({ redis, holdMs, mostInFlight: () => mostInFlight, ...(hourMs && { hourMs }) })('key')
  })
}

export type Ledger = ReturnType<typeof ledgers>[number]

let id = 0
export const newId = () => String(++id)
