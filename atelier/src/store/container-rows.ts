// Containers over SQL. A row is written before the engine is asked; quota and name are checked in the same transaction.
import type { Database, Sql, SqlRow, SqlValue } from '../../../base/store/sql.ts'
import type { ContainerLimits } from '../engine/port.ts'
import { firstOf, type Found, pageBytes, type Place, selectBounded } from './listing.ts'

export const containerStatuses = ['creating', 'running', 'exited', 'failed', 'deleted'] as const
export type ContainerStatus = (typeof containerStatuses)[number]

export const statusReasons = [
  'main_exited',
  'ttl_expired',
  'idle_timeout',
  'disk_limit',
  'engine_lost',
  'exec_kill_escalated',
  'user_deleted',
] as const
export type StatusReason = (typeof statusReasons)[number]

/** what the caller chose, and never changes */
export interface ContainerSpec {
  readonly imageName: string
  readonly command: readonly string[] | null
  readonly workingDir: string
  readonly user: string
  readonly envNames: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly limits: ContainerLimits
  readonly network: 'none' | 'egress'
  readonly readOnlyRootfs: boolean
  /** hosts that it reaches by name; rows of earlier versions have none */
  readonly egress?: { readonly hosts: readonly string[] } | null
  /** without their values */
  readonly secrets?: Readonly<Record<string, { readonly hosts: readonly string[]; readonly header: string }>>
}

export interface ContainerRecord {
  readonly id: string
  readonly account: string
  readonly name: string | null
  readonly status: ContainerStatus
  readonly reason: StatusReason | null
  readonly exitCode: number | null
  readonly image: string
  readonly spec: ContainerSpec
  readonly createdAt: number
  readonly startedAt: number | null
  readonly activeAt: number
  readonly expiresAt: number
  readonly idleMs: number | null
  readonly deletedAt: number | null
}

export interface Usage {
  readonly containers: number
  readonly memoryMiB: number
  readonly cpu: number
}

export type Added =
  | 'added'
  | 'name_in_use'
  | { readonly resource: keyof Usage; readonly limit: number; readonly current: number }

const containerOf = (row: SqlRow): ContainerRecord => ({
  id: row['id'] as string,
  account: row['account'] as string,
  name: row['name'] as string | null,
  status: row['status'] as ContainerStatus,
  reason: row['reason'] as StatusReason | null,
  exitCode: row['exit_code'] as number | null,
  image: row['image'] as string,
  spec: JSON.parse(row['spec'] as string) as ContainerSpec,
  createdAt: row['created_at'] as number,
  startedAt: row['started_at'] as number | null,
  activeAt: row['active_at'] as number,
  expiresAt: row['expires_at'] as number,
  idleMs: row['idle_ms'] as number | null,
  deletedAt: row['deleted_at'] as number | null,
})

const counted = `status NOT IN ('deleted', 'failed')`

async function usageIn(sql: Sql, account: string): Promise<Usage> {
  const row = await sql.one(
    `SELECT count(*) AS containers, coalesce(sum(memory_mib), 0) AS memory, coalesce(sum(cpu_hundredths), 0) AS cpu
     FROM containers WHERE account = ? AND ${counted}`,
    [account],
  )
  return {
    containers: Number(row?.['containers']),
    memoryMiB: Number(row?.['memory']),
    cpu: Number(row?.['cpu']) / 100,
  }
}

function exceeded(usage: Usage, { memoryMiB, cpu }: ContainerLimits, most: Usage): Added | undefined {
  const wanted: Usage = { containers: 1, memoryMiB, cpu }
  for (const resource of ['containers', 'memoryMiB', 'cpu'] as const)
    if (Math.round((usage[resource] + wanted[resource]) * 100) > Math.round(most[resource] * 100))
      return { resource, limit: most[resource], current: usage[resource] }
  return undefined
}

const insert = `INSERT INTO containers
  (id, account, name, status, image, spec, cpu_hundredths, memory_mib, created_at, active_at, expires_at, idle_ms)
  VALUES (?, ?, ?, 'creating', ?, ?, ?, ?, ?, ?, ?, ?)`

export type NewContainer = Omit<ContainerRecord, 'status' | 'reason' | 'exitCode' | 'startedAt' | 'deletedAt'>

const valuesOf = ({
  id,
  account,
  name,
  image,
  spec,
  createdAt,
  activeAt,
  expiresAt,
  idleMs,
}: NewContainer): SqlValue[] => [
  id,
  account,
  name,
  image,
  JSON.stringify(spec),
  Math.round(spec.limits.cpu * 100),
  spec.limits.memoryMiB,
  createdAt,
  activeAt,
  expiresAt,
  idleMs,
]

export interface ContainerFilter {
  readonly account: string
  readonly statuses: readonly ContainerStatus[] | undefined
  readonly name: string | undefined
  /** all of them must match */
  readonly labels: readonly (readonly [string, string])[]
}

const batch = 200

const hasLabels = ({ spec }: ContainerRecord, wanted: ContainerFilter['labels']): boolean =>
  wanted.every(([name, value]) => Object.hasOwn(spec.labels, name) && spec.labels[name] === value)

