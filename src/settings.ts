// Every setting once: its name, its default, how it is read, what it is for. A wrong or unknown one stops the start,
// and all that is wrong is said at once. `a.b` in the file is VITRINE_A_B in the environment, which wins.
// Long because it is a table.
import {
  type Address,
  type CacheSeconds,
  type ConnectionSettings,
  readAddress,
  readAddressOrOff,
  readBaseUrl,
  readCacheSeconds,
  readChoice,
  readConnections,
  readNetworks,
  readOrigin,
  readPath,
  readRedis,
  readStore,
  readWhole,
  readYesOrNo,
} from './setting-values.ts'

export type { Address, ConnectionSettings } from './setting-values.ts'

export interface Settings {
  readonly listen: Address
  readonly operatorListen: Address | 'off'
  readonly publicUrl: string | undefined
  readonly operatorUrl: string | undefined
  readonly operatorTokenFile: string | undefined
  readonly store: string
  readonly storePasswordFile: string | undefined
  readonly redis: string | undefined
  readonly storeOutageSeconds: number
  readonly redisPasswordFile: string | undefined
  readonly masterKeysFile: string | undefined
  readonly 'upstream.baseUrl': string
  readonly 'upstream.timeoutMs': number
  readonly 'upstream.connectMs': number
  readonly 'upstream.headersMs': number
  readonly 'upstream.idleMs': number
  readonly 'upstream.totalMs': number
  readonly 'upstream.concurrency': number
  readonly 'upstream.privateAddresses': boolean
  readonly 'rateLimit.perMinute': number
  readonly 'rateLimit.failuresPerMinute': number
  readonly 'limits.requests': number
  readonly 'limits.connectionsPerAddress': number
  readonly 'limits.answerMegabytes': number
  readonly workers: number
  readonly drainSeconds: number
  readonly trustedProxies: readonly string[]
  readonly cacheSeconds: CacheSeconds
  readonly traces: boolean
  readonly 'audit.reads': boolean
  readonly 'audit.days': number
  readonly 'audit.lines': number
  readonly log: 'all' | 'problems' | 'off'
  readonly connections: Readonly<Record<string, ConnectionSettings>>
}

interface Setting<T> {
  readonly standard: T
  readonly shown: string
  readonly about: string
  /** throws an Error that says what is wanted */
  read(value: unknown): T
}

