// How the value of a setting is read: from the file's JSON, or from the text of an environment variable.
// Each reader throws an Error that says what is wanted, and never repeats what was given.

import { isIP } from 'node:net'

export interface Address {
  readonly host: string
  readonly port: number
}

/** whether only this machine reaches what listens there */
export const isLoopback = ({ host }: Address): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/** how long answers may be remembered: for all groups of routes, or by group; 0: not at all */
export type CacheSeconds = number | Readonly<Record<string, number>>

export interface ConnectionSettings {
  readonly issuerId?: string
  readonly keyId: string
  readonly privateKeyFile: string
  readonly linkage?: 'asked'
  readonly tokenScope?: 'request'
  readonly cacheSeconds?: CacheSeconds
}

const wrong = (wanted: string): never => {
  throw new Error(wanted)
}

function readAddressOr(value: unknown, wanted: string): Address {
  const [, v6, v4, digits] = /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(String(value)) ?? []
  const host = v6 ?? v4
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : wrong(wanted)
}

export const readAddress = (value: unknown): Address =>
  readAddressOr(value, 'must be HOST:PORT, such as 127.0.0.1:8080')

/** the same, or `off` */
export const readAddressOrOff = (value: unknown): Address | 'off' =>
  value === 'off' ? value : readAddressOr(value, 'must be HOST:PORT, such as 127.0.0.1:8081, or off')

export const readWhole =
  (least: number, most: number) =>
  (value: unknown): number => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return Number.isInteger(number) && (number as number) >= least && (number as number) <= most
      ? (number as number)
      : wrong(`must be a whole number from ${least} to ${most}`)
  }

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function readBaseUrl(value: unknown): string {
  const url = URL.parse(String(value))
  if (
    !url ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    return wrong('must be an origin without a path, such as https://api.appstoreconnect.apple.com')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.has(url.hostname)))
    return wrong('must be https; plain http is for a platform on this machine only')
  return url.origin
}

/** http or https: what stands in front of a port decides */
export function readOrigin(value: unknown): string {
  const url = URL.parse(String(value))
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : wrong('must be an origin without a path, such as https://vitrine.example')
}

export function readStore(value: unknown): string {
  const text = String(value)
  const known = /^sqlite:./.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
  return known ? text : wrong('must be sqlite:PATH or postgres://USER@HOST/DATABASE')
}

export function readRedis(value: unknown): string {
  const text = String(value)
  const { protocol, pathname, search, hash, hostname } = URL.canParse(text) ? new URL(text) : new URL('none://')
  const isOne = /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && !search && !hash
  return isOne
    ? text
    : wrong('must be redis://HOST:PORT, or rediss:// over TLS, with /DB behind it where it is not the first')
}

export const readPath = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : wrong('must be the path of a file')

export const readYesOrNo = (value: unknown): boolean =>
  value === true || value === 'true'
    ? true
    : value === false || value === 'false'
      ? false
      : wrong('must be true or false')

export function readChoice<T extends string>(...choices: T[]): (value: unknown) => T {
  return (value) => choices.find((choice) => choice === value) ?? wrong(`must be one of ${choices.join(', ')}`)
}

const longestCacheSec = 3_600

/** a whole number for all groups of routes, or an object of group -> number */
export function readCacheSeconds(value: unknown): CacheSeconds {
  const given = typeof value === 'string' ? parseJson(value) : value
  const isSeconds = (one: unknown): one is number =>
    Number.isInteger(one) && (one as number) >= 0 && (one as number) <= longestCacheSec
  if (isSeconds(given)) return given
  const groups = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : []
  if (groups.length > 0 && groups.every(([, one]) => isSeconds(one))) return Object.fromEntries(groups)
  return wrong(`must be whole seconds from 0 to ${longestCacheSec}, or an object such as {"apps": 60}`)
}

const withoutPrefix = /^[\da-fA-F.:]{2,45}$/

/** addresses, and networks such as 10.0.3.0/28; in the environment separated by commas */
export function readNetworks(value: unknown): readonly string[] {
  const all: unknown = typeof value === 'string' ? value.split(',').filter(Boolean) : value
  const wanted = 'must be a list of addresses or networks, such as 10.0.3.0/28'
  if (!Array.isArray(all)) return wrong(wanted)
  for (const one of all) {
    const [address = '', bits, more] = String(one).split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (!withoutPrefix.test(address) || isIP(address) === 0 || !isNetwork || more !== undefined) return wrong(wanted)
  }
  return all as string[]
}

/** what a connection may be called */
export const connectionId = /^[A-Za-z0-9][\w.-]{0,63}$/

/** of key ids and issuer ids: they stand in tokens and in lists, so nothing else may be put in their place */
const keyForm = /^[\w-]{1,64}$/

const connectionMembers = ['issuerId', 'keyId', 'privateKeyFile', 'linkage', 'tokenScope', 'cacheSeconds']

function readConnection(id: string, value: unknown): ConnectionSettings {
  const say = (what: string) => wrong(`${id}: ${what}`)
  if (!connectionId.test(id)) return say('an id is 1 to 64 letters, digits, dots, dashes or underscores')
  if (typeof value !== 'object' || value === null) return say('must be an object')
  const given = value as Record<string, unknown>
  const unknown = Object.keys(given).find((name) => !connectionMembers.includes(name))
  if (unknown !== undefined)
    return say(`does not know ${JSON.stringify(unknown)}; known: ${connectionMembers.join(', ')}`)
  const { issuerId, keyId, privateKeyFile, linkage, tokenScope, cacheSeconds } = given
  if (typeof keyId !== 'string' || !keyForm.test(keyId)) return say('needs keyId, as the platform shows it')
  if (typeof privateKeyFile !== 'string' || privateKeyFile === '') return say('needs privateKeyFile')
  if (issuerId !== undefined && (typeof issuerId !== 'string' || !keyForm.test(issuerId)))
    return say('issuerId must be as the platform shows it')
  if (linkage !== undefined && linkage !== 'asked') return say('linkage can only be "asked"')
  if (tokenScope !== undefined && tokenScope !== 'request') return say('tokenScope can only be "request"')
  return {
    ...{ keyId, privateKeyFile, ...(issuerId !== undefined && { issuerId }) },
    ...(linkage && { linkage }),
    ...(tokenScope && { tokenScope }),
    ...(cacheSeconds !== undefined && { cacheSeconds: readCacheOf(id, cacheSeconds) }),
  }
}

function readCacheOf(id: string, value: unknown): CacheSeconds {
  try {
    return readCacheSeconds(value)
  } catch (error) {
    return wrong(`${id}: cacheSeconds ${(error as Error).message}`)
  }
}

export function readConnections(value: unknown): Record<string, ConnectionSettings> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong('must be an object')
  return Object.fromEntries(Object.entries(parsed).map(([id, one]) => [id, readConnection(id, one)]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return wrong('must be JSON')
  }
}
