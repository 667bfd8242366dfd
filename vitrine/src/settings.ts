// All settings: name, default, reader and description. A wrong or unknown one stops the start. Long because it is a table.
import { readBaseUrl, readCacheSeconds, readConnections, readHosts, readProxy } from './connection-settings.ts'
import {
  parseJson,
  readAddress,
  readAddressOrOff,
  readChoice,
  readNetworks,
  readOrigin,
  readPath,
  readRedis,
  readStore,
  readWhole,
  readYesOrNo,
  wrong,
} from '../../base/core/setting-values.ts'
import { isJsonObject } from '../../base/core/json.ts'
import { readIssuer } from '../../base/auth/oidc-settings.ts'
import { readSettingsTable, type Setting, type SettingsOf, variableName } from '../../base/core/settings-reader.ts'

const readText = (value: unknown): string =>
  typeof value === 'string' && /^[!-~]{1,200}$/.test(value) ? value : wrong('must be 1 to 200 visible ASCII characters')

const readScope = (value: unknown): string =>
  typeof value === 'string' && /^[!-~]+( [!-~]+)*$/.test(value) && value.split(' ').includes('openid')
    ? value
    : wrong('must be words with a space between them, one of them openid')

const roleNames = new Set(['viewer', 'keyManager', 'administrator'])

function readRoles(value: unknown): Readonly<Record<string, readonly string[]>> {
  const tree = typeof value === 'string' ? parseJson(value) : value
  const isRoles =
    isJsonObject(tree) &&
    Object.entries(tree).every(
      ([role, values]) =>
        roleNames.has(role) && Array.isArray(values) && values.every((one) => typeof one === 'string' && one !== ''),
    )
  if (isRoles && Object.values(tree).flat().length > 0) return tree as Record<string, string[]>
  return wrong('must be {"viewer": […], "keyManager": […], "administrator": […]} with at least one value of the claim')
}

const account = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKeyFile: 'studio.p8' }

