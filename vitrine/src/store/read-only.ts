// Opens a store to look at it: nothing is written, created or migrated.
import { openDatabase } from './open.ts'
import { storeOver } from './store.ts'

export type ReadOnlyStore = Awaited<ReturnType<typeof openReadOnlyStore>>

/** Throws an Error with the reason, without a password. `found`: the schema; 0: there is none */
export async function openReadOnlyStore(location: string) {
  const db = await openDatabase(location, { migrate: false })
  return { driver: db.driver, found: db.schemaFound, sql: db, store: storeOver(db) }
}
