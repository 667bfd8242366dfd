// Faults planted in what decides whether a record is used: the simulation of revocations must find each.
import type { Mutant } from '../../../../base/test/simulator/mutant.ts'

const store = 'base/store'
const replicas = 'vitrine/src/replicas'
const cache = `${store}/record-cache.ts`
const mark = `${replicas}/revocation-mark.ts`
const markInRedis = `${replicas}/revocation-mark-redis.ts`
const health = `${replicas}/database-health.ts`
const outage = `${replicas}/outage.ts`
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
    seed: 1,
    file: revoking,
    from: 'if (isAnnounced) await db.outage.revocations?.publish()',
    to: 'void isAnnounced',
  },
  {
    name: 'the mark is not changed before the commit',
    seed: 2,
    file: revoking,
    from: 'await db.outage.revocations?.announce()',
    to: 'await undefined',
  },
  {
    name: 'a record is confirmed under the mark read after its query',
    file: cache,
    from: 'found.set(id, { at: query.at, mark: query.mark, record })',
    to: 'found.set(id, { at: query.at, mark: health()?.mark(), record })',
  },
  {
    name: 'a mark is believed for a second',
    seed: 1,
    file: mark,
    from: 'export const freshMs = 500',
    to: 'export const freshMs = 1_000',
  },
  {
    name: 'a record is used for a second without a query',
    seed: 3,
    file: `${store}/postgres.ts`,
    from: 'const cacheMs = 500',
    to: 'const cacheMs = 1_000',
  },
  {
    name: 'an old mark is believed where Redis does not answer',
    seed: 1,
    file: mark,
    from: 'return last && steady() - last.at <= freshMs ? last.mark : undefined',
    to: 'return last?.mark',
  },
  {
    name: 'a mark is as young as its answer',
    file: mark,
    from: 'if (mark !== undefined) last = { mark, at }',
    to: 'if (mark !== undefined) last = { mark, at: Math.max(at, steady()) }',
  },
  {
    name: 'a mark that is to be told again is forgotten',
    seed: 2,
    file: mark,
    from: 'if (unpublished !== undefined) await publishMark()',
    to: 'void unpublished',
  },
  {
    name: 'nobody hears that not all replicas are told',
    seed: 1,
    file: mark,
    from: 'unpublishedUntil: () => (unpublished !== undefined && unpublished > now() ? unpublished : undefined),',
    to: 'unpublishedUntil: () => (unpublished === now() ? unpublished : undefined),',
  },
  {
    name: 'what Redis did not confirm counts as told',
    seed: 1,
    file: markInRedis,
    from: "replace: async (fresh: string) => (await redis.run(change, names, [fresh, keptMs])) === 'told',",
    to: "replace: async (fresh: string) => (await redis.run(change, names, [fresh, keptMs])) !== 'no',",
  },
  {
    name: 'every mark is the same',
    seed: 2,
    file: mark,
    from: "const freshMark = (): string => randomBytes(12).toString('base64url')",
    to: "const freshMark = (): string => 'mark' || randomBytes(12).toString()",
  },
  {
    name: 'a mark does not name the run of its Redis',
    seed: 54,
    file: markInRedis,
    from: "return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') .. ' ' .. mark`)",
    to: 'return mark`)',
  },
  {
    name: 'no mark is compared',
    seed: 1,
    file: health,
    from: 'what.mark === (await revocations.current())',
    to: '(await revocations.current()) !== what.at',
  },
  {
    name: 'a record outlives storeOutageSeconds',
    seed: 14,
    file: health,
    from: 'steady() - what.at < boundMs && ',
    to: '',
  },
  {
    name: 'a record is used for twice storeOutageSeconds',
    seed: 14,
    file: health,
    from: 'steady() - what.at < boundMs',
    to: 'steady() - what.at < 2 * boundMs',
  },
  {
    name: 'no replica tells of the acts of others',
    seed: 44,
    file: outage,
    from: 'await mark.relay(seq)',
    to: 'await mark.read()',
  },
  {
    name: 'replicas do not tell of rerolled keys',
    seed: 44,
    file: outage,
    from: "  'keys.reroll',",
    to: '',
  },
  {
    name: 'an outage never ends',
    seed: 1,
    file: health,
    from: "state = 'up'\n  }",
    to: "state = state === 'down' ? 'down' : 'up'\n  }",
  },
  {
    name: 'a query is waited for as long as it takes',
    seed: 3,
    file: cache,
    from: 'const slowMs = 200',
    to: 'const slowMs = 2_000',
  },
  {
    name: 'a record that was confirmed is not used without the database',
    seed: 3,
    file: cache,
    from: 'return isVouchedFor ? known.record : undefined',
    to: 'return undefined',
  },
  {
    name: 'the mark of a record is not kept',
    seed: 3,
    file: cache,
    from: 'mark: query.mark, record })',
    to: 'mark: undefined, record })',
  },
]
