// The vault as a whole: which master key wraps how many data keys, whether all of them open, and the move to the first
// of the master keys. A move can be stopped anywhere and begun again: what is under the right key is not touched.
import { Problem } from '../problem.ts'
import type { Actor, ConnectionRecord, ConnectionRecords, Deed } from '../store/records.ts'
import { Unreadable, type Vault } from './vault.ts'

export interface VaultStatus {
  /** id of the master key that writes; null without master keys */
  readonly writes: string | null
  readonly masterKeys: readonly { readonly id: string; readonly given: boolean; readonly wraps: number }[]
}

export interface Progress {
  readonly done: number
  readonly of: number
}

export interface Failure {
  readonly id: string
  readonly reason: string
}

export interface Rotated {
  readonly moved: number
  /** rows that could not be opened, and stay as they are */
  readonly failed: readonly Failure[]
  /** rows under another master key at the end: those that failed, and what was written meanwhile by a server with other keys */
  readonly left: number
  /** whether what the old master key wrapped is gone from the store's files, free space included */
  readonly compacted: boolean
}

export interface Rotation {
  status(): Promise<VaultStatus>
  /** opens every credential, and answers those that do not open */
  verify(onProgress: (progress: Progress) => void): Promise<{ opened: number; failed: readonly Failure[] }>
  rotate(actor: Actor, onProgress: (progress: Progress) => void): Promise<Rotated>
}

/** small enough that other writers get their turn between two, and that a slow network carries it in time */
const batch = 40

interface RotationOptions {
  readonly records: ConnectionRecords
  readonly vault: () => Vault | undefined
  readonly vouch: (vault: Vault) => Promise<void>
  readonly record: (deed: Deed) => Promise<void>
  /** seals what else the store holds with the key that writes; answers why that was not done */
  readonly reseal: (vault: Vault) => Promise<string | undefined>
  readonly compact: () => Promise<boolean>
  readonly now: () => number
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)

/** the reason, where it is one that a row can have */
function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  throw error
}

function required(vault: Vault | undefined): Vault {
  if (!vault) throw new Problem('vault_closed')
  return vault
}

/** how many data keys another master key wraps */
async function outside(records: ConnectionRecords, id: string): Promise<number> {
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

/** `act` on each, apart from those that do not open */
function onEach<T>(rows: readonly ConnectionRecord[], failed: Failure[], act: (row: ConnectionRecord) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [act(row)]
    } catch (error) {
      failed.push({ id: row.id, reason: reasonOf(error) })
      return []
    }
  })
}

export function createRotation({ records, vault, vouch, record, reseal, compact, now }: RotationOptions): Rotation {
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

    async verify(onProgress) {
      const open = required(vault())
      const of = sum(await records.wrappedBy())
      const failed: Failure[] = []
      let seen = 0
      for await (const rows of batches(records)) {
        onEach(rows, failed, (row) => open.open(row))
        seen += rows.length
        onProgress({ done: seen, of })
      }
      return { opened: seen - failed.length, failed }
    },

    async rotate(actor, onProgress) {
      const open = required(vault())
      await vouch(open)
      const of = await outside(records, open.writes)
      const tell = (act: string, details: Deed['details']) =>
        record({ at: now(), ...actor, act, target: open.writes, outcome: 'done', details })
      await tell('vault.rotate', { due: of })
      const failed: Failure[] = []
      let [moved, seen] = [0, 0]
      for await (const rows of batches(records, open.writes)) {
        moved += await records.rewrap(onEach(rows, failed, (row) => open.rewrap(row)))
        seen += rows.length
        onProgress({ done: seen, of })
      }
      const fault = await reseal(open)
      if (fault !== undefined) failed.push({ id: 'audit', reason: fault })
      const left = await outside(records, open.writes)
      await tell('vault.rotated', { moved, failed: failed.length, left })
      return { moved, failed, left, compacted: await compact() }
    },
  }
}
