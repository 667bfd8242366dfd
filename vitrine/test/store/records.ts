// Records for the tests of the store, and the two drivers under one roof.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { ConnectionRecord, KeyRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { openStore } from '../../src/store/open.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'

export const keyRecord = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  name: `key ${id} 🎉`,
  note: null,
  digest: new Uint8Array(32).fill(7),
  connections: ['a', 'b'],
  accounts: new Map([
    ['a', 'e1'],
    ['b', ''],
  ]),
  groups: ['apps'],
  apps: null,
  personal: false,
  perMinute: null,
  platformCallsPerHour: null,
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  replaces: null,
  lastUsedAt: null,
  ...more,
})

export const connectionRecord = (id: string, more: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  id,
  epoch: 'e1',
  version: 1,
  keyId: 'ABC123DEFG',
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  fingerprint: 'ab'.repeat(32),
  linkage: null,
  tokenScope: null,
  masterKey: 'm1',
  wrapped: new Uint8Array([1, 2, 3, 255]),
  sealed: new Uint8Array(200).fill(9),
  createdAt: 1,
  replacedAt: null,
  lastUsedAt: null,
  ...more,
})

export const deed = (act: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1_700_000_000_000,
  who: 'cli:tester',
  from: 'here',
  requestId: null,
  act,
  target: null,
  outcome: 'done',
  details: {},
  ...more,
})

export const scratch = (): string => mkdtempSync(join(tmpdir(), 'vitrine-store-'))

export interface Place {
  readonly location: string
  remove(): Promise<void>
}

export interface Driver {
  readonly name: 'sqlite' | 'postgres'
  readonly skip: string | false
  /** a new and empty place */
  place(): Promise<Place>
}

export const drivers: readonly Driver[] = [
  {
    name: 'sqlite',
    skip: false,
    async place() {
      const folder = scratch()
      return {
        location: `sqlite:${join(folder, 'deep', 'v.db')}`,
        remove: async () => rmSync(folder, { recursive: true }),
      }
    },
  },
  {
    name: 'postgres',
    skip: noPostgres,
    async place() {
      const { url, drop } = await freshDatabase()
      return { location: url, remove: drop }
    },
  },
]

/** `act` over an empty place; what it opened is closed, whatever became of it */
export async function within(driver: Driver, act: (open: () => Promise<Store>, location: string) => Promise<void>) {
  const { location, remove } = await driver.place()
  const opened: Store[] = []
  try {
    await act(async () => {
      const store = await openStore(location)
      opened.push(store)
      return store
    }, location)
  } finally {
    for (const store of opened) await store.close()
    await remove()
  }
}
