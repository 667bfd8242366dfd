// What is looked at, in this order: its name in the report, what must be well before it can be tried, and what is said of it
// where something else could not be tried on its account. The guide has the same table.

export interface Check {
  readonly title: string
  /** checks that must not have failed */
  readonly needs: readonly CheckId[]
  /** why others are not tried after it: "Not tried: …" */
  readonly ill: string
  /** once for each connection, and `group` once for each group of routes */
  readonly each?: 'connection' | 'group'
}

export type CheckId =
  | 'settings'
  | 'version'
  | 'doors'
  | 'operator-token'
  | 'proxies'
  | 'store'
  | 'schema'
  | 'master-keys'
  | 'credentials'
  | 'replicas'
  | 'redis'
  | 'connections'
  | 'platform'
  | 'clock'
  | 'key-file'
  | 'token'
  | 'agreements'
  | 'quota'
  | 'group'

export const checks: Readonly<Record<CheckId, Check>> = {
  settings: { title: 'Settings', needs: [], ill: 'the settings cannot be used' },
  version: { title: 'Version', needs: [], ill: 'this Node.js cannot run Vitrine' },
  doors: { title: 'Doors', needs: ['settings'], ill: 'an address to listen at is taken' },
  'operator-token': { title: 'Operator token', needs: ['settings'], ill: 'the operator token cannot be used' },
  proxies: { title: 'Proxies', needs: ['settings'], ill: 'the trusted proxies cannot be judged' },
  store: { title: 'Store', needs: ['settings'], ill: 'the store cannot be used' },
  schema: { title: 'Schema', needs: ['store'], ill: 'the schema of the store is another one' },
  'master-keys': { title: 'Master keys', needs: ['settings'], ill: 'the master keys cannot be used' },
  credentials: { title: 'Credentials', needs: ['schema', 'master-keys'], ill: 'its credential does not open' },
  replicas: { title: 'Replicas', needs: ['schema'], ill: 'the replicas cannot be counted' },
  redis: { title: 'Redis', needs: ['settings'], ill: 'the Redis cannot be used' },
  connections: { title: 'Connections', needs: ['settings'], ill: 'there are no connections' },
  platform: { title: 'Platform', needs: ['settings'], ill: 'the platform cannot be reached' },
  clock: { title: 'Clock', needs: ['platform'], ill: 'the clock is wrong' },
  'key-file': { title: 'Key file', needs: ['settings'], ill: 'the key file cannot be used', each: 'connection' },
  token: { title: 'Token', needs: ['key-file', 'platform'], ill: 'the token is not accepted', each: 'connection' },
  agreements: { title: 'Agreements', needs: ['token'], ill: 'an agreement is missing', each: 'connection' },
  quota: { title: 'Quota', needs: ['token'], ill: 'the quota is spent', each: 'connection' },
  group: { title: 'Group', needs: ['agreements', 'quota'], ill: 'the group cannot be read', each: 'group' },
}

/** of a finding's id, such as `store` or `group:builds` */
export function titleOf(id: string): string {
  const [name = '', group] = id.split(':')
  const { title } = checks[name as CheckId]
  return group === undefined ? title : `${title} ${group}`
}