const table = {
  listen: {
    standard: { host: '127.0.0.1', port: 8080 },
    about: 'Address of the public endpoint. Port 0 takes any free one.',
    read: readAddress,
    example: '0.0.0.0:8080',
  },
  operatorListen: {
    standard: { host: '127.0.0.1', port: 8081 },
    about:
      'Address of the operator endpoint, or `off`. On other addresses than loopback it needs an operator token to start; without one it refuses every request.',
    read: readAddressOrOff,
    example: 'off',
    guide: 'operator',
  },
  publicUrl: {
    about:
      'Origin of the public endpoint for callers, if that is not its own address. Only needed if it listens on loopback behind a proxy: requests for other names than this one and those of this machine are 421. Links to error pages for agents begin with it, and the console shows requests with it.',
    read: readOrigin('https://vitrine.example'),
    example: 'https://vitrine.example',
  },
  operatorUrl: {
    about: 'The same for the operator endpoint: the origin at which browsers reach the console.',
    read: readOrigin('https://vitrine.example'),
    example: 'https://console.vitrine.example',
    guide: 'operator',
  },
  operatorTokenFile: {
    about:
      'File with the operator token, instead of `VITRINE_OPERATOR_TOKEN`: one on each line, all of them valid. It is read again when it changes, so tokens are rotated without a restart.',
    read: readPath,
    example: '/run/secrets/operator-tokens',
    guide: 'operator',
    secretFile: true,
  },
  'oidc.issuer': {
    about:
      'OpenID Connect provider for operators: its issuer, as it writes it. They sign in at the console by name and with a role; operator tokens keep working. Needs `operatorUrl`.',
    read: readIssuer,
    example: 'https://id.example.org/realms/main',
    guide: 'sign-in',
  },
  'oidc.clientId': {
    about: 'Id of this service at the provider. Required with `oidc.issuer`.',
    read: readText,
    example: 'vitrine',
    guide: 'sign-in',
  },
  'oidc.clientSecretFile': {
    about:
      'File with the secret of the client, instead of `VITRINE_OIDC_CLIENT_SECRET`. Read at each sign-in; a new secret ends the sessions of the provider.',
    read: readPath,
    example: '/run/secrets/oidc-client',
    guide: 'sign-in',
    secretFile: true,
  },
  'oidc.scope': {
    standard: 'openid email profile',
    about: 'What is asked of the provider. Some send groups only for a scope of their own.',
    read: readScope,
    example: 'openid email groups',
    guide: 'sign-in',
  },
  'oidc.nameClaim': {
    standard: 'email',
    about: 'Claim with the name of an operator in the audit log; the subject if it has none.',
    read: readText,
    example: 'preferred_username',
    guide: 'sign-in',
  },
  'oidc.roleClaim': {
    standard: 'groups',
    about: 'Claim with the groups or roles of an operator: its name, or its path such as `realm_access.roles`.',
    read: readText,
    example: 'roles',
    guide: 'sign-in',
  },
  'oidc.roles': {
    about:
      'Which values of `oidc.roleClaim` give which role: `{"viewer": […], "keyManager": […], "administrator": […]}`. Viewers read, key managers also change keys, administrators do everything. Who has none of them is refused.',
    read: readRoles,
    example: { viewer: ['staff'], administrator: ['vitrine-admins'] },
    guide: 'sign-in',
  },
  store: {
    standard: 'sqlite:data/vitrine.db',
    about:
      'Store of connections, keys and the audit log: `sqlite:PATH`, or `postgres://USER@HOST/DATABASE` of version 15 or newer. A relative path starts at the settings file; a password can also come from `PGPASSWORD` or a passfile.',
    read: readStore,
    example: 'postgres://vitrine@db.internal/vitrine',
  },
  storePasswordFile: {
    about: 'File that contains only the password of a PostgreSQL store, instead of a password in `store`.',
    read: readPath,
    example: '/run/secrets/store-password',
    guide: 'deploying',
    secretFile: true,
  },
  redis: {
    about:
      'Redis or Valkey that all replicas share, for rate limits of keys, the quota of signing keys, single-flight reads and cached answers: `redis://HOST:PORT`, or `rediss://` over TLS, with user and password before the host if it needs them. Without it, and while it does not answer, each replica uses its share of the limits.',
    read: readRedis,
    example: 'redis://vitrine:PASSWORD@redis.internal:6379',
    guide: 'replicas',
  },
  redisPasswordFile: {
    about: 'File that contains only the password of `redis`, instead of a password in that address.',
    read: readPath,
    example: '/run/secrets/redis-password',
    guide: 'deploying',
    secretFile: true,
  },
  storeOutageSeconds: {
    standard: 300,
    about:
      'How long keys and connections read from PostgreSQL are served while it is down, in seconds since it last confirmed them; only if `redis` reports no revocation since. 0: not at all. Must be equal for all replicas and commands.',
    read: readWhole(0, 3_600),
    example: 60,
    guide: 'replicas',
  },
  masterKeysFile: {
    about:
      'File with the master keys of hosted connections, instead of `VITRINE_MASTER_KEYS`: `id:base64`, one on each line. The first encrypts, all decrypt.',
    read: readPath,
    example: '/run/secrets/master-keys',
    guide: 'vault',
    secretFile: true,
    live: true,
  },
  'upstream.baseUrl': {
    standard: 'https://api.appstoreconnect.apple.com',
    about: 'Origin of the platform: https, or plain http on this machine.',
    read: readBaseUrl,
    example: 'https://forwarder.internal',
  },
  'upstream.timeoutMs': {
    standard: 25_000,
    about:
      'How long one facade request may take over all its platform calls, waiting and retries included, in milliseconds.',
    read: readWhole(100, 600_000),
    example: 15_000,
  },
  'upstream.connectMs': {
    standard: 2_000,
    about: 'Timeout for connecting to the platform, DNS and TLS included, in milliseconds.',
    read: readWhole(100, 60_000),
    example: 1_000,
  },
  'upstream.headersMs': {
    standard: 10_000,
    about: 'Timeout for the response headers of one platform call, in milliseconds.',
    read: readWhole(100, 600_000),
    example: 8_000,
  },
  'upstream.idleMs': {
    standard: 5_000,
    about: 'Timeout for a pause within a response of the platform, in milliseconds.',
    read: readWhole(100, 60_000),
    example: 3_000,
  },
  'upstream.totalMs': {
    standard: 20_000,
    about: 'Timeout for one platform call as a whole, in milliseconds.',
    read: readWhole(100, 600_000),
    example: 12_000,
  },
  'upstream.concurrency': {
    standard: 6,
    about: 'Maximum of concurrent platform calls for one signing key.',
    read: readWhole(1, 64),
    example: 4,
  },
  'upstream.privateAddresses': {
    standard: false,
    about:
      'Whether the host of `upstream.baseUrl` may resolve to a private or loopback address, such as that of your own forwarder. An address written into the URL always may.',
    read: readYesOrNo,
    example: true,
  },
  'upstream.proxy': {
    about:
      'HTTP proxy through which the platform and the provider of operators are reached: `http://HOST:PORT`, or `https://` over TLS, with user and password before the host if it needs them; or `environment`: that of `HTTPS_PROXY`, except for hosts in `NO_PROXY`. TLS is checked end to end.',
    read: readProxy,
    example: 'http://vitrine@proxy.internal:3128',
    guide: 'proxy',
    live: true,
  },
  'upstream.proxyPasswordFile': {
    about: 'File that contains only the password of `upstream.proxy`, instead of a password in that address.',
    read: readPath,
    example: '/run/secrets/proxy-password',
    guide: 'proxy',
    secretFile: true,
    live: true,
  },
  'upstream.noProxy': {
    standard: [],
    about:
      'Hosts that are reached without the proxy: names with all below them, addresses, networks, each with or without a port.',
    read: readHosts,
    example: ['id.internal', '10.0.0.0/8'],
    guide: 'proxy',
    live: true,
  },
  'upstream.caFile': {
    about:
      'File of certificate authorities in PEM that are trusted beside the standard ones, by all calls to the platform, the proxy and the provider of operators.',
    read: readPath,
    example: '/etc/ssl/certs/company.pem',
    guide: 'proxy',
    live: true,
  },
  'rateLimit.perMinute': {
    standard: 600,
    about:
      'Requests a minute for each facade key without a rate limit of its own, over all replicas together. 0: no limit.',
    read: readWhole(0, 1_000_000),
    example: 120,
    guide: 'keys',
  },
  'rateLimit.failuresPerMinute': {
    standard: 1_000,
    about:
      'Requests a minute with a bad key that one network may send before it gets 429; keys that were valid lately are still accepted. Replicas share the limit. 0: no limit.',
    read: readWhole(0, 1_000_000),
    example: 100,
    guide: 'keys',
  },
  'limits.requests': {
    standard: 4_096,
    about: 'Concurrent requests; more get 503.',
    read: readWhole(1, 1_000_000),
    example: 1_024,
  },
  'limits.connectionsPerAddress': {
    standard: 1_000,
    about:
      'Sockets that one network may hold, trusted proxies excepted; beyond them the one that has been idle longest is closed. 0: no limit.',
    read: readWhole(0, 1_000_000),
    example: 200,
  },
  'limits.answerMegabytes': {
    standard: 128,
    about:
      'MiB of platform responses that one process holds in memory before they are parsed, uncompressed and over all connections. A read that gets no memory within a second, or whose response exceeds what is left, is 503.',
    read: readWhole(16, 1_048_576),
    example: 256,
  },
  drainSeconds: {
    standard: 3,
    about:
      'How long a stopping service still accepts new sockets after `/readyz` began to refuse, in seconds: as long as the load balancer needs to notice. 0: there is no load balancer.',
    read: readWhole(0, 7),
    example: 5,
  },
  trustedProxies: {
    standard: [],
    about:
      'Addresses and networks of the proxies in front, such as `["10.0.3.0/28"]`: only their `X-Forwarded-For` is trusted. Do not name a network with other machines in it.',
    read: readNetworks,
    example: ['192.0.2.7', '10.0.3.0/28'],
  },
  cacheSeconds: {
    standard: 0,
    about:
      'How long answers may be cached, in seconds: for all groups of routes (`60`) or by group (`{"apps": 60}`). A connection may override it. 0: not at all. Answers with personal data or signed URLs are never cached.',
    read: readCacheSeconds,
    example: { apps: 300, commerce: 60 },
    guide: 'caching',
  },
  traces: {
    standard: false,
    about:
      'Whether the W3C `traceparent` of a request is passed on to the platform, and OpenTelemetry spans are created if an SDK is preloaded.',
    read: readYesOrNo,
    example: true,
    guide: 'opentelemetry',
  },
  'audit.reads': {
    standard: false,
    about:
      'Whether every answered read gets an audit line: key, operation, connection, status. Refusals of one key for one cause are counted in one line a minute. Never a query or a body.',
    read: readYesOrNo,
    example: true,
    guide: 'operator',
  },
  'audit.days': {
    standard: 0,
    about: 'How many days audit lines are kept at least; older ones are pruned within an hour. 0: all are kept.',
    read: readWhole(0, 36_500),
    example: 400,
    guide: 'operator',
  },
  'audit.lines': {
    standard: 0,
    about:
      'How many audit lines are kept at most; beyond them the oldest tenth is pruned. A line takes about 0.6 kB. 0: all are kept.',
    read: readWhole(0, 1_000_000_000),
    example: 10_000_000,
    guide: 'operator',
  },
  log: {
    standard: 'all' as const,
    about: 'Log on standard error: every request (`all`), only failures (`problems`), or nothing (`off`).',
    read: readChoice('all', 'problems', 'off'),
    example: 'problems',
    guide: 'logs',
  },
  connections: {
    standard: {},
    about:
      'Store accounts by id: `{"keyId", "privateKeyFile", "issuerId"?, "linkage"?, "tokenScope"?, "cacheSeconds"?}`. Without `issuerId` the key is an individual one. A relative path starts at the settings file, which is read again when it changes. In the environment: the same as JSON.',
    read: readConnections,
    example: { studio: account },
    guide: 'connections',
    live: true,
  },
} satisfies Readonly<Record<string, Setting>>

