// The settings: one table with defaults, texts and readers. The settings page, the doctor and the reader stand on it.
// Long because it is a table.
import { readSettingsTable, type Setting, SettingsError, type SettingsOf } from '../../base/core/settings-reader.ts'
import {
  type Address,
  isLoopback,
  readAddress,
  readAddressOrOff,
  readNetworks,
  readOrigin,
  readPath,
  readStore,
  readWhole,
  readYesOrNo,
  wrong,
} from '../../base/core/setting-values.ts'
import { isJsonObject } from '../../base/core/json.ts'
import { readIssuer } from '../../base/auth/oidc-settings.ts'
import { readHosts, readOpenNetworks, readPorts, readResolvers } from './egress/setting-values.ts'
import { product } from './product.ts'

const mebibyte = 1024 * 1024

const orNull =
  <T>(read: (value: unknown) => T) =>
  (value: unknown): T | null =>
    value === null ? null : read(value)

function readNumber(least: number, most: number) {
  return (value: unknown): number => {
    const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
    return typeof number === 'number' && number >= least && number <= most
      ? number
      : wrong(`must be a number from ${least} to ${most}`)
  }
}

const readName = (value: unknown): string =>
  typeof value === 'string' && /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(value) && value.length <= 32
    ? value
    : wrong('must be at most 32 small letters and digits, joined by ., _ or -')

const readText = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : wrong('must be a text')

const commandWays = ['resident', 'engine'] as const

const readCommandWay = (value: unknown): (typeof commandWays)[number] =>
  commandWays.find((way) => way === value) ?? wrong(`must be ${commandWays.join(' or ')}`)

const readPlans = (value: unknown): Readonly<Record<string, unknown>> => {
  const tree: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return isJsonObject(tree) && Array.isArray(tree['plans']) && typeof tree['currency'] === 'string'
    ? tree
    : wrong('must be an object with "currency" and "plans", as GET /subscription/config shows it')
}

const limit = (standard: number, about: string, most = 1_000_000): Setting<number> => ({
  standard,
  about,
  read: readWhole(0, most),
  example: standard,
  guide: 'limits',
})

const rate = (standard: number, about: string): Setting<number> => ({
  standard,
  about: `${about} 0: no limit.`,
  read: readNumber(0, 1_000_000),
  example: standard,
  guide: 'limits',
})

const bytes = 2 ** 50

