// The checks in their order: title, checks that must not have failed before, and the reason that is given for those skipped
// after a failure. The guide has the same table.

interface CheckRow {
  readonly title: string
  readonly needs: readonly string[]
  /** completes "Not tried: …" of the checks that need it */
  readonly problem: string
}

const table = {
  settings: { title: 'Settings', needs: [], problem: 'the settings cannot be used' },
  version: { title: 'Version', needs: [], problem: 'this Node.js cannot run Vitrine' },
  outgoing: { title: 'Outgoing calls', needs: ['settings'], problem: 'calls to other hosts cannot be made' },
  doors: { title: 'Addresses', needs: ['settings'], problem: 'the service cannot listen at its addresses' },
  'operator-token': { title: 'Operator token', needs: ['settings'], problem: 'the operator token cannot be used' },
  'sign-in': { title: 'Sign-in', needs: ['outgoing'], problem: 'operators cannot sign in with the provider' },
  proxies: { title: 'Proxies', needs: ['settings'], problem: 'the trusted proxies cannot be checked' },
  store: { title: 'Store', needs: ['settings'], problem: 'the store cannot be used' },
  schema: { title: 'Schema', needs: ['store'], problem: 'the store has another schema' },
  'master-keys': { title: 'Master keys', needs: ['settings'], problem: 'the master keys cannot be used' },
  credentials: {
    title: 'Credentials',
    needs: ['schema', 'master-keys'],
    problem: 'its credential cannot be decrypted',
  },
  replicas: { title: 'Replicas', needs: ['schema'], problem: 'the replicas cannot be counted' },
  redis: { title: 'Redis', needs: ['settings'], problem: 'Redis cannot be used' },
  connections: { title: 'Connections', needs: ['settings'], problem: 'there are no connections' },
  platform: { title: 'Platform', needs: ['outgoing'], problem: 'the platform cannot be reached' },
  clock: { title: 'Clock', needs: ['platform'], problem: 'the clock is wrong' },
  'key-file': { title: 'Key file', needs: ['settings'], problem: 'the key file cannot be used' },
  token: { title: 'Token', needs: ['key-file', 'platform'], problem: 'the token is not accepted' },
  agreements: { title: 'Agreements', needs: ['token'], problem: 'an agreement is missing' },
  quota: { title: 'Quota', needs: ['token'], problem: 'the quota is used up' },
  group: { title: 'Group', needs: ['agreements', 'quota'], problem: 'the group cannot be read' },
} satisfies Readonly<Record<string, CheckRow>>

export type CheckId = keyof typeof table
export const checks: Readonly<Record<CheckId, CheckRow>> = table

/** for the id of a finding, such as `store` or `group:builds` */
export function titleOf(id: string): string {
  const [name = '', group] = id.split(':')
  const { title } = checks[name as CheckId]
  return group === undefined ? title : `${title} ${group}`
}