export const settingsTable: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  listen: {
    standard: { host: '127.0.0.1', port: 8080 },
    shown: '127.0.0.1:8080',
    about: 'Where the public door listens. Port 0 takes any free one.',
    read: readAddress,
  },
  operatorListen: {
    standard: { host: '127.0.0.1', port: 8081 },
    shown: '127.0.0.1:8081',
    about:
      "Where the operator's door listens, or `off`. Anywhere but on loopback it needs an operator token to start; without one it lets nobody in.",
    read: readAddressOrOff,
  },
  publicUrl: {
    standard: undefined,
    shown: 'none',
    about:
      'Where callers reach the public port, where that is not its own address. Only needed where it listens on loopback behind a proxy: requests for other names than this one and those of this machine are 421. Agents are told pages about errors with it.',
    read: readOrigin,
  },
  operatorUrl: {
    standard: undefined,
    shown: 'none',
    about: "The same for the operator's port: where browsers reach the console.",
    read: readOrigin,
  },
  operatorTokenFile: {
    standard: undefined,
    shown: 'none',
    about:
      'File with the operator token, instead of `VITRINE_OPERATOR_TOKEN`: one a line, all of them valid. It is read again when it changes, so a token is rotated without a restart.',
    read: readPath,
  },
  store: {
    standard: 'sqlite:data/vitrine.db',
    shown: 'sqlite:data/vitrine.db',
    about:
      'Where connections, keys and the audit are kept: `sqlite:PATH`, or `postgres://USER@HOST/DATABASE` of version 15 or newer. A relative path starts at the settings file; a password can also come from `PGPASSWORD` or a passfile.',
    read: readStore,
  },
  storePasswordFile: {
    standard: undefined,
    shown: 'none',
    about: 'File that holds the password of a PostgreSQL store and nothing else, instead of a password in `store`.',
    read: readPath,
  },
  redis: {
    standard: undefined,
    shown: 'none',
    about:
      'Redis or Valkey that all replicas share, for rates of keys, the quota of platform keys, equal reads that are one call, and remembered answers: `redis://HOST:PORT`, or `rediss://` over TLS, with user and password in front of the host where it wants them. Without it, and while it does not answer, each replica takes its part.',
    read: readRedis,
  },
  redisPasswordFile: {
    standard: undefined,
    shown: 'none',
    about: 'File that holds the password of `redis` and nothing else, instead of a password in that address.',
    read: readPath,
  },
  storeOutageSeconds: {
    standard: 300,
    shown: '300',
    about:
      'How long a key and a connection that were found in PostgreSQL are believed while it cannot be asked, in seconds since it last confirmed them; only where `redis` says that nothing was taken away since. 0: not at all. The same for all replicas, and for commands.',
    read: readWhole(0, 3_600),
  },
  masterKeysFile: {
    standard: undefined,
    shown: 'none',
    about:
      'File with the master keys of hosted connections, instead of `VITRINE_MASTER_KEYS`: `id:base64`, one a line. The first writes, all read.',
    read: readPath,
  },
  'upstream.baseUrl': {
    standard: 'https://api.appstoreconnect.apple.com',
    shown: 'https://api.appstoreconnect.apple.com',
    about: 'Origin of the platform: https, or plain http on this machine.',
    read: readBaseUrl,
  },
  'upstream.timeoutMs': {
    standard: 25_000,
    shown: '25000',
    about:
      'How long one facade request may take over all its platform calls, waiting and repeats included, in milliseconds.',
    read: readWhole(100, 600_000),
  },
  'upstream.connectMs': {
    standard: 2_000,
    shown: '2000',
    about: 'How long a connection to the platform may take to come about, name and TLS included, in milliseconds.',
    read: readWhole(100, 60_000),
  },
  'upstream.headersMs': {
    standard: 10_000,
    shown: '10000',
    about: 'How long the platform may take to begin its answer to one call, in milliseconds.',
    read: readWhole(100, 600_000),
  },
  'upstream.idleMs': {
    standard: 5_000,
    shown: '5000',
    about: 'How long the platform may pause within an answer, in milliseconds.',
    read: readWhole(100, 60_000),
  },
  'upstream.totalMs': {
    standard: 20_000,
    shown: '20000',
    about: 'How long one call of the platform may take in all, in milliseconds.',
    read: readWhole(100, 600_000),
  },
  'upstream.concurrency': {
    standard: 6,
    shown: '6',
    about: 'How many calls of one platform key may be under way at once.',
    read: readWhole(1, 64),
  },
  'upstream.privateAddresses': {
    standard: false,
    shown: 'false',
    about:
      'Whether the host of `upstream.baseUrl` may have a private or loopback address, as a forwarder of your own has. An address written into the URL always may.',
    read: readYesOrNo,
  },
  'rateLimit.perMinute': {
    standard: 600,
    shown: '600',
    about: 'Requests a minute for each key that has no rate of its own, over all replicas together. 0: no limit.',
    read: readWhole(0, 1_000_000),
  },
  'rateLimit.failuresPerMinute': {
    standard: 1_000,
    shown: '1000',
    about:
      'Requests a minute with a bad key that one network neighbourhood may send before it gets 429; keys that have been good lately are still heard. Of several replicas each takes its part. 0: no limit.',
    read: readWhole(0, 1_000_000),
  },
  'limits.requests': {
    standard: 4_096,
    shown: '4096',
    about: 'Requests that are answered at once; more get 503.',
    read: readWhole(1, 1_000_000),
  },
  'limits.connectionsPerAddress': {
    standard: 1_000,
    shown: '1000',
    about:
      'Sockets that one network neighbourhood may hold, trusted proxies aside; beyond them the one that has been silent longest is closed. 0: no limit.',
    read: readWhole(0, 1_000_000),
  },
  'limits.answerMegabytes': {
    standard: 128,
    shown: '128',
    about:
      'MiB of platform answers that one process holds in memory at once, over all connections: as they come, unpacked, until they are parsed. A read that finds no room within a second, or whose answer outgrows what is left, is 503.',
    read: readWhole(16, 1_048_576),
  },
  workers: {
    standard: 1,
    shown: '1',
    about:
      'Processes that `serve` answers with, or `--workers N`. More than one are useful up to the number of cores: limits of keys and of the platform hold for all together, memory is needed for each.',
    read: readWhole(1, 64),
  },
  drainSeconds: {
    standard: 3,
    shown: '3',
    about:
      'How long a service that stops still takes new connections after `/readyz` has begun to refuse, in seconds: as long as the load balancer in front needs to notice. 0: none is in front.',
    read: readWhole(0, 7),
  },
  trustedProxies: {
    standard: [],
    shown: 'none',
    about:
      'Addresses and networks of the proxies in front, such as `["10.0.3.0/28"]`: what they say in `X-Forwarded-For` is believed, and nobody else. Name no network with other machines in it.',
    read: readNetworks,
  },
  cacheSeconds: {
    standard: 0,
    shown: '0',
    about:
      'How long answers may be remembered, in seconds: for all groups of routes (`60`) or by group (`{"apps": 60}`). A connection may say it for itself. 0: not at all. What holds personal data or signed addresses is never remembered.',
    read: readCacheSeconds,
  },
  traces: {
    standard: false,
    shown: 'false',
    about:
      'Whether the W3C `traceparent` of a request is carried on to the platform, and OpenTelemetry spans are made where an SDK is preloaded.',
    read: readYesOrNo,
  },
  'audit.reads': {
    standard: false,
    shown: 'false',
    about:
      'Whether the audit also gets a line for every answered read: which key, which operation, which connection, which status. Refusals of one key for one cause are one line a minute that counts them. Never a query or a body.',
    read: readYesOrNo,
  },
  'audit.days': {
    standard: 0,
    shown: '0',
    about:
      'How many days lines of the audit are kept at least; older ones are pruned within the hour. 0: all are kept.',
    read: readWhole(0, 36_500),
  },
  'audit.lines': {
    standard: 0,
    shown: '0',
    about:
      'How many lines of the audit are kept at most; beyond them the oldest tenth is pruned. A line takes about 0.6 kB. 0: all are kept.',
    read: readWhole(0, 1_000_000_000),
  },
  log: {
    standard: 'all',
    shown: 'all',
    about: 'What is logged to standard error: every request (`all`), only failures (`problems`), or nothing (`off`).',
    read: readChoice('all', 'problems', 'off'),
  },
  connections: {
    standard: {},
    shown: 'none',
    about:
      'Store accounts by id: `{"keyId", "privateKeyFile", "issuerId"?, "linkage"?, "tokenScope"?, "cacheSeconds"?}`. Without `issuerId` the key is an individual one. A relative path starts at the settings file, which is read again when it changes. In the environment: the same as JSON.',
    read: readConnections,
  },
}