/** labels are compared here: they are few, and no index holds them */
async function pageOf(
  db: Database,
  { account, statuses, name, labels }: ContainerFilter,
  after: Place | undefined,
  limit: number,
): Promise<Found<ContainerRecord>> {
  const status = statuses ? `status IN (${statuses.map(() => '?').join(', ')})` : `status <> 'deleted'`
  const conditions = ['account = ?', status, ...(name === undefined ? [] : ['name = ?'])]
  const values = [account, ...(statuses ?? []), ...(name === undefined ? [] : [name])]
  const selection = { table: 'containers', conditions, values } as const
  const most = labels.length > 0 ? batch : limit
  const found: ContainerRecord[] = []
  for (let [place, read] = [after, 0]; ;) {
    const given = { after: place, limit: most, bytesOf: 'octet_length(spec)' }
    const { rows, bytes, isLast } = await selectBounded(db, selection, given)
    const some = rows.map(containerOf)
    found.push(...some.filter((one) => hasLabels(one, labels)))
    place = some.at(-1)
    read += bytes
    if (found.length > limit) return firstOf(found, limit)
    if (isLast || !place) return { items: found, next: null }
    if (found.length === limit || read >= pageBytes / 2) return { items: found, next: place }
  }
}

export function createContainerRows(db: Database) {
  const all = async (text: string, values: readonly SqlValue[] = []) =>
    (await db.all(`SELECT * FROM containers ${text}`, values)).map(containerOf)
  return {
    usage: (account: string) => usageIn(db, account),
    add: (container: NewContainer, most: Usage): Promise<Added> =>
      db.transaction(async (sql) => {
        const { account, name, spec } = container
        const namesake =
          name !== null &&
          (await sql.one(`SELECT 1 FROM containers WHERE account = ? AND name = ? AND status <> 'deleted'`, [
            account,
            name,
          ]))
        if (namesake) return 'name_in_use'
        const full = exceeded(await usageIn(sql, account), spec.limits, most)
        if (full) return full
        await sql.run(insert, valuesOf(container))
        return 'added'
      }),
    /** a container that never started leaves no row */
    drop: (id: string) => db.run(`DELETE FROM containers WHERE id = ? AND status = 'creating'`, [id]),
    /** of a start that failed, though a store that broke off may have noted it */
    undo: (id: string) => db.run(`DELETE FROM containers WHERE id = ? AND status IN ('creating', 'running')`, [id]),
    started: (id: string, at: number) =>
      db.run(`UPDATE containers SET status = 'running', started_at = ? WHERE id = ? AND status = 'creating'`, [at, id]),
    /** of a running container alone: the first reason stays */
    ended: (id: string, status: 'exited' | 'failed', reason: StatusReason, exitCode: number | null) =>
      db.run(`UPDATE containers SET status = ?, reason = ?, exit_code = ? WHERE id = ? AND status = 'running'`, [
        status,
        reason,
        exitCode,
        id,
      ]),
    deleted: (id: string, reason: StatusReason, at: number) =>
      db.run(
        `UPDATE containers SET status = 'deleted', reason = ?, deleted_at = ? WHERE id = ? AND status <> 'deleted'`,
        [reason, at, id],
      ),
    active: (id: string, at: number) =>
      db.run('UPDATE containers SET active_at = ? WHERE id = ? AND active_at < ?', [at, id, at]),
    async find(id: string): Promise<ContainerRecord | undefined> {
      return (await all('WHERE id = ?', [id]))[0]
    },
    /** another account's container is read no further than an absent one: neither takes longer */
    async findOf(account: string, id: string): Promise<ContainerRecord | undefined> {
      return (await all('WHERE id = ? AND account = ?', [id, account]))[0]
    },
    living: () => all(`WHERE status <> 'deleted'`),
    due: (now: number) => all(`WHERE status <> 'deleted' AND expires_at <= ?`, [now]),
    async countOf(image: string): Promise<number> {
      const text = `SELECT count(*) AS users FROM containers WHERE image = ? AND status <> 'deleted'`
      return Number((await db.one(text, [image]))?.['users'])
    },
    page: (filter: ContainerFilter, after: Place | undefined, limit: number) => pageOf(db, filter, after, limit),
    /** of all accounts: how many there are in each state, and what those that count hold */
    async totals() {
      const rows = await db.all(
        `SELECT status, count(*) AS containers, coalesce(sum(memory_mib), 0) AS memory,
           coalesce(sum(cpu_hundredths), 0) AS cpu FROM containers WHERE status <> 'deleted' GROUP BY status`,
      )
      return rows.map((row) => ({
        status: row['status'] as ContainerStatus,
        containers: Number(row['containers']),
        memoryMiB: Number(row['memory']),
        cpu: Number(row['cpu']) / 100,
      }))
    },
    forget: (deletedBefore: number) => db.run('DELETE FROM containers WHERE deleted_at < ?', [deletedBefore]),
  }
}

export type ContainerRows = ReturnType<typeof createContainerRows>
