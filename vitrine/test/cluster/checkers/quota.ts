// The platform's own count for each key never passes the quota of a minute and an hour while replicas reach Redis. A replica that
// does not continues with its part of what was left, while others use the whole: half as much more, with two replicas.
import type { Counted, Quota } from '../platform.ts'
import { type Checker, createFaults } from './checker.ts'

export interface QuotaParts {
  readonly quotas: Readonly<Record<string, Quota>>
  readonly countedOf: (keyId: string) => Counted
  /** when a replica logged that Redis is unreachable, by the wall clock */
  readonly awayAt: () => readonly number[]
  readonly replicas: number
}

const minuteMs = 60_000
/** between a call and its arrival at the platform, and between a loss of Redis and its log line */
const slackMs = 5_000

export function createQuotaChecker({ quotas, countedOf, awayAt, replicas }: QuotaParts): Checker {
  const bound = 1 + (replicas - 1) / replicas
  return {
    promise: 'the platform never counts more calls of one of its keys than it allows, while replicas hear Redis',
    faults() {
      const faults = createFaults()
      for (const [keyId, { minute = Infinity, hour = Infinity }] of Object.entries(quotas)) {
        const { beyond, beyondAt, mostInMinute, mostInHour } = countedOf(keyId)
        if (mostInMinute > minute * bound) faults.add(`${keyId}: ${mostInMinute} calls in a minute of ${minute}`)
        if (mostInHour > hour * bound) faults.add(`${keyId}: ${mostInHour} calls in an hour of ${hour}`)
        if (beyond === 0) continue
        const losses = awayAt()
        const isExcused = (at: number) => losses.some((loss) => loss < at + slackMs && loss > at - minuteMs - slackMs)
        const plain = beyondAt.filter((at) => !isExcused(at))
        if (plain.length > 0) faults.add(`${keyId}: ${plain.length} calls beyond its quota, while Redis was heard`)
      }
      return faults.all()
    },
  }
}
