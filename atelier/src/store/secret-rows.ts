// The sealed secrets of containers. They go with the container.
import type { Database } from '../../../base/store/sql.ts'

export function createSecretRows(db: Database) {
  return {
    add: (container: string, sealed: Uint8Array) =>
      db.run('INSERT INTO container_secrets (container, sealed) VALUES (?, ?)', [container, sealed]),
    async find(container: string): Promise<Uint8Array | undefined> {
      const row = await db.one('SELECT sealed FROM container_secrets WHERE container = ?', [container])
      return row?.['sealed'] as Uint8Array | undefined
    },
    removeOf: (container: string) => db.run('DELETE FROM container_secrets WHERE container = ?', [container]),
    /** of containers that were never made, because the service ended */
    forget: () =>
      db.run(
        `DELETE FROM container_secrets WHERE container NOT IN (SELECT id FROM containers WHERE status <> 'deleted')`,
      ),
  }
}

export type SecretRows = ReturnType<typeof createSecretRows>
