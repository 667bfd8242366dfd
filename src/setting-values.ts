// How the value of a setting is read: from the file's JSON, or from the text of an environment variable.
// Each reader throws an Error that says what is wanted, and never repeats what was given.

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ConnectionSettings {
  readonly issuerId?: string
  readonly keyId: string
  readonly privateKeyFile: string
  readonly linkage?: 'asked'
}

const wrong = (wanted: string): never => {
  throw new Error(wanted)
}

export function readAddress(value: unknown): Address {
  const [, v6, v4, digits] = /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(String(value)) ?? []
  const host = v6 ?? v4
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : wrong('must be HOST:PORT, such as 127.0.0.1:8080')
}

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

export function readStore(value: unknown): string {
  const path = /^sqlite:(.+)$/.exec(String(value))?.[1]
  return path ?? wrong('must be sqlite:PATH')
}

export function readChoice<T extends string>(...choices: T[]): (value: unknown) => T {
  return (value) => choices.find((choice) => choice === value) ?? wrong(`must be one of ${choices.join(', ')}`)
}

const connectionMembers = ['issuerId', 'keyId', 'privateKeyFile', 'linkage']

function readConnection(id: string, value: unknown): ConnectionSettings {
  const say = (what: string) => wrong(`${id}: ${what}`)
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id)) return say('an id is 1 to 64 letters, digits, dots, dashes or underscores')
  if (typeof value !== 'object' || value === null) return say('must be an object')
  const given = value as Record<string, unknown>
  const unknown = Object.keys(given).find((name) => !connectionMembers.includes(name))
  if (unknown !== undefined)
    return say(`does not know ${JSON.stringify(unknown)}; known: ${connectionMembers.join(', ')}`)
  const { issuerId, keyId, privateKeyFile, linkage } = given
  if (typeof keyId !== 'string' || keyId === '') return say('needs keyId')
  if (typeof privateKeyFile !== 'string' || privateKeyFile === '') return say('needs privateKeyFile')
  if (issuerId !== undefined && (typeof issuerId !== 'string' || issuerId === '')) return say('issuerId must be a text')
  if (linkage !== undefined && linkage !== 'asked') return say('linkage can only be "asked"')
  return { keyId, privateKeyFile, ...(issuerId !== undefined && { issuerId }), ...(linkage && { linkage }) }
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
