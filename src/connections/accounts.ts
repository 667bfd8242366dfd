// Which account stands behind the name of each connection, without opening one: those of the settings first, as callers
// find them, then those of the store.
import type { ConnectionSettings } from '../settings.ts'
import type { ConnectionRecords } from '../store/records.ts'
import { accountOf } from './managed.ts'

/** the accounts of those of `ids` that are there, as `Connection` has them */
export async function accountsBehind(
  ids: readonly string[],
  managed: Readonly<Record<string, ConnectionSettings>>,
  hosted: Pick<ConnectionRecords, 'stamps'>,
): Promise<ReadonlyMap<string, string>> {
  const accounts = new Map<string, string>()
  const others: string[] = []
  for (const id of ids) {
    const settings = Object.hasOwn(managed, id) ? managed[id] : undefined
    if (settings) accounts.set(id, accountOf(settings))
    else others.push(id)
  }
  if (others.length > 0) for (const [id, { epoch }] of await hosted.stamps(others)) accounts.set(id, epoch)
  return accounts
}
