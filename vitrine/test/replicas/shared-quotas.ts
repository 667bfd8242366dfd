// The shared quota of one signing key, as several replicas see it.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createSharedQuotas } from '../../src/replicas/shared-quota.ts'
import { plainRedis } from '../support/plain-redis.ts'

export interface Scene {
  readonly holdMs?: number
  readonly hourMs?: number
  readonly mostInFlight?: number
  readonly replicas?: number
}

/** a shared quota of one signing key for each replica, each with its own connection */
export function sharedQuotas(t: TestContext, { holdMs = 1_000, hourMs, mostInFlight = 0, replicas = 2 }: Scene = {}) {
  const installation = randomBytes(6).toString('hex')
  return Array.from({ length: replicas }, () => {
    const redis = plainRedis(t, installation)
    return createSharedQuotas({ redis, holdMs, mostInFlight: () => mostInFlight, ...(hourMs && { hourMs }) })('key')
  })
}

export type TestQuota = ReturnType<typeof sharedQuotas>[number]

let id = 0
export const newId = () => String(++id)
