// Reads the settings of connections and of the platform; a reader throws an Error with the expected form.
import { isJsonObject } from '../../base/core/json.ts'
import { parseJson, wrong } from '../../base/core/setting-values.ts'

/** seconds for all groups of routes, or by group; 0: answers are not cached */
export type CacheSeconds = number | Readonly<Record<string, number>>

export interface ConnectionSettings {
  readonly issuerId?: string
  readonly keyId: string
  readonly privateKeyFile: string
  readonly linkage?: 'asked'
  readonly tokenScope?: 'request'
  readonly cacheSeconds?: CacheSeconds
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function readBaseUrl(value: unknown): string {
  const url = URL.parse(String(value))
  if (url?.href !== `${url?.origin}/`)
    return wrong('must be an origin without a path, such as https://api.appstoreconnect.apple.com')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.has(url.hostname)))
    return wrong('must be https; plain http is for a platform on this machine only')
  return url.origin
}

const longestCacheSec = 3_600

/** undefined: it is no address of an HTTP proxy */
export function parseProxy(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) return undefined
  // a user that cannot be decoded would be sent as something else
  return /%(?![\da-f]{2})/i.test(url.username + url.password) ? undefined : url
}

export function readProxy(value: unknown): string {
  if (value === 'environment') return value
  return (
    parseProxy(String(value))?.href ??
    wrong('must be http://HOST:PORT or https://HOST:PORT, with a user before the host if needed, or environment')
  )
}

export function readHosts(value: unknown): readonly string[] {
  const all: unknown = typeof value === 'string' ? value.split(',').filter(Boolean) : value
  const isHosts = Array.isArray(all) && all.every((one) => typeof one === 'string' && /^[\w.*:/[\]-]{1,255}$/.test(one))
  return isHosts ? (all as string[]) : wrong('must be a list of hosts, such as .internal or 10.0.0.0/8')
}

export function readCacheSeconds(value: unknown): CacheSeconds {
  const given = typeof value === 'string' ? parseJson(value) : value
  const isSeconds = (one: unknown): one is number =>
    Number.isInteger(one) && (one as number) >= 0 && (one as number) <= longestCacheSec
  if (isSeconds(given)) return given
  const groups = isJsonObject(given) ? Object.entries(given) : []
  if (groups.length > 0 && groups.every((one): one is [string, number] => isSeconds(one[1])))
    return Object.fromEntries(groups)
  return wrong(`must be whole seconds from 0 to ${longestCacheSec}, or an object such as {"apps": 60}`)
}

export const connectionId = /^[A-Za-z0-9][\w.-]{0,63}$/

/** key ids and issuer ids get into tokens and lists, so nothing else may be put in their place */
const keyForm = /^[\w-]{1,64}$/
/** The platform shows its ids in these forms, and promises neither: another one is used, with a hint. */
const idForms = {
  keyId: {
    form: /^[A-Z\d]{10}$/,
    hint: 'A key id is 10 capital letters and digits, such as 2X9R4HXF34. App Store Connect shows it in the list of keys, under Users and Access > Integrations > App Store Connect API.',
  },
  issuerId: {
    form: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
    hint: 'An issuer id is a UUID, such as 57246542-96fe-1a63-e053-0824d011072a. App Store Connect shows it above the list of keys, under Users and Access > Integrations > App Store Connect API.',
  },
} as const

export type IdName = keyof typeof idForms
export const idHint = (name: IdName): string => idForms[name].hint

/** the ids that do not look like those of the platform */
export const oddIds = (ids: { readonly [K in IdName]?: string | undefined }): IdName[] =>
  (['keyId', 'issuerId'] as const).filter((name) => ids[name] !== undefined && !idForms[name].form.test(ids[name]))

const connectionMembers = ['issuerId', 'keyId', 'privateKeyFile', 'linkage', 'tokenScope', 'cacheSeconds']

function readConnection(id: string, value: unknown): ConnectionSettings {
  const say = (what: string, member?: string) => wrong(`${id}: ${what}`, member === undefined ? [id] : [id, member])
  if (!connectionId.test(id)) return say('an id is 1 to 64 letters, digits, dots, dashes or underscores')
  if (!isJsonObject(value)) return say('must be an object')
  const unknown = Object.keys(value).find((name) => !connectionMembers.includes(name))
  if (unknown !== undefined)
    return say(`does not know ${JSON.stringify(unknown)}; known: ${connectionMembers.join(', ')}`, unknown)
  const { issuerId, keyId, privateKeyFile, linkage, tokenScope, cacheSeconds } = value
  if (typeof keyId !== 'string' || !keyForm.test(keyId)) return say(`needs keyId. ${idHint('keyId')}`, 'keyId')
  if (typeof privateKeyFile !== 'string' || privateKeyFile === '') return say('needs privateKeyFile', 'privateKeyFile')
  if (issuerId !== undefined && (typeof issuerId !== 'string' || !keyForm.test(issuerId)))
    return say(`issuerId is not usable. ${idHint('issuerId')}`, 'issuerId')
  if (linkage !== undefined && linkage !== 'asked') return say('linkage can only be "asked"', 'linkage')
  if (tokenScope !== undefined && tokenScope !== 'request') return say('tokenScope can only be "request"', 'tokenScope')
  return {
    keyId,
    privateKeyFile,
    ...(issuerId !== undefined && { issuerId }),
    ...(linkage && { linkage }),
    ...(tokenScope && { tokenScope }),
    ...(cacheSeconds !== undefined && { cacheSeconds: readCacheOf(id, cacheSeconds) }),
  }
}

function readCacheOf(id: string, value: unknown): CacheSeconds {
  try {
    return readCacheSeconds(value)
  } catch (error) {
    return wrong(`${id}: cacheSeconds ${(error as Error).message}`, [id, 'cacheSeconds'])
  }
}

export function readConnections(value: unknown): Record<string, ConnectionSettings> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value
  if (!isJsonObject(parsed)) return wrong('must be an object')
  return Object.fromEntries(Object.entries(parsed).map(([id, one]) => [id, readConnection(id, one)]))
}