const table = {
  listen: {
    about: 'Address of the API. Required.',
    read: readAddress,
    example: '127.0.0.1:8090',
    guide: 'running',
  },
  publicUrl: {
    about:
      'Origin at which callers and browsers reach the API; plain http only on a loopback host. Default: http:// and `listen`.',
    read: readOrigin('https://atelier.example'),
    example: 'https://atelier.example',
    guide: 'running',
  },
  trustedProxies: {
    standard: [] as readonly string[],
    about:
      'Addresses and networks of the proxies in front: only their `X-Forwarded-For` is trusted. Do not name a network with other machines in it.',
    read: readNetworks,
    example: ['192.0.2.7', '10.0.3.0/28'],
    guide: 'running',
  },
  operatorListen: {
    standard: 'off',
    about:
      'Address of the operator endpoint, which shows the metrics, or `off`. On other addresses than loopback it needs a token to start; without one it refuses every request.',
    read: readAddressOrOff,
    example: '127.0.0.1:8091',
    guide: 'monitoring',
  },
  operatorTokenFile: {
    about:
      'File with the tokens of the operator endpoint, instead of `ATELIER_OPERATOR_TOKEN`: one on each line. It is read again when it changes.',
    read: readPath,
    example: '/etc/atelier/operator-token',
    guide: 'monitoring',
    secretFile: true,
  },
  store: {
    standard: 'sqlite:data/atelier.db',
    about: 'Where accounts, keys, containers and images are kept: `sqlite:PATH` or `postgres://USER@HOST/DATABASE`.',
    read: readStore,
    example: 'sqlite:/var/lib/atelier/atelier.db',
    guide: 'running',
  },
  instance: {
    standard: 'main',
    about: 'Name of this installation. It marks what the service makes in the engine, so that several can share one.',
    read: readName,
    example: 'main',
    guide: 'running',
  },
  'engine.socket': {
    standard: '/run/atelier/engine.sock',
    about: 'Unix socket of Podman or Docker. It is as powerful as root: keep it in a folder of mode 0700.',
    read: readPath,
    example: '/run/podman/podman.sock',
    guide: 'engines',
  },
  'engine.runtime': {
    standard: null as string | null,
    about: 'Runtime for containers of callers, such as gVisor or Kata; null: that of the engine.',
    read: orNull(readText),
    example: 'runsc',
    guide: 'isolation',
  },
  'engine.seccompProfile': {
    standard: null as string | null,
    about:
      'Path of the seccomp profile of containers; null: `deploy/seccomp.json` of the package. Podman reads it on its own machine, Docker is sent its text.',
    read: orNull(readText),
    example: '/etc/atelier/seccomp.json',
    guide: 'isolation',
  },
  'engine.commands': {
    standard: 'resident',
    about: 'What starts commands: a small program that each image is given (`resident`), or the `engine` alone.',
    read: readCommandWay,
    example: 'engine',
    guide: 'engines',
  },
  'ssh.enabled': {
    standard: true,
    about: 'Whether the SSH gateway runs. `"ssh": null` in the file turns it off, too.',
    read: readYesOrNo,
    example: false,
    guide: 'ssh',
  },
  'ssh.listen': {
    standard: { host: '127.0.0.1', port: 2222 },
    about: 'Address of the SSH gateway.',
    read: readAddress,
    example: '0.0.0.0:2222',
    guide: 'ssh',
  },
  'ssh.publicHost': {
    standard: '127.0.0.1',
    about: 'Host at which callers reach the gateway.',
    read: readText,
    example: 'ssh.atelier.example',
    guide: 'ssh',
  },
  'ssh.publicPort': {
    standard: 2222,
    about: 'Port at which callers reach the gateway.',
    read: readWhole(1, 65_535),
    example: 22,
    guide: 'ssh',
  },
  'ssh.hostKeyFile': {
    standard: 'data/ssh_host_ed25519',
    about: 'Host key of the gateway. Made at the first start.',
    read: readPath,
    example: '/var/lib/atelier/ssh_host_ed25519',
    guide: 'ssh',
  },
  'limits.containers': limit(10, 'Containers of an account.'),
  'limits.memoryMiB': limit(4_096, 'Memory of all containers of an account, in MiB.', 2 ** 40),
  'limits.cpu': { ...limit(4, 'Processors of all containers of an account.'), read: readNumber(0, 1_000_000) },
  'limits.images': limit(20, 'Images of an account.'),
  'limits.imageBytes': limit(10_737_418_240, 'Size of all images of an account, in bytes.', bytes),
  'limits.keys': limit(50, 'Living keys of an account.'),
  'limits.sshSessionsPerContainer': limit(4, 'SSH sessions of a container.'),
  'limits.execsPerContainer': limit(8, 'Commands at once in a container.'),
  'limits.execs': limit(32, 'Commands at once of an account.'),
  'limits.files': limit(4, 'Transfers at once of an account.'),
  'limits.fileBytes': limit(1_073_741_824, 'Size of a file or of a tree, in bytes.', bytes),
  'limits.archiveEntries': limit(20_000, 'Entries of an archive.'),
  'limits.builds': limit(2, 'Builds at once of an account.'),
  'limits.contextBytes': limit(268_435_456, 'Size of a build context, in bytes.', bytes),
  'limits.buildLogBytes': limit(8_388_608, 'Size of the log of a build, in bytes.', 1024 * mebibyte),
  'limits.buildLogsBytes': limit(
    67_108_864,
    'Size of the logs of all builds of an account, in bytes: those of the oldest builds go.',
    bytes,
  ),
  'limits.endedBuilds': limit(100, 'Builds of an account that failed or were cancelled: the oldest go.'),
  'limits.cachedSteps': limit(50, 'Steps of builds kept in the engine for later builds of an account. 0: none.'),
  'limits.cacheBytes': limit(2_147_483_648, 'Size of all kept steps of an account, in bytes. 0: none.', bytes),
  'limits.execOutputBytes': limit(67_108_864, 'Output of a streamed command, in bytes.', bytes),
  'limits.keptBytesPerCommand': limit(
    8_388_608,
    'Output kept in memory of a command without its caller, in bytes.',
    bytes,
  ),
  'limits.keptBytes': limit(
    33_554_432,
    'Output kept in memory of all commands of an account without their callers, in bytes.',
    bytes,
  ),
  'limits.egressConnections': limit(128, 'Connections at once of an account through the proxy.'),
  'commands.keptBytes': limit(
    134_217_728,
    'Output kept in memory of all commands of all accounts without their callers, in bytes.',
    bytes,
  ),
  'rate.perSecond': rate(20, 'Requests a second of a key.'),
  'rate.burst': rate(40, 'Requests of a key at once after a pause.'),
  'rate.createsPerSecond': rate(
    2,
    'Containers and images that a key, and keys that a session, may create in a second.',
  ),
  'rate.createBurst': rate(10, 'Creations of a key at once after a pause.'),
  'rate.failuresPerMinute': rate(60, 'Failed credentials of an address in a minute.'),
  egress: {
    standard: false,
    about: 'Whether callers may ask for `network: "egress"`.',
    read: readYesOrNo,
    example: true,
    guide: 'isolation',
  },
  'egressProxy.hosts': {
    standard: [] as readonly string[],
    about:
      'Hosts that callers may ask for by name in `egress.hosts`: names, `*.example.com`, or `*` for all. None: no caller may.',
    read: readHosts,
    example: ['*'],
    guide: 'egress',
  },
  'egressProxy.ports': {
    standard: [80, 443] as readonly number[],
    about: 'Ports that the proxy connects to.',
    read: readPorts,
    example: [443],
    guide: 'egress',
  },
  'egressProxy.allowedNetworks': {
    standard: [] as readonly string[],
    about: 'Networks that are not public and that the proxy connects to all the same.',
    read: readOpenNetworks,
    example: ['10.0.3.0/24'],
    guide: 'egress',
  },
  'egressProxy.resolvers': {
    standard: [] as readonly string[],
    about: 'DNS servers that the proxy asks; none: those of the machine.',
    read: readResolvers,
    example: ['10.0.0.53'],
    guide: 'egress',
  },
  'egressProxy.caFile': {
    about: 'File with certificates in PEM that the proxy and the containers trust besides the usual ones.',
    read: readPath,
    example: '/etc/atelier/own-ca.pem',
    guide: 'egress',
  },
  'egressProxy.keyFile': {
    standard: 'data/egress.key',
    about: 'Key that seals the secrets of containers in the store. Made at the first start with `egressProxy.hosts`.',
    read: readPath,
    example: '/var/lib/atelier/egress.key',
    guide: 'egress',
  },
  'egressProxy.connections': {
    standard: 1_024,
    about: 'Connections at once of all containers through the proxy.',
    read: readWhole(0, 1_000_000),
    example: 1_024,
    guide: 'egress',
  },
  'oidc.issuer': {
    about: 'OpenID Connect provider for sign-ins: its issuer, as it writes it. Without it there are passwords alone.',
    read: readIssuer,
    example: 'https://id.example.org/realms/main',
    guide: 'oidc',
  },
  'oidc.clientId': {
    about: 'Id of this service at the provider. Required with `oidc.issuer`.',
    read: readText,
    example: 'atelier',
    guide: 'oidc',
  },
  'oidc.clientSecretFile': {
    about:
      'File with the secret of the client, instead of `ATELIER_OIDC_CLIENT_SECRET`. Neither: a public client, with PKCE alone.',
    read: readPath,
    example: '/etc/atelier/oidc.secret',
    secretFile: true,
    guide: 'oidc',
  },
  'oidc.createAccounts': {
    standard: false,
    about: 'Whether an identity that belongs to no account gets a new one.',
    read: readYesOrNo,
    example: true,
    guide: 'oidc',
  },
  subscription: {
    standard: null as Readonly<Record<string, unknown>> | null,
    about: 'Currency and plans that GET /subscription/config shows; null: one free plan.',
    read: orNull(readPlans),
    example: { currency: 'EUR', plans: [] },
    guide: 'limits',
  },
} satisfies Readonly<Record<string, Setting>>

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly clientSecretFile: string | undefined
  readonly createAccounts: boolean
}

