// Facade keys: created, shown once, authenticated, rerolled and revoked. Their connections are bound to accounts, so that another
// account under the same name is not read. `*` is not bound: it stands for every connection, later ones too.
import { timingSafeEqual } from 'node:crypto'
import { type Group, groups } from '../catalogue/define.ts'
import { Problem } from '../problems.ts'
import type { Actor, AuditEntry } from '../../../base/core/audit.ts'
import { digestOf } from '../../../base/core/digest-and-random.ts'
import { isoOf } from '../../../base/core/moment.ts'
import type { KeyRecord, IdRange } from '../store/records.ts'
import type { KeyRecords } from '../store/key-rows.ts'
import { type KeyKind, makeKey, readKeyId } from './facade-key.ts'

export type AccountsOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

type Grants = Pick<KeyRecord, 'connections' | 'accounts'>

const none = ''

/** undefined if the key was not granted this connection; without an account: whichever has this id */
export function grantOf({ connections, accounts }: Grants, id: string): { readonly account?: string } | undefined {
  if (connections.includes('*')) return {}
  if (!connections.includes(id)) return undefined
  // a grant of an older version means any account until `bindOlderGrants`
  const account = accounts.get(id) ?? undefined
  return account === undefined ? {} : { account }
}

const namedBy = ({ connections }: Pick<Grants, 'connections'>): string[] => connections.filter((id) => id !== '*')

function sortGrants({ connections, accounts: bound }: Grants, accounts: ReadonlyMap<string, string>) {
  const [live, ended]: [string[], string[]] = [[], []]
  for (const id of connections)
    if (id !== '*') {
      const account = accounts.get(id)
      const isOpen = account !== undefined && (bound.get(id) ?? account) === account
      ;(isOpen ? live : ended).push(id)
    }
  return { live, ended }
}

async function bindGrants(connections: readonly string[], accountsOf: AccountsOf) {
  const named = namedBy({ connections })
  const accounts = named.length === 0 ? undefined : await accountsOf(named)
  return new Map(named.map((id) => [id, accounts?.get(id) ?? none]))
}

const atOnce = 500

/** `rest`: only the service may end a grant without a connection, since a command may run with other settings. */
export async function bindOlderGrants(
  records: Pick<KeyRecords, 'undecided' | 'decide'>,
  accountsOf: AccountsOf,
  rest: 'ends' | 'waits',
): Promise<void> {
  for (let after = ''; ;) {
    const keys = await records.undecided({ after, limit: atOnce })
    if (keys.length === 0) return
    const accounts = await accountsOf([...new Set(keys.flatMap(namedBy))])
    const other = rest === 'ends' ? none : null
    const decided = (key: KeyRecord) =>
      new Map(namedBy(key).map((id) => [id, key.accounts.get(id) ?? accounts.get(id) ?? other]))
    await records.decide(keys.map((before) => ({ before, accounts: decided(before) })))
    after = keys.at(-1)?.id ?? ''
  }
}

export interface KeyInput {
  readonly name: string
  readonly note?: string | undefined
  readonly connections: readonly string[]
  readonly groups?: readonly Group[] | undefined
  /** ids of apps; absent: all */
  readonly apps?: readonly string[] | undefined
  /** absent: it is not shown personal data */
  readonly personal?: boolean | undefined
  readonly expiresAt?: number | undefined
  readonly perMinute?: number | undefined
  readonly platformCallsPerHour?: number | undefined
}

export type FacadeKey = Omit<KeyRecord, 'digest'>

/** contains the secret, which is kept nowhere else */
export interface IssuedKey {
  readonly key: string
  readonly shown: FacadeKey
}

export interface Keys {
  issue(wish: KeyInput, actor: Actor): Promise<IssuedKey>
  /**
   * The successor has the same grants; without an overlap the old key is revoked. `expiresAt`: when the successor ends, null for
   * never; absent: when the old key would have.
   */
  reroll(id: string, overlapMs: number, actor: Actor, expiresAt?: number | null): Promise<IssuedKey>
  authenticate(authorization: string | undefined): Promise<FacadeKey>
  list(): Promise<FacadeKey[]>
  page(stretch: IdRange): Promise<FacadeKey[]>
  show(id: string): Promise<FacadeKey>
  /** resolves to a function: the connections of a key that were removed, or are another account now */
  endedOf(keys: readonly FacadeKey[]): Promise<(key: FacadeKey) => readonly string[]>
  naming(connection: string): Promise<readonly FacadeKey[]>
  revoke(id: string, actor: Actor): Promise<boolean>
}

function withoutDigest(record: KeyRecord): FacadeKey {
  const { digest, ...shown } = record
  void digest
  return shown
}

