// Facade keys: issued, shown once, recognised, handed over, revoked. What a key may do is asked of the key itself.
import { timingSafeEqual } from 'node:crypto'
import { type Group, groups } from '../catalogue/define.ts'
import { Problem } from '../problem.ts'
import type { Actor, Deed, KeyRecord, KeyRecords, Stretch } from '../store/records.ts'
import { type AccountsOf, bindGrants, namedBy, sortGrants } from './grants.ts'
import { digestOf, type KeyKind, makeKey, readKeyId } from './facade-key.ts'

export interface KeyWish {
  readonly name: string
  readonly note?: string | undefined
  /** connection ids, or `*` */
  readonly connections: readonly string[]
  readonly groups?: readonly Group[] | undefined
  readonly expiresAt?: number | undefined
  readonly perMinute?: number | undefined
}

/** A key as those who hold it or manage it may see it: without anything of its secret. */
export type Key = Omit<KeyRecord, 'digest'>

/** the text of the key is in here and nowhere else, once */
export interface Issued {
  readonly key: string
  readonly shown: Key
}

export interface Keys {
  issue(wish: KeyWish, actor: Actor): Promise<Issued>
  /** a key with the same grants; the old one ends after the overlap, and is revoked where that is 0 */
  reroll(id: string, overlapMs: number, actor: Actor): Promise<Issued>
  /** the key behind an Authorization field, or a Problem */
  authenticate(authorization: string | undefined): Promise<Key>
  list(): Promise<Key[]>
  page(stretch: Stretch): Promise<Key[]>
  /** or a Problem */
  show(id: string): Promise<Key>
  /** how to tell which connections each of these names that were removed, or are of another account now */
  endedOf(keys: readonly Key[]): Promise<(key: Key) => readonly string[]>
  /** the active keys that name this connection and read it, oldest first; those of `*` are not among them */
  naming(connection: string): Promise<readonly Key[]>
  /** false where it was revoked before */
  revoke(id: string, actor: Actor): Promise<boolean>
}

function withoutDigest(record: KeyRecord): Key {
  const { digest, ...shown } = record
  void digest
  return shown
}

/** a record stays the same object as long as nothing has changed */
const shownOf = new WeakMap<KeyRecord, Key>()

function known(record: KeyRecord): Key {
  const found = shownOf.get(record) ?? withoutDigest(record)
  shownOf.set(record, found)
  return found
}

const nobody = Buffer.alloc(32)

export interface KeysOptions {
  readonly records: KeyRecords
  readonly kind: KeyKind
  readonly now: () => number
  /** what new keys are bound to */
  readonly accounts: AccountsOf
  /** told of every key that was let in */
  readonly used?: (key: { id: string; lastUsedAt: number | null }) => void
}

const isLive = ({ revokedAt, expiresAt }: Key, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

/**
 * Whether a record is the one of this secret, and live: compared even where there is none. Unknown, revoked, expired, wrong secret:
 * what does not open is looked for anew each time, or its time would tell which it is.
 */
const opensWith =
  (digest: Uint8Array, at: number) =>
  (record: KeyRecord | undefined): record is KeyRecord =>
    timingSafeEqual(digest, record?.digest ?? nobody) && record !== undefined && isLive(record, at)

const looksAtGrants = (
  records: KeyRecords,
  accountsOf: AccountsOf,
  now: () => number,
): Pick<Keys, 'endedOf' | 'naming'> => ({
  async endedOf(all) {
    const accounts = await accountsOf([...new Set(all.flatMap(namedBy))])
    return (key) => sortGrants(key, accounts).ended
  },
  async naming(connection) {
    const accounts = await accountsOf([connection])
    const all = (await records.list()).map(withoutDigest).filter((key) => isLive(key, now()))
    return all.filter((key) => sortGrants(key, accounts).live.includes(connection))
  },
})

export function createKeys({ records, kind, now, accounts: accountsOf, used }: KeysOptions): Keys {
  const deed = (actor: Actor, act: string, target: string, details: Deed['details'] = {}): Deed => ({
    at: now(),
    ...actor,
    act,
    target,
    outcome: 'done',
    details,
  })

  function make(
    grants: Pick<Key, 'name' | 'note' | 'connections' | 'accounts' | 'groups' | 'perMinute' | 'expiresAt' | 'replaces'>,
  ) {
    const { id, key } = makeKey(kind)
    const shown: Key = { ...grants, id, createdAt: now(), revokedAt: null, lastUsedAt: null }
    return { key, shown, record: { ...shown, digest: digestOf(key) } }
  }

  async function show(id: string): Promise<Key> {
    const record = await records.latest(id)
    if (!record) throw new Problem('key_unknown')
    return withoutDigest(record)
  }

  return {
    async issue(
      { name, note = null, connections, groups: granted = groups, expiresAt = null, perMinute = null },
      actor,
    ) {
      const accounts = await bindGrants(connections, accountsOf)
      const { key, shown, record } = make({
        name,
        note,
        connections,
        accounts,
        groups: granted,
        perMinute,
        expiresAt,
        replaces: null,
      })
      const details = { name, connections, groups: granted, perMinute, expiresAt }
      await records.add(record, deed(actor, 'keys.create', shown.id, details))
      return { key, shown }
    },

    async reroll(id, overlapMs, actor) {
      const old = await show(id)
      const at = now()
      if (!isLive(old, at)) throw new Problem('key_not_live')
      const { key, shown, record } = make({ ...old, replaces: id })
      const endsAt = Math.min(at + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY)
      const done = deed(actor, 'keys.reroll', id, { successor: shown.id, oldEndsAt: endsAt })
      const term = { at, endsAt: overlapMs === 0 ? ('now' as const) : endsAt }
      if (!(await records.succeed(id, term, record, done))) throw new Problem('key_not_live')
      return { key, shown }
    },

    async authenticate(authorization) {
      if (authorization === undefined) throw new Problem('key_missing')
      const key = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
      const id = readKeyId(key)
      if (id === undefined) throw new Problem('key_invalid')
      const opens = opensWith(digestOf(key), now())
      const record = await records.find(id, opens)
      if (!opens(record)) throw new Problem('key_invalid')
      used?.(record)
      return known(record)
    },

    list: async () => (await records.list()).map(withoutDigest),
    page: async (stretch) => (await records.page(stretch)).map(withoutDigest),
    show,
    ...looksAtGrants(records, accountsOf, now),
    async revoke(id, actor) {
      await show(id)
      return records.revoke(id, now(), deed(actor, 'keys.revoke', id))
    },
  }
}