export type Settings = SettingsOf<typeof table> & {
  readonly listen: Address
  readonly publicUrl: string
  readonly oidc: OidcSettings | undefined
}
export type SettingName = keyof typeof table
export const settingsTable: Readonly<Record<SettingName, Setting>> = table

export type LimitName = SettingName extends infer Name ? (Name extends `limits.${infer Limit}` ? Limit : never) : never
export type Limits = Readonly<Record<LimitName, number>>

export const limitsOf = (settings: Settings): Limits =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (name.startsWith('limits.') ? [[name.slice(7), value]] : [])),
  ) as Limits

const { envPrefix } = product

export const otherVariables: Readonly<Record<string, string>> = {
  ATELIER_CONFIG: 'Path of the settings file, if `--config` is not given.',
  ATELIER_OPERATOR_TOKEN: 'Token of the operator endpoint, instead of `operatorTokenFile`.',
  ATELIER_OIDC_CLIENT_SECRET: 'Secret of the client at the OpenID Connect provider, if it stands in no file.',
  ATELIER_URL: 'Address of the service, for the commands that use a running one.',
  ATELIER_KEY: 'API key, for the commands that use a running service.',
  ATELIER_KEY_FILE: 'File with that key, instead of `ATELIER_KEY`.',
  ATELIER_NODE: 'Path of the Node.js to run under, instead of the one that is found.',
}

