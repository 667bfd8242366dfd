// The store: all rows over one database.
import { type Database, withKnownSchema } from '../../../base/store/sql.ts'
import { secretOf } from '../../../base/store/secrets.ts'
import { createAccountRows } from './account-rows.ts'
import { createCheckpointRows } from './checkpoint-rows.ts'
import { createCommandRows } from './command-rows.ts'
import { createContainerRows } from './container-rows.ts'
import { createIdempotencyRows } from './idempotency-rows.ts'
import { createIdentityRows } from './identity-rows.ts'
import { createImageRows } from './image-rows.ts'
import { createKeyRows } from './key-rows.ts'
import { openDatabase } from './open.ts'
import { createSecretRows } from './secret-rows.ts'
import { createSessionRows } from './session-rows.ts'
import { createSshSessionRows } from './ssh-session-rows.ts'

export const storeOver = (db: Database) => ({
  db,
  accounts: createAccountRows(db),
  identities: createIdentityRows(db),
  keys: createKeyRows(db),
  sessions: createSessionRows(db),
  containers: createContainerRows(db),
  images: createImageRows(db),
  checkpoints: createCheckpointRows(db),
  sshSessions: createSshSessionRows(db),
  commands: createCommandRows(db),
  containerSecrets: createSecretRows(db),
  idempotency: createIdempotencyRows(db),
  secret: (name: string) => secretOf(db, name),
  check: () => db.check(),
  close: () => db.close(),
})

export type Store = ReturnType<typeof storeOver>

export const openStore = async (location: string): Promise<Store> => storeOver(await openDatabase(location))

/** to read rows and change nothing; refuses a store of another schema */
export const openStoreToLook = async (location: string): Promise<Store> =>
  storeOver(await withKnownSchema(await openDatabase(location, { migrate: false })))
