// Where a pruned audit log begins: the last removed line with its hash, sealed against moving. It also names the line that
// records the pruning, so that the log cannot be cut back to before it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Anchor, Seals } from '../core/audit.ts'
import { rowsOf, placeholders, type SqlRow, type Sql, type SqlValue } from './sql.ts'

const places = 'through, hash, from_at, to_at, pruned_at, line, line_hash, sealed_by'.split(', ')
const columns = ['id', ...places, 'seal']
const { valuesOf, recordOf } = rowsOf<Anchor>(places)
const table = 'audit_anchor'
/** used without master keys; it lies in the same database, and so proves nothing to a reader of that */
const ownSecret = 'audit.anchor'
const ownSealer = ''

function anchorOf(row: SqlRow): Anchor {
  const anchor = recordOf(row)
  return { ...anchor, sealedBy: anchor.sealedBy === ownSealer ? null : anchor.sealedBy }
}

const rowOf = async (sql: Pick<Sql, 'one'>) => sql.one(`SELECT * FROM ${table} WHERE id = 1`)

export async function readAnchor(sql: Pick<Sql, 'one'>): Promise<Anchor | undefined> {
  const row = await rowOf(sql)
  return row && anchorOf(row)
}

const bytesOf = (one: Anchor, name: string): Buffer =>
  Buffer.from(JSON.stringify([`${name} audit anchor 1`, ...valuesOf(one)]))

async function macOf(sql: Sql, one: Anchor, { seals, name }: Sealing): Promise<Uint8Array | undefined> {
  if (one.sealedBy !== null) return seals?.macOf(one.sealedBy, bytesOf(one, name))
  const secret = (await sql.one('SELECT value FROM secrets WHERE name = ?', [ownSecret]))?.['value']
  return secret instanceof Uint8Array ? createHmac('sha256', secret).update(bytesOf(one, name)).digest() : undefined
}

export interface Sealing {
  readonly seals: Seals | undefined
  readonly name: string
}

const isSame = (a: Uint8Array, b: SqlValue | undefined): boolean =>
  b instanceof Uint8Array && a.length === b.length && timingSafeEqual(a, b)

export async function anchorFault(sql: Sql, sealing: Sealing): Promise<string | undefined> {
  const row = await rowOf(sql)
  if (!row) return undefined
  const anchor = anchorOf(row)
  const mac = await macOf(sql, anchor, sealing)
  if (!mac && anchor.sealedBy !== null)
    return `the anchor is sealed with the master key "${anchor.sealedBy}", which is not given: it cannot be checked`
  if (!mac || !isSame(mac, row['seal'])) return 'the seal of the anchor does not fit: the anchor was changed'
  if (anchor.sealedBy === null && sealing.seals)
    return `the anchor is sealed without a master key, though there is one: somebody replaced it, or the audit was pruned before there was one; then \`${sealing.name} vault rotate\` seals it anew`
  const line = await sql.one("SELECT hash FROM audit WHERE seq = ? AND act = 'audit.prune'", [anchor.line])
  return line?.['hash'] === anchor.lineHash
    ? undefined
    : `line ${anchor.line}, which tells of the pruning, is not there, or is another one`
}

/** within a transaction: triggers compare it with the lines it names */
export async function writeAnchor(sql: Sql, place: Omit<Anchor, 'sealedBy'>, sealing: Sealing) {
  const anchor: Anchor = { ...place, sealedBy: sealing.seals?.writes ?? null }
  if (!sealing.seals)
    await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      ownSecret,
      randomBytes(32),
    ])
  const seal = await macOf(sql, anchor, sealing)
  if (!seal) throw new Error('there is no key to seal the anchor with')
  await putAnchor(sql, [1, ...valuesOf({ ...anchor, sealedBy: anchor.sealedBy ?? ownSealer }), seal])
}

async function putAnchor(sql: Sql, values: readonly SqlValue[]) {
  const sets = columns.map((column) => `${column} = ?`).join()
  if ((await sql.run(`UPDATE ${table} SET ${sets} WHERE id = 1`, values)) === 0)
    await sql.run(`INSERT INTO ${table} (${columns.join()}) VALUES ${placeholders(columns.length)}`, values)
}

export async function copyAnchor(source: Sql, target: Sql): Promise<number> {
  const row = await rowOf(source)
  if (!row) return 0
  const values = columns.map((column) => row[column] ?? null)
  await putAnchor(target, values)
  await target.run('DELETE FROM audit WHERE seq <= ?', [row['through'] ?? 0])
  return Number(row['through'])
}
