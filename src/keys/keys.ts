// Facade keys: issued, shown once, recognised, revoked. What a key may do is asked of the key itself.
import { timingSafeEqual } from 'node:crypto'
import { type Group, groups } from '../catalogue/define.ts'
import { Problem } from '../problem.ts'
import type { KeyRecord, KeyRecords } from '../store/records.ts'
import { digestOf, type KeyKind, makeKey, readKeyId } from './facade-key.ts'

export interface KeyWish {
  readonly name: string
  /** connection ids, or `*` */
  readonly connections: readonly string[]
  readonly groups?: readonly Group[] | undefined
  readonly expiresAt?: number | undefined
  readonly perMinute?: number | undefined
}

/** A key as those who hold it or manage it may see it: without anything of its secret. */
export type Key = Omit<KeyRecord, 'digest'>

export interface Keys {
  issue(wish: KeyWish): Promise<{ key: string; shown: Key }>
  /** the key behind an Authorization field, or a Problem */
  authenticate(authorization: string | undefined): Promise<Key>
  list(): Promise<Key[]>
  find(id: string): Promise<Key | undefined>
  revoke(id: string): Promise<boolean>
}

function withoutDigest(record: KeyRecord): Key {
  const { digest, ...shown } = record
  void digest
  return shown
}

const nobody = Buffer.alloc(32)

export interface KeysOptions {
  readonly records: KeyRecords
  readonly kind: KeyKind
  readonly now: () => number
}

export function createKeys({ records, kind, now }: KeysOptions): Keys {
  const live = (record: KeyRecord): boolean =>
    record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now())

  return {
    async issue({ name, connections, groups: granted = groups, expiresAt = null, perMinute = null }) {
      const { id, key } = makeKey(kind)
      const shown = { id, name, connections, groups: granted, perMinute, createdAt: now(), expiresAt, revokedAt: null }
      await records.add({ ...shown, digest: digestOf(key) })
      return { key, shown }
    },

    async authenticate(authorization) {
      if (authorization === undefined) throw new Problem('key_missing')
      const key = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
      const id = readKeyId(key)
      if (id === undefined) throw new Problem('key_invalid')
      const record = await records.find(id)
      // compared even where there is nothing to compare with: an unknown id costs as much as a wrong secret
      const same = timingSafeEqual(digestOf(key), record?.digest ?? nobody)
      if (!same || !record || !live(record)) throw new Problem('key_invalid')
      return withoutDigest(record)
    },

    list: async () => (await records.list()).map(withoutDigest),
    async find(id) {
      const record = await records.find(id)
      return record && withoutDigest(record)
    },
    revoke: (id) => records.revoke(id, now()),
  }
}
