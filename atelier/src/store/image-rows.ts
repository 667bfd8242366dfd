// Images over SQL. A base image has no account.
import type { Database, Sql, SqlRow, SqlValue } from '../../../base/store/sql.ts'
import { createImageLogRows, logBytes } from './image-log-rows.ts'
import { type Found, type Place, selectBounded } from './listing.ts'

export const imageStatuses = ['queued', 'building', 'ready', 'failed', 'cancelled'] as const
export type ImageStatus = (typeof imageStatuses)[number]

export interface ImageConfig {
  readonly command: readonly string[] | null
  readonly entrypoint: readonly string[] | null
  readonly workingDir: string
  readonly user: string | null
  /** with values, which no answer shows */
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
}

export interface BuildFault {
  readonly type:
    | 'step_failed'
    | 'copy_failed'
    | 'build_timeout'
    | 'no_capacity'
    | 'engine_error'
    | 'image_too_large'
    | 'interrupted'
  readonly message: string
  readonly step: number | null
}

export interface ImageRecord {
  readonly id: string
  readonly account: string | null
  readonly name: string
  readonly status: ImageStatus
  readonly error: BuildFault | null
  readonly sizeBytes: number | null
  readonly config: ImageConfig
  readonly base: { readonly id: string; readonly name: string } | null
  readonly engineId: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
  readonly deletedAt: number | null
}

const imageOf = (row: SqlRow): ImageRecord => ({
  id: row['id'] as string,
  account: row['account'] as string | null,
  name: row['name'] as string,
  status: row['status'] as ImageStatus,
  error: row['error'] === null ? null : (JSON.parse(row['error'] as string) as BuildFault),
  sizeBytes: row['size_bytes'] as number | null,
  config: JSON.parse(row['config'] as string) as ImageConfig,
  base: row['base_id'] === null ? null : { id: row['base_id'] as string, name: row['base_name'] as string },
  engineId: row['engine_id'] as string | null,
  createdAt: row['created_at'] as number,
  finishedAt: row['finished_at'] as number | null,
  deletedAt: row['deleted_at'] as number | null,
})

