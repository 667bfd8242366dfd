// The store over either database. One suite of tests holds both drivers to it.
import { withDeadline } from '../../../base/core/abort.ts'
import { createAuditRows } from '../../../base/store/audit-rows.ts'
import { createConnectionRows } from './connection-rows.ts'
import { createHourRows } from './hour-rows.ts'
import { createKeyRows } from './key-rows.ts'
import { standbyProblem } from '../../../base/store/postgres-server.ts'
import { createReplicaRows } from '../../../base/store/replica-rows.ts'
import type { OutageParts } from '../../../base/store/outage.ts'
import { recallSecret, secretOf } from '../../../base/store/secrets.ts'
import type { ClaimOptions, Database } from '../../../base/store/sql.ts'

/** how long a read may take before cached records are considered */
const readMs = 500

async function readable(db: Database): Promise<boolean> {
  const { health } = db.outage
  const looking = db.check().then(() => true)
  if (!health) return looking
  const late = () => 'late'
  const outcome = await withDeadline(looking.catch(late), readMs, late)
  // a server answers there, but the load balancer should choose a replica that reaches the primary
  if (db.isStandby?.()) throw standbyProblem()
  return outcome === 'late' && (await health.readsContinue()) ? false : looking
}

export type Store = ReturnType<typeof storeOver>

export const storeOver = (db: Database) => ({
  place: db.place,
  /** whether other machines may serve over it, too */
  isShared: db.driver === 'postgres',
  keys: createKeyRows(db),
  connections: createConnectionRows(db),
  audit: createAuditRows(db),
  replicas: createReplicaRows(db),
  hours: createHourRows(db),
  /** a secret of this installation; `first` is stored where there is none */
  secret: (name: string, first?: Uint8Array) => secretOf(db, name, first),
  recall: (name: string) => recallSecret(db, name),
  compact: () => db.compact(),
  check: () => db.check(),
  ...(db.probe && { probe: () => db.probe?.() ?? Promise.resolve() }),
  ...(db.now && { now: db.now }),
  ...(db.isStandby && { isStandby: db.isStandby }),
  ...(db.claim && { claim: (options: ClaimOptions) => db.claim?.(options) ?? Promise.resolve() }),
  setOutageParts: (parts: OutageParts) => void Object.assign(db.outage, parts),
  /** false: it cannot be read, and cached records are used; rejects where neither works */
  readable: () => readable(db),
  close: () => db.close(),
})
