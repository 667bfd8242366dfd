// Where a pruned audit begins: the last line that is gone, with its hash, sealed so that nobody without the key can move it.
// It also names the line that tells of the pruning, so that the audit cannot be cut back to before that.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Anchor, Seals } from './records.ts'
import { marks, type Row, type Sql, type Value } from './sql.ts'

const columns = 'id, through, hash, from_at, to_at, pruned_at, line, line_hash, sealed_by, seal'.split(', ')
const table = 'audit_anchor'
/** for an installation without master keys; it lies in the same database, and proves nothing to who can read that */
const ownSecret = 'audit.anchor'
/** stands for it where the id of a master key would */
const ours = ''

const anchorOf = (row: Row): Anchor => ({
  through: row['through'] as number,
  hash: row['hash'] as string,
  fromAt: row['from_at'] as number,
  toAt: row['to_at'] as number,
  prunedAt: row['pruned_at'] as number,
  line: row['line'] as number,
  lineHash: row['line_hash'] as string,
  sealedBy: row['sealed_by'] === ours ? null : (row['sealed_by'] as string),
})

const rowOf = async (sql: Pick<Sql, 'one'>) => sql.one(`SELECT * FROM ${table} WHERE id = 1`)

export async function readAnchor(sql: Pick<Sql, 'one'>): Promise<Anchor | undefined> {
  const row = await rowOf(sql)
  return row && anchorOf(row)
}

const bytesOf = (one: Anchor): Buffer =>
  Buffer.from(
    JSON.stringify([
      'vitrine audit anchor 1',
      ...[one.through, one.hash, one.fromAt, one.toAt, one.prunedAt, one.line, one.lineHash, one.sealedBy],
    ]),
  )

async function macOf(sql: Sql, one: Anchor, seals: Seals | undefined): Promise<Uint8Array | undefined> {
  if (one.sealedBy !== null) return seals?.macOf(one.sealedBy, bytesOf(one))
  const secret = (await sql.one('SELECT value FROM secrets WHERE name = ?', [ownSecret]))?.['value']
  return secret instanceof Uint8Array ? createHmac('sha256', secret).update(bytesOf(one)).digest() : undefined
}

const isSame = (a: Uint8Array, b: Value | undefined): boolean =>
  b instanceof Uint8Array && a.length === b.length && timingSafeEqual(a, b)

/** what is wrong with the anchor, or with the line that it names; undefined: nothing */
export async function faultOf(sql: Sql, seals: Seals | undefined): Promise<string | undefined> {
  const row = await rowOf(sql)
  if (!row) return undefined
  const anchor = anchorOf(row)
  const mac = await macOf(sql, anchor, seals)
  if (!mac && anchor.sealedBy !== null)
    return `the anchor is sealed with the master key "${anchor.sealedBy}", which is not given: it cannot be checked`
  if (!mac || !isSame(mac, row['seal'])) return 'the seal of the anchor does not fit: the anchor was changed'
  if (anchor.sealedBy === null && seals)
    return 'the anchor is sealed without a master key, though there is one: somebody replaced it, or the audit was pruned before there was one; then `vitrine vault rotate` seals it anew'
  const line = await sql.one("SELECT hash FROM audit WHERE seq = ? AND act = 'audit.prune'", [anchor.line])
  return line?.['hash'] === anchor.lineHash
    ? undefined
    : `line ${anchor.line}, which tells of the pruning, is not there, or is another one`
}

/** within a transaction: the triggers hold it against the lines that it names */
export async function writeAnchor(sql: Sql, place: Omit<Anchor, 'sealedBy'>, seals: Seals | undefined) {
  const anchor: Anchor = { ...place, sealedBy: seals?.writes ?? null }
  if (!seals)
    await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      ownSecret,
      randomBytes(32),
    ])
  const seal = await macOf(sql, anchor, seals)
  if (!seal) throw new Error('there is no key to seal the anchor with')
  const { through, hash, fromAt, toAt, prunedAt, line, lineHash, sealedBy } = anchor
  await putAnchor(sql, [1, through, hash, fromAt, toAt, prunedAt, line, lineHash, sealedBy ?? ours, seal])
}

/** the one row: changed, or there for the first time */
async function putAnchor(sql: Sql, values: readonly Value[]) {
  const sets = columns.map((column) => `${column} = ?`).join()
  if ((await sql.run(`UPDATE ${table} SET ${sets} WHERE id = 1`, values)) === 0)
    await sql.run(`INSERT INTO ${table} (${columns.join()}) VALUES ${marks(columns.length)}`, values)
}

/** brings the anchor along into a copy, and removes what it says is gone; answers the last line that is */
export async function copyAnchor(source: Sql, target: Sql): Promise<number> {
  const row = await rowOf(source)
  if (!row) return 0
  const values = columns.map((column) => row[column] ?? null)
  await putAnchor(target, values)
  await target.run('DELETE FROM audit WHERE seq <= ?', [row['through'] ?? 0])
  return Number(row['through'])
}