const shownKeys = new WeakMap<KeyRecord, FacadeKey>()

function withoutDigestCached(record: KeyRecord): FacadeKey {
  const found = shownKeys.get(record) ?? withoutDigest(record)
  shownKeys.set(record, found)
  return found
}

const noDigest = Buffer.alloc(32)

export interface KeysOptions {
  readonly records: KeyRecords
  readonly kind: KeyKind
  readonly now: () => number
  readonly accounts: AccountsOf
  readonly used?: (key: { id: string; lastUsedAt: number | null }) => void
}

const isLive = ({ revokedAt, expiresAt }: FacadeKey, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

/** Compares digests even without a record: the time must not tell unknown, revoked and wrong keys apart. */
const matchesLiveKey =
  (digest: Uint8Array, at: number) =>
  (record: KeyRecord | undefined): record is KeyRecord =>
    timingSafeEqual(digest, record?.digest ?? noDigest) && record !== undefined && isLive(record, at)

const createGrantQueries = (
  records: KeyRecords,
  accountsOf: AccountsOf,
  now: () => number,
): Pick<Keys, 'endedOf' | 'naming'> => ({
  async endedOf(all) {
    const named = [...new Set(all.flatMap(namedBy))]
    if (named.length === 0) return () => []
    const accounts = await accountsOf(named)
    return (key) => sortGrants(key, accounts).ended
  },
  async naming(connection) {
    const accounts = await accountsOf([connection])
    const all = (await records.list()).map(withoutDigest).filter((key) => isLive(key, now()))
    return all.filter((key) => sortGrants(key, accounts).live.includes(connection))
  },
})

export function createKeys({ records, kind, now, accounts: accountsOf, used }: KeysOptions): Keys {
  const auditEntry = (actor: Actor, act: string, target: string, details: AuditEntry['details'] = {}): AuditEntry => ({
    at: now(),
    ...actor,
    act,
    target,
    outcome: 'done',
    details,
  })

  function make(grants: Omit<FacadeKey, 'id' | 'createdAt' | 'revokedAt' | 'lastUsedAt'>) {
    const { id, key } = makeKey(kind)
    const shown: FacadeKey = { ...grants, id, createdAt: now(), revokedAt: null, lastUsedAt: null }
    return { key, shown, record: { ...shown, digest: digestOf(key) } }
  }

  async function show(id: string): Promise<FacadeKey> {
    const record = await records.latest(id)
    if (!record) throw new Problem('key_unknown')
    return withoutDigest(record)
  }

  return {
    async issue(wish, actor) {
      const { name, note = null, connections, groups: granted = groups, apps = null, personal = false } = wish
      const { expiresAt = null, perMinute = null, platformCallsPerHour = null } = wish
      const accounts = await bindGrants(connections, accountsOf)
      const grants = { name, connections, groups: granted, apps, personal, perMinute, platformCallsPerHour }
      const { key, shown, record } = make({ ...grants, expiresAt, note, accounts, replaces: null })
      const details = { ...grants, expiresAt: isoOf(expiresAt) }
      await records.add(record, auditEntry(actor, 'keys.create', shown.id, details))
      return { key, shown }
    },

    async reroll(id, overlapMs, actor, wanted) {
      const old = await show(id)
      const at = now()
      if (!isLive(old, at)) throw new Problem('key_not_live')
      const expiresAt = wanted === undefined ? old.expiresAt : wanted
      const { key, shown, record } = make({ ...old, expiresAt, replaces: id })
      const endsAt = Math.min(at + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY)
      const details = { successor: shown.id, oldEndsAt: isoOf(endsAt), expiresAt: isoOf(expiresAt) }
      const done = auditEntry(actor, 'keys.reroll', id, details)
      const term = { at, endsAt: overlapMs === 0 ? ('now' as const) : endsAt }
      if (!(await records.succeed(id, term, record, done))) throw new Problem('key_not_live')
      return { key, shown }
    },

    async authenticate(authorization) {
      if (authorization === undefined) throw new Problem('key_missing')
      const key = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
      const id = readKeyId(key)
      if (id === undefined) throw new Problem('key_invalid')
      const opens = matchesLiveKey(digestOf(key), now())
      const record = await records.find(id, opens)
      if (!opens(record)) throw new Problem('key_invalid')
      used?.(record)
      return withoutDigestCached(record)
    },

    list: async () => (await records.list()).map(withoutDigest),
    page: async (stretch) => (await records.page(stretch)).map(withoutDigest),
    show,
    ...createGrantQueries(records, accountsOf, now),
    async revoke(id, actor) {
      await show(id)
      return records.revoke(id, now(), auditEntry(actor, 'keys.revoke', id))
    },
  }
}