export type Settings = SettingsOf<typeof table>
export type SettingName = keyof Settings
export const settingsTable: { readonly [K in SettingName]: Setting<Settings[K]> } = table
/** where the setting is explained */
export const guideOf = (name: SettingName): string => settingsTable[name].guide ?? 'running'
export const settingNames = Object.keys(table) as SettingName[]

const envPrefix = 'VITRINE_'
export const variableOf = (name: string): string => variableName(envPrefix, name)

export const otherVariables: Readonly<Record<string, string>> = {
  VITRINE_CONFIG: 'Path of the settings file, if `--config` is not given.',
  VITRINE_OPERATOR_TOKEN: 'Operator token: at least 128 random bits, best created by `vitrine operator token`.',
  VITRINE_OIDC_CLIENT_SECRET: 'Secret of the client at the OpenID Connect provider, if it stands in no file.',
  VITRINE_MASTER_KEYS:
    'Master keys of hosted connections: `id:base64` of 32 bytes each, separated by commas. The first encrypts, all decrypt.',
  VITRINE_URL:
    "Origin of a service's public endpoint, for callers such as `vitrine read`; the service does not read it.",
  VITRINE_KEY: 'A facade key, for callers; the service does not read it.',
  VITRINE_CONNECTION: 'The connection that callers read if they name none; the service does not read it.',
  VITRINE_NODE: 'Path of the Node.js to run under, instead of the one that is found.',
}

/** `file`: the parsed settings file. Throws one SettingsError that names everything wrong. */
export const readSettings = (
  file: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
): Settings => readSettingsTable({ table, envPrefix, otherVariables }, file, env)

/** names of the changed settings that need a restart */
export const changedOutside = (settings: Settings, fresh: Settings): string[] =>
  settingNames.filter(
    (name) => settingsTable[name].live !== true && JSON.stringify(settings[name]) !== JSON.stringify(fresh[name]),
  )

interface NamedFile {
  readonly setting: string
  readonly file: string
}

/** without the key files of connections */
export const secretFilesOf = (settings: Settings): NamedFile[] =>
  settingNames.flatMap((setting) => {
    const file = settings[setting]
    return settingsTable[setting].secretFile && typeof file === 'string' ? [{ setting, file }] : []
  })

export const keyFilesOf = ({ connections }: Settings): NamedFile[] =>
  Object.entries(connections).map(([id, { privateKeyFile: file }]) => ({
    setting: `connections.${id}.privateKeyFile`,
    file,
  }))
