// An audit with lines of many days, the keys that seal its anchor, and the guards of the database taken away.
import { createHmac } from 'node:crypto'
import type { Seals } from '../../../base/core/audit.ts'
import type { Store } from '../../src/store/store.ts'
import type { Database } from '../../../base/store/sql.ts'
import { deed } from './records.ts'

export const day = 86_400_000
export const now = Date.now()
export const sealsWith = (keys: Readonly<Record<string, string>>): Seals => ({
  writes: Object.keys(keys)[0] ?? '',
  macOf: (id, bytes) => {
    const key = keys[id]
    return key === undefined ? undefined : createHmac('sha256', key).update(bytes).digest()
  },
})
export const seals = sealsWith({ m1: 'one' })

/** `count` lines, of which the first was written so many days ago as there are lines, and each a day later */
export const fill = (store: Store, count: number) =>
  store.audit.append(Array.from({ length: count }, (_, n) => deed('a.b', { at: now - (count - n) * day })))

export async function removeAll(store: Store) {
  while (await store.audit.removePruned());
}

export const guards = {
  sqlite: ['audit_no_update', 'audit_no_delete', 'audit_no_return', 'audit_anchor_no_delete', 'audit_anchor_update'],
  postgres: ['audit_only_grows ON audit', 'audit_keeps ON audit', 'audit_anchor_stays ON audit_anchor'],
}
/** as an intruder with the rights of the owner has it */
export async function unguard(db: Database) {
  for (const guard of guards[db.driver]) await db.run(`DROP TRIGGER ${guard}`)
  if (db.driver === 'postgres') await db.run('DROP TRIGGER audit_anchor_moves ON audit_anchor')
}
