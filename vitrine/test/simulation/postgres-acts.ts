// What stores do, drawn at random: reads and changes of all tables, and statements that a server refuses.
import { appendEntries } from '../../../base/store/audit-chain.ts'
import type { Database } from '../../../base/store/sql.ts'
import type { Random } from '../../../base/test/simulator/random.ts'
import type { Store } from '../../src/store/store.ts'

const entry = (act: string, target: string) =>
  ({
    at: Date.now(),
    who: 'operator',
    from: '::1',
    requestId: null,
    act,
    target,
    outcome: 'done',
    details: { é: '"\'' },
  }) as const

const keyNamed = (id: string, random: Random) => ({
  id,
  name: `${id} ü`,
  note: random.pick([null, '', 'a note']),
  digest: random.bytes(random.pick([32, 32, 32, 31])),
  connections: ['*'],
  accounts: new Map([['one', random.pick([null, 'account'])]]),
  groups: [],
  apps: null,
  personal: random.chance(0.5),
  perMinute: random.pick([null, 60]),
  platformCallsPerHour: null,
  createdAt: Date.now(),
  expiresAt: random.pick([null, Date.now() + 5_000]),
  revokedAt: null,
  replaces: null,
  lastUsedAt: null,
})

const connectionNamed = (id: string, random: Random) => ({
  id,
  epoch: random.pick(['a', 'b']),
  version: 1 + random.below(2),
  keyId: 'key',
  issuerId: random.pick([null, 'issuer']),
  fingerprint: 'f'.repeat(64),
  linkage: random.pick([null, 'asked'] as const),
  tokenScope: null,
  masterKey: random.pick(['first', 'second']),
  wrapped: random.bytes(8),
  sealed: random.bytes(8),
  createdAt: Date.now(),
  replacedAt: null,
  lastUsedAt: null,
})

/** one act of a store, or a statement that a server refuses */
export function act(
  { keys, connections, audit, hours, secret, check }: Store,
  db: Database,
  random: Random,
): Promise<unknown> {
  const [id, other] = [random.pick(['a', 'b', 'c', 'd']), random.pick(['a', 'b', 'z'])]
  const now = Date.now()
  const stamp = { epoch: random.pick(['a', 'b']), version: 1 + random.below(2) }
  const acts: (() => Promise<unknown>)[] = [
    () => keys.add(keyNamed(id, random), entry('keys.create', id)),
    () => keys.latest(id),
    () => keys.list(),
    () => keys.page({ after: id, limit: 2 }),
    () => keys.ending(now, now + 4_000),
    () => keys.undecided({ after: '', limit: 5 }),
    () => keys.revoke(id, now, entry('keys.revoke', id)),
    () =>
      keys.succeed(
        id,
        { at: now, endsAt: random.pick(['now' as const, now + 3_000]) },
        keyNamed(other, random),
        entry('keys.reroll', id),
      ),
    () =>
      keys.used(
        new Map([
          [id, now],
          [other, now - 1_000],
        ]),
      ),
    () => connections.add(connectionNamed(id, random), entry('connections.create', id)),
    () => connections.replace(connectionNamed(id, random), stamp, entry('connections.replace', id)),
    () => connections.remove(id, stamp, entry('connections.remove', id)),
    () => connections.page({ after: '', limit: 3, notUnder: 'first' }),
    () => connections.stamps([id, other]),
    () => connections.wrappedBy(),
    () => connections.withFingerprint('f'.repeat(64)),
    () => audit.append([entry('keys.denied', id), entry('read', other)]),
    () =>
      audit.page({
        limit: 5,
        ...random.pick([
          { act: 'keys' },
          { act: 'read' },
          { without: 'read' },
          { target: id },
          { since: now - 20_000 },
        ]),
      }),
    () => audit.latestOf(['keys.revoke', 'connections.remove']),
    () => audit.verify(undefined),
    () => audit.prune({ days: 0, lines: 10 }, now, undefined).then(() => audit.removePruned()),
    () => hours.add(new Map([[random.below(5), id]]), (stored = '', more) => stored + more, 1),
    () => hours.since(2),
    () => secret(`secret ${id}`),
    () => check(),
    () =>
      db.transaction(async (sql) => {
        const { seq } = await appendEntries(sql, [entry('read', id)])
        await sql.run('UPDATE audit SET who = ? WHERE seq = ?', [id, seq])
      }),
    () => db.run('INSERT INTO secrets (name, value) VALUES (?, ?)', [id, random.bytes(3)]),
    () => db.one('SELECT missing FROM keys'),
    () =>
      db.transaction(async (sql) => {
        await sql.one('SELECT missing FROM keys').catch(() => undefined)
        await sql.all('SELECT id FROM keys')
      }),
    () => db.all('SELECT name FROM nowhere WHERE name = ?', [id]),
    () =>
      db.transaction(
        async (sql) => void (await sql.run('INSERT INTO hours (hour, sums) VALUES (?, ?)', [random.below(5), null])),
      ),
  ]
  return random.pick(acts)()
}
