// Commands that must be known after a restart of the service: detached ones, which go on, and those of other users than the
// container's, which only the same user can kill.
import type { Database } from '../../../base/store/sql.ts'

export interface CommandRecord {
  readonly id: string
  readonly container: string
  readonly user: string
  readonly isDetached: boolean
}

export function createCommandRows(db: Database) {
  const of = async (container: string): Promise<CommandRecord[]> =>
    (await db.all('SELECT * FROM commands WHERE container = ?', [container])).map((row) => ({
      id: row['id'] as string,
      container,
      user: row['user_ids'] as string,
      isDetached: row['is_detached'] === 1,
    }))
  return {
    of,
    add: ({ id, container, user, isDetached }: CommandRecord) =>
      db.run('INSERT INTO commands (id, container, user_ids, is_detached) VALUES (?, ?, ?, ?)', [
        id,
        container,
        user,
        isDetached ? 1 : 0,
      ]),
    remove: (id: string) => db.run('DELETE FROM commands WHERE id = ?', [id]),
    removeOf: (container: string) => db.run('DELETE FROM commands WHERE container = ?', [container]),
    detachedOf: async (container: string) =>
      (await of(container)).filter(({ isDetached }) => isDetached).map(({ id }) => id),
  }
}

export type CommandRows = ReturnType<typeof createCommandRows>
