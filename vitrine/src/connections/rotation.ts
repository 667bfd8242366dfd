// Rotation of master keys: which one encrypts how many data keys, whether all decrypt, and the move to the active one.
// A rotation can be interrupted and repeated: rows under the active key are not touched.
import { Problem } from '../problems.ts'
import type { Actor, AuditEntry } from '../../../base/core/audit.ts'
import type { ConnectionRecord } from '../store/records.ts'
import type { ConnectionRecords } from '../store/connection-rows.ts'
import type { ConnectionAdminOptions } from './connection-admin.ts'
import { UnreadableCredential, type Vault } from './vault.ts'

export interface RotationProgress {
  readonly done: number
  readonly of: number
}

export interface RotationFailure {
  readonly id: string
  readonly reason: string
}

export type Rotation = ReturnType<typeof createRotation>

/** small enough for other writers to get their turn, and for a slow network */
const batch = 40

type Shared = 'records' | 'vault' | 'checkMasterKey' | 'record' | 'now'

interface RotationOptions extends Pick<ConnectionAdminOptions, Shared> {
  /** renews the seals of the audit log; resolves to why it could not */
  readonly reseal: (vault: Vault) => Promise<string | undefined>
  readonly compact: () => Promise<boolean>
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)

/** rethrows any other error */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableCredential) return error.message
  throw error
}

function required(vault: Vault | undefined): Vault {
  if (!vault) throw new Problem('vault_closed')
  return vault
}

async function countOthers(records: ConnectionRecords, id: string): Promise<number> {
  const counts = await records.wrappedBy()
  return sum(counts) - (counts.get(id) ?? 0)
}

async function* batches(records: ConnectionRecords, notUnder?: string): AsyncGenerator<ConnectionRecord[]> {
  for (let after = ''; ;) {
    const rows = await records.page({ after, limit: batch, ...(notUnder !== undefined && { notUnder }) })
    if (rows.length > 0) yield rows
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** calls `act` for each row that decrypts, and collects the others */
function onEach<T>(
  rows: readonly ConnectionRecord[],
  failed: RotationFailure[],
  act: (row: ConnectionRecord) => T,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [act(row)]
    } catch (error) {
      failed.push({ id: row.id, reason: reasonOf(error) })
      return []
    }
  })
}

export function createRotation({ records, vault, checkMasterKey, record, reseal, compact, now }: RotationOptions) {
  return {
    async status() {
      const counts = await records.wrappedBy()
      const open = vault()
      const given = open?.reads ?? []
      const masterKeys = [...new Set([...given, ...counts.keys()])].map((id) => ({
        id,
        given: given.includes(id),
        wraps: counts.get(id) ?? 0,
      }))
      return { writes: open?.writes ?? null, masterKeys }
    },

    async verify(onProgress: (progress: RotationProgress) => void) {
      const open = required(vault())
      const of = sum(await records.wrappedBy())
      const failed: RotationFailure[] = []
      let seen = 0
      for await (const rows of batches(records)) {
        onEach(rows, failed, (row) => open.open(row))
        seen += rows.length
        onProgress({ done: seen, of })
      }
      return { opened: seen - failed.length, failed }
    },

    async rotate(actor: Actor, onProgress: (progress: RotationProgress) => void) {
      const open = required(vault())
      await checkMasterKey(open)
      const of = await countOthers(records, open.writes)
      const recordAudit = (act: string, details: AuditEntry['details']) =>
        record({ at: now(), ...actor, act, target: open.writes, outcome: 'done', details })
      await recordAudit('vault.rotate', { due: of })
      const failed: RotationFailure[] = []
      let [moved, seen] = [0, 0]
      for await (const rows of batches(records, open.writes)) {
        moved += await records.rewrap(onEach(rows, failed, (row) => open.rewrap(row)))
        seen += rows.length
        onProgress({ done: seen, of })
      }
      const fault = await reseal(open)
      if (fault !== undefined) failed.push({ id: 'audit', reason: fault })
      // also rows that a replica with other master keys wrote meanwhile
      const left = await countOthers(records, open.writes)
      await recordAudit('vault.rotated', { moved, failed: failed.length, left })
      // whether old ciphertext is gone from the files of the store, free space included
      const compacted = await compact()
      return { moved, failed, left, compacted }
    },
  }
}
