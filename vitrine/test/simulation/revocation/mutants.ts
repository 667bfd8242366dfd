// Faults planted in what decides whether a record is used: the simulation of revocations must find each.
import type { Mutant } from '../../../../base/test/simulator/mutant.ts'

const store = 'base/store'
const revoking = 'vitrine/src/store/revoking-write.ts'

export const mutants: readonly Mutant[] = [
  {
    name: 'rows of a hot standby are believed',
    seed: 4,
    isShort: true,
    file: `${store}/postgres-server.ts`,
    from: 'if (isStandby === true && !mayLag) {',
    to: 'if (isStandby === true && mayLag) {',
  },
  {
    name: 'a connection to a standby is kept',
    seed: 4,
    file: `${store}/postgres-pool.ts`,
    from: 'isStandby = error instanceof StandbyError',
    to: 'isStandby = error === undefined',
  },
  {
    name: 'the mark is not changed after the commit',
    seed: 18,
    file: revoking,
    from: 'if (isAnnounced) await db.outage.revocations?.publish()',
    to: 'void isAnnounced',
  },
  {
    name: 'the mark is not changed before the commit',
    seed: 55,
    file: revoking,
    from: 'await db.outage.revocations?.announce()',
    to: 'await undefined',
  },
]
