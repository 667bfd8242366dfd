// What a key's named connections are bound to: the account behind each, so that another account under the same name is not
// read. `*` is bound to none: it stands for every connection, later ones included.
import type { KeyRecord, KeyRecords } from '../store/records.ts'

/** the accounts of those of these connections that are there */
export type AccountsOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

type Grants = Pick<KeyRecord, 'connections' | 'accounts'>

/** stands for no connection; no account is so called */
const none = ''

export const anyAccount = Symbol('any account')

/** the one account that the key may read by this name, or any; undefined where the name is not granted */
export function accountGranted({ connections, accounts }: Grants, id: string): string | typeof anyAccount | undefined {
  if (connections.includes('*')) return anyAccount
  // a grant of an older version means whatever has the name, until the service has decided it (`decideGrants`)
  return connections.includes(id) ? (accounts.get(id) ?? anyAccount) : undefined
}

export const namedBy = ({ connections }: Pick<Grants, 'connections'>): string[] =>
  connections.filter((id) => id !== '*')

const openTo = (granted: string | typeof anyAccount | undefined, account: string | undefined): boolean =>
  account !== undefined && (granted === anyAccount || granted === account)

/** `accounts`: those that are there now */
export function sortGrants({ connections, accounts: bound }: Grants, accounts: ReadonlyMap<string, string>) {
  const [live, ended]: [string[], string[]] = [[], []]
  for (const id of connections)
    if (id !== '*') (openTo(bound.get(id) ?? anyAccount, accounts.get(id)) ? live : ended).push(id)
  return { live, ended }
}

/** what a new key is bound to */
export async function bindGrants(connections: readonly string[], accountsOf: AccountsOf) {
  const named = namedBy({ connections })
  const accounts = named.length === 0 ? undefined : await accountsOf(named)
  return new Map(named.map((id) => [id, accounts?.get(id) ?? none]))
}

const atOnce = 500

/**
 * Binds the grants of older versions to the accounts that are there now. `rest`: what a name without a connection comes to;
 * only the service knows that there is none, since a command may have been given other settings.
 */
export async function decideGrants(
  records: Pick<KeyRecords, 'undecided' | 'decide'>,
  accountsOf: AccountsOf,
  rest: 'ends' | 'waits',
): Promise<void> {
  for (let after = ''; ;) {
    const keys = await records.undecided({ after, limit: atOnce })
    if (keys.length === 0) return
    const accounts = await accountsOf([...new Set(keys.flatMap(namedBy))])
    const other = rest === 'ends' ? none : null
    const decided = (key: KeyRecord) =>
      new Map(namedBy(key).map((id) => [id, key.accounts.get(id) ?? accounts.get(id) ?? other]))
    await records.decide(keys.map((before) => ({ before, accounts: decided(before) })))
    after = keys.at(-1)?.id ?? ''
  }
}