const originOf = ({ host, port }: Address): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const isPlainAndPublic = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !isLoopback({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: 0 })
}

const secretVariable = 'ATELIER_OIDC_CLIENT_SECRET'

function readOidc(known: SettingsOf<typeof table>, clientSecret: string | undefined): OidcSettings | undefined {
  const [issuer, clientId, clientSecretFile] = [
    known['oidc.issuer'],
    known['oidc.clientId'],
    known['oidc.clientSecretFile'],
  ]
  if (issuer !== undefined && clientId !== undefined)
    return { issuer, clientId, clientSecret, clientSecretFile, createAccounts: known['oidc.createAccounts'] }
  const isNone = [issuer, clientId, clientSecretFile, clientSecret].every((one) => one === undefined)
  if (isNone && !known['oidc.createAccounts']) return undefined
  const name = issuer === undefined ? 'oidc.issuer' : 'oidc.clientId'
  throw new SettingsError([{ name, message: 'is required where another setting of oidc is given' }])
}

/** the service itself speaks plain HTTP, so a proxy must end the TLS of `publicUrl` */
export const hasUnknownProxy = ({
  publicUrl,
  trustedProxies,
}: Pick<Settings, 'publicUrl' | 'trustedProxies'>): boolean =>
  publicUrl.startsWith('https:') && trustedProxies.length === 0

/** null turns the gateway off, and names no provider */
function withoutNulls({ ssh, oidc, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const given = {
    ...(ssh !== undefined && { ssh: ssh ?? { enabled: false } }),
    ...(oidc !== undefined && { oidc: oidc ?? {} }),
  }
  return { ...rest, ...given }
}

/** Throws one SettingsError that names everything wrong. */
export function readSettings(
  file: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const tree = withoutNulls(file)
  const known = readSettingsTable({ table, envPrefix, otherVariables }, tree, env)
  const { listen } = known
  if (!listen) throw new SettingsError([{ name: 'listen', message: 'is required, such as 127.0.0.1:8090' }])
  const publicUrl = known.publicUrl ?? originOf(listen)
  if (isPlainAndPublic(publicUrl))
    throw new SettingsError([
      { name: 'publicUrl', message: 'must be https: plain http is allowed on a loopback host alone' },
    ])
  if (known['egressProxy.hosts'].length > 0 && known['engine.commands'] === 'engine')
    throw new SettingsError([{ name: 'egressProxy.hosts', message: 'needs engine.commands to be resident' }])
  return { ...known, listen, publicUrl, oidc: readOidc(known, env[secretVariable]) }
}
