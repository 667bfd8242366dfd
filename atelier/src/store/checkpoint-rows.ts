// Checkpoints over SQL: steps of builds that the engine keeps as images, for later builds of the same account.
import type { Database, Sql, SqlRow } from '../../../base/store/sql.ts'

/** `making`: the engine may not have it yet; `evicted`: it matches no build, and is still to be removed from the engine */
export type CheckpointStatus = 'making' | 'ready' | 'evicted'

export interface CheckpointRecord {
  readonly id: string
  readonly account: string
  /** of all that the steps so far depend on */
  readonly key: string
  /** the engine's id of the image that the Dockerfile begins with, or `scratch` */
  readonly base: string
  readonly status: CheckpointStatus
  readonly engineId: string | null
  /** of what it adds to the image that its container was made from */
  readonly sizeBytes: number
  /** how many checkpoints stand on top of each other, this one included */
  readonly depth: number
  readonly createdAt: number
  readonly usedAt: number
}

export interface CheckpointBounds {
  readonly checkpoints: number
  readonly bytes: number
}

const checkpointOf = (row: SqlRow): CheckpointRecord => ({
  id: row['id'] as string,
  account: row['account'] as string,
  key: row['step_key'] as string,
  base: row['base'] as string,
  status: row['status'] as CheckpointStatus,
  engineId: row['engine_id'] as string | null,
  sizeBytes: row['size_bytes'] as number,
  depth: row['depth'] as number,
  createdAt: row['created_at'] as number,
  usedAt: row['used_at'] as number,
})

const evict = (sql: Pick<Sql, 'run'>, id: string) =>
  sql.run(`UPDATE checkpoints SET status = 'evicted' WHERE id = ? AND status <> 'evicted'`, [id])

/** Marks the least recently used ones until the rest is within the bounds; false: it cannot be. */
async function makeRoom(sql: Sql, account: string, { checkpoints, bytes }: CheckpointBounds): Promise<boolean> {
  const text = `SELECT * FROM checkpoints WHERE account = ? AND status <> 'evicted' ORDER BY used_at, created_at, id`
  const kept = (await sql.all(text, [account])).map(checkpointOf)
  let [count, size] = [kept.length, kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)]
  for (const { id, status, sizeBytes } of kept) {
    if (count <= checkpoints && size <= bytes) break
    if (status !== 'ready') continue
    await evict(sql, id)
    count -= 1
    size -= sizeBytes
  }
  return count <= checkpoints && size <= bytes
}

export type NewCheckpoint = Omit<CheckpointRecord, 'status' | 'engineId' | 'usedAt'>

export function createCheckpointRows(db: Database) {
  const all = async (text: string, values: readonly string[] = []) =>
    (await db.all(`SELECT * FROM checkpoints ${text}`, values)).map(checkpointOf)
  return {
    /** Before the engine makes it. False: there is one of this key, or no room for it. */
    add: ({ id, account, key, base, sizeBytes, depth, createdAt }: NewCheckpoint, most: CheckpointBounds) =>
      db.transaction(async (sql) => {
        const same = `SELECT 1 FROM checkpoints WHERE account = ? AND step_key = ? AND status <> 'evicted'`
        if (sizeBytes > most.bytes || (await sql.one(same, [account, key]))) return false
        const rest = { checkpoints: most.checkpoints - 1, bytes: most.bytes - sizeBytes }
        if (rest.checkpoints < 0 || !(await makeRoom(sql, account, rest))) return false
        await sql.run(
          `INSERT INTO checkpoints (id, account, step_key, base, status, size_bytes, depth, created_at, used_at)
           VALUES (?, ?, ?, ?, 'making', ?, ?, ?, ?)`,
          [id, account, key, base, sizeBytes, depth, createdAt, createdAt],
        )
        return true
      }),
    made: (id: string, engineId: string) =>
      db.run(`UPDATE checkpoints SET status = 'ready', engine_id = ? WHERE id = ? AND status = 'making'`, [
        engineId,
        id,
      ]),
    used: (id: string, at: number) => db.run('UPDATE checkpoints SET used_at = ? WHERE id = ?', [at, id]),
    /** it matches no build from now on */
    evict: (id: string) => evict(db, id),
    keepWithin: (account: string, most: CheckpointBounds) => db.transaction((sql) => makeRoom(sql, account, most)),
    /** once the engine does not have it */
    remove: (id: string) => db.run('DELETE FROM checkpoints WHERE id = ?', [id]),
    find: async (id: string): Promise<CheckpointRecord | undefined> => (await all('WHERE id = ?', [id]))[0],
    of: (account: string) => all('WHERE account = ? ORDER BY created_at, id', [account]),
    readyOn: (account: string, base: string) =>
      all(`WHERE account = ? AND base = ? AND status = 'ready'`, [account, base]),
    all: () => all(''),
  }
}

export type CheckpointRows = ReturnType<typeof createCheckpointRows>
