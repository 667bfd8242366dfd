// All checkers of one run, and their report.
import { problems, type ProblemCode } from '../../src/problems.ts'
import { type Answers, createAnswers, ended, expected } from './checkers/answers.ts'
import type { Checker } from './checkers/checker.ts'
import { createQuotaChecker } from './checkers/quota.ts'
import { createRatesChecker, type Rates } from './checkers/rates.ts'
import { createRecovery, type Recovery } from './checkers/recovery.ts'
import { createSecrets, type Secrets } from './checkers/secrets.ts'
import { createTakenAway, type TakenAway } from './checkers/revoked.ts'
import { createWalks, type Walks } from './checkers/paging.ts'
import type { Cluster } from './cluster.ts'
import type { Quota } from './platform.ts'

export interface Checks {
  readonly takenAway: TakenAway
  readonly rates: Rates
  readonly walks: Walks
  readonly answers: Answers
  /** at the operator endpoints */
  readonly acts: Answers
  readonly recovery: Recovery
  readonly secrets: Secrets
  readonly all: readonly Checker[]
  /** the violations found by all checkers */
  faults(): readonly string[]
}

/** codes that management may get during an outage, or when it repeats an act whose answer was lost */
const ofManagers: readonly ProblemCode[] = [
  ...(['store_unavailable', 'too_busy', 'stopping', 'connection_changed'] as const),
  ...(['key_unknown', 'connection_unknown', 'connection_exists', 'key_not_live'] as const),
]

const lossesIn = (log: string): number[] =>
  [...log.matchAll(/"time":"([^"]+)","kind":"redis_away"/g)].map(([, time = '']) => Date.parse(time))

export function createChecks(cluster: Cluster, quotas: Readonly<Record<string, Quota>>): Checks {
  const checks = {
    takenAway: createTakenAway(),
    // one window may see Redis fail (less than twice the limit) and come back empty (the limit once more)
    rates: createRatesChecker({ apartSlack: 1 + cluster.replicas.length }),
    walks: createWalks(),
    answers: createAnswers([...expected, ...ended]),
    acts: createAnswers(ofManagers.filter((code) => code in problems)),
    recovery: createRecovery(),
    secrets: createSecrets(cluster.canaries),
  }
  const quota = createQuotaChecker({
    quotas,
    countedOf: cluster.platform.counted,
    replicas: cluster.replicas.length,
    awayAt: () => cluster.replicas.flatMap((replica) => lossesIn(replica.log())),
  })
  const all: readonly Checker[] = [...Object.values(checks), quota]
  return {
    ...checks,
    all,
    faults: () => all.flatMap((checker) => checker.faults().map((words) => `${checker.promise}: ${words}`)),
  }
}
