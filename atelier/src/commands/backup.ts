// `atelier backup` and `atelier restore`: the store and the SSH host key, in a folder.
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printJson, say } from '../../../base/cli/output.ts'
import { asUserError, UserError } from '../../../base/cli/user-error.ts'
import type { Settings } from '../settings.ts'
import { endSessions } from '../store/end-sessions.ts'
import { backupSqlite, restoreSqlite } from '../store/sqlite-backup.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'
import { withCore } from './with-core.ts'

export const copyNames = { store: 'atelier.db', hostKey: 'ssh_host_ed25519' } as const

function sqliteFileOf({ store }: Settings, folder: string, instead: string): string {
  if (store.startsWith('sqlite:')) return resolve(folder, store.slice('sqlite:'.length))
  throw new UserError(`The store is in PostgreSQL: ${instead}`)
}

const hostKeyOf = (settings: Settings, folder: string): string => resolve(folder, settings['ssh.hostKeyFile'])

function makeFolder(to: string) {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  if (readdirSync(to).length > 0) throw new Error(`--to: the folder ${to} is not empty. Name a new one.`)
}

export async function backup({ to, ...options }: ConfigOption & { readonly to: string }) {
  const { settings, folder } = loadSettings(options)
  const file = sqliteFileOf(settings, folder, 'back it up with pg_dump, and the SSH host key beside it.')
  const target = resolve(to)
  const counts = await asUserError(async () => {
    makeFolder(target)
    const copied = backupSqlite(file, join(target, copyNames.store))
    const hostKey = hostKeyOf(settings, folder)
    // keeps its mode
    if (existsSync(hostKey)) copyFileSync(hostKey, join(target, copyNames.hostKey))
    return copied
  })
  printJson(counts)
  say(`The backup is in ${target}. It holds the digests of keys and passwords: keep it as safe as the store.`)
}

interface RestoreOptions extends ConfigOption {
  /** absent: the store was restored by other means */
  readonly from?: string
}

export async function restore({ from, ...options }: RestoreOptions) {
  const { settings, folder } = loadSettings(options)
  if (from !== undefined) {
    const file = sqliteFileOf(settings, folder, 'restore it with pg_restore, then run this without --from.')
    const source = resolve(from)
    const earlier = await asUserError(() => restoreSqlite(join(source, copyNames.store), file, Date.now()))
    const [kept, hostKey] = [join(source, copyNames.hostKey), hostKeyOf(settings, folder)]
    if (existsSync(kept) && !existsSync(hostKey)) copyFileSync(kept, hostKey)
    if (earlier !== undefined) say(`The earlier store is ${earlier}.`)
  }
  await withCore(options, ({ store }) => endSessions(store.db))
  say('The store is restored, and all sessions are ended. API keys that were revoked since the backup are valid again:')
  say(
    'atelier keys revoke ends them, before you start the service. At its start it removes containers and images that the store does not know.',
  )
}