const snake = (name: string): string =>
  name
    .replaceAll('.', '_')
    .replaceAll(/[A-Z]/g, (c) => `_${c}`)
    .toUpperCase()
export const variableOf = (name: string): string => `VITRINE_${snake(name)}`

/** variables that are no settings */
export const otherVariables: Readonly<Record<string, string>> = {
  VITRINE_CONFIG: 'Path of the settings file, where `--config` is not given.',
  VITRINE_OPERATOR_TOKEN:
    "Token of the operator's door: 128 bits of chance or more, best made by `openssl rand -hex 32`.",
  VITRINE_MASTER_KEYS:
    'Master keys of hosted connections: `id:base64` of 32 bytes each, separated by commas. The first writes, all read.',
  VITRINE_URL: "Origin of a service's public door, for callers such as `vitrine read`; the service does not read it.",
  VITRINE_KEY: 'A facade key, for callers; the service does not read it.',
  VITRINE_CONNECTION: 'The connection that callers read where they name none; the service does not read it.',
  VITRINE_NODE: 'Path of the Node.js to run under, instead of the one that is found.',
}
/** a container platform sets these for a service that is called vitrine */
const foreign = /^VITRINE_(SERVICE|PORT)(_|$)/

const sectionsOf = (names: readonly string[]): Set<string> =>
  new Set(names.flatMap((name) => (name.includes('.') ? name.split('.', 1) : [])))

/** the file's tree as `a.b` -> value; only the known sections are opened */
function flattenFile(tree: Record<string, unknown>): Map<string, unknown> {
  const sections = sectionsOf(Object.keys(settingsTable))
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(tree))
    if (sections.has(name) && typeof value === 'object' && value !== null)
      for (const [inner, one] of Object.entries(value)) flat.set(`${name}.${inner}`, one)
    else flat.set(name, value)
  return flat
}

/** Throws one Error that names everything that is wrong. `file` is the parsed settings file. */
export function readSettings(
  file: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const names = Object.keys(settingsTable) as (keyof Settings)[]
  const given = flattenFile(file)
  const problems: string[] = []
  for (const name of given.keys())
    if (!names.includes(name as keyof Settings))
      problems.push(
        `${name}: ${sectionsOf(names).has(name) ? 'must be an object' : `there is no such setting; known: ${names.join(', ')}`}`,
      )
  const variables = new Map(names.map((name) => [variableOf(name), name]))
  for (const variable of Object.keys(env))
    if (
      variable.startsWith('VITRINE_') &&
      !variables.has(variable) &&
      !(variable in otherVariables) &&
      !foreign.test(variable)
    )
      problems.push(
        `${variable}: there is no such variable; known: ${[...variables.keys(), ...Object.keys(otherVariables)].join(', ')}`,
      )
  const settings: Record<string, unknown> = {}
  for (const name of names) {
    const variable = variableOf(name)
    const fromEnv = env[variable] !== undefined
    const value = fromEnv ? env[variable] : given.get(name)
    try {
      settings[name] = value === undefined ? settingsTable[name].standard : settingsTable[name].read(value)
    } catch (error) {
      problems.push(`${fromEnv ? variable : name}: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return settings as unknown as Settings
}

/** what only a restart brings in */
function fixedPart(settings: Settings): Record<string, string> {
  // the master keys are read again with the connections
  const { connections, masterKeysFile, ...fixed } = settings
  void [connections, masterKeysFile]
  return Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, JSON.stringify(value) ?? '']))
}

/** names of the settings that differ, and wait for a restart */
export function changedOutside(settings: Settings, fresh: Settings): string[] {
  const [before, after] = [fixedPart(settings), fixedPart(fresh)]
  return Object.keys(before).filter((name) => before[name] !== after[name])
}