const insert = `INSERT INTO images
  (id, account, name, status, error, size_bytes, config, base_id, base_name, engine_id, created_at, finished_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const valuesOf = (image: ImageRecord): SqlValue[] => [
  image.id,
  image.account,
  image.name,
  image.status,
  image.error && JSON.stringify(image.error),
  image.sizeBytes,
  JSON.stringify(image.config),
  image.base?.id ?? null,
  image.base?.name ?? null,
  image.engineId,
  image.createdAt,
  image.finishedAt,
]

const countedStatuses = `('queued', 'building', 'ready')`

export interface ImageUsage {
  readonly images: number
  readonly imageBytes: number
}

export type ImageAdded =
  | 'added'
  | 'name_in_use'
  | { readonly resource: keyof ImageUsage; readonly limit: number; readonly current: number }

export interface ImageFilter {
  readonly account: string
  readonly scopes: readonly ('own' | 'base')[]
  readonly statuses: readonly ImageStatus[] | undefined
  readonly name: string | undefined
}

const scopeConditions = { own: 'account = ?', base: 'account IS NULL' } as const

async function usageIn(sql: Sql, account: string): Promise<ImageUsage> {
  const row = await sql.one(
    `SELECT count(*) AS images, coalesce(sum(size_bytes), 0) AS bytes FROM images
     WHERE account = ? AND deleted_at IS NULL AND status IN ${countedStatuses}`,
    [account],
  )
  return { images: Number(row?.['images']), imageBytes: Number(row?.['bytes']) }
}

const additionsTo = (db: Database) => ({
  /** an image of an account, before its build */
  add: (image: ImageRecord & { readonly account: string }, most: ImageUsage): Promise<ImageAdded> =>
    db.transaction(async (sql) => {
      const { account, name } = image
      const namesake = await sql.one(
        `SELECT 1 FROM images WHERE account = ? AND name = ? AND deleted_at IS NULL AND status IN ${countedStatuses}`,
        [account, name],
      )
      if (namesake) return 'name_in_use'
      const used = await usageIn(sql, account)
      if (used.images >= most.images) return { resource: 'images', limit: most.images, current: used.images }
      if (used.imageBytes >= most.imageBytes)
        return { resource: 'imageBytes', limit: most.imageBytes, current: used.imageBytes }
      await sql.run(insert, valuesOf(image))
      return 'added'
    }),
  /** the same name again replaces what new containers get */
  addBase: (image: ImageRecord): Promise<readonly string[]> =>
    db.transaction(async (sql) => {
      const replaced = await sql.all(
        'SELECT id FROM images WHERE account IS NULL AND name = ? AND deleted_at IS NULL',
        [image.name],
      )
      await sql.run('UPDATE images SET deleted_at = ? WHERE account IS NULL AND name = ? AND deleted_at IS NULL', [
        image.createdAt,
        image.name,
      ])
      await sql.run(insert, valuesOf(image))
      return replaced.map((row) => row['id'] as string)
    }),
})

const changesOf = (db: Database) => ({
  building: (id: string) => db.run(`UPDATE images SET status = 'building' WHERE id = ? AND status = 'queued'`, [id]),
  /** of a build at work alone: the first outcome stays */
  finished: (
    id: string,
    outcome: Pick<ImageRecord, 'status' | 'error' | 'sizeBytes' | 'engineId'> & { readonly config?: ImageConfig },
    at: number,
  ) =>
    db.run(
      `UPDATE images SET status = ?, error = ?, size_bytes = ?, engine_id = ?, config = coalesce(?, config), finished_at = ?,
           log_bytes = ${logBytes}
         WHERE id = ? AND status IN ('queued', 'building')`,
      [
        outcome.status,
        outcome.error && JSON.stringify(outcome.error),
        outcome.sizeBytes,
        outcome.engineId,
        outcome.config ? JSON.stringify(outcome.config) : null,
        at,
        id,
      ],
    ),
  /** the engine no longer has it: one that can be used becomes a failed one */
  lost: (id: string, error: BuildFault) =>
    db.run(`UPDATE images SET status = 'failed', error = ? WHERE id = ? AND status = 'ready' AND deleted_at IS NULL`, [
      JSON.stringify(error),
      id,
    ]),
  /** the engine has a lost image again; 0: the image was not lost, or another image has its name now */
  regained: (id: string) =>
    db.run(
      `UPDATE images SET status = 'ready', error = NULL
         WHERE id = ? AND status = 'failed' AND engine_id IS NOT NULL AND deleted_at IS NULL AND NOT EXISTS
           (SELECT 1 FROM images AS other WHERE other.account = images.account AND other.name = images.name
             AND other.deleted_at IS NULL AND other.status IN ${countedStatuses})`,
      [id],
    ),
  deleted: (id: string, at: number) =>
    db.run('UPDATE images SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', [at, id]),
  async forget(deletedBefore: number, loggedBefore: number) {
    await db.run('DELETE FROM image_logs WHERE at < ? OR image IN (SELECT id FROM images WHERE deleted_at < ?)', [
      loggedBefore,
      deletedBefore,
    ])
    return db.run(
      `DELETE FROM images WHERE deleted_at < ? AND id NOT IN (SELECT image FROM containers WHERE status <> 'deleted')`,
      [deletedBefore],
    )
  },
})

/** PostgreSQL refuses a text with NUL, and no image has one */
const isStorable = (text: string): boolean => !text.includes('\0')

export function createImageRows(db: Database) {
  const all = async (text: string, values: readonly SqlValue[] = []) =>
    (await db.all(`SELECT * FROM images ${text}`, values)).map(imageOf)
  return {
    ...additionsTo(db),
    ...changesOf(db),
    ...createImageLogRows(db),
    usage: (account: string) => usageIn(db, account),
    async find(id: string): Promise<ImageRecord | undefined> {
      return isStorable(id) ? (await all('WHERE id = ?', [id]))[0] : undefined
    },
    /** undefined: it is deleted, or there is none */
    async statusOf(id: string): Promise<ImageStatus | undefined> {
      const row = await db.one('SELECT status FROM images WHERE id = ? AND deleted_at IS NULL', [id])
      return row?.['status'] as ImageStatus | undefined
    },
    /** an own image or a base image; another account's is read no further than an absent one: neither takes longer */
    async findVisible(account: string, id: string): Promise<ImageRecord | undefined> {
      if (!isStorable(id)) return undefined
      return (await all('WHERE id = ? AND (account = ? OR account IS NULL)', [id, account]))[0]
    },
    /** the account's own image first, then a base image */
    async findByName(account: string, name: string): Promise<ImageRecord | undefined> {
      if (!isStorable(name)) return undefined
      const own = `WHERE account = ? AND name = ? AND deleted_at IS NULL AND status IN ${countedStatuses}`
      const [mine] = await all(own, [account, name])
      return mine ?? (await all('WHERE account IS NULL AND name = ? AND deleted_at IS NULL', [name]))[0]
    },
    /** whether the account has any that is not deleted */
    async hasAny(account: string): Promise<boolean> {
      return (await db.one('SELECT 1 FROM images WHERE account = ? AND deleted_at IS NULL', [account])) !== undefined
    },
    unfinished: () => all(`WHERE status IN ('queued', 'building')`),
    living: () => all('WHERE deleted_at IS NULL'),
    deletedOnes: () => all('WHERE deleted_at IS NOT NULL'),
    async page(
      { account, scopes, statuses, name }: ImageFilter,
      after: Place | undefined,
      limit: number,
    ): Promise<Found<ImageRecord>> {
      const conditions = [
        `(${scopes.map((scope) => scopeConditions[scope]).join(' OR ')})`,
        'deleted_at IS NULL',
        ...(statuses ? [`status IN (${statuses.map(() => '?').join(', ')})`] : []),
        ...(name === undefined ? [] : ['name = ?']),
      ]
      const values = [
        ...(scopes.includes('own') ? [account] : []),
        ...(statuses ?? []),
        ...(name === undefined ? [] : [name]),
      ]
      const bytesOf = 'octet_length(config) + coalesce(octet_length(error), 0)'
      const selection = { table: 'images', conditions, values } as const
      const { rows, isLast } = await selectBounded(db, selection, { after, limit, bytesOf })
      const items = rows.map(imageOf)
      return { items, next: isLast ? null : (items.at(-1) ?? null) }
    },
  }
}

export type ImageRows = ReturnType<typeof createImageRows>
